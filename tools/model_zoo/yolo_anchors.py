"""The head of YOLOv5 and YOLOv7: three anchors for each pixel of a feature map."""

from __future__ import annotations

from collections.abc import Sequence

from ..graph.builder import GraphBuilder
from .yolo_blocks import doubled, silu, sliced

ANCHORS = 3


def anchored(b: GraphBuilder, maps: Sequence[int], values: int, *, masks: int = 0) -> int:
    """[batch, boxes, values + masks], with boxes in pixels from the corner of their cell."""
    found = []
    for number, x in enumerate(maps):
        y = b.conv2d(x, ANCHORS * (values + masks), 1)
        batch = b.shape(y)[0]
        y = b.reshape(y, (batch, -1, ANCHORS, values + masks))
        coefficients = sliced(b, y, 3, values, masks) if masks else None
        y = b.unary("LOGISTIC", sliced(b, y, 3, 0, values) if masks else y)
        anchors = b.constant(f"decode/anchors_{number}", (1, 1, ANCHORS, 2))
        stride = b.constant(f"decode/stride_{number}", (1,))
        centres = b.arithmetic("MUL", sliced(b, y, 3, 0, 2), stride)
        sizes = b.arithmetic("MUL", b.unary("SQUARE", sliced(b, y, 3, 2, 2)), anchors)
        parts = [
            centres,
            sizes,
            sliced(b, y, 3, 4, values - 4),
            *([] if coefficients is None else [coefficients]),
        ]
        found.append(b.reshape(b.concat(parts), (batch, -1, values + masks)))
    return b.concat(found, 1)


def masks(b: GraphBuilder, x: int, channels: int, prototypes: int) -> int:
    x = doubled(b, silu(b, x, channels, 3))
    return silu(b, silu(b, x, channels, 3), prototypes, 1)
