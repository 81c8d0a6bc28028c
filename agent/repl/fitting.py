"""Text made for a wide page, laid out in the columns that a terminal has."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from itertools import groupby

_LONGEST_WORD = 12
"""Longer ones may be cut where a column is too narrow for them."""
_CELLS = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"\|[\s:|-]+\|")
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
    header, marks, *rows = (_cells(line) for line in lines)
    if {len(header)} != {len(row) for row in (marks, *rows)}:
        return list(lines)
    shown = [c for c in range(len(header)) if any(row[c] not in ("-", "") for row in rows)] or [0]
    while len(shown) > 1 and sum(_least([header, *rows], c) for c in shown) + 3 * len(shown) + 1 > width:
        shown.pop()
    from .markdown import wrapped_table

    left = [name for c, name in enumerate(header) if c not in shown]
    kept = [[row[c] for c in shown] for row in (header, marks, *rows)]
    return [
        *wrapped_table(kept, width),
        *textwrap.wrap(f"(not shown: {', '.join(left)})" if left else "", width),
    ]


def _least(rows: Sequence[Sequence[str]], column: int) -> int:
    """What a column cannot do without: its longest word, as far as that may not be cut."""
    return min(_LONGEST_WORD, max(len(word) for row in rows for word in (row[column].split() or [""])))


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in _CELLS.split(line.strip())[1:-1]]
