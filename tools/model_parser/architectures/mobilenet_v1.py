"""MobileNetV1 (Howard et al., 2017), 1000 classes."""

from __future__ import annotations

from ...graph.builder import GraphBuilder
from .architecture import image_network
from .blocks import classified, divisible
from .shape import InputShape

BLOCKS = (
    (64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2),
    (512, 1), (512, 1), (512, 1), (512, 1), (512, 1), (1024, 2), (1024, 1),
)  # fmt: skip
"""(channels, stride of the depthwise convolution): table 1 of the paper."""


def mobilenet_v1(b: GraphBuilder, shape: InputShape) -> int:
    """At width 1 and 224 pixels 569 million MACs and 4.23 million parameters."""
    x = b.input((shape.batch, shape.side, shape.side, 3))
    x = b.conv2d(x, divisible(32 * shape.width), 3, stride=2, activation="RELU6")
    for channels, stride in BLOCKS:
        x = b.depthwise_conv2d(x, 3, stride=stride, activation="RELU6")
        x = b.conv2d(x, divisible(channels * shape.width), 1, activation="RELU6")
    return classified(b, x)


MEMBERS = (image_network("mobilenet_v1", mobilenet_v1, any_width=True),)
