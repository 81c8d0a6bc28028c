"""What small integer tensors hold, where that follows from constants and shapes.

Exporters compute the target of a RESHAPE from the SHAPE of something earlier; to know the one is to follow
the other. An unknown dimension stands as -1 and takes part in no arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ..tensor import Tensor
from .operands import Content, Operands, Shape, ShapeError, axis_of, product
from .slicing import bounds, cuts

_MOST_ELEMENTS = 256
_LARGEST = 2**31 - 1

Fold = Callable[[Operands, Shape], Content]


def content_of(tensor: Tensor) -> Content | None:
    """What a constant of integers holds; None where it is not small."""
    if tensor.values is None or len(tensor.values) != tensor.elements:
        return None
    return np.array(tensor.values, dtype=np.int64).reshape(tensor.shape)


def fold(at: Operands, outputs: Sequence[Shape]) -> list[Content | None]:
    """Contents of the outputs; None where they are not known."""
    unknown: list[Content | None] = [None] * len(outputs)
    rule = _FOLDS.get(at.op.kind)
    if rule is None or len(outputs) != 1 or not 0 <= product(outputs[0]) <= _MOST_ELEMENTS:
        return unknown
    try:
        made = rule(at, outputs[0])
    except (_NotKnownError, ShapeError, ValueError, IndexError):
        return unknown
    believable = made.shape == outputs[0] and bool(np.all(np.abs(made) <= _LARGEST))
    return [made] if believable else unknown


class _NotKnownError(Exception):
    pass


def _content(at: Operands, position: int) -> Content:
    content = at.contents[position] if position < len(at.contents) else None
    if content is None:
        raise _NotKnownError
    return content


def _all(at: Operands) -> list[Content]:
    return [_content(at, position) for position in range(len(at.inputs))]


def _shape(at: Operands, _: Shape) -> Content:
    return np.array(at.shape(0), dtype=np.int64)


def _rank(at: Operands, _: Shape) -> Content:
    return np.array(len(at.shape(0)), dtype=np.int64)


def _unchanged(at: Operands, made: Shape) -> Content:
    return _content(at, 0).reshape(made)


def _pack(at: Operands, made: Shape) -> Content:
    return np.stack(_all(at), axis=axis_of(at.op.option_int("axis", 0), len(made)))


def _concatenation(at: Operands, made: Shape) -> Content:
    return np.concatenate(_all(at), axis=axis_of(at.op.option_int("axis", 0), len(made)))


def _gather(at: Operands, _: Shape) -> Content:
    if at.op.option_int("batch_dims", 0):
        raise _NotKnownError
    return np.take(_content(at, 0), _content(at, 1), axis=at.op.option_int("axis", 0))


def _strided_slice(at: Operands, _: Shape) -> Content:
    index: list[int | slice | None] = []
    for axis, spec, shrinks in cuts(at):
        if axis is None:
            index.append(None)
        elif spec < 0:
            index.append(slice(None))
        elif shrinks:
            index.append(0 if at.op.option_int("begin_mask", 0) >> spec & 1 else at.integers(1)[spec])
        else:
            index.append(bounds(at, spec))
    return np.asarray(_content(at, 0)[tuple(index)])


def _slice(at: Operands, made: Shape) -> Content:
    begin = at.integers(1)
    return _content(at, 0)[tuple(slice(b, b + n) for b, n in zip(begin, made, strict=True))]


def _fill(at: Operands, made: Shape) -> Content:
    return np.full(made, _content(at, 1))


def _range(at: Operands, _: Shape) -> Content:
    return np.arange(*(at.integer(position) for position in range(3)), dtype=np.int64)


def _reduce_prod(at: Operands, made: Shape) -> Content:
    data = _content(at, 0)
    if bool(np.any(data < 0)):
        raise _NotKnownError
    axes = tuple(axis_of(axis, data.ndim) for axis in at.integers(1))
    return np.asarray(np.prod(data, axis=axes)).reshape(made)


def _arithmetic(function: Callable[[Content, Content], Content]) -> Fold:
    def folded(at: Operands, _: Shape) -> Content:
        left, right = _content(at, 0), _content(at, 1)
        if bool(np.any(left < 0)) or bool(np.any(right < 0)):
            raise _NotKnownError
        return np.asarray(function(left, right))

    return folded


def _quotient(left: Content, right: Content) -> Content:
    if bool(np.any(right == 0)):
        raise _NotKnownError
    return left // right


_FOLDS: Mapping[str, Fold] = {
    "SHAPE": _shape,
    "RANK": _rank,
    **dict.fromkeys(("CAST", "RESHAPE", "SQUEEZE", "EXPAND_DIMS"), _unchanged),
    "PACK": _pack,
    "CONCATENATION": _concatenation,
    "GATHER": _gather,
    "STRIDED_SLICE": _strided_slice,
    "SLICE": _slice,
    "FILL": _fill,
    "RANGE": _range,
    "REDUCE_PROD": _reduce_prod,
    "ADD": _arithmetic(np.add),
    "SUB": _arithmetic(np.subtract),
    "MUL": _arithmetic(np.multiply),
    "DIV": _arithmetic(_quotient),
    "FLOOR_DIV": _arithmetic(_quotient),
    "MAXIMUM": _arithmetic(np.maximum),
    "MINIMUM": _arithmetic(np.minimum),
}
