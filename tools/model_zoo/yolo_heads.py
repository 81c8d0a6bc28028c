"""The heads of YOLOv8, v10 and 11: what follows their last operator is left to the program."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.records import dataclass
from ..graph.builder import GraphBuilder
from .blocks import depthwise
from .yolo_blocks import rows, silu

BINS = 16
MASKS = 32


@dataclass(frozen=True)
class Task:
    classes: int = 80
    extra: int = 0
    """Values for each box beside its place and classes: mask coefficients, key points, an angle."""
    masks: bool = False


DETECT = Task()
SEGMENT = Task(extra=MASKS, masks=True)
POSE = Task(classes=1, extra=51)
OBB = Task(classes=15, extra=1)


def detected(
    b: GraphBuilder, maps: Sequence[int], task: Task, *, light: bool, prototypes: int = 0
) -> int | tuple[int, ...]:
    """[batch, boxes, 4 + classes + extra], and the mask prototypes where there are.

    A box is its distances from the centre of its cell, in cells.

    `light`: depthwise convolutions in the branch of the classes, as from YOLOv10 on.
    """
    narrow = b.shape(maps[0])[3]
    wide = max(narrow, min(task.classes, 100))
    boxes = [_branch(b, x, max(16, narrow // 4, 4 * BINS), 4 * BINS) for x in maps]
    classes = [(_light_branch if light else _branch)(b, x, wide, task.classes) for x in maps]
    parts = [_distances(b, rows(b, boxes)), b.unary("LOGISTIC", rows(b, classes))]
    if task.extra:
        parts.append(rows(b, [_branch(b, x, max(narrow // 4, task.extra), task.extra) for x in maps]))
    found = b.concat(parts)
    return (found, _prototypes(b, maps[0], prototypes)) if task.masks else found


def _branch(b: GraphBuilder, x: int, inner: int, made: int) -> int:
    return b.conv2d(silu(b, silu(b, x, inner, 3), inner, 3), made, 1)


def _light_branch(b: GraphBuilder, x: int, inner: int, made: int) -> int:
    for _ in range(2):
        x = silu(b, depthwise(b, x, 3, activation="SWISH"), inner, 1)
    return b.conv2d(x, made, 1)


def _distances(b: GraphBuilder, x: int) -> int:
    """The mean of each side's distribution over bins."""
    batch = b.shape(x)[0]
    x = b.softmax(b.reshape(x, (batch, -1, 4, BINS)))
    return b.reshape(b.conv2d(x, 1, 1), (batch, -1, 4))


def _prototypes(b: GraphBuilder, x: int, channels: int) -> int:
    x = b.transpose_conv2d(silu(b, x, channels, 3), channels, 2, stride=2)
    return silu(b, silu(b, x, channels, 3), MASKS, 1)
