"""A document as a part of the interactive page: charts to hover over, tables that sort."""

from __future__ import annotations

import json
from html import escape
from typing import Any

from ...core.document import Chart, Document, Drawing, Text
from ...core.render.page import Fragment, behind


class LiveFragment(Fragment):
    """
    Args:
        document: what to show.
        live: whether the page carries the charting library; else drawings stand for charts.
    """

    def __init__(self, document: Document, *, live: bool) -> None:
        super().__init__(document)
        self._live = live

    def drawing(self, drawing: Drawing) -> str:
        if drawing.chart is None:
            return super().drawing(drawing)
        caption = self.said(drawing.caption)
        if self._live:
            return chart_figure(drawing.chart, caption)
        still = drawing.draw()
        caption = f'<figcaption class="caption">{caption}</figcaption>'
        table = _folded(drawing.chart, opened=not still)
        return f'<figure class="{escape(drawing.kind)}">{still}{caption}{table}</figure>'

    def marked(self, cell: Text) -> str:
        """What a column sorts by, where that is a figure."""
        number = self.cells.number(cell)
        return "" if number is None else f' data-v="{number!r}"'


def chart_figure(chart: Chart, caption: str, *, table: bool = True) -> str:
    """A place for the chart, its specification as data, what else it may show, and the table behind it.

    Args:
        chart: what to draw.
        caption: HTML.
        table: fold the table behind it under it; else it stands elsewhere.
    """
    name = escape(chart.name)
    data = data_block({"spec": chart.spec, "rows": chart.rows, "choices": dict(chart.choices)})
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
