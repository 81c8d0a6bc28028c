"""ncnn's layers of transformers, over rows of tokens [1, rows, width]."""

from __future__ import annotations

from collections.abc import Callable

from ...graph.builder import GraphBuilder
from ...model_zoo.transformer import attended, heads_first, layer_norm, rows_again
from ..tflite.reader import DamagedError
from .text import Layer, NotReadError


def attention(b: GraphBuilder, layer: Layer, inputs: list[int]) -> list[int]:
    """MultiHeadAttention of one input with itself, or of a query with others, without masks or caches."""
    width, heads = layer.whole(0), layer.whole(1, 1)
    ranks = {len(b.shape(x)) for x in inputs}
    if ranks != {3} or len(inputs) > 3:
        raise NotReadError
    if heads < 1 or width < 1 or width % heads:
        raise DamagedError(f"a MultiHeadAttention has {heads} heads of {width} in all")
    query, *rest = inputs
    key, value = rest[0] if rest else query, rest[-1] if rest else query
    parts = [heads_first(b, b.fully_connected(x, width), 1, heads) for x in (query, key, value)]
    rows = b.fully_connected(rows_again(b, attended(b, *parts)), width)
    return [b.reshape(rows, (1, b.shape(query)[1], width))]


def normalised(b: GraphBuilder, _layer: Layer, inputs: list[int]) -> list[int]:
    return [layer_norm(b, inputs[0])]


LAYERS: dict[str, Callable[[GraphBuilder, Layer, list[int]], list[int]]] = {
    "MultiHeadAttention": attention,
    "LayerNorm": normalised,
}
