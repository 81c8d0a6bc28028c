"""YOLOv7 and YOLOv7-tiny (Wang et al., 2022), trained on COCO, their re-parametrised convolutions merged."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ..graph.builder import GraphBuilder
from .blocks import conv
from .shape import InputShape
from .yolo_anchors import anchored
from .yolo_blocks import doubled, image, silu

leaky = partial(conv, activation="LEAKY_RELU")
Conv = Callable[..., int]
Block = Callable[[GraphBuilder, int, int], int]


def yolo_v7(b: GraphBuilder, shape: InputShape) -> int:
    x = silu(b, image(b, shape), 32, 3)
    x = silu(b, silu(b, x, 64, 3, stride=2), 64, 3)
    x = _backbone_block(b, silu(b, x, 128, 3, stride=2), 64, 256)
    seen = []
    for inner, made in ((128, 512), (256, 1024), (256, 1024)):
        x = _backbone_block(b, _halved(b, x, b.shape(x)[3] // 2), inner, made)
        seen.append(x)
    bottom = _spp(b, seen[2], 512)

    def down(b: GraphBuilder, x: int, channels: int) -> int:
        return _halved(b, x, channels // 2)

    return anchored(b, _neck(b, silu, 256, (seen[0], seen[1], bottom), _neck_block, down), 85)


def yolo_v7_tiny(b: GraphBuilder, shape: InputShape) -> int:
    x = leaky(b, leaky(b, image(b, shape), 32, 3, stride=2), 64, 3, stride=2)
    x = _tiny_block(b, x, 64)
    seen = []
    for channels in (128, 256, 512):
        x = _tiny_block(b, b.max_pool2d(x, 2), channels)
        seen.append(x)
    left, y = (leaky(b, x, 256, 1) for _ in range(2))
    pools = [b.max_pool2d(y, window, stride=1, padding="SAME") for window in (5, 9, 13)]
    y = leaky(b, b.concat([*reversed(pools), y]), 256, 1)
    bottom = leaky(b, b.concat([y, left]), 256, 1)
    down = partial(leaky, kernel=3, stride=2)
    return anchored(b, _neck(b, leaky, 128, (seen[0], seen[1], bottom), _tiny_block, down), 85)


def _neck(
    b: GraphBuilder, unit: Conv, width: int, seen: tuple[int, int, int], block: Block, down: Block
) -> list[int]:
    fine, middle, bottom = seen
    y = doubled(b, unit(b, bottom, width, 1))
    middle = block(b, b.concat([unit(b, middle, width, 1), y]), width)
    y = doubled(b, unit(b, middle, width // 2, 1))
    fine = block(b, b.concat([unit(b, fine, width // 2, 1), y]), width // 2)
    again = block(b, b.concat([down(b, fine, width), middle]), width)
    coarse = block(b, b.concat([down(b, again, 2 * width), bottom]), 2 * width)
    return [unit(b, x, 2 * b.shape(x)[3], 3) for x in (fine, again, coarse)]


def _backbone_block(b: GraphBuilder, x: int, inner: int, made: int) -> int:
    parts = [silu(b, x, inner, 1), silu(b, x, inner, 1)]
    for _ in range(2):
        parts.append(silu(b, silu(b, parts[-1], inner, 3), inner, 3))
    return silu(b, b.concat(list(reversed(parts))), made, 1)


def _neck_block(b: GraphBuilder, x: int, made: int) -> int:
    parts = [silu(b, x, made, 1), silu(b, x, made, 1)]
    for _ in range(4):
        parts.append(silu(b, parts[-1], made // 2, 3))
    return silu(b, b.concat(list(reversed(parts))), made, 1)


def _tiny_block(b: GraphBuilder, x: int, made: int) -> int:
    parts = [leaky(b, x, made // 2, 1), leaky(b, x, made // 2, 1)]
    for _ in range(2):
        parts.append(leaky(b, parts[-1], made // 2, 3))
    return leaky(b, b.concat(list(reversed(parts))), made, 1)


def _halved(b: GraphBuilder, x: int, channels: int) -> int:
    pooled = silu(b, b.max_pool2d(x, 2), channels, 1)
    return b.concat([silu(b, silu(b, x, channels, 1), channels, 3, stride=2), pooled])


def _spp(b: GraphBuilder, x: int, channels: int) -> int:
    y = silu(b, silu(b, silu(b, x, channels, 1), channels, 3), channels, 1)
    pools = [b.max_pool2d(y, window, stride=1, padding="SAME") for window in (5, 9, 13)]
    y = silu(b, silu(b, b.concat([y, *pools]), channels, 1), channels, 3)
    return silu(b, b.concat([y, silu(b, x, channels, 1)]), channels, 1)


YOLOS_V7 = {"yolov7": yolo_v7, "yolov7_tiny": yolo_v7_tiny}
