"""Markdown tables: what stands above and left of a cell."""

from __future__ import annotations

_LONGEST_ROW = 2_000


def cell_titles(text: str, position: int) -> tuple[str, ...]:
    """The head of the column and the first cell of the row; nothing outside of tables."""
    start = text.rfind("\n", 0, position) + 1
    stop = text.find("\n", position)
    line = text[start : stop if stop >= 0 else len(text)]
    if "|" not in line or len(line) > _LONGEST_ROW:
        return ()
    cell = text.count("|", start, position)
    head = header_above(text, start).split("|")
    offset = 1 if line.lstrip().startswith("|") else 0
    row = line.split("|")
    titles = [head[cell]] if cell < len(head) else []
    if cell > offset and len(row) > offset:
        titles.append(row[offset])
    return tuple(titles)


def header_above(text: str, start: int) -> str:
    """The first line of the table whose row starts there; empty for the first itself."""
    first = ""
    while start > 0:
        previous = text.rfind("\n", 0, start - 1) + 1
        line = text[previous : start - 1]
        if "|" not in line:
            break
        first, start = line, previous
    return first
