"""Qualcomm's light face detector: grey images of 480 × 640 pixels; faces and five landmarks at 1/8."""

from __future__ import annotations

from ..graph.builder import GraphBuilder
from .blocks import conv, squeeze_excite
from .shape import InputShape
from .yolo_blocks import doubled

HEIGHT, WIDTH = 480, 640
BLOCKS = (
    (3, 16, 16, False, 2), (3, 64, 32, False, 2), (3, 96, 32, False, 1),
    (5, 96, 32, True, 2), (5, 224, 32, True, 1), (5, 224, 32, True, 1),
    (5, 128, 64, True, 1), (5, 160, 64, True, 1), (5, 256, 96, True, 2),
)  # fmt: skip
"""(kernel, of which 5 stands for two of 3; expansion; channels; squeeze-and-excite; stride)."""
KEPT = (2, 7)


def face_det_lite(b: GraphBuilder, shape: InputShape) -> tuple[int, ...]:
    x = conv(b, b.input((shape.batch, HEIGHT, WIDTH, 1)), 16, 3, stride=2)
    seen = []
    for number, row in enumerate(BLOCKS):
        x = _block(b, x, *row)
        if number in KEPT:
            seen.append(x)
    x = conv(b, x, 32, 1)
    for skip in reversed(seen):
        x = b.add(conv(b, doubled(b, x), 32, 3), conv(b, skip, 32, 1))
    narrow = conv(b, x, 8, 3)
    deep = conv(b, conv(b, narrow, 8, 3), 8, 3)
    x = b.concat([conv(b, x, 16, 3), conv(b, narrow, 8, 3), deep])
    return tuple(b.conv2d(x, values, 1) for values in (1, 4, 10))


def _block(
    b: GraphBuilder, x: int, kernel: int, inner: int, channels: int, squeeze: bool, stride: int
) -> int:
    y = conv(b, x, inner, 1)
    if kernel == 5:
        y = conv(b, y, channels, 3)
    y = conv(b, y, channels, 3, stride=stride)
    if squeeze:
        y = squeeze_excite(b, y, channels // 4)
    if stride > 1:
        return y
    around = x if b.shape(x)[3] == channels else b.conv2d(x, channels, 1)
    return b.add(y, around)
