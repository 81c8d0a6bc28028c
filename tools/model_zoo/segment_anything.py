"""The image encoders of Segment Anything (Kirillov et al., 2023), without prompts and mask decoder."""

from __future__ import annotations

from functools import partial

from ..core.records import dataclass
from ..graph.builder import GraphBuilder
from .shape import InputShape
from .transformer import gelu, heads_first, layer_norm, matmul, norm, rows_again
from .vit import mlp

WINDOW, NECK, PATCH = 14, 256, 16


@dataclass(frozen=True)
class ImageEncoder:
    width: int
    depth: int
    heads: int
    whole: tuple[int, ...]
    """Blocks that attend to all of the image, the others to windows."""


def sam_encoder(encoder: ImageEncoder, b: GraphBuilder, shape: InputShape) -> int:
    x = b.input((shape.batch, shape.side, shape.side, 3))
    x = b.conv2d(x, encoder.width, PATCH, stride=PATCH, padding="VALID")
    x = b.add(x, b.constant("positions", (1, *b.shape(x)[1:])))
    for number in range(encoder.depth):
        y = norm(b, x)
        whole = number in encoder.whole
        x = b.add(x, _attended(b, y, encoder.heads) if whole else _in_windows(b, y, encoder.heads))
        y = mlp(b, b.reshape(norm(b, x), (-1, encoder.width)), gelu)
        x = b.add(x, b.reshape(y, b.shape(x)))
    x = layer_norm(b, b.conv2d(x, NECK, 1))
    return layer_norm(b, b.conv2d(x, NECK, 3))


def _in_windows(b: GraphBuilder, x: int, heads: int) -> int:
    """Filled up to whole windows, and cut again."""
    batch, side, _, width = b.shape(x)
    many = -(-side // WINDOW)
    wide = many * WINDOW
    y = b.pad(x, ((0, 0), (0, wide - side), (0, wide - side), (0, 0)))
    y = b.transpose(b.reshape(y, (batch, many, WINDOW, many, WINDOW, width)), (0, 1, 3, 2, 4, 5))
    y = _attended(b, b.reshape(y, (batch * many * many, WINDOW, WINDOW, width)), heads)
    y = b.transpose(b.reshape(y, (batch, many, many, WINDOW, WINDOW, width)), (0, 1, 3, 2, 4, 5))
    y = b.reshape(y, (batch, wide, wide, width))
    layer = b.layer("slice")
    begin = b.integers(f"{layer}/begin", (0, 0, 0, 0))
    size = b.integers(f"{layer}/size", (-1, side, side, width))
    return b.op("SLICE", (y, begin, size), (batch, side, side, width), layer=layer)


def _attended(b: GraphBuilder, x: int, heads: int) -> int:
    """With a term for the distance of rows and one for that of columns, from the query itself."""
    batch, side, _, width = b.shape(x)
    depth, tokens = width // heads, side * side
    rows = b.reshape(x, (-1, width))
    query, key, value = (heads_first(b, b.fully_connected(rows, width), batch, heads) for _ in range(3))
    scores = b.reshape(matmul(b, query, key, transposed=True), (batch * heads, side, side, side, side))
    places = b.reshape(query, (batch * heads, side, side, depth))
    down = matmul(b, places, _distances(b, side, depth))
    turned = matmul(b, b.transpose(places, (0, 2, 1, 3)), _distances(b, side, depth))
    across = b.transpose(turned, (0, 2, 1, 3))
    scores = b.add(scores, b.reshape(down, (batch * heads, side, side, side, 1)))
    scores = b.add(scores, b.reshape(across, (batch * heads, side, side, 1, side)))
    weights = b.softmax(b.reshape(scores, (batch, heads, tokens, tokens)))
    made = b.fully_connected(rows_again(b, matmul(b, weights, value)), width)
    return b.reshape(made, (batch, side, side, width))


def _distances(b: GraphBuilder, side: int, depth: int) -> int:
    """The learned vectors of each distance, laid out for each place."""
    return b.constant(b.layer("relative_position"), (1, side, depth, side))


SAM_ENCODERS = {
    "sam_vit_b_encoder": partial(sam_encoder, ImageEncoder(768, 12, 12, (2, 5, 8, 11))),
    "sam_vit_l_encoder": partial(sam_encoder, ImageEncoder(1024, 24, 16, (5, 11, 17, 23))),
    "sam_vit_h_encoder": partial(sam_encoder, ImageEncoder(1280, 32, 16, (7, 15, 23, 31))),
}
"""Table of `build_sam.py` in github.com/facebookresearch/segment-anything."""
