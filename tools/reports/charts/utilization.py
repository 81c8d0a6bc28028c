"""Use over the time of a run: lanes for the compute engine, the memory bus and an accelerator's transfers."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.document import Chart, Column
from ...core.sanitize import clean_text
from ...core.units import show
from ...timeline.timeline import Timeline, TimelineOp
from ...timeline.use import COMPUTE, DMA, MEMORY
from .picture import Picture
from .spec import Row, Spec, best_unit, chart_spec, quantity, tooltip, with_words

COLUMNS = (
    Column("unit", "Unit"), Column("index", "Layer"), Column("op", "Operator"),
    Column("begins", "From", "ms"), Column("ends", "To", "ms"), Column("use", "Used", "fraction"),
)  # fmt: skip
_LANE = 92
_FULL = 0.68
"""Of a lane's height, for all of a unit; its name stands above."""
_COLOURS = {COMPUTE: "var(--compute)", MEMORY: "var(--memory)", DMA: "var(--c2)"}
_CAPTION = (
    "As high as the share of its peak: arithmetic over the peak rate, traffic over the bandwidth, time in "
    "which transfers run. Estimated for each layer as a whole; grey is not known."
)


def utilization(line: Timeline) -> Picture | None:
    """None where the use of no unit is known, or no operator's time."""
    names = [use.unit for use in line.uses]
    placed = [op for op in line.ops if op.begins_ms is not None and op.latency_ms is not None]
    if not names or not placed:
        return None
    rows = with_words([row for at, name in enumerate(names) for row in _lane(placed, name, at)], COLUMNS)
    factor, unit = best_unit([row["ends"] for row in rows], "ms")
    tops = [
        {"top": len(names) - at, "words": f"{use.unit}: {show(use.mean_utilization, 'fraction')} on average"}
        for at, use in enumerate(line.uses)
    ]
    spec = chart_spec(
        _LANE * len(names), "Use of the hardware over the time of a run",
        transform=[
            {"calculate": f"{len(names)} - 1 - datum.lane", "as": "bottom"},
            {"calculate": f"datum.bottom + {_FULL}", "as": "full"},
            {"calculate": f"datum.bottom + {_FULL} * (datum.use === null ? 1 : datum.use)", "as": "top"},
            {"calculate": f"datum.begins / {factor!r}", "as": "x"},
            {"calculate": f"datum.ends / {factor!r}", "as": "x2"},
        ],
        layer=_layers(names, unit, tops),
    )  # fmt: skip
    title = f"Use of {line.deployment.target} over a run of {line.model or 'the model'}"
    late = len(line.ops) - len(placed)
    left_out = f" Layers left out, as their place in time is not known: {late}." if late else ""
    chart = Chart("utilization_timeline", spec, rows, COLUMNS)
    return Picture(chart.name, clean_text(title), f"{_CAPTION}{left_out}", (chart,))


def _lane(ops: list[TimelineOp], unit: str, lane: int) -> Iterator[Row]:
    for op in ops:
        use = {COMPUTE: op.compute_utilization, MEMORY: op.memory_utilization, DMA: op.dma_utilization}[unit]
        begins = op.begins_ms or 0.0
        yield {
            "unit": unit, "lane": lane, "index": op.index, "op": op.op, "begins": begins,
            "ends": begins + (op.latency_ms or 0.0), "use": use,
        }  # fmt: skip


def _layers(names: list[str], unit: str, tops: list[Row]) -> list[Spec]:
    y = {"scale": {"domain": [0, len(names)], "nice": False}, "axis": None}
    x = quantity("x", f"time, {unit}", scale={"nice": False}, axis={"tickCount": 5, "grid": False})
    colour = {
        "condition": {"test": "datum.use === null", "value": "var(--line)"},
        "field": "unit", "type": "nominal", "legend": None,
        "scale": {"domain": names, "range": [_COLOURS[name] for name in names]},
    }  # fmt: skip
    across = {"x": x, "x2": {"field": "x2"}, "y": quantity("bottom", "", **y), "tooltip": tooltip(COLUMNS)}
    return [
        {"mark": {"type": "rect", "color": "var(--soft)"}, "encoding": {**across, "y2": {"field": "full"}}},
        {"mark": {"type": "rect"}, "encoding": {**across, "y2": {"field": "top"}, "color": colour}},
        {"data": {"values": tops},
         "mark": {"type": "text", "align": "left", "baseline": "top", "dy": 6},
         "encoding": {"x": {"value": 2}, "y": quantity("top", "", **y), "text": {"field": "words"}}},
    ]  # fmt: skip
