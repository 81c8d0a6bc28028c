"""ShuffleNetV2 (Ma et al., 2018), 1000 classes."""

from __future__ import annotations

from functools import partial

from ..graph.builder import GraphBuilder
from .architecture import image_network
from .blocks import classified, conv
from .shape import InputShape

REPEATS = (4, 8, 4)


def shufflenet_v2(b: GraphBuilder, shape: InputShape, widths: tuple[int, int, int]) -> int:
    x = conv(b, b.input((shape.batch, shape.side, shape.side, 3)), 24, 3, stride=2)
    x = b.max_pool2d(x, 3, stride=2, padding="SAME")
    for width, repeats in zip(widths, REPEATS, strict=True):
        x = _shuffled(b, [_beside(b, x, width // 2), _branch(b, x, width // 2, 2)])
        for _ in range(repeats - 1):
            kept, worked = b.split(x, (width // 2, width // 2))
            x = _shuffled(b, [kept, _branch(b, worked, width // 2, 1)])
    return classified(b, conv(b, x, 1024, 1))


def _branch(b: GraphBuilder, x: int, channels: int, stride: int) -> int:
    y = b.depthwise_conv2d(conv(b, x, channels, 1), 3, stride=stride)
    return conv(b, y, channels, 1)


def _beside(b: GraphBuilder, x: int, channels: int) -> int:
    return conv(b, b.depthwise_conv2d(x, 3, stride=2), channels, 1)


def _shuffled(b: GraphBuilder, halves: list[int]) -> int:
    """Side by side, then every other channel from the other half."""
    x = b.concat(halves)
    _, height, width, channels = b.shape(x)
    x = b.reshape(x, (-1, height, width, 2, channels // 2))
    return b.reshape(b.transpose(x, (0, 1, 2, 4, 3)), (-1, height, width, channels))


MEMBERS = (
    image_network("shufflenet_v2_x0_5", partial(shufflenet_v2, widths=(48, 96, 192)), "shufflenet v2 0.5"),
    image_network(
        "shufflenet_v2_x1_0",
        partial(shufflenet_v2, widths=(116, 232, 464)),
        "shufflenet v2",
        "shufflenet v2 1.0",
    ),
)
