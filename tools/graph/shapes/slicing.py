"""Output shapes of operators that take parts of what they get."""

from __future__ import annotations

from typing import NamedTuple

from .operands import UNKNOWN, Operands, Rules, Shape, ShapeError, axis_of, divided, known, total


def slice_(at: Operands) -> list[Shape]:
    """Inputs: data, begin, size; a size of -1 reaches to the end."""
    data, begin, size = at.shape(0), at.integers(1), at.integers(2)
    if not len(data) == len(begin) == len(size):
        raise ShapeError(f"begin and size do not fit {len(data)} dimensions")
    made = []
    for dimension, first, extent in zip(data, begin, size, strict=True):
        left = dimension - first if known(dimension) else UNKNOWN
        if known(dimension) and (first < 0 or max(extent, 0) > left):
            raise ShapeError(f"{extent} from {first} on is more than a dimension of {dimension} has")
        made.append(left if extent < 0 else extent)
    return [tuple(made)]


class Cut(NamedTuple):
    """What STRIDED_SLICE does to one dimension of its input, or a dimension that it adds."""

    axis: int | None
    """None for a new dimension of 1."""
    spec: int
    """Position in begin, end and strides; -1 where the dimension is taken whole."""
    shrinks: bool


def cuts(at: Operands) -> list[Cut]:
    """The cuts in order: an ellipsis stands for the dimensions that nothing else names."""
    rank, specs = len(at.shape(0)), len(at.integers(1))
    if specs > _MOST_SPECS or any(len(at.integers(position)) != specs for position in (2, 3)):
        raise ShapeError("begin, end and strides do not go together")
    new, shrink, ellipsis = (at.op.option_int(f"{name}_mask", 0) for name in _MASKS)
    named = sum(1 for i in range(specs) if not (new | ellipsis) >> i & 1)
    found: list[Cut] = []
    axis = 0
    for spec in range(specs):
        if ellipsis >> spec & 1:
            found += [Cut(axis + i, -1, False) for i in range(rank - named)]
            axis += max(rank - named, 0)
        elif new >> spec & 1:
            found.append(Cut(None, spec, False))
        else:
            found.append(Cut(axis, spec, bool(shrink >> spec & 1)))
            axis += 1
    if axis > rank:
        raise ShapeError(f"it cuts {axis} dimensions of {rank}")
    return found + [Cut(i, -1, False) for i in range(axis, rank)]


def strided_slice(at: Operands) -> list[Shape]:
    """Inputs: data, begin, end, strides; options: a bit mask over them for each exception."""
    data = at.shape(0)
    made = []
    for axis, spec, shrinks in cuts(at):
        if axis is None:
            made.append(1)
        elif not shrinks:
            made.append(data[axis] if spec < 0 else _length(at, data[axis], spec))
    return [tuple(made)]


def bounds(at: Operands, spec: int) -> slice:
    """One dimension's slice, as Python understands it."""
    first, last, step = (at.integers(position)[spec] for position in (1, 2, 3))
    if step == 0:
        raise ShapeError("its stride is 0")
    if at.op.options.get("offset"):
        last += first
    begin = None if at.op.option_int("begin_mask", 0) >> spec & 1 else first
    end = None if at.op.option_int("end_mask", 0) >> spec & 1 else last
    return slice(begin, end, step)


def split(at: Operands) -> list[Shape]:
    """Inputs: axis, data."""
    data = at.shape(1)
    axis = axis_of(at.integer(0), len(data))
    count = len(at.recorded_outputs)
    part = divided(data[axis], count, "a dimension")
    return [(*data[:axis], part, *data[axis + 1 :])] * count


def split_v(at: Operands) -> list[Shape]:
    """Inputs: data, sizes, axis; one size may be -1 and takes what is left."""
    data, sizes = at.shape(0), at.integers(1)
    axis = axis_of(at.integer(2), len(data))
    fixed = sum(size for size in sizes if size >= 0)
    left = data[axis] - fixed if known(data[axis]) else UNKNOWN
    sizes = [left if size < 0 else size for size in sizes]
    if known(data[axis]) and total(sizes) != data[axis]:
        raise ShapeError(f"its parts do not make up a dimension of {data[axis]}")
    return [(*data[:axis], size, *data[axis + 1 :]) for size in sizes]


def gather(at: Operands) -> list[Shape]:
    data, indices = at.shape(0), at.shape(1)
    axis = axis_of(at.op.option_int("axis", 0), len(data))
    shared = at.op.option_int("batch_dims", 0)
    return [(*data[:axis], *indices[shared:], *data[axis + 1 :])]


def gather_nd(at: Operands) -> list[Shape]:
    data, indices = at.shape(0), at.shape(1)
    if not indices or not 0 <= indices[-1] <= len(data):
        raise ShapeError("its indices do not fit its data")
    return [(*indices[:-1], *data[indices[-1] :])]


def embedding_lookup(at: Operands) -> list[Shape]:
    return [(*at.shape(0), *at.shape(1)[1:])]


def _length(at: Operands, dimension: int, spec: int) -> int:
    cut = bounds(at, spec)
    return len(range(*cut.indices(dimension))) if known(dimension) else UNKNOWN


_MOST_SPECS = 32
"""Bits of a mask."""
_MASKS = ("new_axis", "shrink_axis", "ellipsis")
RULES: Rules = {
    "SLICE": slice_,
    "STRIDED_SLICE": strided_slice,
    "SPLIT": split,
    "SPLIT_V": split_v,
    "GATHER": gather,
    "GATHER_ND": gather_nd,
    "EMBEDDING_LOOKUP": embedding_lookup,
}
