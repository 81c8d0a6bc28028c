"""Several networks on several of one other thing: a row for each network, a column for each of the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..bench import NOT_KNOWN
from .columns import Column
from .phrases import joined, table
from .rows import Row

MOST_COLUMNS = 4
Cells = Mapping[str, Mapping[str, Row]]
"""Network → the other thing → its row."""


def pivoted(cells: Cells, others: Sequence[str], column: Column, where: str = "") -> list[str]:
    """The sentence and the table; of two, how many times better one is, over all networks."""
    head = ["network", *others]
    rows = [[name, *(_cell(found, other, column) for other in others)] for name, found in cells.items()]
    first = f"{column.head.capitalize()} of {joined(cells)} on {joined(others)}"
    if len(others) == 2:
        known = {
            name: found for name, found in cells.items() if all(_number(found, o, column) for o in others)
        }
        head.append("ratio")
        rows = [
            [*row, f"{{{{{_ratio(known[row[0]], others, column)}|x}}}}" if row[0] in known else NOT_KNOWN]
            for row in rows
        ]
        first = _better(known, others, column) or first
    return [f"{first}{f': {where}' if where else ''}.", table(head, rows)]


def _better(known: Cells, others: Sequence[str], column: Column) -> str:
    """Which is better for most, from how much to how much."""
    if not known:
        return ""
    wins = [_best(found, others, column) for found in known.values()]
    winner = max(others, key=wins.count)
    won = {n: found for (n, found), best in zip(known.items(), wins, strict=True) if best == winner}
    ratios = ", ".join(_ratio(found, others, column) for found in won.values())
    times = f"{{{{min({ratios})|x}}}} to {{{{max({ratios})|x}}}}" if len(won) > 1 else f"{{{{{ratios}|x}}}}"
    which = "all of them" if len(won) == len(known) else joined(won)
    return f"{winner} {column.best} for {which}, {times} better"


def _best(found: Mapping[str, Row], others: Sequence[str], column: Column) -> str:
    return (max if column.largest else min)(others, key=lambda other: _number(found, other, column) or 0.0)


def _ratio(found: Mapping[str, Row], others: Sequence[str], column: Column) -> str:
    best = _best(found, others, column)
    second = next(other for other in others if other != best)
    top, bottom = (best, second) if column.largest else (second, best)
    one, other = found[top].records[column.function], found[bottom].records[column.function]
    return f"{one.id}.{column.path}/{other.id}.{column.path}"


def _cell(found: Mapping[str, Row], other: str, column: Column) -> str:
    if other not in found:
        return NOT_KNOWN
    cell = found[other].cell(column)
    return f"{cell}, but it does not run" if found[other].verdict == "FAIL" else cell


def _number(found: Mapping[str, Row], other: str, column: Column) -> float | None:
    row = found.get(other)
    runs = row is not None and not row.error and row.verdict != "FAIL"
    return row.number(column) if row and runs and not column.ratio else None
