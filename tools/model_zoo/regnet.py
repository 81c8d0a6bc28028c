"""RegNetX and RegNetY (Radosavovic et al., 2020), 1000 classes."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from ..graph.builder import GraphBuilder
from .architecture import image_network
from .blocks import classified, conv, squeeze_excite
from .shape import InputShape


class Design(NamedTuple):
    depths: tuple[int, int, int, int]
    widths: tuple[int, int, int, int]
    group_width: int


X = {
    "004": Design((1, 2, 7, 12), (32, 64, 160, 384), 16),
    "008": Design((1, 3, 7, 5), (64, 128, 288, 672), 16),
    "016": Design((2, 4, 10, 2), (72, 168, 408, 912), 24),
    "032": Design((2, 6, 15, 2), (96, 192, 432, 1008), 48),
}
Y = {
    "004": Design((1, 3, 6, 6), (48, 104, 208, 440), 8),
    "008": Design((1, 3, 8, 2), (64, 128, 320, 768), 16),
    "016": Design((2, 6, 17, 2), (48, 120, 336, 888), 24),
    "032": Design((2, 5, 13, 1), (72, 216, 576, 1512), 24),
}
"""By hundreds of million MACs."""


def regnet(b: GraphBuilder, shape: InputShape, design: Design, *, squeezed: bool) -> int:
    x = conv(b, b.input((shape.batch, shape.side, shape.side, 3)), 32, 3, stride=2)
    for depth, width in zip(design.depths, design.widths, strict=True):
        for block in range(depth):
            x = _block(b, x, width, 1 if block else 2, design.group_width, squeezed=squeezed)
    return classified(b, x)


def _block(b: GraphBuilder, x: int, width: int, stride: int, group_width: int, *, squeezed: bool) -> int:
    inner = b.shape(x)[3]
    around = x if stride == 1 and inner == width else b.conv2d(x, width, 1, stride=stride)
    y = conv(b, conv(b, x, width, 1), width, 3, stride=stride, groups=width // group_width)
    if squeezed:
        y = squeeze_excite(b, y, round(inner / 4))
    return b.add(around, b.conv2d(y, width, 1), activation="RELU")


MEMBERS = (
    *(
        image_network(
            f"regnetx_{size}", partial(regnet, design=design, squeezed=False), f"regnetx {int(size) / 10:g}gf"
        )
        for size, design in X.items()
    ),
    *(
        image_network(
            f"regnety_{size}", partial(regnet, design=design, squeezed=True), f"regnety {int(size) / 10:g}gf"
        )
        for size, design in Y.items()
    ),
)
