"""MobileNetV2 (Sandler et al., 2018), 1000 classes."""

from __future__ import annotations

from ..graph.builder import GraphBuilder
from .blocks import divisible
from .shape import InputShape

BLOCKS = (
    (1, 16, 1, 1),
    (6, 24, 2, 2),
    (6, 32, 3, 2),
    (6, 64, 4, 2),
    (6, 96, 3, 1),
    (6, 160, 3, 2),
    (6, 320, 1, 1),
)
"""(expansion, channels, repetitions, stride of the first): table 2 of the paper."""


def mobilenet_v2(b: GraphBuilder, shape: InputShape) -> int:
    """As torchvision and TF-Slim publish it.

    At width 1 and 224 pixels 300,774,272 MACs, and 3,504,872 parameters with two learned values for each
    channel of batch normalisation, of which one is left when it is folded, as here. Strided convolutions
    pad as SAME does; Keras' converted files have a PAD and a VALID convolution instead.
    """
    x = b.input((shape.batch, shape.side, shape.side, 3))
    x = b.conv2d(x, divisible(32 * shape.width), 3, stride=2, activation="RELU6")
    for expansion, channels, repetitions, first_stride in BLOCKS:
        for repetition in range(repetitions):
            stride = 1 if repetition else first_stride
            x = _block(b, x, expansion, divisible(channels * shape.width), stride)
    x = b.conv2d(x, divisible(1280 * max(1.0, shape.width)), 1, activation="RELU6")
    return b.softmax(b.fully_connected(b.mean(x), 1000))


def _block(b: GraphBuilder, x: int, expansion: int, channels: int, stride: int) -> int:
    """Inverted residual: expand, filter each channel, project; the way around only where shapes agree."""
    inner = b.shape(x)[3]
    y = x if expansion == 1 else b.conv2d(x, inner * expansion, 1, activation="RELU6")
    y = b.depthwise_conv2d(y, 3, stride=stride, activation="RELU6")
    y = b.conv2d(y, channels, 1)
    return b.add(x, y) if stride == 1 and inner == channels else y
