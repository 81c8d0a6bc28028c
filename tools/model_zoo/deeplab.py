"""DeepLabV3+ on MobileNetV2 (Chen et al., 2018), 21 classes of PASCAL VOC; the last stride is a dilation."""

from __future__ import annotations

from ..graph.builder import GraphBuilder
from .blocks import conv
from .mobilenet_v2 import BLOCKS
from .shape import InputShape

CLASSES, WIDTH = 21, 256


def deeplab_v3_plus_mobilenet_v2(b: GraphBuilder, shape: InputShape) -> int:
    """Features at 1/16, five views of them side by side, and a decoder at 1/4."""
    x = b.input((shape.batch, shape.side, shape.side, 3))
    x = conv(b, x, 32, 3, stride=2, activation="RELU6")
    early = x
    for expansion, channels, repetitions, first_stride in BLOCKS:
        for repetition in range(repetitions):
            stride = 1 if repetition or channels == 160 else first_stride
            x = block(b, x, expansion, channels, stride, 2 if channels == 320 else 1)
        early = x if channels == 24 else early
    views = [conv(b, x, WIDTH, 1)]
    views += [b.conv2d(x, WIDTH, 3, dilation=rate, activation="RELU") for rate in (6, 12, 18)]
    whole = conv(b, b.mean(x, keep_dims=True), WIDTH, 1)
    views.append(resized(b, whole, b.shape(x)[1]))
    x = conv(b, b.concat(views), WIDTH, 1)
    x = b.concat([resized(b, x, b.shape(early)[1]), conv(b, early, 48, 1)])
    x = b.conv2d(conv(b, conv(b, x, WIDTH, 3), WIDTH, 3), CLASSES, 1)
    return resized(b, x, shape.side)


def block(b: GraphBuilder, x: int, expansion: int, channels: int, stride: int, dilation: int) -> int:
    inner = b.shape(x)[3]
    y = x if expansion == 1 else b.conv2d(x, inner * expansion, 1, activation="RELU6")
    y = b.depthwise_conv2d(y, 3, stride=stride, dilation=dilation, activation="RELU6")
    y = b.conv2d(y, channels, 1)
    return b.add(x, y) if stride == 1 and inner == channels else y


def resized(b: GraphBuilder, x: int, side: int) -> int:
    return b.resize(x, (side, side), kind="RESIZE_BILINEAR")
