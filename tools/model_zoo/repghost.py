"""RepGhostNet (Chen et al., 2022) with its branches merged, as it is deployed; 1000 classes."""

from __future__ import annotations

from typing import NamedTuple

from ..graph.builder import GraphBuilder
from .architecture import image_network
from .blocks import conv, depthwise, divisible, squeeze_excite
from .shape import InputShape


class Row(NamedTuple):
    kernel: int
    inner: int
    channels: int
    squeeze: bool
    stride: int


ROWS = (
    Row(3, 8, 16, False, 1), Row(3, 24, 24, False, 2), Row(3, 36, 24, False, 1),
    Row(5, 36, 40, True, 2), Row(5, 60, 40, True, 1), Row(3, 120, 80, False, 2),
    Row(3, 100, 80, False, 1), Row(3, 120, 80, False, 1), Row(3, 120, 80, False, 1),
    Row(3, 240, 112, True, 1), Row(3, 336, 112, True, 1), Row(5, 336, 160, True, 2),
    Row(5, 480, 160, False, 1), Row(5, 480, 160, True, 1), Row(5, 480, 160, False, 1),
    Row(5, 480, 160, True, 1),
)  # fmt: skip


def repghost(b: GraphBuilder, shape: InputShape) -> int:
    x = b.input((shape.batch, shape.side, shape.side, 3))
    x = conv(b, x, divisible(16 * shape.width, 4), 3, stride=2)
    for row in ROWS:
        inner, channels = (divisible(c * shape.width, 4) for c in (row.inner, row.channels))
        x = _block(b, x, row, inner, channels)
    x = conv(b, x, divisible(2 * ROWS[-1].inner * shape.width, 4), 1)
    x = conv(b, b.mean(x, keep_dims=True), 1280, 1)
    return b.softmax(b.fully_connected(b.flatten(x), 1000))


def _block(b: GraphBuilder, x: int, row: Row, inner: int, channels: int) -> int:
    y = _ghost(b, x, inner, "RELU")
    if row.stride > 1:
        y = b.depthwise_conv2d(y, row.kernel, stride=row.stride)
    if row.squeeze:
        y = squeeze_excite(b, y, divisible(inner / 4, 4), gate="HARD_SIGMOID")
    y = _ghost(b, y, channels, "NONE")
    if row.stride > 1 or b.shape(x)[3] != channels:
        x = b.conv2d(b.depthwise_conv2d(x, row.kernel, stride=row.stride), channels, 1)
    return b.add(x, y)


def _ghost(b: GraphBuilder, x: int, channels: int, activation: str) -> int:
    return depthwise(b, conv(b, x, channels, 1, activation=activation), 3, activation=activation)


MEMBERS = (image_network("repghost", repghost, "repghostnet", any_width=True),)
