"""The lines of a trace file, which may hold anything."""

from __future__ import annotations

import codecs
import math
import os
import re
from functools import cached_property
from pathlib import Path

from ...hardware_db.errors import InputError
from ..core.files import regular_file
from ..core.sanitize import clean_text

MOST_BYTES = 64 << 20
MOST_EVENTS = 500_000
_LONGEST_LINE = 2_000
"""Of text and CSV; of JSON a line may be the whole."""
_LARGEST = 2.0**53
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Content:
    """A file as bytes, and as lines where it is text."""

    def __init__(self, shown: str, data: bytes) -> None:
        self.shown, self.data = shown, data

    @property
    def is_text(self) -> bool:
        return self.data.startswith(_UTF16) or b"\0" not in self.data

    @cached_property
    def lines(self) -> list[str]:
        """Without terminal escapes, each cut to a length that no trace needs.

        Raises:
            InputError: it is no text.
        """
        text = _text(self.data, self.shown)
        longest = None if text.lstrip()[:1] in ("[", "{") else _LONGEST_LINE
        return [_ESCAPES.sub("", line[:longest]) for line in text.splitlines()]


def is_large(path: str | os.PathLike[str]) -> bool:
    """Whether it is more than is read in one go; False where there is none."""
    try:
        return Path(path).stat().st_size > MOST_BYTES
    except (OSError, ValueError):
        return False


def read_content(path: str | os.PathLike[str]) -> Content:
    """
    Raises:
        InputError: no such file, one too large, or an empty one.
    """
    shown = clean_text(Path(path).name)
    try:
        with regular_file(path).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else "no such path"
        raise InputError(f"{shown} cannot be read: {why}.", hint="Name the file with the trace.") from error
    if len(data) > MOST_BYTES:
        raise InputError(
            f"{shown} is larger than {MOST_BYTES >> 20} MiB, which no trace of a few runs is.",
            hint="Cut it to some runs; only CSV of power, of runs or of operators that repeat may be larger.",
        )
    if not data.strip():
        raise InputError(f"{shown} is empty.", hint="Name the file with the trace.")
    return Content(shown, data)


def read_lines(path: str | os.PathLike[str]) -> list[str]:
    """
    Raises:
        InputError: no such file, one too large, or one that is no text.
    """
    return read_content(path).lines


def _text(data: bytes, shown: str) -> str:
    if data.startswith(_UTF16):
        return data.decode("utf-16", "replace")
    if b"\0" in data:
        raise InputError(
            f"{shown} is a binary file, not a trace.",
            hint="Give the text, CSV or JSON that the profiler wrote; CTF needs its metadata beside it.",
        )
    return data.decode("utf-8-sig", "replace")


def number(text: str, line: int, *, most: float = _LARGEST) -> float:
    """A time or count of a trace.

    Raises:
        InputError: what is no finite number from zero to 2^53.
    """
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value <= most:
        raise InputError(
            f"Line {line}: {clean_text(text, 40)!r} is no time of an operator.",
            hint="A time is a number, zero or more, that fits into 53 bits.",
        )
    return value
