"""MobileNetV1 (Howard et al., 2017), 1000 classes."""

from __future__ import annotations

from ..graph import DType
from ..graph.builder import GraphBuilder
from .architecture import Architecture, image_network
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
    return classified(b, _body(b, x, shape.width, "RELU6"))


def yamnet(b: GraphBuilder, shape: InputShape) -> int:
    """On 96 frames of 64 mel bands, 521 kinds of sound: 69.2 million MACs (AudioSet YAMNet)."""
    x = _body(b, b.input((shape.batch, 96, 64, 1)), 1.0, "RELU")
    return b.unary("LOGISTIC", b.fully_connected(b.mean(x), 521))


def _body(b: GraphBuilder, x: int, width: float, activation: str) -> int:
    x = b.conv2d(x, divisible(32 * width), 3, stride=2, activation=activation)
    for channels, stride in BLOCKS:
        x = b.depthwise_conv2d(x, 3, stride=stride, activation=activation)
        x = b.conv2d(x, divisible(channels * width), 1, activation=activation)
    return x


MEMBERS = (
    image_network("mobilenet_v1", mobilenet_v1, any_width=True),
    Architecture("yamnet", yamnet, DType.FLOAT32, aliases=("yam net",)),
)
