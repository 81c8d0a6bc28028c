"""The parts that transformers are put together from; rows of tokens are [batch × tokens, width]."""

from __future__ import annotations

from ..graph.builder import GraphBuilder


def norm(b: GraphBuilder, x: int) -> int:
    """Layer normalisation in front of a layer that takes its scale and shift into its weights.

    A centred row divided by its length; the square root of the width is in those weights too.
    """
    last = (len(b.shape(x)) - 1,)
    centred = b.arithmetic("SUB", x, b.mean(x, last, keep_dims=True))
    return b.unary("L2_NORMALIZATION", centred, {"fused_activation_function": "NONE"})


def layer_norm(b: GraphBuilder, x: int) -> int:
    """Layer normalisation with its scale and shift, for a result that more than one layer reads."""
    layer, width = b.layer("layer_norm"), b.shape(x)[-1]
    y = b.arithmetic("MUL", norm(b, x), b.constant(f"{layer}/gamma", (width,)))
    return b.add(y, b.constant(f"{layer}/beta", (width,)))


def gelu(b: GraphBuilder, x: int) -> int:
    return b.unary("GELU", x, {"approximate": False})


def quick_gelu(b: GraphBuilder, x: int) -> int:
    """x · sigmoid(1.702 x)."""
    scaled = b.arithmetic("MUL", x, b.constant(b.layer("steepness"), (1,)))
    return b.arithmetic("MUL", x, b.unary("LOGISTIC", scaled))


def matmul(b: GraphBuilder, x: int, y: int, *, transposed: bool = False) -> int:
    *batch, rows, _ = b.shape(x)
    columns = b.shape(y)[-2 if transposed else -1]
    return b.op("BATCH_MATMUL", (x, y), (*batch, rows, columns), {"adj_x": False, "adj_y": transposed})


def heads_first(b: GraphBuilder, x: int, batch: int, heads: int) -> int:
    """[batch × tokens, heads × depth] → [batch, heads, tokens, depth]."""
    depth = b.shape(x)[-1] // heads
    return b.transpose(b.reshape(x, (batch, -1, heads, depth)), (0, 2, 1, 3))


def rows_again(b: GraphBuilder, x: int) -> int:
    """[batch, heads, tokens, depth] → [batch × tokens, heads × depth]."""
    batch, heads, tokens, depth = b.shape(x)
    return b.reshape(b.transpose(x, (0, 2, 1, 3)), (batch * tokens, heads * depth))


def attended(b: GraphBuilder, query: int, key: int, value: int, *, bias: int | None = None) -> int:
    """softmax(query · keyᵀ + bias) · value; the query is taken as scaled already."""
    scores = matmul(b, query, key, transposed=True)
    if bias is not None:
        scores = b.add(scores, bias)
    return matmul(b, b.softmax(scores), value)


def self_attention(b: GraphBuilder, x: int, batch: int, heads: int, *, biased: bool = False) -> int:
    """All of width: three projections, attention, the projection out.

    `biased`: with a learned term for each pair of tokens and head (the table of relative positions, unrolled
    as exporters do).
    """
    width = b.shape(x)[-1]
    query, key, value = (heads_first(b, b.fully_connected(x, width), batch, heads) for _ in range(3))
    tokens = b.shape(query)[2]
    bias = b.constant(b.layer("relative_position"), (1, heads, tokens, tokens)) if biased else None
    return b.fully_connected(rows_again(b, attended(b, query, key, value, bias=bias)), width)


def first_token(b: GraphBuilder, x: int, batch: int) -> int:
    """[batch × tokens, width] → [batch, width]."""
    width = b.shape(x)[-1]
    x = b.reshape(x, (batch, -1, width))
    begin, size = (b.integers(b.layer("slice"), values) for values in ((0, 0, 0), (-1, 1, width)))
    return b.reshape(b.op("SLICE", (x, begin, size), (batch, 1, width)), (batch, width))
