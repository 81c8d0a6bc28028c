"""Filters of convolutions that hold nothing but zeros: what training left unused and a compiler may drop."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...graph import DType, Subgraph, Tensor
from .buffers import Buffers
from .reader import Readable

_NUMPY = {DType.INT8: np.int8, DType.UINT8: np.uint8, DType.FLOAT32: np.float32}


def zero_filters(main: Subgraph, buffers: Buffers, data: Readable) -> tuple[tuple[int, int], ...]:
    """(operator, zero filters) of each convolution that has some, by its weights as the file keeps them.

    Nothing where a convolution has no other filter: then the file was stripped of its weights. Weights that
    several operators share are read once.
    """
    counted: dict[int, int] = {}
    found: list[tuple[int, int]] = []
    for op, weights in _convolutions(main):
        assert weights.buffer is not None
        if weights.buffer not in counted:
            counted[weights.buffer] = _zeros(weights, buffers, data)
        if counted[weights.buffer] == weights.shape[0]:
            return ()
        if counted[weights.buffer]:
            found.append((op, counted[weights.buffer]))
    return tuple(found)


def _convolutions(main: Subgraph) -> Iterator[tuple[int, Tensor]]:
    for op in main.ops:
        if op.kind != "CONV_2D" or len(op.inputs) < 2 or op.inputs[1] < 0:
            continue
        weights = main.tensors[op.inputs[1]]
        plain = weights.is_constant and weights.buffer is not None and weights.sparsity is None
        if plain and weights.dtype in _NUMPY and len(weights.shape) == 4 and min(weights.shape) > 0:
            yield op.index, weights


def _zeros(weights: Tensor, buffers: Buffers, data: Readable) -> int:
    assert weights.buffer is not None
    start, count = buffers.extent(weights.buffer).start, int(np.prod(weights.shape))
    stored = np.frombuffer(data, _NUMPY[weights.dtype], count, start).reshape(weights.shape[0], -1)
    zero = 0 if weights.quantization is None else weights.quantization.zero_points[0]
    return int(weights.shape[0] - np.count_nonzero((stored != zero).any(axis=1)))
