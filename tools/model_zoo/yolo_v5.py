"""YOLOv5 of release 6 and later (Ultralytics, 2022) and YOLOX (Ge et al., 2021), trained on COCO."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from ..graph.builder import GraphBuilder
from .architecture import Build
from .shape import InputShape
from .yolo_anchors import anchored, masks
from .yolo_blocks import c3, doubled, image, rows, silu, sliced, sppf
from .yolo_scale import Scale

Made = int | tuple[int, ...]
DEPTHS = (3, 6, 9, 3)


def yolo_v5(scale: Scale, segment: bool, b: GraphBuilder, shape: InputShape) -> Made:
    """`segment`: with 32 mask coefficients a box and the prototypes of the masks."""
    x = silu(b, image(b, shape), scale.channels(64), 6, stride=2)
    maps = _neck(b, scale, _backbone(b, x, scale, DEPTHS, sppf))
    if not segment:
        return anchored(b, maps, 85)
    return anchored(b, maps, 85, masks=32), masks(b, maps[0], scale.channels(256), 32)


def yolox(scale: Scale, b: GraphBuilder, shape: InputShape) -> int:
    """The stem reads four neighbours as one pixel; boxes without anchors."""
    x = image(b, shape)
    batch, side, _, channels = b.shape(x)
    x = b.op("SPACE_TO_DEPTH", (x,), (batch, side // 2, side // 2, 4 * channels), {"block_size": 2})
    x = silu(b, x, scale.channels(64), 3)
    return _decoupled(b, _neck(b, scale, _backbone(b, x, scale, (3, 9, 9, 3), _pyramid)), scale.channels(256))


def _backbone(
    b: GraphBuilder,
    x: int,
    scale: Scale,
    depths: Sequence[int],
    deepest: Callable[[GraphBuilder, int, int], int],
) -> list[int]:
    """Maps at 1/8, 1/16 and 1/32; YOLOX pools before the last block and goes around none of it."""
    seen = []
    for width, depth in zip((128, 256, 512, 1024), depths, strict=True):
        channels, pooled_first = scale.channels(width), deepest is _pyramid and width == 1024
        x = silu(b, x, channels, 3, stride=2)
        x = deepest(b, x, channels) if pooled_first else x
        x = c3(b, x, channels, scale.repeats(depth), around=not pooled_first)
        seen.append(x)
    if deepest is not _pyramid:
        seen[-1] = deepest(b, x, scale.channels(1024))
    return seen[1:]


def _neck(b: GraphBuilder, scale: Scale, seen: Sequence[int]) -> list[int]:
    block = partial(c3, repeats=scale.repeats(3), around=False)
    bottom = silu(b, seen[2], scale.channels(512), 1)
    middle = block(b, b.concat([doubled(b, bottom), seen[1]]), scale.channels(512))
    middle = silu(b, middle, scale.channels(256), 1)
    fine = block(b, b.concat([doubled(b, middle), seen[0]]), scale.channels(256))
    down = silu(b, fine, scale.channels(256), 3, stride=2)
    again = block(b, b.concat([down, middle]), scale.channels(512))
    down = silu(b, again, scale.channels(512), 3, stride=2)
    return [fine, again, block(b, b.concat([down, bottom]), scale.channels(1024))]


def _pyramid(b: GraphBuilder, x: int, channels: int) -> int:
    x = silu(b, x, b.shape(x)[3] // 2, 1)
    pools = [b.max_pool2d(x, window, stride=1, padding="SAME") for window in (5, 9, 13)]
    return silu(b, b.concat([x, *pools]), channels, 1)


def _decoupled(b: GraphBuilder, maps: Sequence[int], width: int) -> int:
    """[batch, boxes, 85], in cells: classes in one branch, places and objectness in another."""
    found = []
    for each in maps:
        stem = silu(b, each, width, 1)
        classes, boxes = (silu(b, silu(b, stem, width, 3), width, 3) for _ in range(2))
        sure = b.unary("LOGISTIC", b.conv2d(boxes, 1, 1))
        found.append(b.concat([b.conv2d(boxes, 4, 1), sure, b.unary("LOGISTIC", b.conv2d(classes, 80, 1))]))
    x = rows(b, found)
    sizes = b.unary("EXP", sliced(b, x, 2, 2, 2))
    return b.concat([sliced(b, x, 2, 0, 2), sizes, sliced(b, x, 2, 4, 81)])


V5 = {
    "n": Scale(0.33, 0.25), "s": Scale(0.33, 0.5), "m": Scale(0.67, 0.75),
    "l": Scale(1.0, 1.0), "x": Scale(1.33, 1.25),
}  # fmt: skip
YOLOS_V5: dict[str, Build] = {
    **{f"yolov5{size}": partial(yolo_v5, V5[size], False) for size in V5},
    **{f"yolov5{size}_seg": partial(yolo_v5, V5[size], True) for size in V5},
    **{f"yolox_{size}": partial(yolox, V5[size]) for size in "smlx"},
}
YOLOX_TINY = {"yolox_tiny": partial(yolox, Scale(0.33, 0.375))}
