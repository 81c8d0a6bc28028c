"""MixNet (Tan and Le, 2019): depthwise convolutions of several sizes side by side; 1000 classes."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from ..graph.builder import GraphBuilder
from .architecture import image_network
from .blocks import activated, classified, conv, squeeze_excite
from .shape import InputShape


class Mixed(NamedTuple):
    kernels: tuple[int, ...]
    expansion: int
    channels: int
    stride: int = 1
    repeats: int = 1
    squeeze: float = 0.0
    expand_groups: int = 1
    project_groups: int = 1
    activation: str = "SWISH"


K3, K5, K7, K9, K11 = (3,), (3, 5), (3, 5, 7), (3, 5, 7, 9), (3, 5, 7, 9, 11)

SMALL = (
    Mixed(K3, 6, 24, 2, 1, 0, 2, 2, "RELU"), Mixed(K3, 3, 24, 1, 1, 0, 2, 2, "RELU"),
    Mixed(K7, 6, 40, 2, 1, 0.5), Mixed(K5, 6, 40, 1, 3, 0.5, 2, 2),
    Mixed(K7, 6, 80, 2, 1, 0.25, 1, 2), Mixed(K5, 6, 80, 1, 2, 0.25, 1, 2),
    Mixed(K7, 6, 120, 1, 1, 0.5, 2, 2), Mixed(K9, 3, 120, 1, 2, 0.5, 2, 2),
    Mixed(K11, 6, 200, 2, 1, 0.5), Mixed(K9, 6, 200, 1, 2, 0.5, 1, 2),
)  # fmt: skip
MEDIUM = (
    Mixed(K7, 6, 32, 2, 1, 0, 2, 2, "RELU"), Mixed(K3, 3, 32, 1, 1, 0, 2, 2, "RELU"),
    Mixed(K9, 6, 40, 2, 1, 0.5), Mixed(K5, 6, 40, 1, 3, 0.5, 2, 2),
    Mixed(K7, 6, 80, 2, 1, 0.25), Mixed(K9, 6, 80, 1, 3, 0.25, 2, 2),
    Mixed(K3, 6, 120, 1, 1, 0.5), Mixed(K9, 3, 120, 1, 3, 0.5, 2, 2),
    Mixed(K9, 6, 200, 2, 1, 0.5), Mixed(K9, 6, 200, 1, 3, 0.5, 1, 2),
)  # fmt: skip


def mixnet(b: GraphBuilder, shape: InputShape, stem: int, rows: tuple[Mixed, ...]) -> int:
    x = conv(b, b.input((shape.batch, shape.side, shape.side, 3)), stem, 3, stride=2)
    x = b.add(x, b.conv2d(b.depthwise_conv2d(x, 3, activation="RELU"), stem, 1))
    for row in rows:
        for repeat in range(row.repeats):
            x = _block(b, x, row._replace(stride=1) if repeat else row)
    return classified(b, conv(b, x, 1536, 1))


def _block(b: GraphBuilder, x: int, row: Mixed) -> int:
    inner = b.shape(x)[3]
    y = activated(b, _pointwise(b, x, inner * row.expansion, row.expand_groups), row.activation)
    y = activated(b, _depthwise(b, y, row.kernels, row.stride), row.activation)
    if row.squeeze:
        y = squeeze_excite(b, y, round(inner * row.squeeze), activation=row.activation)
    y = _pointwise(b, y, row.channels, row.project_groups)
    return b.add(x, y) if row.stride == 1 and inner == row.channels else y


def _pointwise(b: GraphBuilder, x: int, channels: int, groups: int) -> int:
    if groups == 1:
        return b.conv2d(x, channels, 1)
    parts = b.split(x, _shares(b.shape(x)[3], groups))
    shares = _shares(channels, groups)
    return b.concat([b.conv2d(part, share, 1) for part, share in zip(parts, shares, strict=True)])


def _depthwise(b: GraphBuilder, x: int, kernels: tuple[int, ...], stride: int) -> int:
    if len(kernels) == 1:
        return b.depthwise_conv2d(x, kernels[0], stride=stride)
    parts = b.split(x, _shares(b.shape(x)[3], len(kernels)))
    pairs = zip(parts, kernels, strict=True)
    return b.concat([b.depthwise_conv2d(part, kernel, stride=stride) for part, kernel in pairs])


def _shares(channels: int, groups: int) -> tuple[int, ...]:
    """Equal ones; the first takes what is left over."""
    share = channels // groups
    return (channels - share * (groups - 1), *(share for _ in range(groups - 1)))


MEMBERS = (
    image_network("mixnet_s", partial(mixnet, stem=16, rows=SMALL)),
    image_network("mixnet_m", partial(mixnet, stem=24, rows=MEDIUM)),
)
