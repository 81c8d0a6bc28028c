"""DenseNet-121 (Huang et al., 2017), 1000 classes."""

from __future__ import annotations

from ..graph.builder import GraphBuilder
from .architecture import image_network
from .blocks import classified, conv, normalised
from .shape import InputShape

LAYERS = (6, 12, 24, 16)
GROWTH = 32


def densenet121(b: GraphBuilder, shape: InputShape) -> int:
    x = conv(b, b.input((shape.batch, shape.side, shape.side, 3)), 64, 7, stride=2)
    x = b.max_pool2d(x, 3, stride=2, padding="SAME")
    for number, layers in enumerate(LAYERS):
        if number:
            x = b.conv2d(normalised(b, x), b.shape(x)[3] // 2, 1)
            x = b.average_pool2d(x, 2)
        for _ in range(layers):
            y = conv(b, normalised(b, x), 4 * GROWTH, 1)
            x = b.concat([x, b.conv2d(y, GROWTH, 3)])
    return classified(b, normalised(b, x))


MEMBERS = (image_network("densenet121", densenet121, "densenet"),)
