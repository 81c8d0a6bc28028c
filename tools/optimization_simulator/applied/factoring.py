"""Weights of a layer as the product of two of a lower rank: the nearest by singular values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from ....hardware_db.errors import UsageError
from ...graph import DType, ModelGraph, Op, Tensor
from ...model_formats.tflite.stored import Stored, stored_in
from ...model_formats.writer.weights import Bytes
from .rewriting import rewritten

_Reals = npt.NDArray[np.float64]
_LAYERS = frozenset({"CONV_2D", "FULLY_CONNECTED"})


def factored_file(graph: ModelGraph, content: bytes, after: ModelGraph, name: str) -> bytes:
    """
    Args:
        graph: of the float .tflite file `content`.
        after: the same with layers as two of a lower rank, in their places.

    Raises:
        UsageError: weights that are no float32.
    """
    stored = stored_in(content)
    new: dict[int, Bytes] = {}
    for op, first, second in _pairs(graph, after):
        weights = _matrix(graph.tensors[op.inputs[1]], stored)
        reading, writing = _factors(weights, after.tensors[first.inputs[1]].shape[0])
        new[first.inputs[1]] = _bytes(reading)
        new[second.inputs[1]] = _bytes(writing)
        new[first.inputs[2]] = _bytes(np.zeros(len(reading)))
        if len(op.inputs) > 2 and op.inputs[2] >= 0:
            held = graph.tensors[op.inputs[2]]
            new[second.inputs[2]] = _bytes(_matrix(held, stored).reshape(-1))
        elif len(second.inputs) > 2 and second.inputs[2] >= 0:
            new[second.inputs[2]] = _bytes(np.zeros(len(writing)))
    return rewritten(graph, content, after, name, new)


def _pairs(before: ModelGraph, after: ModelGraph) -> Iterator[tuple[Op, Op, Op]]:
    """A layer that has become two, and the two; all others stand in their order."""
    made = iter(after.ops)
    for op in before.ops:
        now = next(made)
        weights = op.inputs[1] if op.kind in _LAYERS and len(op.inputs) > 1 else -1
        if weights < 0 or before.tensors[weights].buffer is None:
            continue
        if after.tensors[now.inputs[1]].buffer is None:
            yield op, now, next(made)


def _matrix(tensor: Tensor, stored: Stored) -> npt.NDArray[np.float32]:
    if tensor.dtype is not DType.FLOAT32 or tensor.buffer is None or tensor.sparsity is not None:
        raise UsageError(
            f"Weights of type {tensor.dtype} are not factorised here.",
            hint="Factorise the float model and quantise it then: low-rank-50 + int8.",
        )
    return stored(tensor.buffer).view(np.float32).reshape(tensor.shape[0], -1)


def _factors(weights: npt.NDArray[np.float32], rank: int) -> tuple[_Reals, _Reals]:
    """[rank, in] and [out, rank], with the nearest product of that rank (C. Eckart and G. Young, 1936)."""
    left, values, right = np.linalg.svd(weights.astype(np.float64), full_matrices=False)
    share = np.sqrt(values[:rank])
    return share[:, None] * right[:rank], left[:, :rank] * share


def _bytes(values: npt.NDArray[np.floating[Any]]) -> Bytes:
    return np.ascontiguousarray(values, np.float32).reshape(-1).view(np.uint8)
