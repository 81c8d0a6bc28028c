"""Bytes that an operator reads and writes."""

from __future__ import annotations

from typing import NamedTuple

from ..dtypes import DType
from ..tensor import Tensor
from .families import RECURRENT
from .work import OpContext, UncountableError, elements, extent


class Traffic(NamedTuple):
    """Bytes of constants and of activations read, and of activations written."""

    weights: int = 0
    inputs: int = 0
    outputs: int = 0


NO_TRAFFIC = Traffic()

_READS_A_PART = {"GATHER": 0, "GATHER_ND": 0, "EMBEDDING_LOOKUP": 1, "SLICE": 0, "STRIDED_SLICE": 0}
"""Position of the input of which only what is put out is read."""
_READS_THE_SHAPE_ONLY = frozenset({"SHAPE", "RANK", "ZEROS_LIKE"})


def traffic(at: OpContext) -> Traffic:
    """Each operand once; constants as stored, so that a sparse one counts what it takes in the file.

    Of a table or of a tensor that is sliced only what is put out is read. The state of a recurrent layer
    is read and written. A resource is a handle, and what stands behind it is read or written.
    """
    outputs = sum([_size(tensor) for tensor in at.outputs])
    if at.op.kind in _READS_THE_SHAPE_ONLY:
        return Traffic(outputs=outputs)
    part = _READS_A_PART.get(at.op.kind)
    weights = inputs = 0
    for position, tensor in enumerate(at.inputs):
        if tensor is None:
            continue
        if tensor.is_constant:
            weights += _read(tensor, at) if position == part else tensor.stored_bytes
        else:
            inputs += _read(tensor, at) if position == part else _size(tensor)
    if at.op.kind in RECURRENT:
        outputs += sum([_size(tensor) for tensor in at.inputs if tensor is not None and tensor.is_variable])
    if at.op.kind == "READ_VARIABLE":
        inputs += outputs
    if at.op.kind == "ASSIGN_VARIABLE":
        outputs += inputs
    return Traffic(weights, inputs, outputs)


def _read(table: Tensor, at: OpContext) -> int:
    """As many elements as are put out, in the type that they are kept in."""
    return table.dtype.storage_bytes(elements(at.output())) or 0


def _size(tensor: Tensor) -> int:
    size = tensor.bytes
    if size is not None:
        return size
    if tensor.dtype is DType.RESOURCE:
        return 0
    if tensor.elements is None:
        raise UncountableError(f"a shape of {extent(tensor.shape)} is not known before run time")
    raise UncountableError(f"elements of type {tensor.dtype} have no fixed size")
