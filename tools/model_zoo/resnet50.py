"""ResNet-50 (He et al., 2015), 1000 classes."""

from __future__ import annotations

from ..graph.builder import GraphBuilder
from .shape import InputShape

STAGES = ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2))
"""(inner channels, blocks, stride of the first block)."""


def resnet50(b: GraphBuilder, shape: InputShape) -> int:
    """The v1.5 that torchvision publishes, striding in the 3×3 convolution.

    At 224 pixels 4,089,184,256 MACs, and 25,557,032 parameters with two learned values for each channel of
    batch normalisation, of which one is left when it is folded, as here.
    """
    x = b.input((shape.batch, shape.side, shape.side, 3))
    x = b.conv2d(x, 64, 7, stride=2, activation="RELU")
    x = b.max_pool2d(x, 3, stride=2, padding="SAME")
    for channels, blocks, first_stride in STAGES:
        for block in range(blocks):
            x = bottleneck(b, x, channels, 1 if block else first_stride, project=block == 0)
    return b.softmax(b.fully_connected(b.mean(x), 1000))


def bottleneck(
    b: GraphBuilder, x: int, channels: int, stride: int, *, project: bool, dilation: int = 1
) -> int:
    around = b.conv2d(x, 4 * channels, 1, stride=stride) if project else x
    y = b.conv2d(x, channels, 1, activation="RELU")
    y = b.conv2d(y, channels, 3, stride=stride, dilation=dilation, activation="RELU")
    y = b.conv2d(y, 4 * channels, 1)
    return b.add(around, y, activation="RELU")
