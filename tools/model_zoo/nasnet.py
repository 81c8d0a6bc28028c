"""NASNet-A Mobile (Zoph et al., 2018), 1000 classes."""

from __future__ import annotations

from collections.abc import Sequence

from ..graph.builder import GraphBuilder
from .architecture import image_network
from .blocks import classified
from .shape import InputShape

FILTERS, STEM, CELLS = 44, 32, 4


def nasnet_mobile(b: GraphBuilder, shape: InputShape) -> int:
    """Four cells at each of three resolutions. 564 million MACs and 5,289,978 parameters at 224 pixels."""
    x = b.input((shape.batch, shape.side, shape.side, 3))
    previous, x = -1, b.conv2d(x, STEM, 3, stride=2, padding="VALID")
    for filters in (FILTERS // 4, FILTERS // 2):
        previous, x = x, _reduced(b, x, previous, filters)
    for growth in (1, 2, 4):
        if growth > 1:
            previous, x = x, _reduced(b, x, previous, growth * FILTERS)
        for _ in range(CELLS):
            previous, x = x, _normal(b, x, previous, growth * FILTERS)
    return classified(b, b.unary("RELU", x))


def _normal(b: GraphBuilder, x: int, previous: int, filters: int) -> int:
    p, h = _fitted(b, x, previous, filters), _projected(b, x, filters)
    parts = [
        b.add(_separable(b, h, filters, 5), _separable(b, p, filters, 3)),
        b.add(_separable(b, p, filters, 5), _separable(b, p, filters, 3)),
        b.add(_average(b, h), p),
        b.add(_average(b, p), _average(b, p)),
        b.add(_separable(b, h, filters, 3), h),
    ]
    return b.concat([p, *parts])


def _reduced(b: GraphBuilder, x: int, previous: int, filters: int) -> int:
    p = x if previous < 0 else _fitted(b, x, previous, filters)
    h = _projected(b, x, filters)
    first = b.add(_separable(b, h, filters, 5, 2), _separable(b, p, filters, 7, 2))
    second = b.add(_maximum(b, h), _separable(b, p, filters, 7, 2))
    third = b.add(_average(b, h, 2), _separable(b, p, filters, 5, 2))
    fourth = b.add(second, _average(b, first))
    fifth = b.add(_separable(b, first, filters, 3), _maximum(b, h))
    return b.concat([second, third, fourth, fifth])


def _fitted(b: GraphBuilder, x: int, previous: int, filters: int) -> int:
    """The cell before the last, brought to the last one's resolution and to as many channels as asked for."""
    side = b.shape(previous)[1]
    if b.shape(x)[1] == side:
        return previous if b.shape(previous)[3] == filters else _projected(b, previous, filters)
    y = b.unary("RELU", previous)
    shifted = _cut(b, b.pad(y, ((0, 0), (0, 1), (0, 1), (0, 0))), side)
    halves = [b.conv2d(b.average_pool2d(z, 1, stride=2), filters // 2, 1) for z in (y, shifted)]
    return b.concat(halves)


def _cut(b: GraphBuilder, x: int, side: int) -> int:
    """Without the first row and column."""
    batch, _, _, channels = b.shape(x)
    layer = b.layer("strided_slice")
    corners: Sequence[tuple[str, tuple[int, ...]]] = (
        ("begin", (0, 1, 1, 0)),
        ("end", (batch, side + 1, side + 1, channels)),
        ("step", (1, 1, 1, 1)),
    )
    lists = [b.integers(f"{layer}/{name}", values) for name, values in corners]
    masks = dict.fromkeys(("ellipsis_mask", "new_axis_mask", "shrink_axis_mask"), 0)
    options = {"begin_mask": 9, "end_mask": 9, **masks}
    return b.op("STRIDED_SLICE", (x, *lists), (batch, side, side, channels), options, layer=layer)


def _projected(b: GraphBuilder, x: int, filters: int) -> int:
    return b.conv2d(b.unary("RELU", x), filters, 1)


def _separable(b: GraphBuilder, x: int, filters: int, kernel: int, stride: int = 1) -> int:
    y = b.depthwise_conv2d(b.unary("RELU", x), kernel, stride=stride)
    y = b.conv2d(y, filters, 1, activation="RELU")
    return b.conv2d(b.depthwise_conv2d(y, kernel), filters, 1)


def _average(b: GraphBuilder, x: int, stride: int = 1) -> int:
    return b.average_pool2d(x, 3, stride=stride, padding="SAME")


def _maximum(b: GraphBuilder, x: int) -> int:
    return b.max_pool2d(x, 3, stride=2, padding="SAME")


MEMBERS = (image_network("nasnet_mobile", nasnet_mobile, "nasnet"),)
