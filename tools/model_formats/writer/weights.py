"""Random content for constants: what a freshly initialised network would hold."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ...graph import DType, Subgraph, Tensor
from ...graph.int8_rules import WEIGHTS, weight_sigma

Bytes = npt.NDArray[np.uint8]
_BIAS_SPREAD = 0.01
_INT8_SIGMA = 127 / 3
_WHOLE = {
    DType.INT64: np.int64, DType.INT32: np.int32, DType.INT16: np.int16, DType.INT8: np.int8,
    DType.UINT64: np.uint64, DType.UINT32: np.uint32, DType.UINT16: np.uint16, DType.UINT8: np.uint8,
}  # fmt: skip
_FLOATS = {DType.FLOAT64: np.float64, DType.FLOAT32: np.float32, DType.FLOAT16: np.float16}


def spreads(subgraph: Subgraph) -> dict[int, float]:
    """Standard deviation of every tensor that is a layer's weights."""
    placed = ((op, WEIGHTS[op.kind]) for op in subgraph.ops if op.kind in WEIGHTS)
    weights = ((op, op.inputs[at]) for op, at in placed if at < len(op.inputs) and op.inputs[at] >= 0)
    return {index: weight_sigma(op, subgraph.tensors[index]) for op, index in weights}


def content(tensor: Tensor, spread: float | None, seed: tuple[int, ...]) -> Bytes:
    """Data of a constant, dense. Known values as they are; integers that are neither known nor quantised, 0.

    Args:
        tensor: the constant.
        spread: standard deviation of weights; None for a bias or another operand.
        seed: the same seed gives the same bytes.
    """
    count = tensor.elements or 0
    if tensor.values is not None:
        return _raw(np.array(tensor.values, dtype=_WHOLE[tensor.dtype]))
    rng = np.random.default_rng(seed)
    if tensor.dtype.is_float:
        return _floats(rng.standard_normal(count, dtype=np.float32), spread or _BIAS_SPREAD, tensor.dtype)
    if tensor.quantization is None or tensor.dtype not in _WHOLE:
        packed = tensor.quantization is not None and tensor.dtype.bits in (2, 4)
        size = tensor.dtype.storage_bytes(count) or tensor.stored_bytes
        return rng.integers(0, 256, size, dtype=np.uint8) if packed else np.zeros(size, dtype=np.uint8)
    if tensor.dtype in (DType.INT8, DType.UINT8):
        centre = 128 if tensor.dtype is DType.UINT8 else 0
        drawn = np.rint(rng.standard_normal(count, dtype=np.float32) * _INT8_SIGMA)
        return _raw((np.clip(drawn, -127, 127) + centre).astype(_WHOLE[tensor.dtype]))
    return _raw(rng.integers(-100, 101, count).astype(_WHOLE[tensor.dtype]))


def _floats(drawn: npt.NDArray[np.float32], spread: float, dtype: DType) -> Bytes:
    scaled = drawn * np.float32(spread)
    if dtype is DType.BFLOAT16:
        return _raw((scaled.view(np.uint32) >> 16).astype(np.uint16))
    return _raw(scaled.astype(_FLOATS[dtype]))


def _raw(values: npt.NDArray[np.generic]) -> Bytes:
    return np.ascontiguousarray(values).view(np.uint8).reshape(-1)
