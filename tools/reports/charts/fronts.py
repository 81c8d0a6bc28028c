"""Two figures of each choice against each other, and a line through those that none betters in both."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ...core.document import Chart, Column
from ...core.records import dataclass
from .spec import Row, Spec, chart_spec, log_axis, nominal, quantity, tooltip, verdict_scale, verdict_shapes

CAPTION = "The dashed line joins those that do not fail and that none betters in both."


@dataclass(frozen=True)
class Axis:
    field: str
    title: str
    unit: str
    more_is_better: bool = False
    """Then the axis is linear, and is no time or energy."""

    def encoded(self, rows: Sequence[Row]) -> Spec:
        if self.more_is_better:
            return quantity(self.field, self.title, scale={"zero": False, "nice": True},
                            axis={"tickCount": 5, "format": "%"})  # fmt: skip
        axis = log_axis(self.unit, [row[self.field] for row in rows])
        return quantity(self.field, f"{self.title}, logarithmic", **axis)

    def cost(self, row: Row) -> float:
        value = float(row[self.field])
        return -value if self.more_is_better else value


def front_chart(
    name: str, description: str, rows: Sequence[Row], columns: tuple[Column, ...], x: Axis, y: Axis
) -> Chart | None:
    """None where fewer than two rows have both figures.

    Args:
        name: of its file.
        description: what a screen reader says.
        rows: with `name`, `verdict` and the columns, of `with_words`; `at` where a page shows it in full.
        columns: of the table behind it.
        x: the figure to the right; a logarithmic one.
        y: the figure upwards.
    """
    known = [dict(row) for row in rows if row[x.field] and row[y.field]]
    if len(known) < 2:
        return None
    suitable = [row for row in known if row["verdict"] != "FAIL"] or known
    middle = math.sqrt(min(row[x.field] for row in known) * max(row[x.field] for row in known))
    for row in known:
        row["right"] = row[x.field] > middle  # its name stands where there is room
        row["front"] = row in suitable and not any(_betters(other, row, x, y) for other in suitable)
    found = [row["verdict"] for row in known]
    spec = chart_spec(
        300, description, encoding={"x": x.encoded(known), "y": y.encoded(known)},
        layer=[
            {"transform": [{"filter": "datum.front"}],
             "mark": {"type": "line", "color": "var(--quiet)", "strokeDash": [4, 4]},
             "encoding": {"order": {"field": x.field}}},
            {"mark": {"type": "point", "filled": True, "size": 110, "opacity": 1, "cursor": "pointer"},
             "params": [{"name": "zoom", "bind": "scales", "select": {
                 "type": "interval", "zoom": "wheel![event.shiftKey || event.ctrlKey]"}}],
             "encoding": {"color": nominal("verdict", scale=verdict_scale(found)),
                          "shape": nominal("verdict", scale=verdict_shapes(found)),
                          "tooltip": tooltip(columns)}},
            *_names(only_front=len(known) > _FEW),
        ],
    )  # fmt: skip
    return Chart(name, spec, tuple(known), columns)


_FEW = 12
"""Points that can all be named."""


def _names(*, only_front: bool) -> list[Spec]:
    own = " && datum.front" if only_front else ""
    return [
        {"transform": [{"filter": f"datum.right === {right}{own}"}],
         "mark": {"type": "text", "align": align, "dx": dx, "dy": dy, "fontSize": 11, "limit": 140},
         "encoding": {"text": {"field": "name"}}}
        for right, align, dx, dy in (("false", "left", 9, 0), ("true", "right", -6, -11))
    ]  # fmt: skip


def absent(rows: Sequence[Row], x: Axis, y: Axis) -> str:
    """Of whom a figure is not known; empty where it is known of all."""
    names = [row["name"] for row in rows if not (row[x.field] and row[y.field])]
    if not names:
        return ""
    listed = ", ".join(names) if len(names) <= _FEW else f"{len(names):,} of {len(rows):,}"
    return f" {x.title.capitalize()} or {y.title} is not known of {listed}."


def _betters(one: Row, other: Row, x: Axis, y: Axis) -> bool:
    pairs = [(axis.cost(one), axis.cost(other)) for axis in (x, y)]
    return all(a <= b for a, b in pairs) and any(a < b for a, b in pairs)
