"""Single-shot detectors (Liu et al., 2016) as TensorFlow's Object Detection API trains them on COCO.

Boxes as the network makes them: decoding and suppression are not part of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..graph.builder import GraphBuilder
from .blocks import conv, depthwise
from .mobilenet_v1 import BLOCKS as V1_BLOCKS
from .mobilenet_v2 import BLOCKS as V2_BLOCKS
from .shape import InputShape

CLASSES = 91
"""80 of COCO among 90 numbers, and the background."""
EXTRA = ((256, 512), (128, 256), (128, 256), (64, 128))
"""(channels of the 1 × 1, of the 3 × 3 convolution that halves the map)."""
BOXES = (3, 6, 6, 6, 6, 6)
R34_EXTRA = (
    (256, 512, 2, "SAME"), (256, 512, 2, "SAME"), (128, 256, 2, "SAME"),
    (128, 256, 2, "VALID"), (128, 256, 1, "VALID"),
)  # fmt: skip
RELU6 = "RELU6"


def ssd_mobilenet_v1(b: GraphBuilder, shape: InputShape) -> tuple[int, ...]:
    x = conv(b, b.input((shape.batch, shape.side, shape.side, 3)), 32, 3, stride=2, activation=RELU6)
    maps = []
    for number, (channels, stride) in enumerate(V1_BLOCKS):
        x = conv(b, depthwise(b, x, 3, stride=stride, activation=RELU6), channels, 1, activation=RELU6)
        if number in (10, 12):
            maps.append(x)
    for inner, channels in EXTRA:
        x = conv(b, conv(b, x, inner, 1, activation=RELU6), channels, 3, stride=2, activation=RELU6)
        maps.append(x)
    return _predicted(b, maps, light=False)


def ssdlite_mobilenet_v2(b: GraphBuilder, shape: InputShape) -> tuple[int, ...]:
    """All convolutions of the head are separable (Sandler et al., 2018)."""
    return _on_mobilenet_v2(b, shape, light=True)


def ssd_mobilenet_v2(b: GraphBuilder, shape: InputShape) -> tuple[int, ...]:
    return _on_mobilenet_v2(b, shape, light=False)


def _on_mobilenet_v2(b: GraphBuilder, shape: InputShape, *, light: bool) -> tuple[int, ...]:
    x = conv(b, b.input((shape.batch, shape.side, shape.side, 3)), 32, 3, stride=2, activation=RELU6)
    maps = []
    for expansion, channels, repetitions, first_stride in V2_BLOCKS:
        for repetition in range(repetitions):
            inner, stride = b.shape(x)[3], 1 if repetition else first_stride
            y = x if expansion == 1 else conv(b, x, expansion * inner, 1, activation=RELU6)
            if channels == 160 and not repetition:
                maps.append(y)
            y = b.conv2d(depthwise(b, y, 3, stride=stride, activation=RELU6), channels, 1)
            x = b.add(x, y) if stride == 1 and inner == channels else y
    x = conv(b, x, 1280, 1, activation=RELU6)
    maps.append(x)
    for inner, channels in EXTRA:
        x = conv(b, x, inner, 1, activation=RELU6)
        if light:
            x = conv(b, depthwise(b, x, 3, stride=2, activation=RELU6), channels, 1, activation=RELU6)
        else:
            x = conv(b, x, channels, 3, stride=2, activation=RELU6)
        maps.append(x)
    return _predicted(b, maps, light=light, kernel=1 if light else 3)


def ssd_resnet34(b: GraphBuilder, shape: InputShape) -> tuple[int, ...]:
    """MLPerf's on 1200 × 1200 pixels: ResNet-34 up to its third stage, of which the stride is left out.

    The predictions of every map skip two of three pixels.
    """
    x = conv(b, b.input((shape.batch, shape.side, shape.side, 3)), 64, 7, stride=2)
    x = b.max_pool2d(x, 3, stride=2, padding="SAME")
    for channels, repetitions, first_stride in ((64, 3, 1), (128, 4, 2), (256, 6, 1)):
        for repetition in range(repetitions):
            x = _residual(b, x, channels, 1 if repetition else first_stride)
    maps = [x]
    for inner, channels, stride, padding in R34_EXTRA:
        x = conv(b, conv(b, x, inner, 1), channels, 3, stride=stride, padding=padding)
        maps.append(x)
    places: list[int] = []
    classes: list[int] = []
    for x, boxes in zip(maps, (4, 6, 6, 6, 4, 4), strict=True):
        for found, values in ((places, 4), (classes, 81)):
            y = b.conv2d(x, boxes * values, 3, stride=3)
            found.append(b.reshape(y, (b.shape(y)[0], -1, values)))
    return b.concat(places, 1), b.softmax(b.concat(classes, 1))


def _residual(b: GraphBuilder, x: int, channels: int, stride: int) -> int:
    around = x if b.shape(x)[3] == channels else b.conv2d(x, channels, 1, stride=stride)
    y = b.conv2d(conv(b, x, channels, 3, stride=stride), channels, 3)
    return b.add(around, y, activation="RELU")


def _predicted(b: GraphBuilder, maps: Sequence[int], *, light: bool, kernel: int = 1) -> tuple[int, ...]:
    """[batch, boxes, 4] and [batch, boxes, classes]."""
    places: list[int] = []
    classes: list[int] = []
    for x, boxes in zip(maps, BOXES, strict=True):
        for found, values in ((places, 4), (classes, CLASSES)):
            y = depthwise(b, x, 3, activation=RELU6) if light else x
            y = b.conv2d(y, boxes * values, min(kernel, b.shape(y)[1]))
            found.append(b.reshape(y, (b.shape(y)[0], -1, values)))
    return b.concat(places, 1), b.unary("LOGISTIC", b.concat(classes, 1))
