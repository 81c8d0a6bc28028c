"""The tiny YOLO networks that Darknet brought: v2 (Redmon and Farhadi, 2016) and v4 (Wang et al., 2020)."""

from __future__ import annotations

from functools import partial

from ...graph.builder import GraphBuilder
from .blocks import conv
from .shape import InputShape
from .yolo_blocks import doubled, image, sliced

leaky = partial(conv, activation="LEAKY_RELU")


def yolo_v2_tiny(b: GraphBuilder, shape: InputShape) -> int:
    """Five anchors of 85 values for each pixel at 1/32, as the last convolution makes them."""
    x = image(b, shape)
    for channels in (16, 32, 64, 128, 256):
        x = b.max_pool2d(leaky(b, x, channels, 3), 2)
    x = b.max_pool2d(leaky(b, x, 512, 3), 2, stride=1, padding="SAME")
    x = leaky(b, leaky(b, x, 1024, 3), 512, 3)
    return b.conv2d(x, 5 * 85, 1)


def yolo_v4_tiny(b: GraphBuilder, shape: InputShape) -> tuple[int, int]:
    """Three anchors of 85 values for each pixel at 1/32 and 1/16, as the last convolutions make them."""
    x = leaky(b, leaky(b, image(b, shape), 32, 3, stride=2), 64, 3, stride=2)
    early = x
    for channels in (64, 128, 256):
        x = leaky(b, x, channels, 3)
        half = sliced(b, x, 3, channels // 2, channels // 2)
        first = leaky(b, half, channels // 2, 3)
        second = leaky(b, first, channels // 2, 3)
        early = leaky(b, b.concat([second, first]), channels, 1)
        x = b.max_pool2d(b.concat([x, early]), 2)
    x = leaky(b, leaky(b, x, 512, 3), 256, 1)
    coarse = b.conv2d(leaky(b, x, 512, 3), 3 * 85, 1)
    x = b.concat([doubled(b, leaky(b, x, 128, 1)), early])
    return coarse, b.conv2d(leaky(b, x, 256, 3), 3 * 85, 1)
