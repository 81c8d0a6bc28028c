"""YOLOv6 3.0 in its two small sizes (Li et al., 2023), trained on COCO, RepVGG branches merged."""

from __future__ import annotations

from functools import partial

from ..graph.builder import GraphBuilder
from .blocks import conv
from .shape import InputShape
from .yolo_blocks import image, rows, silu
from .yolo_scale import Scale


def yolo_v6(scale: Scale, b: GraphBuilder, shape: InputShape) -> int:
    wide = scale.channels
    x = conv(b, image(b, shape), wide(64), 3, stride=2)
    seen = []
    for width, depth in ((128, 6), (256, 12), (512, 18), (1024, 6)):
        x = _repeated(b, conv(b, x, wide(width), 3, stride=2), wide(width), scale.repeats(depth))
        seen.append(x)
    block = partial(_repeated, repeats=scale.repeats(12))
    bottom = conv(b, _spp(b, x), wide(256), 1)
    middle = block(b, _fused(b, bottom, seen[2], seen[1], wide(256)), wide(256))
    middle = conv(b, middle, wide(128), 1)
    fine = block(b, _fused(b, middle, seen[1], seen[0], wide(128)), wide(128))
    down = conv(b, fine, wide(128), 3, stride=2)
    again = block(b, b.concat([down, middle]), wide(256))
    down = conv(b, again, wide(256), 3, stride=2)
    coarse = block(b, b.concat([down, bottom]), wide(512))
    return _detected(b, [fine, again, coarse])


def _repeated(b: GraphBuilder, x: int, channels: int, repeats: int) -> int:
    for _ in range(repeats):
        x = conv(b, x, channels, 3)
    return x


def _fused(b: GraphBuilder, low: int, same: int, high: int, channels: int) -> int:
    """Three resolutions at the middle one."""
    parts = (
        b.transpose_conv2d(low, channels, 2, stride=2),
        conv(b, same, channels, 1),
        conv(b, conv(b, high, channels, 1), channels, 3, stride=2),
    )
    return conv(b, b.concat(parts), channels, 1)


def _spp(b: GraphBuilder, x: int) -> int:
    channels = b.shape(x)[3]
    half = channels // 2
    parts = [conv(b, conv(b, conv(b, x, half, 1), half, 3), half, 1)]
    for _ in range(3):
        parts.append(b.max_pool2d(parts[-1], 5, stride=1, padding="SAME"))
    y = conv(b, conv(b, b.concat(parts), half, 1), half, 3)
    return conv(b, b.concat([conv(b, x, half, 1), y]), channels, 1)


def _detected(b: GraphBuilder, maps: list[int]) -> int:
    """[batch, boxes, 84]: its distances from the centre of its cell, and the classes."""
    boxes, classes = [], []
    for each in maps:
        channels = b.shape(each)[3]
        stem = silu(b, each, channels, 1)
        classes.append(b.unary("LOGISTIC", b.conv2d(silu(b, stem, channels, 3), 80, 1)))
        boxes.append(b.conv2d(silu(b, stem, channels, 3), 4, 1))
    return b.concat([rows(b, boxes), rows(b, classes)])


YOLOS_V6 = {"yolov6n": partial(yolo_v6, Scale(0.33, 0.25)), "yolov6s": partial(yolo_v6, Scale(0.33, 0.5))}
