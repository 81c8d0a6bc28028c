"""Sizes that an exporter froze into options and constants, as it would freeze them for other inputs.

A pool over the whole image stays global, an enlargement keeps its factor, a reshape keeps its batch, a
slice of a whole dimension stays whole, a transposed convolution grows by its stride.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import field

import numpy as np

from ...core.records import dataclass, replace
from ..costs.work import extent
from ..model import OptionValue
from .operands import Operands, Shape, ShapeError, known, product
from .windowed import slid

Contents = dict[int, list[int]]


@dataclass(frozen=True)
class Adaptation:
    """Options that change, and the new content of constant inputs by position."""

    options: Mapping[str, OptionValue] = field(default_factory=dict)
    contents: Contents = field(default_factory=dict)


AS_IT_IS = Adaptation()


def adapt(at: Operands) -> Adaptation:
    """What changes in an operator because its inputs have another shape than was recorded.

    Raises:
        ShapeError: where its frozen sizes cannot follow.
    """
    rule = _RULES.get(at.op.kind)
    return AS_IT_IS if rule is None else rule(at)


def _reshape(at: Operands) -> Adaptation:
    before, data, made = at.recorded(0), at.shape(0), at.recorded_output()
    if not before or not data or not made or not known(*before, *data, *made):
        return AS_IT_IS
    target = at.integers(1) if at.has(1) else list(at.tuple_option("new_shape"))
    frozen = not at.has(1) or at.is_constant(1)
    place, size = _grown_dimension(before, data, made)
    if frozen and 0 <= place < len(target) == len(made) and target[place] >= 0:
        target[place] = size
        options = {"new_shape": tuple(target)} if at.tuple_option("new_shape") else {}
        return Adaptation(options, {1: target} if at.has(1) else {})
    if made[0] == before[0] and target and target[0] < 0 and product(made[1:]) != product(data[1:]):
        raise ShapeError(f"{extent(data)} does not reshape to {extent((data[0], *made[1:]))}")
    return AS_IT_IS


def _grown_dimension(before: Shape, data: Shape, made: Shape) -> tuple[int, int]:
    """The one output dimension that the change of the input lies in, and its new size; -1 where none is sure.

    A change of the batch alone lies in dimension 0. One of other dimensions lies where their product is
    a factor: 6×6 positions with 5 boxes each make 180 rows, 12×12 make 720.
    """
    if len(before) != len(data):
        return -1, 0
    changed = [i for i, (old, new) in enumerate(zip(before, data, strict=True)) if old != new]
    old, new = (math.prod(shape[i] for i in changed) for shape in (before, data))
    if changed == [0]:
        places = [0]
    elif 0 in changed or old <= 1:
        places = []
    else:
        places = [i for i, size in enumerate(made) if i > 0 and size % old == 0]
    if len(places) != 1 or old < 1 or made[places[0]] * new % old:
        return -1, 0
    return places[0], made[places[0]] * new // old


def _global_pool(at: Operands) -> Adaptation:
    before, made = at.recorded(0), at.recorded_output()
    _, *sides, _ = at.shape(0, 4)
    names = ("height", "width")
    window = tuple(at.op.option_int(f"filter_{name}", 1) for name in names)
    if before[1:3] != window or made[1:3] != (1, 1) or not known(*sides):
        return AS_IT_IS
    options: dict[str, OptionValue] = {}
    for name, old, new in zip(names, window, sides, strict=True):
        options[f"filter_{name}"] = new
        stride = f"stride_{name[0]}"
        if at.op.option_int(stride, 1) == old:
            options[stride] = new
    return Adaptation(options)


def _resize(at: Operands) -> Adaptation:
    """Enlargements by a whole factor are part of a network; other resizes fit an image to a fixed size."""
    before, data = at.recorded(0), at.shape(0, 4)
    if not at.is_constant(1) or not known(*before, *data):
        return AS_IT_IS
    size = at.integers(1)
    if len(size) != 2 or min(before[1:3]) < 1 or size[0] % before[1] or size[1] % before[2]:
        return AS_IT_IS
    sides = zip(data[1:3], size, before[1:3], strict=True)
    return Adaptation(contents={1: [side * (new // old) for side, new, old in sides]})


def _slice(at: Operands) -> Adaptation:
    before, made = at.recorded(0), at.recorded_output()
    if not at.is_constant(1, 2):
        return AS_IT_IS
    begin, size = at.integers(1), at.integers(2)
    if not len(begin) == len(size) == len(before) == len(made):
        return AS_IT_IS
    dimensions = zip(begin, size, before, strict=True)
    return Adaptation(contents={2: [-1 if b == 0 and n == d else n for b, n, d in dimensions]})


def _strided_slice(at: Operands) -> Adaptation:
    """Only where no mask moves the dimensions, so that each position is a dimension."""
    before = at.recorded(0)
    moved = any(at.op.option_int(f"{name}_mask", 0) for name in ("new_axis", "ellipsis"))
    if moved or at.op.options.get("offset"):
        return AS_IT_IS
    begin, end, strides = (at.integers(position) for position in (1, 2, 3))
    mask = at.op.option_int("end_mask", 0)
    shrunk = at.op.option_int("shrink_axis_mask", 0)
    begun = at.op.option_int("begin_mask", 0)
    for i, (first, last, step, dimension) in enumerate(zip(begin, end, strides, before, strict=False)):
        whole = (first == 0 or begun >> i & 1) and step == 1 and 0 <= dimension <= last
        if whole and not shrunk >> i & 1:
            mask |= 1 << i
    return Adaptation({"end_mask": mask})


def _transposed(at: Operands) -> Adaptation:
    """The recorded size has to be one that the data's size and the stride explain, and so is the new."""
    before, data, made = at.recorded(2), at.shape(2), at.recorded_output()
    if not known(*before, *data, *made) or not at.is_constant(0):
        return AS_IT_IS
    target = at.integers(0)
    if not 3 <= len(before) == len(data) == len(made) == len(target):
        return AS_IT_IS
    target[0] = data[0]
    if before[1:-1] != data[1:-1]:
        target[1:-1] = _grown(at, before, data, made)
    return Adaptation(contents={0: target})


def _grown(at: Operands, before: Shape, data: Shape, made: Shape) -> list[int]:
    names = ("h", "w") if len(data) == 4 else ("d", "h", "w")
    strides = [at.op.option_int(f"stride_{name}", 1) for name in names]
    old, new, out = before[1:-1], data[1:-1], made[1:-1]
    if len(new) != len(strides):
        raise ShapeError(f"its data has {len(data)} dimensions")
    sizes = [o + (n - b) * s for o, n, b, s in zip(out, new, old, strides, strict=True)]
    window = at.shape(1)[1:3] if len(data) == 4 else at.shape(1)[:3]
    if slid(at, sizes, list(window)) != list(new):
        raise ShapeError(f"an output of {extent(sizes)} does not go with data of {extent(new)}")
    return sizes


_RULES: Mapping[str, Callable[[Operands], Adaptation]] = {
    "RESHAPE": _reshape,
    "AVERAGE_POOL_2D": _global_pool,
    "MAX_POOL_2D": _global_pool,
    "L2_POOL_2D": _global_pool,
    "RESIZE_BILINEAR": _resize,
    "RESIZE_NEAREST_NEIGHBOR": _resize,
    "SLICE": _slice,
    "STRIDED_SLICE": _strided_slice,
    "TRANSPOSE_CONV": _transposed,
    "CONV_3D_TRANSPOSE": _transposed,
}


def applied(at: Operands, change: Adaptation) -> Operands:
    """The operator as adapted, with its new contents."""
    contents = list(at.contents)
    for position, values in change.contents.items():
        old = contents[position]
        made = np.array(values, dtype=np.int64)
        contents[position] = made if old is None else made.reshape(old.shape)
    op = replace(at.op, options={**at.op.options, **change.options}) if change.options else at.op
    return replace(at, op=op, contents=tuple(contents))
