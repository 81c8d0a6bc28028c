"""MNN models, written without MNN: operators of its schema, field by field, over tensors that have only names.

`network()` is the network of `pytorch_files`, its norm folded and its dense layer a convolution, as MNNConvert
writes them: 221,264 MACs.
"""

from __future__ import annotations

from collections.abc import Sequence

from .flatbuffer_trees import Node, encode

INPUT, CONVOLUTION, POOLING, RESHAPE, SHAPE, RANK, BINARY, UNSQUEEZE, SLICE_TF, CONCAT, CONSTANT = (
    34, 12, 47, 73, 80, 66, 7, 107, 84, 10, 11,
)  # fmt: skip
GATHER, STRIDED, WHILE, LAYER_NORM, MATMUL = 31, 91, 600, 603, 39


def operator(kind: int, inputs: Sequence[int], outputs: Sequence[int], main: Node | None = None) -> Node:
    fields: dict[int, Node] = {0: ("i", list(inputs)), 4: ("i", list(outputs)), 5: ("i", kind)}
    return fields if main is None else {**fields, 1: ("B", 1), 2: main}


def given(at: int, shape: Sequence[int]) -> Node:
    return operator(INPUT, [], [at], {0: ("i", list(shape)), 1: ("i", 1), 2: ("b", 0)})


def integers(at: int, values: Sequence[int], shape: Sequence[int] | None = None) -> Node:
    dims = [len(values)] if shape is None else list(shape)
    return operator(CONSTANT, [], [at], {0: ("i", dims), 2: ("i", 3), 5: ("i", list(values))})


def convolution(
    source: int, made: int, sizes: Sequence[int], *, pad: int = 0, stored: int | None = None
) -> Node:
    """Sizes: out, in, height and width of the window."""
    out, depth, high, wide = sizes
    common = {0: ("i", pad), 1: ("i", pad), 2: ("i", wide), 3: ("i", high), 10: ("i", out), 11: ("i", depth)}
    held = out * depth * high * wide if stored is None else stored
    return operator(CONVOLUTION, [source], [made], {0: common, 1: ("f", [0.0] * held), 2: ("f", [0.0] * out)})


def rank_less(source: int, made: int, constant: int, between: int) -> list[Node]:
    """rank(source) − constant, in a list, as MNN finds the last dimensions of a tensor."""
    return [
        operator(RANK, [source], [between]),
        operator(BINARY, [between, constant], [between + 1], {0: ("i", 1)}),
        operator(UNSQUEEZE, [between + 1], [made], {0: ("i", [0])}),
    ]


def model(operators: Sequence[Node], outputs: Sequence[int], count: int) -> bytes:
    names = [f"t{at}" for at in range(count)]
    tree = {3: list(operators), 4: [names[at] for at in outputs], 7: list(names)}
    return encode(tree, b"\0\0\0\0")


def network() -> bytes:
    """The shape that the last operator gives is that of what the dense layer is given, its last dimension anew."""
    return model([
        given(0, (1, 3, 32, 32)),
        convolution(0, 1, (8, 3, 3, 3), pad=1),
        operator(POOLING, [1], [2], {2: ("?", True), 7: ("b", 1)}),
        integers(3, [1, 8]), operator(RESHAPE, [2, 3], [4]),
        integers(5, [-1, 8, 1, 1]), operator(RESHAPE, [4, 5], [6]),
        convolution(6, 7, (10, 8, 1, 1)),
        operator(SHAPE, [4], [8]), integers(9, [0]), integers(10, [1], ()), *rank_less(4, 11, 10, 12),
        operator(SLICE_TF, [8, 9, 11], [14]), integers(15, [10]),
        operator(CONCAT, [14, 15], [16], {0: ("i", 0)}), operator(RESHAPE, [7, 16], [17]),
    ], [17], 18)  # fmt: skip
