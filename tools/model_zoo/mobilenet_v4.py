"""MobileNetV4 without attention (Qin et al., 2024), 1000 classes."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from ..graph.builder import GraphBuilder
from .architecture import image_network
from .blocks import conv, depthwise, divisible
from .shape import InputShape


class Universal(NamedTuple):
    """The universal inverted bottleneck: a depthwise before, one between; 0 where it is missing."""

    before: int
    between: int
    expansion: int
    channels: int
    stride: int = 1
    repeats: int = 1


MEDIUM = (
    Universal(3, 5, 4, 80, 2), Universal(3, 3, 2, 80),
    Universal(3, 5, 6, 160, 2), Universal(3, 3, 4, 160, repeats=2), Universal(3, 5, 4, 160),
    Universal(3, 3, 4, 160), Universal(3, 0, 4, 160), Universal(0, 0, 2, 160), Universal(3, 0, 4, 160),
    Universal(5, 5, 6, 256, 2), Universal(5, 5, 4, 256), Universal(3, 5, 4, 256, repeats=2),
    Universal(0, 0, 4, 256), Universal(3, 0, 4, 256), Universal(3, 5, 2, 256), Universal(5, 5, 4, 256),
    Universal(0, 0, 4, 256, repeats=2), Universal(5, 0, 2, 256),
)  # fmt: skip
SMALL = (
    Universal(5, 5, 3, 96, 2), Universal(0, 3, 2, 96, repeats=4), Universal(3, 0, 4, 96),
    Universal(3, 3, 6, 128, 2), Universal(5, 5, 4, 128), Universal(0, 5, 4, 128), Universal(0, 5, 3, 128),
    Universal(0, 3, 4, 128, repeats=2),
)  # fmt: skip


def medium(b: GraphBuilder, shape: InputShape) -> int:
    x = conv(b, b.input((shape.batch, shape.side, shape.side, 3)), 32, 3, stride=2)
    x = b.conv2d(conv(b, x, 128, 3, stride=2), 48, 1)
    return _rest(b, x, MEDIUM)


def small(b: GraphBuilder, shape: InputShape) -> int:
    x = conv(b, b.input((shape.batch, shape.side, shape.side, 3)), 32, 3, stride=2)
    for channels, kernel, stride in ((32, 3, 2), (32, 1, 1), (96, 3, 2), (64, 1, 1)):
        x = conv(b, x, channels, kernel, stride=stride)
    return _rest(b, x, SMALL)


def _rest(b: GraphBuilder, x: int, rows: tuple[Universal, ...]) -> int:
    for row in rows:
        for repeat in range(row.repeats):
            x = _block(b, x, row._replace(stride=1) if repeat else row)
    x = conv(b, x, 960, 1)
    x = conv(b, b.mean(x, keep_dims=True), 1280, 1)
    return b.softmax(b.fully_connected(b.flatten(x), 1000))


def _block(b: GraphBuilder, x: int, row: Universal) -> int:
    inner = b.shape(x)[3]
    bare = partial(depthwise, b, activation="NONE")
    y = bare(x, row.before, stride=1 if row.between else row.stride) if row.before else x
    y = conv(b, y, divisible(inner * row.expansion), 1)
    y = depthwise(b, y, row.between, stride=row.stride) if row.between else y
    y = b.conv2d(y, row.channels, 1)
    return b.add(x, y) if row.stride == 1 and inner == row.channels else y


MEMBERS = (
    image_network("mobilenet_v4_conv_small", small),
    image_network("mobilenet_v4_conv_medium", medium),
)
