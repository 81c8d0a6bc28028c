"""SqueezeNet (Iandola et al., 2016), 1000 classes."""

from __future__ import annotations

from functools import partial

from ..graph.builder import GraphBuilder
from .architecture import image_network
from .blocks import conv
from .shape import InputShape

POOL = 0
V1_0 = (POOL, 16, 16, 32, POOL, 32, 48, 48, 64, POOL, 64)
V1_1 = (POOL, 16, 16, POOL, 32, 32, POOL, 48, 48, 64, 64)
"""Channels into which each fire module squeezes."""


def squeezenet(b: GraphBuilder, shape: InputShape, stem: tuple[int, int], fires: tuple[int, ...]) -> int:
    """As torchvision has it; stem: (channels, kernel)."""
    channels, kernel = stem
    x = b.input((shape.batch, shape.side, shape.side, 3))
    x = conv(b, x, channels, kernel, stride=2, padding="VALID")
    for squeeze in fires:
        x = _fire(b, x, squeeze) if squeeze else _pooled(b, x)
    return b.softmax(b.mean(conv(b, x, 1000, 1)))


def _fire(b: GraphBuilder, x: int, squeeze: int) -> int:
    x = conv(b, x, squeeze, 1)
    return b.concat([conv(b, x, 4 * squeeze, 1), conv(b, x, 4 * squeeze, 3)])


def _pooled(b: GraphBuilder, x: int) -> int:
    """Windows of 3 at steps of 2; the last may stick out."""
    return b.max_pool2d(x, 3, stride=2, padding="VALID" if b.shape(x)[1] % 2 else "SAME")


MEMBERS = (
    image_network("squeezenet_1_0", partial(squeezenet, stem=(96, 7), fires=V1_0), "squeezenet v1.0"),
    image_network(
        "squeezenet_1_1", partial(squeezenet, stem=(64, 3), fires=V1_1), "squeezenet v1.1", "squeezenet"
    ),
)
