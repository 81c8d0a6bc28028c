"""Pipe tables: readable in a terminal, and Markdown as they stand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Cell = str | int | float | None


def pipe_table(
    header: Sequence[str], rows: Iterable[Sequence[Cell]], figures: Sequence[bool] | None = None
) -> str:
    """Columns padded to their widest cell; `figures`, else columns of numbers, to the right."""
    body = [list(row) for row in rows]
    cells = [[_text(cell) for cell in row] for row in body]
    numeric = figures or [
        bool(body) and all(not isinstance(row[i], str) for row in body) for i in range(len(header))
    ]
    widths = [max(len(header[i]), *(len(row[i]) for row in cells), 3) for i in range(len(header))]
    lines = [_line(header, widths, numeric), _rule(widths, numeric)]
    lines += [_line(row, widths, numeric) for row in cells]
    return "\n".join(lines)


def _text(cell: Cell) -> str:
    match cell:
        case None:
            return "-"
        case bool():
            return "yes" if cell else "no"
        case int():
            return f"{cell:,}"
        case float():
            return f"{cell:,.4g}" if abs(cell) < 1000 else f"{cell:,.0f}"
        case _:
            return cell.replace("|", "\\|")


def _line(cells: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> str:
    padded = (c.rjust(w) if n else c.ljust(w) for c, w, n in zip(cells, widths, numeric, strict=True))
    return f"| {' | '.join(padded)} |"


def _rule(widths: Sequence[int], numeric: Sequence[bool]) -> str:
    return (
        "|"
        + "|".join("-" * (w + 1) + (":" if n else "-") for w, n in zip(widths, numeric, strict=True))
        + "|"
    )
