"""The time of each layer as a bar, in the order in which they run."""

from __future__ import annotations

from collections.abc import Iterator

from ..core.svg import legend, line, svg, text, titled
from ..core.units import show
from .roofline_report import LayerRoofline, RooflineReport

WIDTH, HEIGHT = 900.0, 280.0
LEFT, RIGHT, TOP, BOTTOM = 78.0, 24.0, 44.0, 44.0
_CHARACTER = 7.2
_APART = 110.0
_NAMED = 5
"""The slowest, which carry their index."""


def layer_drawing(roofline: RooflineReport) -> str:
    """Empty where no layer's time is known."""
    longest = max((layer.latency_ms or 0.0 for layer in roofline.layers), default=0.0)
    if not longest:
        return ""
    step = (WIDTH - LEFT - RIGHT) / len(roofline.layers)
    slowest = sorted(roofline.layers, key=lambda layer: -(layer.latency_ms or 0.0))[:_NAMED]
    parts = [*_frame(longest)]
    for place, layer in enumerate(roofline.layers):
        parts.append(_bar(layer, LEFT + place * step, step, longest))
    parts += _indices(roofline.layers, step)
    parts += _names(roofline.layers, slowest, step, longest)
    bounds = dict.fromkeys(layer.bound for layer in roofline.layers)
    parts.append(legend(330, TOP - 26, [(bound.value, _caption(bound)) for bound in bounds]))
    return svg(WIDTH, HEIGHT, parts, "Time of each layer, in the order in which they run")


def _caption(bound: str) -> str:
    return "time unknown" if bound == "unknown" else f"{bound}-bound"


def _frame(longest: float) -> Iterator[str]:
    yield text(8, TOP - 26, "time of each layer")
    for quarter in range(5):
        y = _height(longest * quarter / 4, longest)
        yield line(LEFT, y, WIDTH - RIGHT, y, "grid")
        yield text(LEFT - 8, y + 4, show(longest * quarter / 4, "ms") if quarter else "0", anchor="end")
    yield text(
        (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, "layer, in the order in which they run", anchor="middle"
    )


def _height(ms: float, longest: float) -> float:
    bottom = HEIGHT - BOTTOM
    return round(bottom - (bottom - TOP) * ms / longest, 2)


def _bar(layer: LayerRoofline, x: float, step: float, longest: float) -> str:
    sentence = f"layer {layer.index} ({layer.op}): {show(layer.latency_ms, 'ms')}, {_caption(layer.bound)}"
    wide = max(step - 1.5, step * 0.7)
    if layer.latency_ms is None:
        return titled(sentence, text(x + wide / 2, HEIGHT - BOTTOM - 4, "?", anchor="middle", kind="unknown"))
    y = _height(layer.latency_ms, longest)
    tall = HEIGHT - BOTTOM - y
    return titled(
        sentence,
        f'<rect class="{layer.bound}" x="{x:.2f}" y="{y:g}" width="{wide:.2f}" height="{tall:.2f}"/>',
    )


def _indices(layers: tuple[LayerRoofline, ...], step: float) -> Iterator[str]:
    every = max(1, round(40 / step))
    for place in range(0, len(layers), every):
        x = LEFT + (place + 0.5) * step
        yield text(x, HEIGHT - BOTTOM + 17, f"{layers[place].index}", anchor="middle")


def _names(
    layers: tuple[LayerRoofline, ...], slowest: list[LayerRoofline], step: float, longest: float
) -> Iterator[str]:
    """Of the slowest, those that do not stand in each other's way."""
    wanted = {layer.index for layer in slowest if layer.latency_ms}
    places: list[float] = []
    for place, layer in sorted(enumerate(layers), key=lambda each: -(each[1].latency_ms or 0.0)):
        x = LEFT + (place + 0.5) * step
        if layer.index in wanted and all(abs(x - other) > _APART for other in places):
            places.append(x)
            y = _height(layer.latency_ms or 0.0, longest) - 5
            name = f"{layer.index}: {layer.op}"[:22]
            half = _CHARACTER * len(name) / 2
            inside = min(max(x, LEFT + half), WIDTH - RIGHT - half)
            yield text(inside, y, name, anchor="middle", kind="name")
