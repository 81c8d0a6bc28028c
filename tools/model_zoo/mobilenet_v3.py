"""MobileNetV3 (Howard et al., 2019) and its variants that avoid what is hard for hardware; 1000 classes."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from ..graph.builder import GraphBuilder
from .architecture import image_network
from .blocks import activated, conv, depthwise, divisible, squeeze_excite
from .shape import InputShape

HS, RE = "HARD_SWISH", "RELU"


class Row(NamedTuple):
    kernel: int
    expansion: float
    channels: int
    squeeze: bool
    activation: str
    stride: int


LARGE = (
    Row(3, 1, 16, False, RE, 1), Row(3, 4, 24, False, RE, 2), Row(3, 3, 24, False, RE, 1),
    Row(5, 3, 40, True, RE, 2), Row(5, 3, 40, True, RE, 1), Row(5, 3, 40, True, RE, 1),
    Row(3, 6, 80, False, HS, 2), Row(3, 2.5, 80, False, HS, 1), Row(3, 2.3, 80, False, HS, 1),
    Row(3, 2.3, 80, False, HS, 1), Row(3, 6, 112, True, HS, 1), Row(3, 6, 112, True, HS, 1),
    Row(5, 6, 160, True, HS, 2), Row(5, 6, 160, True, HS, 1), Row(5, 6, 160, True, HS, 1),
)  # fmt: skip
SMALL = (
    Row(3, 1, 16, True, RE, 2), Row(3, 4.5, 24, False, RE, 2), Row(3, 3.67, 24, False, RE, 1),
    Row(5, 4, 40, True, HS, 2), Row(5, 6, 40, True, HS, 1), Row(5, 6, 40, True, HS, 1),
    Row(5, 3, 48, True, HS, 1), Row(5, 3, 48, True, HS, 1),
    Row(5, 6, 96, True, HS, 2), Row(5, 6, 96, True, HS, 1), Row(5, 6, 96, True, HS, 1),
)  # fmt: skip
"""Tables 1 and 2 of the paper."""


def mobilenet_v3(
    b: GraphBuilder, shape: InputShape, rows: tuple[Row, ...], *, last: int, minimalistic: bool = False
) -> int:
    """Minimalistic: no squeeze-and-excite, no 5 × 5 kernels, ReLU throughout."""
    if minimalistic:
        rows = tuple(row._replace(kernel=3, squeeze=False, activation=RE) for row in rows)
    final = RE if minimalistic else HS
    x = b.input((shape.batch, shape.side, shape.side, 3))
    x = features(b, x, rows, width=shape.width, final=final)[1]
    x = conv(b, b.mean(x, keep_dims=True), last, 1, activation=final)
    return b.softmax(b.fully_connected(b.flatten(x), 1000))


def features(
    b: GraphBuilder,
    x: int,
    rows: tuple[Row, ...],
    *,
    width: float = 1.0,
    final: str = HS,
    dilated: bool = False,
) -> tuple[int, int]:
    """The map at 1/8 of the side, and the last one. Dilated: it stays at 1/16."""
    stem = 16 if width <= 0.75 else divisible(16 * width)
    x = conv(b, x, stem, 3, stride=2, activation=final)
    early = x
    for row in rows:
        dilation = 2 if dilated and row.channels == rows[-1].channels else 1
        x = _block(b, x, row, divisible(row.channels * width), dilation)
        early = x if row.channels == 40 else early
    return early, conv(b, x, divisible(6 * rows[-1].channels * width), 1, activation=final)


def _block(b: GraphBuilder, x: int, row: Row, channels: int, dilation: int = 1) -> int:
    inner = b.shape(x)[3]
    wide = divisible(inner * row.expansion)
    y = x if row.expansion == 1 else conv(b, x, wide, 1, activation=row.activation)
    activation, stride = "NONE" if row.squeeze else row.activation, 1 if dilation > 1 else row.stride
    y = depthwise(b, y, row.kernel, stride=stride, dilation=dilation, activation=activation)
    if row.squeeze:
        y = activated(b, y, row.activation)
        y = squeeze_excite(b, y, divisible(wide / 4), gate="HARD_SIGMOID")
    y = b.conv2d(y, channels, 1)
    return b.add(x, y) if stride == 1 and inner == channels else y


_large = partial(mobilenet_v3, rows=LARGE, last=1280)
_small = partial(mobilenet_v3, rows=SMALL, last=1024)

MEMBERS = (
    image_network("mobilenet_v3_large", _large, "mobilenet v3", any_width=True),
    image_network("mobilenet_v3_small", _small, any_width=True),
    image_network("mobilenet_v3_large_minimalistic", partial(_large, minimalistic=True), any_width=True),
    image_network("mobilenet_v3_small_minimalistic", partial(_small, minimalistic=True), any_width=True),
)
