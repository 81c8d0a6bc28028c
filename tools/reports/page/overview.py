"""What a page of several deployments begins with: all of them side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...core.sanitize import escape
from ..charts.board_rows import COLUMNS, board_rows
from ..charts.boards import HINT, panels, unknown_figures
from ..charts.pareto import ENERGY, LATENCY, front_picture
from ..charts.radar import radar
from ..charts.spec import Row
from ..results import Results
from .fragment import chart_figure

_CHOOSE = "Choosing a dot or a name shows that deployment."
_ZOOM = "Shift and the wheel zoom, dragging moves."


def overview(views: Sequence[Results], *, live: bool) -> str:
    """Charts and a table of all deployments; empty for one."""
    if len(views) < 2:
        return ""
    rows = board_rows(views)
    charts = "".join(_charts(rows, views[0].model.name)) if live else ""
    return f'<section id="all"><h2>Side by side</h2>{charts}{_table(rows)}</section>'


def _charts(rows: Sequence[Row], model: str) -> Iterator[str]:
    shown = "".join(
        chart_figure(chart, escape(chart.spec["description"]), table=False) for chart in panels(rows)
    )
    yield f'<div class="beside panels">{shown}</div>'
    yield f'<p class="caption">{escape(f"{HINT}{unknown_figures(rows)} {_CHOOSE}")}</p><div class="beside">'
    if drawn := radar(rows, model):
        yield chart_figure(drawn.charts[0], escape(drawn.caption), table=False)
    if front := front_picture(rows, COLUMNS, LATENCY, ENERGY, model):
        yield chart_figure(front.charts[0], escape(f"{front.caption} {_ZOOM}"), table=False)
    yield "</div>"


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
                yield f'<td class="n" data-v="{value:.12g}">{shown}</td>'
            case _:
                yield f'<td class="word">{shown}</td>'
