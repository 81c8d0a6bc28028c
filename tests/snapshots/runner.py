"""Runs the command line in this process, and compares what it prints with what it printed before."""

import difflib
import io
import json
import math
import os
import re
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from edgewright import __version__, cli

REPOSITORY = Path(__file__).resolve().parents[2]
RELATIVE_TOLERANCE = 1e-6  # libraries of linear algebra differ in the last digits
_MOST_DIFFERENCES = 40
_VARIES = (
    (rf"(edgewright |\"){re.escape(__version__)}\b", r"\1<VERSION>"),
    (r"\b(HiGHS|Vela) \d[\d.]*\d", r"\1 <VERSION>"),
    (r"python -m [\w.]*edgewright", "edgewright"),
    (r"(<FOLDER>[^|\n]*?) +\|", r"\1 |"),
)


@dataclass(frozen=True)
class Run:
    code: int
    stdout: str
    stderr: str


def run(words: list[str], folder: Path) -> Run:
    """What `edgewright WORDS` prints and its exit code, with `folder` as the working directory."""
    ran = as_it_is(words, folder)
    return Run(ran.code, normalised(ran.stdout, folder), normalised(ran.stderr, folder))


def as_it_is(words: list[str], folder: Path) -> Run:
    """The same with what differs from one machine to the next."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    before, where, stdin = sys.argv, Path.cwd(), sys.stdin
    sys.argv, sys.stdin = ["edgewright", *words], io.TextIOWrapper(io.BytesIO())  # nothing is piped in
    os.chdir(folder)
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = _exit_code()
    finally:
        sys.argv, sys.stdin = before, stdin
        os.chdir(where)
    texts = (bytes(stream.buffer.getvalue()).decode() for stream in (out, err))  # type: ignore[attr-defined]
    return Run(code, *texts)


def _exit_code() -> int:
    try:
        cli.main()
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    return 0


def normalised(text: str, folder: Path) -> str:
    """`text` without what differs from one machine and one release to the next."""
    for path, name in ((folder, "FOLDER"), (folder.resolve(), "FOLDER"), (REPOSITORY, "REPOSITORY")):
        text = text.replace(str(path), f"<{name}>")
    for pattern, stands in _VARIES:
        text = re.sub(pattern, stands, text)
    return text


def text_difference(was: str, now: str, name: str) -> str:
    """A unified diff, empty where the texts are the same."""
    return "\n".join(
        difflib.unified_diff(was.splitlines(), now.splitlines(), f"{name} (stored)", "now", lineterm="", n=2)
    )


def fields(document: Any, at: str = "") -> list[str]:
    """The paths of all fields, `[]` for every row; sorted."""
    match document:
        case dict():
            below = (fields(value, f"{at}.{name}" if at else name) for name, value in document.items())
        case list():
            below = (fields(row, f"{at}[]") for row in document)
        case _:
            below = iter(())
    return sorted({at, *(path for paths in below for path in paths)} - {""})


def without_rows(document: Any, at: str = "") -> list[str]:
    """The paths of lists and records that a document has, but nothing in them."""
    match document:
        case dict() if document:
            below = (without_rows(value, f"{at}.{name}" if at else name) for name, value in document.items())
        case list() if document:
            below = (without_rows(row, f"{at}[]") for row in document)
        case None | [] | {}:
            return [at]
        case _:
            return []
    return sorted({path for paths in below for path in paths})


def json_difference(was: Any, now: Any) -> str:
    """A line for each value that moved, with its path; empty where only last digits did."""
    lines = list(_differences(was, now, "$"))
    more = [f"… and {len(lines) - _MOST_DIFFERENCES} more"] if len(lines) > _MOST_DIFFERENCES else []
    return "\n".join(lines[:_MOST_DIFFERENCES] + more)


def _differences(was: Any, now: Any, path: str) -> list[str]:
    match was, now:
        case dict(), dict():
            lost = [f"{path}.{key}: gone, was {_short(was[key])}" for key in was if key not in now]
            new = [f"{path}.{key}: new, {_short(now[key])}" for key in now if key not in was]
            moved = [_differences(was[key], now[key], f"{path}.{key}") for key in was if key in now]
            return lost + new + [line for lines in moved for line in lines]
        case list(), list():
            rows = zip(was, now, strict=False)
            moved = [_differences(*row, f"{path}[{index}]") for index, row in enumerate(rows)]
            length = [f"{path}: {len(was)} rows → {len(now)}"] if len(was) != len(now) else []
            return length + [line for lines in moved for line in lines]
        case (bool(), _) | (_, bool()):
            same = was is now
        case ((int() | float()), (int() | float())):
            same = math.isclose(was, now, rel_tol=RELATIVE_TOLERANCE)
        case _:
            same = was == now
    return [] if same else [f"{path}: {_short(was)} → {_short(now)}"]


def same_value(was: object, now: object) -> bool:
    """Floats but for the last digits; everything else, bytes and counts among it, exactly."""
    match was, now:
        case (float(), int() | float()) | (int(), float()):
            return math.isclose(was, now, rel_tol=RELATIVE_TOLERANCE)
        case _:
            return was == now


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else text[:199] + "…"
