"""A flame graph: the whole below, what it is made of above it, each as wide as the time that it takes."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.document import Chart, Column
from ...core.sanitize import clean_text
from ...cost_model.performance_estimate import PerformanceEstimate
from ...roofline.roofline_report import RooflineReport
from ...traces.measured_profile import MeasuredProfile
from .picture import Picture
from .spec import KINDS, Row, chart_spec, quantity, tooltip, with_words
from .tree import Leaf, folded, nodes_of

COLUMNS = (
    Column("name", "Frame"), Column("within", "On"), Column("time", "Time", "ms"),
    Column("share", "Share of the time", "fraction"),
)  # fmt: skip
_ROW = 34
_LETTER = 7.0
"""Pixels, for whether a name has room in its frame."""
_NS = 1e6
"""In a millisecond."""


def estimated(roofline: RooflineReport, performance: PerformanceEstimate) -> list[Leaf]:
    """Layers on what runs them, by kind; those of unknown time left out."""
    return [
        Leaf(
            (cost.processor or "not placed", layer.op, f"layer {layer.index}"), (layer.latency_ms,), layer.op
        )
        for layer, cost in zip(roofline.layers, performance.layers, strict=True)
        if layer.latency_ms is not None
    ]


def measured(profile: MeasuredProfile) -> list[Leaf]:
    """Layers by kind as they were measured, and what the trace holds beside them."""
    layers = [
        Leaf((layer.op, _covered(layer.index, layer.covers)), (layer.measured_ms,), layer.op)
        for layer in profile.layers
        if layer.measured_ms is not None
    ]
    others = [
        Leaf(("no operator of the model", event.tag_untrusted), (event.measured_ms,), "other")
        for event in profile.unmatched_events
    ]
    return [*layers, *others]


def _covered(index: int, covers: Sequence[int]) -> str:
    return f"layer {index}" if not covers else f"layers {', '.join(map(str, (index, *covers)))}"


def estimated_flame(roofline: RooflineReport, performance: PerformanceEstimate) -> Picture | None:
    """None where no layer's time is known."""
    unknown = sum(layer.latency_ms is None for layer in roofline.layers)
    left_out = f" Layers left out, as their time is not known: {unknown}." if unknown else ""
    where = roofline.deployment
    title = f"Flame graph of {roofline.model or 'the model'} on {where.target}, estimated"
    caption = f"The whole below; above it what runs it, the kind of operator and the layer.{left_out}"
    return _picture(estimated(roofline, performance), roofline.model, title, caption)


def measured_flame(profile: MeasuredProfile) -> Picture | None:
    """None where no time of a layer was measured."""
    missing = len(profile.unmatched_layers)
    left_out = f" Layers left out, as no event was found for them: {missing}." if missing else ""
    title = f"Flame graph of {profile.model} on {profile.deployment.target}, measured"
    caption = f"The whole below; above it the kind of operator and the layer.{left_out}"
    return _picture(measured(profile), profile.model, title, caption)


def _picture(leaves: Sequence[Leaf], model: str, title: str, caption: str) -> Picture | None:
    """Collapsed stacks in whole nanoseconds."""
    root = clean_text(model) or "model"
    chart = flame_chart(leaves, root)
    if chart is None:
        return None
    return Picture(chart.name, clean_text(title), caption, (chart,), folded(leaves, root, _NS))


def flame_chart(leaves: Sequence[Leaf], root: str) -> Chart | None:
    total = sum(leaf.values[0] or 0.0 for leaf in leaves)
    if not total:
        return None
    drawn: list[Row] = [
        {"name": root, "within": "nothing", "time": total, "share": 1.0, "begin": 0.0, "end": 1.0, "depth": 0,
         "kind": ""}
    ]  # fmt: skip
    drawn += [
        {
            "name": node.path[-1], "within": ", ".join((root, *node.path[:-1])), "time": node.values[0],
            "share": node.shares[0], "begin": node.begins[0], "end": node.begins[0] + node.shares[0],
            "depth": node.depth, "kind": node.group,
        }
        for node in nodes_of(leaves)
    ]  # fmt: skip
    rows = with_words(drawn, COLUMNS)
    depths = 1 + max(row["depth"] for row in rows)
    kinds = list(dict.fromkeys(row["kind"] for row in rows if row["kind"]))
    colours = [KINDS[at] if at < len(KINDS) else KINDS[-1] for at in range(len(kinds))]
    x = {"scale": {"domain": [0, 1], "nice": False}, "axis": {"format": "%", "grid": False, "tickCount": 5}}
    y = {"scale": {"domain": [0, depths], "nice": False}, "axis": None}
    room = f"(datum.end - datum.begin) * width > {_LETTER} * length(datum.name_text) + 8"
    spec = chart_spec(
        _ROW * depths, "Flame graph: the whole below, what it is made of above it",
        transform=[
            {"calculate": "datum.depth + 0.96", "as": "top"},
            {"calculate": "datum.depth + 0.5", "as": "high"},
            {"calculate": "(datum.begin + datum.end) / 2", "as": "middle"},
        ],
        layer=[
            {
                "mark": {"type": "rect", "stroke": "var(--page)", "strokeWidth": 1},
                "encoding": {
                    "x": quantity("begin", "share of the time", **x), "x2": {"field": "end"},
                    "y": quantity("depth", "", **y), "y2": {"field": "top"}, "tooltip": tooltip(COLUMNS),
                    "opacity": {"condition": {"test": "datum.kind === ''", "value": 1}, "value": 0.5},
                    "color": {"field": "kind", "type": "nominal", "legend": None,
                              "scale": {"domain": ["", *kinds], "range": ["var(--line)", *colours]}},
                },
            },
            {
                "transform": [{"filter": room}],
                "mark": {"type": "text", "fontSize": 11, "tooltip": None},
                "encoding": {"x": quantity("middle", ""), "y": quantity("high", ""),
                             "text": {"field": "name_text"}},
            },
        ],
    )  # fmt: skip
    return Chart("flamegraph", spec, rows, COLUMNS)
