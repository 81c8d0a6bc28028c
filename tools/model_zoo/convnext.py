"""ConvNeXt (Liu et al., 2022), 1000 classes."""

from __future__ import annotations

from functools import partial

from ..graph.builder import GraphBuilder
from .shape import InputShape
from .transformer import gelu, layer_norm, norm


def convnext(width: int, depths: tuple[int, ...], b: GraphBuilder, shape: InputShape) -> int:
    """Stages of `depths` blocks; the width doubles from stage to stage. The layer scale is folded."""
    x = b.input((shape.batch, shape.side, shape.side, 3))
    x = layer_norm(b, b.conv2d(x, width, 4, stride=4, padding="VALID"))
    for stage, depth in enumerate(depths):
        if stage:
            x = b.conv2d(norm(b, x), width << stage, 2, stride=2, padding="VALID")
        for _ in range(depth):
            x = _block(b, x)
    return b.fully_connected(norm(b, b.mean(x)), 1000)


def _block(b: GraphBuilder, x: int) -> int:
    width = b.shape(x)[3]
    y = norm(b, b.depthwise_conv2d(x, 7))
    y = b.conv2d(gelu(b, b.conv2d(y, 4 * width, 1)), width, 1)
    return b.add(x, y)


CONVNEXTS = {
    "convnext_tiny": partial(convnext, 96, (3, 3, 9, 3)),
    "convnext_small": partial(convnext, 96, (3, 3, 27, 3)),
    "convnext_base": partial(convnext, 128, (3, 3, 27, 3)),
}
