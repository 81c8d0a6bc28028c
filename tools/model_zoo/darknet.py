"""Darknet's YOLO v2 tiny, v3 and v3 tiny (Redmon and Farhadi, 2016, 2018) and v4 tiny (Wang et al., 2020).

Maps of anchors as the last convolutions make them.
"""

from __future__ import annotations

from functools import partial

from ..graph.builder import GraphBuilder
from .architecture import Build
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


def yolo_v3(b: GraphBuilder, shape: InputShape) -> tuple[int, int, int]:
    """Darknet-53 and three maps, of 1/32, 1/16 and 1/8."""
    x = leaky(b, image(b, shape), 32, 3)
    seen = []
    for channels, repeats in ((64, 1), (128, 2), (256, 8), (512, 8), (1024, 4)):
        x = leaky(b, x, channels, 3, stride=2)
        for _ in range(repeats):
            x = b.add(x, leaky(b, leaky(b, x, channels // 2, 1), channels, 3))
        seen.append(x)
    x, coarse = _five(b, seen[4], 512)
    x = doubled(b, leaky(b, x, 256, 1))
    x, middle = _five(b, b.concat([x, seen[3]]), 256)
    x = doubled(b, leaky(b, x, 128, 1))
    _, fine = _five(b, b.concat([x, seen[2]]), 128)
    return coarse, middle, fine


def _five(b: GraphBuilder, x: int, channels: int) -> tuple[int, int]:
    """Five convolutions, and the map that two more read from them."""
    for _ in range(2):
        x = leaky(b, leaky(b, x, channels, 1), 2 * channels, 3)
    x = leaky(b, x, channels, 1)
    return x, b.conv2d(leaky(b, x, 2 * channels, 3), 3 * 85, 1)


def yolo_v3_tiny(b: GraphBuilder, shape: InputShape) -> tuple[int, int]:
    x = image(b, shape)
    early = x
    for channels in (16, 32, 64, 128, 256):
        early = leaky(b, x, channels, 3)
        x = b.max_pool2d(early, 2)
    x = b.max_pool2d(leaky(b, x, 512, 3), 2, stride=1, padding="SAME")
    x = leaky(b, leaky(b, x, 1024, 3), 256, 1)
    coarse = b.conv2d(leaky(b, x, 512, 3), 3 * 85, 1)
    x = b.concat([doubled(b, leaky(b, x, 128, 1)), early])
    return coarse, b.conv2d(leaky(b, x, 256, 3), 3 * 85, 1)


DARKNETS: dict[str, Build] = {
    "yolo_v2_tiny": yolo_v2_tiny,
    "yolo_v3": yolo_v3,
    "yolo_v3_tiny": yolo_v3_tiny,
    "yolo_v4_tiny": yolo_v4_tiny,
}
