"""The tables of a document as CSV: plain figures in their own units, which the headings name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ..document import Bar, Document, Ref, Table, Text
from ..numbers import UNKNOWN
from ..paths import Value
from .cells import Cells
from .csv_lines import csv_lines, number

_NOT_OF_A_NAME = re.compile(r"[^a-z0-9]+")
_COUNTED = re.compile(r"[\s(,]+[0-9]")


def tables(document: Document) -> dict[str, str]:
    """Name of each table, after its section and its first column, and its text.

    A column of figures names their unit, and stands beside the ends of their 90 % intervals where they have
    some; where the units differ they are a column of their own. What is not known says "unknown".
    """
    cells = Cells(document)
    found: dict[str, str] = {}
    for section in document.sections:
        inside = [block for block in section.blocks if isinstance(block, Table)]
        for table in inside:
            first = "" if section.title and len(inside) == 1 else cells.text(table.header[0])
            name = _free(_slug(f"{section.title} {first}") or "table", found)
            found[name] = csv_lines(_lines(table, cells))
    return found


def _slug(title: str) -> str:
    """Without counts, which are others tomorrow."""
    return _NOT_OF_A_NAME.sub("-", _COUNTED.split(title)[0].lower()).strip("-")


def _free(name: str, taken: Iterable[str]) -> str:
    names = set(taken)
    at = next(at for at in range(1, len(names) + 2) if _numbered(name, at) not in names)
    return _numbered(name, at)


def _numbered(name: str, at: int) -> str:
    return name if at == 1 else f"{name}-{at}"


def _lines(table: Table, cells: Cells) -> Iterator[list[str]]:
    columns = [
        column
        for at, title in enumerate(table.header)
        for column in _columns(cells.text(title), [row[at] for row in table.rows], cells)
    ]
    yield [title for title, _ in columns]
    yield from map(list, zip(*(texts for _, texts in columns), strict=True))


def _columns(title: str, column: Sequence[Text], cells: Cells) -> Iterator[tuple[str, list[str]]]:
    """One, or several where figures have intervals or units of their own; none for bars."""
    if column and all(isinstance(cell, Bar) for cell in column):
        return
    values = [_figure(cell, cells) for cell in column]
    units = {value.unit for value in values if value is not None}
    unit = f" [{next(iter(units))}]" if len(units) == 1 and units != {""} else ""
    yield f"{title}{unit}", [_shown(cell, value, cells) for cell, value in zip(column, values, strict=True)]
    if len(units) > 1:
        yield f"{title}: unit", ["" if value is None else value.unit for value in values]
    if any(value is not None and value.low != value.high for value in values):
        yield f"{title}: low{unit}", [_end(None if value is None else value.low) for value in values]
        yield f"{title}: high{unit}", [_end(None if value is None else value.high) for value in values]
    marks = [_marks(cell, value) for cell, value in zip(column, values, strict=True)]
    if any(marks):
        yield f"{title}: mark", marks


def _figure(cell: Text, cells: Cells) -> Value | None:
    """What a cell holds alone, or with a mark such as a star beside it, where that is a number."""
    parts = cell if isinstance(cell, tuple) else (cell,)
    figures = [part for part in parts if isinstance(part, Ref)]
    if len(figures) != 1 or any(_is_word(part) for part in parts if not isinstance(part, Ref)):
        return None
    value = cells.value(figures[0].path)
    is_number = isinstance(value.value, int | float) and not isinstance(value.value, bool)
    return value if is_number else None


def _is_word(part: object) -> bool:
    return not isinstance(part, str) or any(letter.isalnum() for letter in part)


def _marks(cell: Text, value: Value | None) -> str:
    """What stands beside the figure of a cell."""
    parts = cell if value is not None and isinstance(cell, tuple) else ()
    return "".join(part for part in parts if isinstance(part, str)).strip()


def _shown(cell: Text, value: Value | None, cells: Cells) -> str:
    if value is not None and isinstance(value.value, int | float):
        return number(float(value.value))
    return cells.text(cell) or UNKNOWN if isinstance(cell, Ref) else cells.text(cell)


def _end(value: float | None) -> str:
    return "" if value is None else number(float(value))
