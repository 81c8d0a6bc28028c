"""What a page of several deployments begins with: all of them side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from ..charts.boards import COLUMNS, board_rows, boards_chart, front_chart
from ..charts.spec import Row
from ..results import Results
from .fragment import chart_figure

_HINT = "A dot is the estimate, its bar the 90 % interval; choosing a dot or a name shows that deployment."
_FRONT = (
    "The dashed line joins those that do not fail and that none betters in both; shift and the wheel zoom, "
    "dragging moves."
)


def overview(views: Sequence[Results], *, live: bool) -> str:
    """Charts and a table of all deployments; empty for one."""
    if len(views) < 2:
        return ""
    rows = board_rows(views)
    charts = "".join(_charts(views)) if live else ""
    return f'<section id="all"><h2>Side by side</h2>{charts}{_table(rows)}</section>'


def _charts(views: Sequence[Results]) -> Iterator[str]:
    yield chart_figure(boards_chart(views), escape(_HINT), table=False)
    front = front_chart(views)
    if front is not None:
        drawn = {row["at"] for row in front.rows}
        absent = [row["name"] for row in board_rows(views) if row["at"] not in drawn]
        left_out = f" Energy or latency is not known of {', '.join(absent)}." if absent else ""
        yield chart_figure(front, escape(f"{_FRONT}{left_out}"), table=False)


def _table(rows: Sequence[Row]) -> str:
    head = "".join(f"<th>{escape(column.title)}</th>" for column in COLUMNS)
    body = "".join(f'<tr data-at="{row["at"]}">{"".join(_cells(row))}</tr>' for row in rows)
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _cells(row: Row) -> Iterator[str]:
    for column in COLUMNS:
        value, shown = row[column.field], escape(row[f"{column.field}_text"])
        match column.field:
            case "name":
                yield f'<td><a href="#d{row["at"]}" data-at="{row["at"]}">{shown}</a></td>'
            case "verdict":
                yield f'<td class="{shown}">{shown}</td>'
            case _ if isinstance(value, int | float):
                yield f'<td class="n" data-v="{value!r}">{shown}</td>'
            case _:
                yield f'<td class="word">{shown}</td>'
