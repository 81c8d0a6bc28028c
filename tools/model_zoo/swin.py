"""Swin transformer (Liu et al., 2021) with windows of 7 × 7, 1000 classes."""

from __future__ import annotations

from functools import partial

from ..graph.builder import GraphBuilder
from .shape import InputShape
from .transformer import gelu, heads_first, layer_norm, matmul, norm, rows_again
from .vit import mlp

WINDOW = 7


def swin(width: int, depths: tuple[int, ...], heads: int, b: GraphBuilder, shape: InputShape) -> int:
    """Stages of `depths` blocks; width and heads double from stage to stage."""
    x = b.input((shape.batch, shape.side, shape.side, 3))
    x = layer_norm(b, b.conv2d(x, width, 4, stride=4, padding="VALID"))
    for stage, depth in enumerate(depths):
        if stage:
            x = _merged(b, x)
        for number in range(depth):
            x = _block(b, x, heads << stage, shifted=number % 2 == 1)
    return b.fully_connected(b.mean(norm(b, x)), 1000)


def _merged(b: GraphBuilder, x: int) -> int:
    """Four neighbours to one of twice the width."""
    batch, height, side, width = b.shape(x)
    made = (batch, height // 2, side // 2, 4 * width)
    x = norm(b, b.op("SPACE_TO_DEPTH", (x,), made, {"block_size": 2}))
    return b.reshape(b.fully_connected(x, 2 * width), (*made[:3], 2 * width))


def _block(b: GraphBuilder, x: int, heads: int, *, shifted: bool) -> int:
    shape = b.shape(x)
    shifted = shifted and shape[1] > WINDOW
    y = norm(b, x)
    y = _rolled(b, y, WINDOW // 2) if shifted else y
    y = _attention(b, y, heads, masked=shifted)
    y = _rolled(b, y, shape[1] - WINDOW // 2) if shifted else y
    x = b.add(x, y)
    y = mlp(b, b.reshape(norm(b, x), (-1, shape[3])), gelu)
    return b.add(x, b.reshape(y, shape))


def _attention(b: GraphBuilder, x: int, heads: int, *, masked: bool) -> int:
    batch, height, side, width = b.shape(x)
    down, across, tokens = height // WINDOW, side // WINDOW, WINDOW * WINDOW
    x = b.transpose(b.reshape(x, (batch, down, WINDOW, across, WINDOW, width)), (0, 1, 3, 2, 4, 5))
    x = b.reshape(x, (-1, width))
    windows = batch * down * across
    query, key, value = (heads_first(b, b.fully_connected(x, width), windows, heads) for _ in range(3))
    place = b.constant(b.layer("relative_position"), (1, heads, tokens, tokens))
    scores = b.add(matmul(b, query, key, transposed=True), place)
    if masked:
        parted = b.reshape(scores, (batch, down * across, heads, tokens, tokens))
        mask = b.constant(b.layer("relative_position_mask"), (1, down * across, 1, tokens, tokens))
        scores = b.reshape(b.add(parted, mask), (windows, heads, tokens, tokens))
    x = b.fully_connected(rows_again(b, matmul(b, b.softmax(scores), value)), width)
    x = b.transpose(b.reshape(x, (batch, down, across, WINDOW, WINDOW, width)), (0, 1, 3, 2, 4, 5))
    return b.reshape(x, (batch, height, side, width))


def _rolled(b: GraphBuilder, x: int, by: int) -> int:
    """Along height, then width: the first `by` rows go to the end."""
    for axis in (1, 2):
        side = b.shape(x)[axis]
        x = b.concat([_cut(b, x, axis, by, side - by), _cut(b, x, axis, 0, by)], axis)
    return x


def _cut(b: GraphBuilder, x: int, axis: int, start: int, length: int) -> int:
    made = tuple(length if i == axis else size for i, size in enumerate(b.shape(x)))
    layer = b.layer("slice")
    begin = b.integers(f"{layer}/begin", [start if i == axis else 0 for i in range(len(made))])
    size = b.integers(f"{layer}/size", (-1, *made[1:]))
    return b.op("SLICE", (x, begin, size), made, layer=layer)


SWINS = {
    "swin_tiny_patch4_window7": partial(swin, 96, (2, 2, 6, 2), 3),
    "swin_small_patch4_window7": partial(swin, 96, (2, 2, 18, 2), 3),
    "swin_base_patch4_window7": partial(swin, 128, (2, 2, 18, 2), 4),
}
