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
            return quantity(self.field, self.title, scale={"zero": False, "padding": 12},
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
    for row in known:
        row["front"] = row in suitable and not any(_betters(other, row, x, y) for other in suitable)
    _name(known, x, y)
    found = [row["verdict"] for row in known]
    spec = chart_spec(
        300, description, encoding={"x": x.encoded(known), "y": y.encoded(known)},
        layer=[
            {"transform": [{"filter": "datum.front"}],
             "mark": {"type": "line", "color": "var(--quiet)", "strokeDash": [4, 4]},
             "encoding": {"order": {"field": x.field}}},
            {"mark": {"type": "point", "filled": True, "opacity": 0.85, "cursor": "pointer",
                      "size": 110 if len(known) <= _MANY else 45},
             "params": [{"name": "zoom", "bind": "scales", "select": {
                 "type": "interval", "zoom": "wheel![event.shiftKey || event.ctrlKey]"}}],
             "encoding": {"color": nominal("verdict", scale=verdict_scale(found)),
                          "shape": nominal("verdict", scale=verdict_shapes(found)),
                          "tooltip": tooltip(columns)}},
            *_names({row["side"] for row in known}),
        ],
    )  # fmt: skip
    return Chart(name, spec, tuple(known), columns)


_FEW = 12
"""Names that a caption lists, or a chart without a choice among them."""
_MANY = 40
"""Points from which on they are drawn smaller."""
_WIDE, _HIGH = 0.3, 0.07
"""Shares of the chart's sides that a name takes."""
_SIDES = (("left", 9, 0), ("right", -6, -11), ("right", -6, 13), ("left", 6, 13))
"""Where a name may stand: what its text is aligned to, and pixels from its point, downwards."""
_PIXELS = 220
"""Of the height that figures are spread over."""


def _name(rows: list[Row], x: Axis, y: Axis) -> None:
    """Mark those that have room for their names, the front's first, and on which side.

    Of many the front alone is named.
    """
    points = list(zip(_shares(rows, x), _shares(rows, y), strict=True))
    taken: list[tuple[float, float]] = []
    for at in sorted(range(len(rows)), key=lambda at: (not rows[at]["front"], points[at][0])):
        others = [point for point in points if point != points[at]]
        wanted = rows[at]["front"] or len(rows) <= _FEW
        free = (
            (side, middle)
            for side, (align, _, down) in enumerate(_SIDES)
            if _has_room(middle := _middle(points[at], align, down), others, taken)
        )
        side, middle = next(free, (None, points[at])) if wanted else (None, points[at])
        rows[at]["side"] = side
        taken += [middle] if side is not None else []


def _middle(point: tuple[float, float], align: str, down: int) -> tuple[float, float]:
    """Of a name beside a point."""
    return point[0] + (_WIDE if align == "left" else -_WIDE) / 2, point[1] - down / _PIXELS


def _has_room(
    middle: tuple[float, float], points: list[tuple[float, float]], taken: list[tuple[float, float]]
) -> bool:
    x, y = middle
    if not _WIDE / 2 <= x <= 1 - _WIDE / 2 or y > 1:
        return False
    if any(abs(x - a) < _WIDE / 2 and abs(y - b) < _HIGH * 0.7 for a, b in points):
        return False
    return not any(abs(x - a) < _WIDE and abs(y - b) < _HIGH for a, b in taken)


def _shares(rows: Sequence[Row], axis: Axis) -> list[float]:
    """Where each row lies between the ends of the axis."""
    values = [row[axis.field] if axis.more_is_better else math.log(row[axis.field]) for row in rows]
    low, span = min(values), max(values) - min(values)
    return [(value - low) / span if span else 0.5 for value in values]


def _names(taken: set[int | None]) -> list[Spec]:
    return [
        {"transform": [{"filter": f"datum.side === {side}"}],
         "mark": {"type": "text", "align": align, "dx": dx, "dy": dy, "fontSize": 11,
                  "limit": {"expr": "min(140, width * 0.28)"}},
         "encoding": {"text": {"field": "name"}}}
        for side, (align, dx, dy) in enumerate(_SIDES) if side in taken
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
