"""What each layer takes: time, energy, work, traffic or weights, in the order in which they run."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.document import Chart, Column
from ...cost_model.performance_estimate import PerformanceEstimate
from ...graph.summary import ModelSummary
from ...roofline.roofline_report import RooflineReport
from .spec import Row, best_unit, bound_scale, chart_spec, nominal, quantity, tooltip, with_words

COLUMNS = (
    Column("index", "Layer"), Column("op", "Operator"), Column("time", "Time", "ms"),
    Column("share", "Share of the time", "fraction"), Column("bound", "Bound"),
    Column("energy", "Energy", "uJ"), Column("macs", "MACs"), Column("moved", "Moved", "bytes"),
    Column("weights", "Weights", "bytes"), Column("processor", "On"),
)  # fmt: skip
_CHOICES = (
    ("Time", "time", "ms"), ("Energy", "energy", "uJ"), ("MACs", "macs", ""),
    ("Bytes moved", "moved", "bytes"), ("Weights", "weights", "bytes"),
)  # fmt: skip


def layer_chart(model: ModelSummary, performance: PerformanceEstimate, roofline: RooflineReport) -> Chart:
    rows = with_words(list(_rows(model, performance, roofline)), COLUMNS)
    x = {"field": "index", "type": "ordinal", "title": "layer, in the order in which they run",
         "sort": None, "axis": {"labelAngle": 0, "ticks": False}}  # fmt: skip
    hover = {"name": "hover", "select": {"type": "point", "on": "pointerover", "clear": "pointerout"}}
    spec = chart_spec(
        260, "What each layer takes, in the order in which they run",
        encoding={"x": x, "tooltip": tooltip(COLUMNS)},
        layer=[
            {
                "mark": {"type": "bar", "minBandSize": 2, "cursor": "pointer"},
                "params": [hover],
                "encoding": {
                    "y": quantity("shown", "@title", axis={"tickCount": 5}),
                    "color": nominal("bound", scale=bound_scale(row["bound"] for row in rows)),
                    "opacity": {"condition": {"param": "hover", "value": 1}, "value": 0.55},
                },
            },
            {
                "transform": [{"filter": "datum.shown === null"}],
                "mark": {"type": "text", "text": "?", "baseline": "bottom", "color": "var(--quiet)"},
                "encoding": {"y": {"value": 258}},
            },
        ],
        transform=[
            {"calculate": "datum['@field'] === null ? null : datum['@field'] / @factor", "as": "shown"}
        ],
    )  # fmt: skip
    choices = []
    for label, field, unit in _CHOICES:
        values = [row[field] for row in rows]
        if any(values):
            factor, name = best_unit(values, unit)
            title = f"{label.lower() if label != 'MACs' else label}{f', {name}' if name else ''}"
            choices.append((label, {"@field": field, "@factor": f"{factor!r}", "@title": title}))
    return Chart("layers", spec, rows, COLUMNS, tuple(choices))


def _rows(model: ModelSummary, performance: PerformanceEstimate, roofline: RooflineReport) -> Iterator[Row]:
    for held, cost, roof in zip(model.layers, performance.layers, roofline.layers, strict=True):
        yield {
            "index": roof.index, "op": roof.op, "time": roof.latency_ms, "share": roof.share,
            "bound": roof.bound.value, "energy": cost.energy_uj, "macs": cost.macs,
            "moved": cost.memory_bytes, "weights": held.parameter_bytes, "processor": cost.processor,
        }  # fmt: skip
