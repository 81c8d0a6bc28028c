"""Text made for a wide page, laid out in the columns that a terminal has."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from itertools import groupby, zip_longest

_NARROWEST = 5
_CELLS = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"\|[\s:|-]+\|")
_BREAKS = re.compile(r"(?<=[ _/-])")
_INDENTED = re.compile(r"\s{4}")


def fitted(text: str, width: int) -> str:
    """`text` in `width` columns: cells of its tables are wrapped, and where that is not enough, the last
    columns are left out and said to be; sentences are wrapped, indented code and drawings stay."""
    parts: list[str] = []
    for is_table, group in groupby(text.split("\n"), lambda line: line.startswith("|")):
        lines = list(group)
        parts += _table(lines, width) if is_table else _sentences(lines, width)
    return "\n".join(parts)


def _sentences(lines: Sequence[str], width: int) -> Iterator[str]:
    for line in lines:
        if len(line) <= width or _INDENTED.match(line):
            yield line
            continue
        indent = "  " if line.startswith("- ") else ""
        yield from textwrap.wrap(
            line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
        )


def _table(lines: Sequence[str], width: int) -> list[str]:
    if max(map(len, lines)) <= width or len(lines) < 2 or not _RULE.fullmatch(lines[1]):
        return list(lines)
    rows = [_cells(line) for index, line in enumerate(lines) if index != 1]
    if len({len(row) for row in rows}) > 1:
        return list(lines)
    rights = [mark.endswith(":") for mark in _cells(lines[1])]
    told = [c for c in range(len(rows[0])) if any(row[c] not in ("-", "") for row in rows[1:])] or [0]
    shown = _that_fit(rows, told, width)
    widths = _widths([[row[c] for c in shown] for row in rows], width)
    out = [line for row in rows for line in _row([row[c] for c in shown], widths, [rights[c] for c in shown])]
    header = max(map(len, (_wrapped(rows[0][c], w) for c, w in zip(shown, widths, strict=True))))
    out.insert(header, _rule(widths))
    left = [rows[0][c] for c in range(len(rows[0])) if c not in shown]
    return [*out, *textwrap.wrap(f"(not shown: {', '.join(left)})", width)] if left else out


def _that_fit(rows: Sequence[Sequence[str]], told: Sequence[int], width: int) -> list[int]:
    shown = list(told)
    while len(shown) > 1 and sum(_least(rows, c) for c in shown) + 3 * len(shown) + 1 > width:
        shown.pop()
    return shown


def _least(rows: Sequence[Sequence[str]], column: int) -> int:
    """The longest piece of a column that cannot be broken."""
    return max(_NARROWEST, *(len(p.rstrip()) for row in rows for p in _BREAKS.split(row[column])))


def _widths(rows: Sequence[Sequence[str]], width: int) -> list[int]:
    """Every column as wide as it likes, then the widest ones narrower until all fit."""
    least = [_least(rows, c) for c in range(len(rows[0]))]
    widths = [max(least[c], *(len(row[c]) for row in rows)) for c in range(len(least))]
    while sum(widths) + 3 * len(widths) + 1 > width:
        spare = [(widths[c] - least[c], widths[c], c) for c in range(len(widths)) if widths[c] > least[c]]
        if not spare:
            break
        widths[max(spare, key=lambda item: item[1])[2]] -= 1
    return widths


def _row(cells: Sequence[str], widths: Sequence[int], rights: Sequence[bool]) -> Iterator[str]:
    wrapped = [_wrapped(cell, width) for cell, width in zip(cells, widths, strict=True)]
    for pieces in zip_longest(*wrapped, fillvalue=""):
        padded = (p.rjust(w) if r else p.ljust(w) for p, w, r in zip(pieces, widths, rights, strict=True))
        yield f"| {' | '.join(padded)} |"


def _wrapped(cell: str, width: int) -> list[str]:
    lines = [""]
    for piece in _BREAKS.split(cell):
        if len((lines[-1] + piece).rstrip()) > width and lines[-1]:
            lines.append("")
        lines[-1] += piece
    return [part for line in lines for part in _cut(line.rstrip(), width)]


def _cut(line: str, width: int) -> list[str]:
    return [line[at : at + width] for at in range(0, len(line), width)] or [""]


def _rule(widths: Sequence[int]) -> str:
    return "|" + "|".join("-" * (width + 2) for width in widths) + "|"


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in _CELLS.split(line.strip())[1:-1]]
