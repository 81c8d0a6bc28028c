"""Inception-v3 (Szegedy et al., 2015), 1000 classes."""

from __future__ import annotations

from ..graph.builder import GraphBuilder
from .architecture import image_network
from .blocks import classified, conv
from .inception_blocks import averaged, chain, forked, joined
from .shape import InputShape

ROW, COLUMN = (1, 7), (7, 1)


def inception_v3(b: GraphBuilder, shape: InputShape) -> int:
    x = _stem(b, b.input((shape.batch, shape.side, shape.side, 3)))
    for pooled in (32, 64, 64):
        branches = (((64, 1),), ((48, 1), (64, 5)), ((64, 1), (96, 3), (96, 3)))
        x = joined(b, x, branches, averaged(b, x, pooled))
    x = joined(b, x, (((384, 3, 2),), ((64, 1), (96, 3), (96, 3, 2))), b.max_pool2d(x, 3, stride=2))
    for inner in (128, 160, 160, 192):
        x = _seven(b, x, inner)
    reduced = (((192, 1), (320, 3, 2)), ((192, 1), (192, ROW), (192, COLUMN), (192, 3, 2)))
    x = joined(b, x, reduced, b.max_pool2d(x, 3, stride=2))
    for _ in range(2):
        x = _widest(b, x)
    return classified(b, x)


def _stem(b: GraphBuilder, x: int) -> int:
    x = conv(b, conv(b, x, 32, 3, stride=2, padding="VALID"), 32, 3, padding="VALID")
    x = b.max_pool2d(conv(b, x, 64, 3), 3, stride=2)
    x = conv(b, conv(b, x, 80, 1), 192, 3, padding="VALID")
    return b.max_pool2d(x, 3, stride=2)


def _seven(b: GraphBuilder, x: int, inner: int) -> int:
    once = ((inner, 1), (inner, ROW), (192, COLUMN))
    twice = ((inner, 1), (inner, COLUMN), (inner, ROW), (inner, COLUMN), (192, ROW))
    return joined(b, x, (((192, 1),), once, twice), averaged(b, x, 192))


def _widest(b: GraphBuilder, x: int) -> int:
    beside = [
        *forked(b, chain(b, x, ((384, 1),)), 384),
        *forked(b, chain(b, x, ((448, 1), (384, 3))), 384),
        averaged(b, x, 192),
    ]
    return joined(b, x, (((320, 1),),), *beside)


MEMBERS = (image_network("inception_v3", inception_v3, side=299),)
