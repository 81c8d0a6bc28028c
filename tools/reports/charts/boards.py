"""One model on many deployments: a panel for each figure, read together as a dashboard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.document import Chart, Column
from .picture import Picture
from .spec import (
    Row,
    Spec,
    chart_spec,
    log_axis,
    nominal,
    quantity,
    tooltip,
    verdict_scale,
    verdict_shapes,
)

FIGURES = (
    ("latency", "Latency", "ms"), ("energy", "Energy", "uJ"), ("arena", "RAM (arena)", "bytes"),
    ("price", "Price", "USD"), ("flash", "Flash", "bytes"),
)  # fmt: skip
HINT = "A dot is the estimate, its bar the 90 % interval; the axes are logarithmic, the lowest comes first."
_ROW = 26
_PANELS = 4
"""Of a dashboard."""


def panels(rows: Sequence[Row]) -> tuple[Chart, ...]:
    """Of each figure that is known of a deployment, the ones that matter most first."""
    known = [figure for figure in FIGURES if any(row[figure[0]] for row in rows)]
    return tuple(_panel(rows, *figure, legend=not at) for at, figure in enumerate(known))


def dashboard(rows: Sequence[Row], model: str) -> Picture | None:
    """The first four figures that are known of a deployment at once; None where none is."""
    found = panels(rows)
    if not found:
        return None
    return Picture(
        "comparison_dashboard", f"{model} side by side", f"{HINT}{unknown_figures(rows)}", found[:_PANELS]
    )


def unknown_figures(rows: Sequence[Row]) -> str:
    """Which figures no deployment has; empty where each has one."""
    missing = [title.lower() for field, title, _ in FIGURES if not any(row[field] for row in rows)]
    return f" Not known of any: {', '.join(missing)}." if missing else ""


def _panel(rows: Sequence[Row], field: str, title: str, unit: str, *, legend: bool) -> Chart:
    """A dot for each deployment, with a bar for its interval; what is not known says so."""
    columns = [Column("name", "Deployment"), Column("verdict", "Verdict"), Column(field, title, unit)]
    if f"{field}_between" in rows[0]:
        columns.append(Column(f"{field}_between", "Its 90 % interval"))
    kept = {"at", f"{field}_low", f"{field}_high", *(each.field for each in columns)}
    kept |= {f"{each.field}_text" for each in columns}
    own = tuple({name: value for name, value in row.items() if name in kept} for row in rows)
    ends = (field, f"{field}_low", f"{field}_high")
    x = log_axis(unit, [row[end] for row in rows for end in ends if row[end]])
    spec = chart_spec(
        max(_ROW * len(rows), 2 * _ROW), title,
        transform=[
            {"calculate": f"datum.{field} > 0 ? datum.{field} : null", "as": "shown"},
            {"calculate": f"datum.{field}_low > 0 ? datum.{field}_low : datum.shown", "as": "low"},
            {"calculate": f"datum.{field}_high > 0 ? datum.{field}_high : datum.shown", "as": "high"},
            {"calculate": "datum.shown === null ? 1e300 : datum.shown", "as": "sorted"},
        ],
        encoding={
            "y": {"field": "name", "type": "nominal", "title": None,
                  "sort": {"field": "sorted", "order": "ascending"}, "axis": {"labelLimit": 220}},
            "tooltip": tooltip(columns),
        },
        layer=_marks([row["verdict"] for row in rows], x, legend=legend),
    )  # fmt: skip
    return Chart(f"deployments-{field}", spec, own, tuple(columns))


def _marks(verdicts: Sequence[str], x: dict[str, Any], *, legend: bool) -> list[Spec]:
    known = {"filter": "datum.shown !== null"}
    more = {} if legend else {"legend": None}
    colour = nominal("verdict", scale=verdict_scale(verdicts), **more)
    return [
        {
            "transform": [known], "mark": {"type": "rule", "strokeWidth": 3, "opacity": 0.4},
            "encoding": {"x": quantity("low", "", **x), "x2": {"field": "high"}, "color": colour},
        },
        {
            "transform": [known],
            "mark": {"type": "point", "filled": True, "size": 110, "opacity": 1, "cursor": "pointer"},
            "encoding": {
                "x": quantity("shown", "", **x), "color": colour,
                "shape": nominal("verdict", scale=verdict_shapes(verdicts), **more),
            },
        },
        {
            "transform": [{"filter": "datum.shown === null"}],
            "mark": {"type": "text", "text": "unknown", "align": "left", "color": "var(--quiet)"},
            "encoding": {"x": {"value": 6}},
        },
    ]  # fmt: skip
