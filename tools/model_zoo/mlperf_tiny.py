"""The four reference networks of MLPerf Tiny (Banbury et al., 2021).

Operators, shapes and fused activations are those of the reference .tflite files of github.com/mlcommons/tiny,
so that MACs (kws 2,656,768; vww 7,489,664; ic 12,501,632; ad 264,192) and tensor arena are the originals'.
"""

from __future__ import annotations

from ..graph.builder import GraphBuilder
from .shape import InputShape

VWW_BLOCKS = (
    (16, 1), (32, 2), (32, 1), (64, 2), (64, 1), (128, 2),
    (128, 1), (128, 1), (128, 1), (128, 1), (128, 1), (256, 2), (256, 1),
)  # fmt: skip
"""(channels, stride of the depthwise convolution)."""


def kws(b: GraphBuilder, shape: InputShape) -> int:
    """Keyword spotting: DS-CNN on 49 × 10 MFCC features, 12 classes."""
    x = b.input((shape.batch, 49, 10, 1))
    x = b.conv2d(x, 64, (10, 4), stride=2, activation="RELU")
    for _ in range(4):
        x = b.depthwise_conv2d(x, 3, activation="RELU")
        x = b.conv2d(x, 64, 1, activation="RELU")
    return _classified(b, x, 12)


def vww(b: GraphBuilder, shape: InputShape) -> int:
    """Visual wake words: MobileNetV1 of width 0.25 on 96 × 96 pixels, person or not."""
    x = b.input((shape.batch, 96, 96, 3))
    x = b.conv2d(x, 8, 3, stride=2, activation="RELU")
    for channels, stride in VWW_BLOCKS:
        x = b.depthwise_conv2d(x, 3, stride=stride, activation="RELU")
        x = b.conv2d(x, channels, 1, activation="RELU")
    return _classified(b, x, 2)


def ic(b: GraphBuilder, shape: InputShape) -> int:
    """Image classification: ResNet-8 on CIFAR-10."""
    x = b.input((shape.batch, 32, 32, 3))
    x = b.conv2d(x, 16, 3, activation="RELU")
    y = b.conv2d(b.conv2d(x, 16, 3, activation="RELU"), 16, 3)
    x = b.add(x, y, activation="RELU")
    for channels in (32, 64):
        y = b.conv2d(b.conv2d(x, channels, 3, stride=2, activation="RELU"), channels, 3)
        x = b.add(b.conv2d(x, channels, 1, stride=2), y, activation="RELU")
    return _classified(b, x, 10)


def ad(b: GraphBuilder, shape: InputShape) -> int:
    """Anomaly detection: an autoencoder of ten dense layers on 640 spectrogram features (ToyCar)."""
    x = b.input((shape.batch, 640))
    for units in (128, 128, 128, 128, 8, 128, 128, 128, 128):
        x = b.fully_connected(x, units, activation="RELU")
    return b.fully_connected(x, 640)


def _classified(b: GraphBuilder, x: int, classes: int) -> int:
    height, width = b.shape(x)[1:3]
    x = b.average_pool2d(x, (height, width))
    return b.softmax(b.fully_connected(b.flatten(x), classes))
