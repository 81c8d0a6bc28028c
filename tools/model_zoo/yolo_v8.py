"""YOLOv8, YOLOv10 and YOLO11 (Ultralytics, 2023 and 2024; Wang et al., 2024), trained on COCO."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ..graph.builder import GraphBuilder
from .shape import InputShape
from .yolo_blocks import c2f, doubled, image, psa, shrunk, silu, sppf
from .yolo_heads import DETECT, OBB, POSE, SEGMENT, Task, detected
from .yolo_scale import Scale

Made = int | tuple[int, ...]


Block = Callable[[GraphBuilder, int, int], int]
"""Takes the number of its place: 0 to 3 in the backbone, 4 to 7 in the neck."""

WIDTHS = (128, 256, 512, 1024, 512, 256, 512, 1024)


def _network(
    b: GraphBuilder, shape: InputShape, scale: Scale, block: Block, down: Block, deepest: Block
) -> list[int]:
    """The backbone to 1/32 and the neck that goes up to 1/8 and down again: three feature maps."""
    x = silu(b, image(b, shape), scale.channels(64), 3, stride=2)
    seen = []
    for place in range(4):
        x = block(b, down(b, x, place), place)
        seen.append(x)
    bottom = deepest(b, x, scale.channels(1024))
    middle = block(b, b.concat([doubled(b, bottom), seen[2]]), 4)
    fine = block(b, b.concat([doubled(b, middle), seen[1]]), 5)
    again = block(b, b.concat([down(b, fine, 6), middle]), 6)
    coarse = block(b, b.concat([down(b, again, 7), bottom]), 7)
    return [fine, again, coarse]


def yolo_v8(scale: Scale, task: Task, b: GraphBuilder, shape: InputShape) -> Made:
    repeats = (3, 6, 6, 3, 3, 3, 3, 3)

    def block(b: GraphBuilder, x: int, place: int) -> int:
        return c2f(b, x, scale.channels(WIDTHS[place]), scale.repeats(repeats[place]), around=place < 4)

    maps = _network(b, shape, scale, block, partial(_convolved, scale), sppf)
    return detected(b, maps, task, light=False, prototypes=scale.channels(256))


def yolo_11(scale: Scale, task: Task, b: GraphBuilder, shape: InputShape) -> Made:
    """From size m on every block is a deep one."""
    widths = (256, 512, 512, 1024, 512, 256, 512, 1024)
    larger = scale.width >= 1

    def block(b: GraphBuilder, x: int, place: int) -> int:
        kind = "deep" if larger or place in (2, 3, 7) else "half"
        share = 0.25 if place < 2 else 0.5
        return c2f(b, x, scale.channels(widths[place]), scale.repeats(2), kind=kind, share=share)

    def deepest(b: GraphBuilder, x: int, channels: int) -> int:
        return psa(b, sppf(b, x, channels), scale.repeats(2))

    maps = _network(b, shape, scale, block, partial(_convolved, scale), deepest)
    return detected(b, maps, task, light=True, prototypes=scale.channels(256))


def yolo_v10(scale: Scale, compact: str, kind: str, b: GraphBuilder, shape: InputShape) -> Made:
    """The head that needs no suppression. `compact`: places with inverted blocks, of `kind`."""
    repeats = (3, 6, 6, 3, 3, 3, 3, 3)

    def block(b: GraphBuilder, x: int, place: int) -> int:
        chosen, around = (kind, True) if str(place) in compact else ("plain", place < 4)
        return c2f(
            b, x, scale.channels(WIDTHS[place]), scale.repeats(repeats[place]), around=around, kind=chosen
        )

    def down(b: GraphBuilder, x: int, place: int) -> int:
        if place in (0, 1, 6):
            return _convolved(scale, b, x, place)
        return shrunk(b, x, scale.channels(512 if place in (2, 7) else 1024))

    def deepest(b: GraphBuilder, x: int, channels: int) -> int:
        return psa(b, sppf(b, x, channels))

    return detected(b, _network(b, shape, scale, block, down, deepest), DETECT, light=True)


def _convolved(scale: Scale, b: GraphBuilder, x: int, place: int) -> int:
    return silu(b, x, scale.channels((128, 256, 512, 1024, 0, 0, 256, 512)[place]), 3, stride=2)


V8 = {
    "n": Scale(0.33, 0.25, 1024), "s": Scale(0.33, 0.5, 1024), "m": Scale(0.67, 0.75, 768),
    "l": Scale(1.0, 1.0, 512), "x": Scale(1.0, 1.25, 512),
}  # fmt: skip
V11 = {
    "n": Scale(0.5, 0.25, 1024), "s": Scale(0.5, 0.5, 1024), "m": Scale(0.5, 1.0, 512),
    "l": Scale(1.0, 1.0, 512), "x": Scale(1.0, 1.5, 512),
}  # fmt: skip
TASKS = {"": DETECT, "_seg": SEGMENT, "_pose": POSE}

YOLOS_V8 = {
    **{f"yolov8{size}{end}": partial(yolo_v8, V8[size], task) for size in V8 for end, task in TASKS.items()},
    "yolov8n_obb": partial(yolo_v8, V8["n"], OBB),
    "yolov10n": partial(yolo_v10, V8["n"], "7", "cib_7x7"),
    "yolov10s": partial(yolo_v10, V8["s"], "37", "cib_7x7"),
    "yolov10x": partial(yolo_v10, V8["x"], "23467", "cib"),
    **{
        f"yolo11{size}{end}": partial(yolo_11, V11[size], task) for size in V11 for end, task in TASKS.items()
    },
}
