"""Lines of CSV, and the figures in them."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Sequence

from ..sanitize import harmless

_WIDE = 1e15
_COMPUTED = ("=", "+", "-", "@", "\t", "\r")
_NUMBER = re.compile(r"[+-]?[\d.]+(e[+-]?\d+)?", re.ASCII)


def csv_lines(rows: Iterable[Sequence[str]]) -> str:
    """Lines that a spreadsheet shows as they are: text that it would compute stands behind an apostrophe."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([_defused(cell) for cell in row] for row in rows)
    return out.getvalue()


def _defused(cell: str) -> str:
    if cell.isalnum():
        return cell
    if cell.startswith(_COMPUTED) and not _NUMBER.fullmatch(cell):
        cell = f"'{cell}"
    return harmless(cell)


def number(value: float) -> str:
    """Whole numbers in full, others to seven digits; empty for NaN."""
    if math.isnan(value):
        return ""
    if value.is_integer() and abs(value) < _WIDE:
        return str(int(value))
    return f"{value:.7g}"
