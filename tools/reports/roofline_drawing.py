"""A roofline: achieved arithmetic over arithmetic intensity, both logarithmic, under the hardware's roofs."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ..core.quantity import Quantity
from ..core.svg import LogScale, decades, legend, line, svg, text, titled
from ..core.units import digits, show
from ..graph.summary import ModelSummary
from ..roofline.roofline_report import RooflineReport
from .kinds import Kind, kinds_of, whole_gops

WIDTH, HEIGHT = 900.0, 430.0
LEFT, RIGHT, TOP, BOTTOM = 78.0, 24.0, 40.0, 52.0
_LINE = 14.0
_CHARACTER = 7.0
_Taken = tuple[float, float, float]
"""Left end, base line and width of what is drawn."""


def roofline_drawing(summary: ModelSummary, roofline: RooflineReport) -> str:
    """A dot for each kind of layer, larger with its share of the time; empty where none can be placed."""
    kinds = [kind for kind in kinds_of(summary, roofline) if kind.can_be_placed]
    model = whole_gops(summary, roofline)
    if not kinds or roofline.arithmetic_intensity is None:
        return ""
    peak, bandwidth = roofline.peak_gops, roofline.bandwidth_gb_s
    xs = [kind.intensity or 0.0 for kind in kinds] + [roofline.ridge_point or kinds[0].intensity or 1.0]
    ys = [kind.gops or 0.0 for kind in kinds] + [each for each in (peak, *model) if each]
    x = decades(xs, LEFT, WIDTH - RIGHT)
    y = decades(ys, HEIGHT - BOTTOM, TOP)
    parts = [*_axes(x, y), *_roofs(x, y, peak, bandwidth, roofline)]
    taken = [(x.at(roofline.arithmetic_intensity) - 8, y.at(model[0]) + 4, 16.0)] if model else []
    parts += _dots(x, y, kinds, taken)
    parts += _whole(x, y, roofline.arithmetic_intensity, model, roofline.latency_ms)
    parts.append(_legend(kinds))
    return svg(WIDTH, HEIGHT, parts, "Roofline: achieved arithmetic over arithmetic intensity")


def _axes(x: LogScale, y: LogScale) -> Iterator[str]:
    for value in x.ticks():
        at = x.at(value)
        yield line(at, TOP, at, HEIGHT - BOTTOM, "grid")
        yield text(at, HEIGHT - BOTTOM + 18, _tick(value), anchor="middle")
    for value in y.ticks():
        at = y.at(value)
        yield line(LEFT, at, WIDTH - RIGHT, at, "grid")
        yield text(LEFT - 8, at + 4, _tick(value), anchor="end")
    yield text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, "arithmetic intensity, FLOP/byte", anchor="middle")
    yield text(8, TOP - 22, "achieved, GOP/s (1 MAC = 2 OP)")


def _tick(value: float) -> str:
    return f"{value:,.0f}" if value >= 1 else f"{value:.9f}".rstrip("0")


def _roofs(
    x: LogScale, y: LogScale, peak: float | None, bandwidth: float | None, roofline: RooflineReport
) -> Iterator[str]:
    bend = peak / bandwidth if peak and bandwidth else None
    if bandwidth:
        start = max(x.low, y.low / bandwidth)
        end = min(bend or x.high, x.high, y.high / bandwidth)
        if start < end:
            yield line(x.at(start), y.at(start * bandwidth), x.at(end), y.at(end * bandwidth), "roof")
            sentence = f"{digits(bandwidth)} GB/s from {roofline.memory_level}"
            yield text(x.at(start) + 26, y.at(start * bandwidth) + 12, sentence, kind="roof-name")
    if peak:
        start = min(max(bend or x.low, x.low), x.high)
        yield line(x.at(start), y.at(peak), x.at(x.high), y.at(peak), "roof")
        sentence = f"peak {digits(peak)} GOP/s {roofline.dtype}"
        yield text(WIDTH - RIGHT - 4, y.at(peak) - 7, sentence, anchor="end", kind="roof-name")
    if bend and x.low <= bend <= x.high:
        yield line(x.at(bend), y.at(min(peak or y.high, y.high)), x.at(bend), HEIGHT - BOTTOM, "ridge")
        yield text(x.at(bend) + 5, HEIGHT - BOTTOM - 6, f"ridge {digits(bend)}", kind="roof-name")


def _dots(x: LogScale, y: LogScale, kinds: list[Kind], taken: list[_Taken]) -> Iterator[str]:
    """The largest below; names to the right, moved down where something else stands."""
    taken = [*taken, *(_box(x, y, kind) for kind in kinds)]
    for kind in kinds:
        cx, cy = x.at(kind.intensity or 1.0), y.at(kind.gops or 1.0)
        radius = _radius(kind)
        wide = _CHARACTER * len(kind.op)
        left = cx - radius - 5 - wide if cx + radius + 5 + wide > WIDTH - RIGHT else cx + radius + 5
        at = _free(taken, left, cy + 4, wide)
        taken.append((left, at, wide))
        sentence = (
            f"{kind.op}: {kind.layers} layers, {show(kind.latency_ms, 'ms')}, {digits(kind.intensity or 0)} "
            f"FLOP/byte, {digits(kind.gops or 0)} GOP/s, {kind.bound}-bound"
        )
        dot = f'<circle class="{kind.bound} dot" cx="{cx:g}" cy="{cy:g}" r="{radius:.1f}"/>'
        lead = line(cx, cy, left, at - 4, "lead") if abs(at - cy - 4) > _LINE else ""
        yield titled(sentence, dot + lead + text(left, at, kind.op, kind="name"))


def _radius(kind: Kind) -> float:
    return 4 + 12 * math.sqrt(kind.share or 0.0)


def _box(x: LogScale, y: LogScale, kind: Kind) -> _Taken:
    radius = _radius(kind)
    return (x.at(kind.intensity or 1.0) - radius, y.at(kind.gops or 1.0) + 4, 2 * radius)


def _free(taken: list[_Taken], x: float, y: float, wide: float) -> float:
    while any(abs(y - other) < _LINE and x < at + w and at < x + wide for at, other, w in taken):
        y += 2
    return y


def _whole(
    x: LogScale, y: LogScale, intensity: float, model: tuple[float, ...], time: Quantity
) -> Iterator[str]:
    if not model:
        return
    value, low, high = model
    cx, cy = x.at(intensity), y.at(value)
    sentence = (
        f"whole model: {digits(intensity)} FLOP/byte, {digits(value)} GOP/s "
        f"({digits(low)} to {digits(high)}, 90 % interval, {time.basis})"
    )
    bar = line(cx, y.at(low), cx, y.at(high), "whisker")
    yield titled(sentence, f'{bar}<path class="model" d="M{cx:g} {cy - 8:g}l8 8l-8 8l-8 -8z"/>')


def _legend(kinds: list[Kind]) -> str:
    bounds = dict.fromkeys(kind.bound for kind in kinds)
    entries = [(bound.value, f"{bound}-bound") for bound in bounds]
    return legend(330, TOP - 22, [*entries, ("model", "whole model with its 90 % interval")])
