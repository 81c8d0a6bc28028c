"""PP-LCNet (Cui et al., 2021), 1000 classes."""

from __future__ import annotations

from ..graph.builder import GraphBuilder
from .architecture import image_network
from .blocks import conv, depthwise, divisible, squeeze_excite
from .shape import InputShape

BLOCKS = (
    (3, 32, 1), (3, 64, 2), (3, 64, 1), (3, 128, 2), (3, 128, 1), (3, 256, 2), (5, 256, 1),
    (5, 256, 1), (5, 256, 1), (5, 256, 1), (5, 256, 1), (5, 512, 2), (5, 512, 1),
)  # fmt: skip
"""(kernel, channels, stride); the last two with squeeze-and-excite."""
SQUEEZED = 512


def lcnet(b: GraphBuilder, shape: InputShape) -> int:
    x = b.input((shape.batch, shape.side, shape.side, 3))
    x = conv(b, x, divisible(16 * shape.width), 3, stride=2, activation="HARD_SWISH")
    for kernel, channels, stride in BLOCKS:
        x = depthwise(b, x, kernel, stride=stride, activation="HARD_SWISH")
        if channels == SQUEEZED:
            x = squeeze_excite(b, x, b.shape(x)[3] // 4, gate="HARD_SIGMOID")
        x = conv(b, x, divisible(channels * shape.width), 1, activation="HARD_SWISH")
    x = conv(b, b.mean(x, keep_dims=True), 1280, 1, activation="HARD_SWISH")
    return b.softmax(b.fully_connected(b.flatten(x), 1000))


MEMBERS = (image_network("lcnet", lcnet, "pp lcnet", any_width=True),)
