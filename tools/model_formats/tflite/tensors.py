"""Tensors: shape, type, quantisation, sparsity, and where their constant data lies."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable

from ...graph import DType, Op, Quantization, Sparsity, Tensor
from .buffers import Buffers, Extent
from .reader import DamagedError, Reader
from .schema import DIMENSION, QUANTIZATION, SPARSITY, TENSOR, dtypes

_MOST_DIMENSIONS = 64
_MOST_ELEMENTS = 1 << 31
"""Of a tensor that is computed: more than any runtime addresses."""
_MOST_VALUES = 64
_VALUE_CODES = {DType.INT32: "i", DType.INT64: "q"}
_BIAS_INPUT = {
    "CONV_2D": 2, "DEPTHWISE_CONV_2D": 2, "FULLY_CONNECTED": 2, "CONV_3D": 2,
    "TRANSPOSE_CONV": 3, "CONV_3D_TRANSPOSE": 3, "SVDF": 3,
}  # fmt: skip


def bias_tensors(ops: Iterable[Op]) -> frozenset[int]:
    """Tensors whose small integers are weights, not shapes or axes."""
    placed = ((op, _BIAS_INPUT.get(op.kind)) for op in ops)
    return frozenset(op.inputs[i] for op, i in placed if i is not None and i < len(op.inputs))


def read_tensor(reader: Reader, at: int, index: int, buffers: Buffers, biases: frozenset[int]) -> Tensor:
    (
        shape_at, type_number, buffer, name_at, quantization_at, is_variable,
        sparsity_at, signature_at, external,
    ) = reader.read(TENSOR, at)  # fmt: skip
    dtype = dtypes().get(type_number)
    if dtype is None:
        raise DamagedError(f"tensor {index} has element type {type_number}, which is not known here")
    shape = _shape(reader, shape_at, signature_at, index)
    quantization = _quantization(reader, quantization_at)
    sparsity = _sparsity(reader, sparsity_at)
    extent = buffers.extent(buffer)
    stored = buffers.external_length(external) if external else extent.length
    is_constant = stored > 0 and not is_variable
    _check_size(shape, dtype, index, stored if is_constant and not (sparsity or external) else None)
    plain = is_constant and not (external or sparsity or quantization or index in biases)
    return Tensor(
        index=index,
        name_untrusted=reader.text(name_at),
        shape=shape,
        dtype=dtype,
        stored_bytes=stored if is_constant else 0,
        is_constant=is_constant,
        is_variable=is_variable,
        quantization=quantization,
        sparsity=sparsity,
        buffer=buffers.owner(buffer) if is_constant and not external else None,
        values=_values(reader, extent, shape, dtype) if plain else None,
    )


def _shape(reader: Reader, shape_at: int, signature_at: int, index: int) -> tuple[int, ...]:
    """Static dimensions, with -1 where the signature leaves them to run time.

    A batch that is left to run time stays the file's own, nearly always 1: interpreters allocate that.
    """
    shape: tuple[int, ...] = reader.numbers(shape_at, "i")
    if len(shape) > _MOST_DIMENSIONS:
        raise DamagedError(f"tensor {index} has {len(shape)} dimensions")
    signature = reader.numbers(signature_at, "i")
    if -1 in signature and len(signature) == len(shape):
        rest = zip(shape[1:], signature[1:], strict=True)
        shape = (*shape[:1], *(-1 if s == -1 else d for d, s in rest))
    if shape and min(shape) < -1:
        raise DamagedError(f"tensor {index} has a dimension of {min(shape)}")
    return shape


def _check_size(shape: tuple[int, ...], dtype: DType, index: int, stored: int | None) -> None:
    elements = math.prod(d for d in shape if d > 0)
    if stored is None:
        if elements > _MOST_ELEMENTS:
            raise DamagedError(f"tensor {index} would have more than {_MOST_ELEMENTS} elements")
        return
    needed = dtype.storage_bytes(elements if 0 not in shape else 0)
    if needed is not None and needed > stored:
        raise DamagedError(f"constant tensor {index} needs {needed} bytes and has {stored}")


def _quantization(reader: Reader, at: int) -> Quantization | None:
    if not at:
        return None
    scales_at, zero_points_at, axis = reader.read(QUANTIZATION, at)
    scales = reader.numbers(scales_at, "f")
    if not scales:
        return None
    return Quantization(scales, reader.numbers(zero_points_at, "q") or (0,) * len(scales), axis)


def _sparsity(reader: Reader, at: int) -> Sparsity | None:
    if not at:
        return None
    order_at, blocks_at, dimensions_at = reader.read(SPARSITY, at)
    dense = tuple(reader.read(DIMENSION, table)[0] == 0 for table in reader.tables(DIMENSION, dimensions_at))
    return Sparsity(reader.numbers(order_at, "i"), reader.numbers(blocks_at, "i"), dense)


def _values(reader: Reader, extent: Extent, shape: tuple[int, ...], dtype: DType) -> tuple[int, ...] | None:
    code = _VALUE_CODES.get(dtype)
    count = math.prod(shape)
    if code is None or not 0 < count <= _MOST_VALUES:
        return None
    pattern = struct.Struct(f"<{count}{code}")
    reader.spend(pattern.size)
    return pattern.unpack_from(reader.data, extent.start)
