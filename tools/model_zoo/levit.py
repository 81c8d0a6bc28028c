"""LeViT (Graham et al., 2021), 1000 classes, batch normalisation folded, the two heads as one."""

from __future__ import annotations

from functools import partial

from ..core.records import dataclass
from ..graph.builder import GraphBuilder
from .shape import InputShape
from .transformer import attended, heads_first, rows_again


@dataclass(frozen=True)
class Stages:
    widths: tuple[int, int, int]
    depths: tuple[int, int, int]
    heads: tuple[int, int, int]
    key: int
    """Width of a key in one head; a value is twice, where the image shrinks four times as wide."""


def levit(stages: Stages, b: GraphBuilder, shape: InputShape) -> int:
    """Four convolutions of stride 2, then attention over the pixels; two steps halve the image."""
    x = b.input((shape.batch, shape.side, shape.side, 3))
    for share in (8, 4, 2, 1):
        x = b.conv2d(x, stages.widths[0] // share, 3, stride=2)
        x = x if share == 1 else b.unary("HARD_SWISH", x)
    batch, side = shape.batch, b.shape(x)[1]
    x = b.reshape(x, (-1, stages.widths[0]))
    for number, (width, depth, heads) in enumerate(
        zip(stages.widths, stages.depths, stages.heads, strict=True)
    ):
        if number:
            x = _shrunk(b, x, side, width, stages.key, batch)
            side = -(-side // 2)
            x = b.add(x, _mlp(b, x))
        for _ in range(depth):
            x = b.add(x, _attention(b, x, heads, stages.key, batch))
            x = b.add(x, _mlp(b, x))
    return b.fully_connected(b.mean(b.reshape(x, (batch, -1, stages.widths[-1])), (1,)), 1000)


def _attention(b: GraphBuilder, x: int, heads: int, key: int, batch: int) -> int:
    width = b.shape(x)[-1]
    parts = [heads_first(b, b.fully_connected(x, heads * part), batch, heads) for part in (key, key, 2 * key)]
    return _mixed(b, parts, width)


def _shrunk(b: GraphBuilder, x: int, side: int, width: int, key: int, batch: int) -> int:
    """Queries of every second pixel of every second row."""
    before = b.shape(x)[-1]
    heads, left = before // key, -(-side // 2)
    image = b.reshape(x, (batch, side, side, before))
    ends = ((0, 0, 0, 0), (batch, side, side, before), (1, 2, 2, 1))
    layer = b.layer("strided_slice")
    lists = [
        b.integers(f"{layer}/{name}", list(v)) for name, v in zip(("begin", "end", "step"), ends, strict=True)
    ]
    masks = dict.fromkeys(("ellipsis_mask", "new_axis_mask", "shrink_axis_mask"), 0)
    options = {"begin_mask": 15, "end_mask": 15, **masks}
    few = b.op("STRIDED_SLICE", (image, *lists), (batch, left, left, before), options, layer=layer)
    query = b.fully_connected(b.reshape(few, (-1, before)), heads * key)
    keys = [b.fully_connected(x, heads * part) for part in (key, 4 * key)]
    return _mixed(b, [heads_first(b, part, batch, heads) for part in (query, *keys)], width)


def _mixed(b: GraphBuilder, parts: list[int], width: int) -> int:
    query, key, value = parts
    heads, rows, columns = b.shape(query)[1], b.shape(query)[2], b.shape(key)[2]
    place = b.constant(b.layer("relative_position"), (1, heads, rows, columns))
    y = rows_again(b, attended(b, query, key, value, bias=place))
    return b.fully_connected(b.unary("HARD_SWISH", y), width)


def _mlp(b: GraphBuilder, x: int) -> int:
    width = b.shape(x)[-1]
    return b.fully_connected(b.unary("HARD_SWISH", b.fully_connected(x, 2 * width)), width)


LEVITS = {
    "levit_128s": partial(levit, Stages((128, 256, 384), (2, 3, 4), (4, 6, 8), 16)),
    "levit_128": partial(levit, Stages((128, 256, 384), (4, 4, 4), (4, 8, 12), 16)),
    "levit_192": partial(levit, Stages((192, 288, 384), (4, 4, 4), (3, 5, 6), 32)),
    "levit_256": partial(levit, Stages((256, 384, 512), (4, 4, 4), (4, 6, 8), 32)),
    "levit_384": partial(levit, Stages((384, 512, 768), (4, 4, 4), (6, 9, 12), 32)),
}
