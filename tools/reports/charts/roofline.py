"""The roofline: achieved arithmetic over arithmetic intensity under the hardware's roofs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...core.document import Chart, Column
from ...core.units import digits
from ...roofline.roofline_report import RooflineReport
from ..kinds import Kind
from .spec import DECADES, Row, Spec, bound_scale, chart_spec, nominal, quantity, tooltip, with_words

COLUMNS = (
    Column("op", "Kind of layer"), Column("layers", "Layers"), Column("time", "Time", "ms"),
    Column("share", "Share of the time", "fraction"), Column("intensity", "FLOP/byte"),
    Column("gops", "Reached", "GOP/s"), Column("bound", "Bound"),
)  # fmt: skip
_WHERE_THERE_IS_ROOM = {
    "condition": {"test": "datum.share < (width < 420 ? 0.05 : width < 760 ? 0.005 : 0)", "value": 0},
    "value": 1,
}
"""Where it is narrow, only kinds that take time are named; the rest are in the tool tip and the table."""
_MARGIN = 3.0
"""Room beyond the outermost of what is drawn, as a factor."""


def roofline_chart(
    roofline: RooflineReport, kinds: list[Kind], model_gops: tuple[float, ...]
) -> Chart | None:
    """None where no kind of layer has both a time and counted work.

    Args:
        roofline: the hardware's roofs and the model's intensity.
        kinds: the layers by operator.
        model_gops: what the whole model reaches, with the ends of its interval; nothing where unknown.
    """
    placed = [kind for kind in kinds if kind.can_be_placed]
    if not placed or roofline.arithmetic_intensity is None:
        return None
    rows = with_words([_row(kind) for kind in kinds], COLUMNS)
    x, y = _domains(roofline, placed, model_gops)
    layers: list[Spec] = [*_roofs(roofline, x, y), *_dots(rows, x, y), *_whole(roofline, model_gops)]
    spec = chart_spec(360, "Roofline: achieved arithmetic over arithmetic intensity", layer=layers)
    return Chart("roofline", spec, rows, COLUMNS)


def _row(kind: Kind) -> Row:
    return {
        "op": kind.op, "layers": kind.layers, "time": kind.latency_ms, "share": kind.share,
        "intensity": kind.intensity, "gops": kind.gops, "bound": kind.bound.value,
    }  # fmt: skip


def _domains(
    roofline: RooflineReport, placed: list[Kind], model: tuple[float, ...]
) -> tuple[list[float], list[float]]:
    xs = [kind.intensity or 1.0 for kind in placed] + [roofline.ridge_point or placed[0].intensity or 1.0]
    ys = [kind.gops or 1.0 for kind in placed] + [each for each in (roofline.peak_gops, *model) if each]
    return [min(xs) / _MARGIN, max(xs) * _MARGIN], [min(ys) / _MARGIN, max(ys) * _MARGIN]


def _axes(x: list[float], y: list[float]) -> Spec:
    log: dict[str, Any] = {"type": "log", "nice": False}
    axis = {"tickCount": 5, "format": "~g", "gridColor": DECADES}
    return {
        "x": quantity("x", "arithmetic intensity, FLOP/byte", scale={**log, "domain": x}, axis=axis),
        "y": quantity("y", "achieved, GOP/s (1 MAC = 2 OP)", scale={**log, "domain": y}, axis=axis),
    }


def _roofs(roofline: RooflineReport, x: list[float], y: list[float]) -> Iterator[Spec]:
    peak, bandwidth = roofline.peak_gops, roofline.bandwidth_gb_s
    points: list[Row] = []
    if bandwidth:
        bend = peak / bandwidth if peak else x[1]
        points += [{"x": at, "y": at * bandwidth} for at in (x[0], min(bend, x[1]))]
    if peak:
        first = peak / bandwidth if bandwidth else x[0]
        points += [{"x": at, "y": peak} for at in (max(first, x[0]), x[1])]
    if points:
        yield {
            "data": {"values": points},
            "mark": {"type": "line", "color": "var(--roof)", "strokeWidth": 2, "clip": True},
            "encoding": _axes(x, y),
        }
    if peak:
        name = f"peak {digits(peak)} GOP/s {roofline.dtype}"
        yield _note(x[1], peak, name, align="right", dx=-4, dy=-7)
    if bandwidth:
        begin = max(x[0], y[0] / bandwidth)
        name = f"{digits(bandwidth)} GB/s from {roofline.memory_level}"
        yield _note(begin, begin * bandwidth, name, align="left", dx=8, dy=14)


def _note(x: float, y: float, words: str, **mark: Any) -> Spec:
    return {
        "data": {"values": [{"x": x, "y": y, "words": words}]},
        "mark": {"type": "text", "color": "var(--quiet)", **mark},
        "encoding": {"x": quantity("x", ""), "y": quantity("y", ""), "text": {"field": "words"}},
    }


def _dots(rows: tuple[Row, ...], x: list[float], y: list[float]) -> Iterator[Spec]:
    only = [{"filter": "datum.intensity > 0 && datum.gops > 0"}]
    renamed = [{"calculate": "datum.intensity", "as": "x"}, {"calculate": "datum.gops", "as": "y"}]
    size = {"field": "share", "type": "quantitative", "legend": None,
            "scale": {"domain": [0, 1], "range": [50, 900], "clamp": True}}  # fmt: skip
    yield {
        "transform": [*only, *renamed],
        "params": [{"name": "zoom", "bind": "scales", "select": {
            "type": "interval", "zoom": "wheel![event.shiftKey || event.ctrlKey]"}}],
        "mark": {"type": "circle", "opacity": 0.8, "stroke": "var(--page)", "clip": True},
        "encoding": {
            **_axes(x, y), "size": size, "tooltip": tooltip(COLUMNS),
            "color": nominal("bound", scale=bound_scale(row["bound"] for row in rows)),
        },
    }  # fmt: skip
    for rank, dy in enumerate((22, -18)):  # neighbours on either side of their dots
        yield {
            "transform": [
                *only,
                {"window": [{"op": "row_number", "as": "rank"}]},
                {"filter": f"datum.rank % 2 === {1 - rank}"},
                *renamed,
            ],
            "mark": {"type": "text", "align": "center", "dy": dy, "fontSize": 11, "clip": True},
            "encoding": {**_axes(x, y), "text": {"field": "op_text"}, "opacity": _WHERE_THERE_IS_ROOM},
        }


def _whole(roofline: RooflineReport, model: tuple[float, ...]) -> Iterator[Spec]:
    if not model:
        return
    value, low, high = model
    x = roofline.arithmetic_intensity
    words = (
        f"{digits(x or 0)} FLOP/byte, {digits(value)} GOP/s "
        f"({digits(low)} to {digits(high)}, 90 % interval, {roofline.latency_ms.basis})"
    )
    data = {"values": [{"x": x, "y": value, "low": low, "high": high, "words": words}]}
    tip = [{"field": "words", "title": "Whole model", "type": "nominal"}]
    place = {"x": quantity("x", ""), "tooltip": tip}
    yield {
        "data": data, "mark": {"type": "rule", "color": "var(--fail)", "strokeWidth": 2, "clip": True},
        "encoding": {**place, "y": quantity("low", ""), "y2": {"field": "high"}},
    }  # fmt: skip
    yield {
        "data": data,
        "mark": {"type": "point", "shape": "diamond", "filled": True, "size": 160, "color": "var(--fail)",
                 "opacity": 1, "clip": True},
        "encoding": {**place, "y": quantity("y", "")},
    }  # fmt: skip
