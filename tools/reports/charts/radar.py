"""Boards on one scale that all figures share: how many times the best of them each one takes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ...core.document import Chart, Column
from .boards import FIGURES
from .picture import Picture
from .spec import KINDS, Row, Spec, chart_spec, tooltip, with_words

COLUMNS = (
    Column("name", "Deployment"), Column("figure", "Figure"), Column("value", "Value"),
    Column("ratio", "Times the best", "x"),
)  # fmt: skip
_MOST = 6
"""Deployments whose lines can be told apart."""
_LEAST_AXES = 3
_CENTRE = 0.12
"""Where what takes most would lie, so that it is no point."""
_NAMES_AT = 1.1
_WIDE, _HIGH = 2.9, 2.45
"""Units that have to be seen from side to side, names of the axes among them; the rim is at 1."""
_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
_CAPTION = (
    "Every axis counts times the best: the rim is the best of those drawn, each ring inwards ten times as "
    "much. The area means nothing."
)


def radar(rows: Sequence[Row], model: str) -> Picture | None:
    """None for one deployment, and where fewer than three figures are known of two.

    Args:
        rows: of `board_rows` or `compared_rows`.
        model: what it is called.
    """
    drawn = rows[:_MOST]
    axes = [figure for figure in FIGURES if sum(bool(row[figure[0]]) for row in drawn) > 1]
    if len(axes) < _LEAST_AXES:
        return None
    listed = list(_points(drawn, axes))
    worst = max(row["ratio"] for row in listed if row["ratio"])
    decades = max(1, math.ceil(math.log10(worst) - 1e-9))
    placed = [row | _place(row["axis"], len(axes), row["ratio"], decades) for row in listed]
    points = with_words(placed, COLUMNS)
    spec = chart_spec(
        360, "Boards by how many times the best they take", title=None,
        layer=[*_grid(axes, decades), *_lines(points, drawn, len(axes)), _marks(drawn)],
    )  # fmt: skip
    chart = Chart("hardware_comparison_radar", spec, points, COLUMNS)
    return Picture(
        chart.name, f"{model}: boards against the best", _said(rows, drawn, axes, listed), (chart,)
    )


def _said(
    rows: Sequence[Row], drawn: Sequence[Row], axes: Sequence[tuple[str, str, str]], points: Sequence[Row]
) -> str:
    more = f" Drawn are the first {len(drawn)} of {len(rows)}." if len(rows) > len(drawn) else ""
    known = {field for field, _, _ in axes}
    missing = [title.lower() for field, title, _ in FIGURES if field not in known]
    absent = f" No axis, as it is known of fewer than two: {', '.join(missing)}." if missing else ""
    gaps = sorted({f"{row['figure'].lower()} of {row['name']}" for row in points if row["ratio"] is None})
    unknown = f" Not known: {', '.join(gaps)}." if gaps else ""
    return f"{_CAPTION}{more}{absent}{unknown}"


def _points(rows: Sequence[Row], axes: Sequence[tuple[str, str, str]]) -> Iterator[Row]:
    for axis, (field, title, _) in enumerate(axes):
        best = min(row[field] for row in rows if row[field])
        for row in rows:
            ratio = row[field] / best if row[field] else None
            yield {
                "at": row["at"], "name": row["name"], "figure": title, "axis": axis,
                "value": row[f"{field}_text"], "ratio": ratio,
            }  # fmt: skip


def _place(axis: int, axes: int, ratio: float | None, decades: int) -> Row:
    """From the centre, upwards first, clockwise; the rim is at 1."""
    if ratio is None:
        return {"x": None, "y": None}
    far = 1 - (1 - _CENTRE) * math.log10(ratio) / decades
    turn = 2 * math.pi * axis / axes
    return {"x": far * math.sin(turn), "y": far * math.cos(turn)}


def _axes() -> Spec:
    """As long as each other whatever the chart's sides are."""
    unit = f"min(width / {_WIDE}, height / {_HIGH})"
    wide, high = f"width / 2 / {unit}", f"height / 2 / {unit}"
    return {
        name: {
            "type": "quantitative",
            "axis": None,
            "scale": {"domain": [{"expr": f"-({reach})"}, {"expr": reach}], "nice": False, "zero": False},
        }
        for name, reach in (("x", wide), ("y", high))
    }


def _encoded(*names: str, ends: bool = False) -> Spec:
    placed = {name: {"field": field, **_axes()[name]} for name, field in zip("xy", names, strict=True)}
    return placed | ({"x2": {"field": "x2"}, "y2": {"field": "y2"}} if ends else {})


def _grid(axes: Sequence[tuple[str, str, str]], decades: int) -> Iterator[Spec]:
    corners = [
        [_place(axis, len(axes), 10.0**ring, decades) for axis in range(len(axes))]
        for ring in range(decades + 1)
    ]
    lines = [_line(one, ring[(at + 1) % len(ring)]) for ring in corners for at, one in enumerate(ring)]
    lines += [_line({"x": 0.0, "y": 0.0}, corner) for corner in corners[0]]
    yield {
        "data": {"values": lines}, "mark": {"type": "rule", "color": "var(--line)"},
        "encoding": _encoded("x", "y", ends=True),
    }  # fmt: skip
    names = []
    for (_, title, _), corner in zip(axes, corners[0], strict=True):
        names.append({"x": corner["x"] * _NAMES_AT, "y": corner["y"] * _NAMES_AT, "words": title})
    side = "datum.x < -0.1 ? 'right' : datum.x > 0.1 ? 'left' : 'center'"
    yield _words(names, "var(--ink)", baseline="middle", align={"expr": side})
    rings = [{**ring[0], "words": f"{10**at:,} ×"} for at, ring in enumerate(corners) if at]
    yield _words(rings, "var(--quiet)", align="left", dx=5, dy=3, fontSize=10)


def _line(one: Row, other: Row) -> Row:
    return {"x": one["x"], "y": one["y"], "x2": other["x"], "y2": other["y"]}


def _words(values: list[Row], colour: str, **mark: object) -> Spec:
    return {
        "data": {"values": values}, "mark": {"type": "text", "color": colour, **mark},
        "encoding": {**_encoded("x", "y"), "text": {"field": "words"}},
    }  # fmt: skip


def _lines(points: Sequence[Row], rows: Sequence[Row], axes: int) -> Iterator[Spec]:
    """Between neighbouring figures that are both known."""
    of = {(row["at"], row["axis"]): row for row in points}
    parts = []
    for row in rows:
        for axis in range(axes):
            one, other = of[row["at"], axis], of[row["at"], (axis + 1) % axes]
            if one["x"] is not None and other["x"] is not None:
                parts.append({"name": row["name"], **_line(one, other)})
    yield {
        "data": {"values": parts}, "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.85},
        "encoding": {**_encoded("x", "y", ends=True), "color": _colour(rows)},
    }  # fmt: skip


def _marks(rows: Sequence[Row]) -> Spec:
    names = [row["name"] for row in rows]
    shapes = {"domain": names, "range": list(_SHAPES[: len(names)])}
    return {
        "transform": [{"filter": "datum.x !== null"}],
        "mark": {"type": "point", "filled": True, "size": 80, "opacity": 1, "cursor": "pointer"},
        "encoding": {
            **_encoded("x", "y"), "tooltip": tooltip(COLUMNS), "color": _colour(rows),
            "shape": {"field": "name", "type": "nominal", "title": None, "scale": shapes},
        },
    }  # fmt: skip


def _colour(rows: Sequence[Row]) -> Spec:
    names = [row["name"] for row in rows]
    legend = {"columns": {"expr": "width < 420 ? 1 : 3"}, "labelLimit": 300}
    return {
        "field": "name", "type": "nominal", "title": None, "legend": legend,
        "scale": {"domain": names, "range": list(KINDS[: len(names)])},
    }  # fmt: skip
