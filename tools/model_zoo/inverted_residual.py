"""The block of the mobile networks: expand, filter each channel, project (Sandler et al., 2018)."""

from __future__ import annotations

from collections.abc import Iterable

from ..core.records import dataclass, replace
from ..graph.builder import GraphBuilder
from .blocks import conv, depthwise, divisible, squeeze_excite


@dataclass(frozen=True)
class Inverted:
    expansion: float
    channels: int
    kernel: int
    stride: int = 1
    repeats: int = 1
    squeeze: float = 0.0
    """Channels of the squeeze, in parts of the block's input; 0 for none."""
    activation: str = "RELU"
    fused: bool = False
    """One full convolution in the place of the expansion and the depthwise."""
    skip: bool = True
    late: bool = False
    """A fused block that strides in its projection."""
    widened: int = 0
    """Channels that the expansion multiplies, where they are not the input's."""


def stage(b: GraphBuilder, x: int, rows: Iterable[Inverted]) -> int:
    for row in rows:
        for repeat in range(row.repeats):
            x = inverted(b, x, replace(row, stride=1) if repeat else row)
    return x


def inverted(b: GraphBuilder, x: int, row: Inverted) -> int:
    inner = b.shape(x)[3]
    y = _fused(b, x, row) if row.fused else _separable(b, x, row)
    return b.add(x, y) if row.skip and row.stride == 1 and inner == row.channels else y


def _separable(b: GraphBuilder, x: int, row: Inverted) -> int:
    inner = b.shape(x)[3]
    wide = divisible(inner * row.expansion)
    y = x if row.expansion == 1 else conv(b, x, wide, 1, activation=row.activation)
    y = depthwise(b, y, row.kernel, stride=row.stride, activation=row.activation)
    if row.squeeze:
        y = squeeze_excite(b, y, max(1, round(inner * row.squeeze)), activation=row.activation)
    return b.conv2d(y, row.channels, 1)


def _fused(b: GraphBuilder, x: int, row: Inverted) -> int:
    if row.expansion == 1:
        return conv(b, x, row.channels, row.kernel, stride=row.stride, activation=row.activation)
    wide = divisible((row.widened or b.shape(x)[3]) * row.expansion)
    first, second = (1, row.stride) if row.late else (row.stride, 1)
    y = conv(b, x, wide, row.kernel, stride=first, activation=row.activation)
    return b.conv2d(y, row.channels, 1, stride=second)
