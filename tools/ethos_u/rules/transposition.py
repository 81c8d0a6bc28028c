"""Which transpositions Ethos-U55 and Ethos-U65 take; Ethos-U85 takes any of up to eight dimensions."""

from __future__ import annotations

import itertools
import math

from ...graph import DType
from .npu_operator import NpuOperator, Rule, extent

_AXIS = 1 << 16
_DEPTH_32_BITS = 1 << 15
_DEPTH_32_BITS_ROWS = 1 << 14
_MOST_DIMENSIONS = 8
_IMAGE = 3
"""Height, width and channels."""
_ROWS, _CHANNELS = (1, 0, 2), (0, 2, 1)
"""Height with width, and width with channels, exchanged."""


def dimensions(case: NpuOperator) -> str | None:
    """A transposition has at most 8 dimensions."""
    if case.kind != "TRANSPOSE":
        return None
    rank = len(case.feature_maps_in[0].shape)
    return f"it has {rank}" if rank > _MOST_DIMENSIONS else None


def of_32_bits(case: NpuOperator) -> str | None:
    """Ethos-U55 and Ethos-U65 transpose 32 bits only where two neighbours of the last three axes change."""
    order = _order(case)
    if order is None or case.feature_maps_in[0].dtype is not DType.INT32:
        return None
    shape = case.image
    text = f"{extent(shape)} in the order {extent(order)}"
    if len(shape) > 4:
        return text
    moved = _moved(order)
    if moved == tuple(range(_IMAGE)):
        return text if shape[3] > _DEPTH_32_BITS else None
    if moved == _ROWS:
        fits = shape[0] == 1 and max(shape[1:3]) <= _AXIS and shape[3] <= _DEPTH_32_BITS_ROWS
    else:
        fits = moved == _CHANNELS and max(shape[0] * shape[1], *shape[2:]) <= _AXIS
    return None if fits else text


def of_few_bits(case: NpuOperator) -> str | None:
    """Ethos-U55 and Ethos-U65 exchange height, width, channels of up to 65536 each, else smaller tensors."""
    order = _order(case)
    if order is None or (case.feature_maps_in[0].dtype.bits or 0) > 16 or list(order) == sorted(order):
        return None
    shape = case.feature_maps_in[0].shape
    outside = len(shape) - _IMAGE
    if math.prod(shape[:-_IMAGE]) == 1 and _moved(order) is not None:
        fits = max(shape[-_IMAGE:]) <= _AXIS
    else:
        chosen = itertools.combinations(shape, max(outside + 1, 1))
        fits = max(map(math.prod, chosen)) <= _AXIS
    return None if fits else f"{extent(shape)} in the order {extent(order)}"


def _order(case: NpuOperator) -> tuple[int, ...] | None:
    if case.is_u85 or case.kind != "TRANSPOSE":
        return None
    return case.values(1)


def _moved(order: tuple[int, ...]) -> tuple[int, ...] | None:
    """The order of height, width and channels among themselves; None where they do not stay together."""
    padded = (*range(4 - len(order)), *(axis + max(4 - len(order), 0) for axis in order))
    outside = len(padded) - _IMAGE
    if sorted(padded[:outside]) != list(range(outside)):
        return None
    return tuple(axis - outside for axis in padded[outside:])


RULES: tuple[Rule, ...] = (dimensions, of_32_bits, of_few_bits)
