"""What Linux' `perf stat` prints: for people, with a separator (-x), or as JSON (-j).

Fields of -x and -j as in torvalds/linux tools/perf/Documentation/perf-stat.txt, "CSV FORMAT", "JSON FORMAT".
Counts are grouped and split as the locale has it: 1,364,046 and 77 375 671.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ....hardware_db.errors import InputError
from ...core.sanitize import clean_text
from ..counters.names import in_base_units, known
from ..recording import Counted, Recording

_HEAD = re.compile(r"Performance counter stats for (?:'(.{0,200})'|(.{0,200})):?")
_TEXT = re.compile(
    r"^\s*(<not (?:counted|supported)>|\d[\d.,'\u00a0\u202f ]{0,40}?)\s+(?:(msec|ns|Joules)\s+)?"
    r"([A-Za-z][\w./:=@-]{1,80}(?: (?:cycles|references|misses|switches|migrations))?)"
    r"(?:\s+\((?:msec|Joules)\))?\s*(?:#|\(|$)"
)
_WALL = re.compile(r"^\s*Wall-clock time elapsed:\s+(\d[\d.,]{0,24}) msecs")
_ELAPSED = re.compile(r"^\s*(\d[\d.,]{0,24})\s+(?:\+-\s+[\d.,]+\s+)?seconds time elapsed")
_RUNNING = re.compile(r"\(\s*(\d{1,3}[.,]\d+)\s*%\s*\)\s*$")
_EARLY = 200
"""Lines in which the first event stands."""
_ELAPSES = {"time_s", "time_ms"}
_MISSING = ("<not counted>", "<not supported>")


class _Value(NamedTuple):
    event: str
    value: float | None
    running: float
    line: int


def read(lines: Sequence[str]) -> Recording | None:
    found = next((rows for of in (_of_json, _of_text, _of_csv) if (rows := list(of(lines)))), [])
    values = [row for row in found if row.value is not None]
    if not values or not any(known(row.event) for row in values):
        return None
    counts: dict[str, float] = {}
    for row in values:
        if name := known(row.event):
            counts[name] = counts.get(name, 0.0) + (row.value or 0.0)
    missing = sorted({row.event for row in found if row.value is None and known(row.event)})
    shared = min((row.running for row in values), default=100.0)
    warnings = []
    if missing:
        warnings.append(f"not counted on this machine: {', '.join(missing[:8])}")
    if shared < 99.5:
        warnings.append(
            f"perf took turns with its counters, some counted {shared:.0f}% of the time: the counts are "
            "scaled, and rates of two of them are only as good as that"
        )
    if any(_HEAD.search(line) for line in lines[:400]) and not _ELAPSES & counts.keys():
        warnings.append("it ends before the time that elapsed: cut off, or a part of what perf printed")
    return Recording(
        "perf stat",
        counters=(Counted("", in_base_units(counts)),),
        warnings=tuple(warnings),
        lines=len(found),
    )


def _of_text(lines: Sequence[str]) -> Iterator[_Value]:
    if not any(_HEAD.search(line) for line in lines[:400]):
        return
    for at, line in enumerate(lines, 1):
        if (elapsed := _ELAPSED.match(line)) is not None:
            yield _Value("time_s", _decimal(elapsed[1]), 100.0, at)
        elif (wall := _WALL.match(line)) is not None:
            yield _Value("time_ms", _decimal(wall[1]), 100.0, at)
        elif (found := _TEXT.match(line)) is not None and known(found[3]):
            running = _RUNNING.search(line)
            share = 100.0 if running is None else _decimal(running[1])
            yield _Value(clean_text(found[3]), _count(found[1], found[2], at), share, at)


def _count(text: str, unit: str | None, line: int) -> float | None:
    if text in _MISSING:
        return None
    if unit is not None:
        return _decimal(text)
    digits = re.sub(r"\D", "", text)
    if not digits or len(digits) > 18:
        raise InputError(
            f"Line {line}: {clean_text(text, 40)!r} is no count.", hint="Nothing of it was imported."
        )
    return float(digits)


def _decimal(text: str) -> float:
    """The last separator is that of decimals: 26,554473 and 1,364.046."""
    plain = re.sub(r"[^\d.,]", "", text)
    whole, _, part = plain.replace(",", ".").rpartition(".")
    return float(f"{re.sub(r'[^0-9]', '', whole) or '0'}.{part or '0'}"[:40])


def _of_json(lines: Sequence[str]) -> Iterator[_Value]:
    if not any('"counter-value"' in line for line in lines):
        return
    for at, line in enumerate(lines, 1):
        if not line.lstrip().startswith("{"):
            continue
        try:
            row = json.loads(line.strip().rstrip(",").replace(", }", "}"))
            event, text = str(row["event"]), str(row["counter-value"])
            value = None if text in _MISSING else float(text.replace(",", "."))
            yield _Value(clean_text(event), value, float(row.get("pcnt-running", 100.0)), at)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise InputError(
                f"Line {at}: {clean_text(line, 40)!r} is no row of perf's JSON: cut off, or of another file.",
                hint="Take the file as perf wrote it; nothing of it was imported.",
            ) from error


def _has_event(line: str) -> bool:
    return any(known(cell) for cell in re.split(r"[;,\t|]", line)[2:4])


def _of_csv(lines: Sequence[str]) -> Iterator[_Value]:
    """Value, unit, event, time, share; with -I a time stands before them."""
    if not any(_has_event(line) for line in lines[:_EARLY]):
        return
    found = False
    for at, line in enumerate(lines, 1):
        for mark in (";", ",", "\t", "|"):
            if mark not in line:
                continue
            cells = [cell.strip() for cell in line.split(mark)]
            first = next((n for n in (2, 3) if len(cells) > n + 1 and known(cells[n])), None)
            if first is None:
                continue
            text = cells[first - 2]
            try:
                value = None if text in _MISSING else float(text.replace(",", "."))
                share = cells[first + 2].replace(",", ".") if len(cells) > first + 2 else ""
                yield _Value(clean_text(cells[first]), value, float(share or 100.0), at)
                found = True
            except ValueError:
                continue
            break
        else:
            if at == len(lines) and line[:1].isdigit() and found:
                raise InputError(
                    f"Line {at}: {clean_text(line, 40)!r} is no row of perf's CSV: it is cut off.",
                    hint="Take the file as perf wrote it; nothing of it was imported.",
                )
