"""MiDaS v2.1 small (Ranftl et al., 2020): depth from one image."""

from __future__ import annotations

from ..graph.builder import GraphBuilder
from .blocks import conv
from .efficientnet import EFFICIENTNET, Scaling
from .inverted_residual import stage
from .shape import InputShape
from .yolo_blocks import image

WIDTH = 64
LITE3 = Scaling(EFFICIENTNET, 1.2, 1.4, activation="RELU6", fixed_stem=True, fixed_ends=True)


def midas_small(b: GraphBuilder, shape: InputShape) -> int:
    """EfficientNet-Lite3 without its head, and a decoder that doubles the image five times."""
    x = conv(b, image(b, shape), LITE3.stem, 3, stride=2, activation="RELU6")
    rows = LITE3.scaled()
    seen = []
    for start, end in ((0, 2), (2, 3), (3, 5), (5, 7)):
        x = stage(b, x, rows[start:end])
        seen.append(x)
    x = -1
    for level in (3, 2, 1, 0):
        width = WIDTH << level
        skip = b.conv2d(seen[level], width, 3)
        x = skip if level == 3 else b.add(x, _residual(b, skip))
        x = b.conv2d(_doubled(b, _residual(b, x)), width // 2 if level else width, 1)
    x = _doubled(b, b.conv2d(x, WIDTH // 2, 3))
    return b.conv2d(b.conv2d(x, 32, 3, activation="RELU"), 1, 1, activation="RELU")


def _residual(b: GraphBuilder, x: int) -> int:
    width = b.shape(x)[3]
    return b.add(x, b.conv2d(b.conv2d(b.unary("RELU", x), width, 3, activation="RELU"), width, 3))


def _doubled(b: GraphBuilder, x: int) -> int:
    _, height, width, _ = b.shape(x)
    return b.resize(x, (2 * height, 2 * width), kind="RESIZE_BILINEAR")
