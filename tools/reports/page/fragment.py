"""A document as a part of the interactive page: charts to hover over, tables that sort."""

from __future__ import annotations

import json
from typing import Any

from ...core.document import Chart, Document, Drawing, Table, Text
from ...core.render.page import Fragment, behind
from ...core.sanitize import escape
from ..charts.picture import PICTURE

LEFT_OUT = (
    "Left out here to keep the page small; edgewright report MODEL -t TARGET of this deployment alone has it."
)
_FEW_ROWS = 12


class LiveFragment(Fragment):
    """
    Args:
        document: what to show.
        live: whether the page carries the charting library; else drawings stand for charts.
        brief: leave out drawings and folded tables that hold a row for each layer or buffer.
    """

    def __init__(self, document: Document, *, live: bool, brief: bool = False) -> None:
        super().__init__(document)
        self._live, self._brief = live, brief

    def drawing(self, drawing: Drawing) -> str:
        if drawing.chart is None:
            return super().drawing(drawing)
        caption = self.said(drawing.caption)
        if self._brief and len(drawing.chart.rows) > _FEW_ROWS:
            return f'<p class="caption">{caption} {LEFT_OUT}</p>'
        if self._live:
            return chart_figure(drawing.chart, caption)
        if drawing.kind == PICTURE:
            return ""
        still = drawing.draw()
        caption = f'<figcaption class="caption">{caption}</figcaption>'
        table = _folded(drawing.chart, opened=not still)
        return f'<figure class="{escape(drawing.kind)}">{still}{caption}{table}</figure>'

    def table(self, table: Table) -> str:
        if self._brief and table.folded and len(table.rows) > _FEW_ROWS:
            return f'<p class="caption">{escape(table.folded)}: {LEFT_OUT}</p>'
        return super().table(table)

    def marked(self, cell: Text) -> str:
        """What a column sorts by, where that is a figure."""
        number = self.cells.number(cell)
        return "" if number is None else f' data-v="{number:.12g}"'


def chart_figure(chart: Chart, caption: str, *, table: bool = True) -> str:
    """A place for the chart, its specification as data, what else it may show, and the table behind it.

    Args:
        chart: what to draw.
        caption: HTML.
        table: fold the table behind it under it; else it stands elsewhere.
    """
    name = escape(chart.name)
    fields = list(dict.fromkeys(name for row in chart.rows for name in row))
    rows = [[row.get(name) for name in fields] for row in chart.rows]
    data = data_block({"spec": chart.spec, "fields": fields, "rows": rows, "choices": dict(chart.choices)})
    return (
        f'<figure class="live" data-chart="{name}">{_choices(chart)}'
        f'<div class="plot">{data}</div><figcaption class="caption">{caption}</figcaption>'
        f"{_folded(chart, opened=False) if table else ''}</figure>"
    )


def _choices(chart: Chart) -> str:
    if len(chart.choices) < 2:
        return ""
    buttons = "".join(
        f'<button type="button" aria-pressed="{"false" if at else "true"}">{escape(label)}</button>'
        for at, (label, _) in enumerate(chart.choices)
    )
    return f'<div class="choices" role="group" aria-label="What the chart shows">{buttons}</div>'


def _folded(chart: Chart, *, opened: bool) -> str:
    state = " open" if opened else ""
    return (
        f'<details class="behind"{state}><summary>The figures as a table</summary>{behind(chart)}</details>'
    )


def data_block(value: Any) -> str:
    """JSON that no text in it can end."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=dict).replace("<", "\\u003c")
    return f'<script type="application/json">{text}</script>'
