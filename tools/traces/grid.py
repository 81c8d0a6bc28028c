"""A table with a header: rows of cells by the words of their columns, whatever sets them apart."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ...hardware_db.errors import InputError
from ..core.sanitize import clean_text
from .trace_file import number

_MARKS = (",", ";", "\t", "|")
_COMMA_DECIMAL = re.compile(r"[-+]?\d{1,12},\d{1,12}(?:[eE][-+]?\d{1,3})?")
_FACT = re.compile(r"^#\s*([A-Za-z][\w -]{1,40}?)\s*[:=]\s*(\S.{0,200})$")
_HEADER_LINES = 60
"""Lines of a log before the header of a table in it."""
_LONGEST_HEADER = 65_536
"""Characters; a longer line is none."""


class Row(NamedTuple):
    line: int
    cells: Mapping[str, str]

    def text(self, *columns: str) -> str:
        """The first of these columns that is there and holds something."""
        return next((found for name in columns if (found := self.cells.get(name, "").strip())), "")

    def number(self, *columns: str, most: float = 2.0**53) -> float | None:
        """None where the cell is empty. Raises InputError with the line where it is no number."""
        text = self.text(*columns)
        if text.casefold() in ("", "nan", "none", "n/a", "-", "<not counted>", "<not supported>"):
            return None
        plain = text.replace(",", ".") if _COMMA_DECIMAL.fullmatch(text) else text
        return number(plain, self.line, most=most)


class Grid(NamedTuple):
    columns: tuple[str, ...]
    """Folded: `time (ms)` is `time_ms`."""
    rows: tuple[Row, ...]

    def has(self, *columns: str) -> bool:
        return all(name in self.columns for name in columns)


def folded(title: str) -> str:
    """`NSS Program Start Timestamp [us]` is nss_program_start_timestamp_us."""
    text = title.strip().strip("\"'# ").casefold().replace("µ", "u").replace("μ", "u")
    return re.sub(r"[^a-z0-9]+", "_", text).strip("_")


def grid_of(lines: Sequence[str], wanted: frozenset[str]) -> Grid | None:
    """The table whose header holds all of `wanted`; None where there is none.

    Raises:
        InputError: a row with fewer cells than the header, or an open quotation: there a file was cut off.
    """
    for at, line in enumerate(lines[:_HEADER_LINES]):
        if len(line) > _LONGEST_HEADER:
            continue
        for mark in _MARKS:
            columns = tuple(map(folded, _cells(line, mark))) if mark in line else ()
            if wanted <= set(columns):
                return Grid(columns, tuple(_rows(lines[at + 1 :], at + 2, columns, mark)))
    return None


def grid_of_cells(table: Sequence[Sequence[str]]) -> Grid:
    """Of cells that are known already, as those of a spreadsheet."""
    columns = tuple(map(folded, table[0])) if table else ()
    rows = (Row(at, dict(zip(columns, cells, strict=False))) for at, cells in enumerate(table[1:], 2))
    return Grid(columns, tuple(rows))


def _rows(lines: Sequence[str], first: int, columns: tuple[str, ...], mark: str) -> Iterator[Row]:
    for at, line in enumerate(lines, first):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        cells = _cells(line, mark)
        if len(cells) < len(columns) or line.count('"') % 2:
            raise InputError(
                f"Line {at}: {_what_is_wrong(cells, columns)}: {clean_text(line, 40)!r}.",
                hint="The file is cut off or mixed with another; nothing of it was imported.",
            )
        yield Row(at, dict(zip(columns, cells, strict=False)))


def _what_is_wrong(cells: Sequence[str], columns: Sequence[str]) -> str:
    fewer = len(cells) < len(columns)
    return f"{len(cells)} cells, the header has {len(columns)}" if fewer else "a quotation has no end"


def _cells(line: str, mark: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=mark, skipinitialspace=True), [])
    except csv.Error:
        return []


def facts_of(lines: Sequence[str]) -> dict[str, str]:
    """What comments at the head say: `# flags: -O3`."""
    found = (_FACT.match(line) for line in lines[:_HEADER_LINES])
    return {fact[1].strip().casefold(): clean_text(fact[2]) for fact in found if fact is not None}
