"""Bytes that an operator reads and writes."""

from __future__ import annotations

from typing import NamedTuple

from ..tensor import Tensor
from .work import Site, UncountableError, extent


class Traffic(NamedTuple):
    weights: int
    inputs: int
    outputs: int


def traffic(at: Site) -> Traffic:
    """Each operand once; constants as stored, so that a sparse one counts what it takes in the file."""
    weights = inputs = outputs = 0
    for tensor in at.inputs:
        if tensor is None:
            continue
        if tensor.is_constant:
            weights += tensor.stored_bytes
        else:
            inputs += _size(tensor)
    for tensor in at.outputs:
        outputs += _size(tensor)
    return Traffic(weights, inputs, outputs)


def _size(tensor: Tensor) -> int:
    size = tensor.bytes
    if size is not None:
        return size
    if tensor.elements is None:
        raise UncountableError(f"a shape of {extent(tensor.shape)} is not known before run time")
    raise UncountableError(f"elements of type {tensor.dtype} have no fixed size")
