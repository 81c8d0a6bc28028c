"""Inception-v4 and Inception-ResNet-v2 (Szegedy et al., 2016), 1000 classes."""

from __future__ import annotations

from collections.abc import Sequence

from ..graph.builder import GraphBuilder
from .architecture import image_network
from .blocks import classified, conv
from .inception_blocks import Step, averaged, chain, forked, joined
from .shape import InputShape

ROW, COLUMN = (1, 7), (7, 1)


def inception_v4(b: GraphBuilder, shape: InputShape) -> int:
    x = _stem(b, b.input((shape.batch, shape.side, shape.side, 3)))
    for _ in range(4):
        branches = (((96, 1),), ((64, 1), (96, 3)), ((64, 1), (96, 3), (96, 3)))
        x = joined(b, x, branches, averaged(b, x, 96))
    x = joined(b, x, (((384, 3, 2),), ((192, 1), (224, 3), (256, 3, 2))), b.max_pool2d(x, 3, stride=2))
    once = ((192, 1), (224, ROW), (256, COLUMN))
    twice = ((192, 1), (192, COLUMN), (224, ROW), (224, COLUMN), (256, ROW))
    for _ in range(7):
        x = joined(b, x, (((384, 1),), once, twice), averaged(b, x, 128))
    reduced = (((192, 1), (192, 3, 2)), ((256, 1), (256, ROW), (320, COLUMN), (320, 3, 2)))
    x = joined(b, x, reduced, b.max_pool2d(x, 3, stride=2))
    for _ in range(3):
        short = forked(b, chain(b, x, ((384, 1),)), 256)
        long = forked(b, chain(b, x, ((384, 1), (448, (3, 1)), (512, (1, 3)))), 256)
        x = joined(b, x, (((256, 1),),), *short, *long, averaged(b, x, 256))
    return classified(b, x)


def _stem(b: GraphBuilder, x: int) -> int:
    x = conv(b, conv(b, x, 32, 3, stride=2, padding="VALID"), 32, 3, padding="VALID")
    x = conv(b, x, 64, 3)
    x = b.concat([b.max_pool2d(x, 3, stride=2), conv(b, x, 96, 3, stride=2, padding="VALID")])
    short = conv(b, conv(b, x, 64, 1), 96, 3, padding="VALID")
    long = conv(b, chain(b, x, ((64, 1), (64, ROW), (64, COLUMN))), 96, 3, padding="VALID")
    x = b.concat([short, long])
    return b.concat([conv(b, x, 192, 3, stride=2, padding="VALID"), b.max_pool2d(x, 3, stride=2)])


def inception_resnet_v2(b: GraphBuilder, shape: InputShape) -> int:
    x = b.input((shape.batch, shape.side, shape.side, 3))
    x = conv(b, conv(b, x, 32, 3, stride=2, padding="VALID"), 32, 3, padding="VALID")
    x = b.max_pool2d(conv(b, x, 64, 3), 3, stride=2)
    x = conv(b, conv(b, x, 80, 1), 192, 3, padding="VALID")
    x = b.max_pool2d(x, 3, stride=2)
    branches = (((96, 1),), ((48, 1), (64, 5)), ((64, 1), (96, 3), (96, 3)))
    x = joined(b, x, branches, averaged(b, x, 64))
    for _ in range(10):
        x = _residual(b, x, (((32, 1),), ((32, 1), (32, 3)), ((32, 1), (48, 3), (64, 3))))
    x = joined(b, x, (((384, 3, 2),), ((256, 1), (256, 3), (384, 3, 2))), b.max_pool2d(x, 3, stride=2))
    for _ in range(20):
        x = _residual(b, x, (((192, 1),), ((128, 1), (160, ROW), (192, COLUMN))))
    reduced = (((256, 1), (384, 3, 2)), ((256, 1), (288, 3, 2)), ((256, 1), (288, 3), (320, 3, 2)))
    x = joined(b, x, reduced, b.max_pool2d(x, 3, stride=2))
    for block in range(10):
        activation = "NONE" if block == 9 else "RELU"
        x = _residual(b, x, (((192, 1),), ((192, 1), (224, (1, 3)), (256, (3, 1)))), activation)
    return classified(b, conv(b, x, 1536, 1))


def _residual(b: GraphBuilder, x: int, branches: Sequence[Sequence[Step]], activation: str = "RELU") -> int:
    """The scale of the branch is folded into its last convolution."""
    y = b.conv2d(joined(b, x, branches), b.shape(x)[3], 1)
    return b.add(x, y, activation=activation)


MEMBERS = (
    image_network("inception_v4", inception_v4, side=299),
    image_network("inception_resnet_v2", inception_resnet_v2, side=299),
)
