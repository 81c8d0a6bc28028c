"""Output shapes of operators that rearrange what they get."""

from __future__ import annotations

from ..costs.work import extent
from .operands import (
    UNKNOWN,
    Operands,
    Rules,
    Shape,
    ShapeError,
    axis_of,
    divided,
    known,
    product,
    scaled,
    total,
)


def reshape(at: Operands) -> list[Shape]:
    """The target stands in input 1, or in the options; one -1 takes what is left."""
    data = at.shape(0)
    target = at.integers(1) if at.has(1) else list(at.tuple_option("new_shape"))
    open_, count = [i for i, d in enumerate(target) if d < 0], product(data)
    if not known(count) or len(open_) > 1:
        return [tuple(max(d, UNKNOWN) for d in target)]
    fixed = product([d for d in target if d >= 0])
    if open_ and fixed > 0 and count % fixed == 0:
        target[open_[0]] = count // fixed
    elif open_ or fixed != count:
        raise ShapeError(f"{extent(data)} does not reshape to {extent(target)}")
    return [tuple(target)]


def squeeze(at: Operands) -> list[Shape]:
    """Drops the dimensions listed, or every dimension of 1."""
    data = at.shape(0)
    axes = {axis_of(axis, len(data)) for axis in at.tuple_option("squeeze_dims")}
    if any(data[axis] not in (1, UNKNOWN) for axis in axes):
        raise ShapeError(f"{extent(data)} has more than 1 in a dimension that is dropped")
    dropped = axes or {i for i, d in enumerate(data) if d == 1}
    return [tuple(d for i, d in enumerate(data) if i not in dropped)]


def expand_dims(at: Operands) -> list[Shape]:
    data = at.shape(0)
    axis = axis_of(at.integer(1), len(data) + 1)
    return [(*data[:axis], 1, *data[axis:])]


def transpose(at: Operands) -> list[Shape]:
    data, order = at.shape(0), at.integers(1)
    axes = [axis_of(axis, len(data)) for axis in order]
    if sorted(axes) != list(range(len(data))):
        raise ShapeError(f"{order} is no order of {len(data)} dimensions")
    return [tuple(data[axis] for axis in axes)]


def concatenation(at: Operands) -> list[Shape]:
    parts = at.present()
    axis = axis_of(at.op.option_int("axis", 0), _common_rank(parts))
    rest = _common([(*part[:axis], *part[axis + 1 :]) for part in parts])
    return [(*rest[:axis], total([part[axis] for part in parts]), *rest[axis:])]


def pack(at: Operands) -> list[Shape]:
    parts = at.present()
    shape = _common(parts)
    axis = axis_of(at.op.option_int("axis", 0), len(shape) + 1)
    return [(*shape[:axis], len(parts), *shape[axis:])]


def unpack(at: Operands) -> list[Shape]:
    data = at.shape(0)
    axis = axis_of(at.op.option_int("axis", 0), len(data))
    count = len(at.recorded_outputs)
    if known(data[axis]) and data[axis] != count:
        raise ShapeError(f"it unpacks {count} parts of a dimension of {data[axis]}")
    return [(*data[:axis], *data[axis + 1 :])] * count


def space_to_depth(at: Operands) -> list[Shape]:
    batch, height, width, channels = at.shape(0, 4)
    block = at.op.option_int("block_size", 1)
    sides = [divided(side, block, "a side") for side in (height, width)]
    return [(batch, *sides, scaled(channels, block**2))]


def depth_to_space(at: Operands) -> list[Shape]:
    batch, height, width, channels = at.shape(0, 4)
    block = at.op.option_int("block_size", 1)
    return [(batch, scaled(height, block), scaled(width, block), divided(channels, block**2, "a depth"))]


def space_to_batch(at: Operands) -> list[Shape]:
    """Inputs: data, block [n], paddings [n, 2]."""
    batch, sides, rest, blocks, edges = _blocks(at)
    padded = [total([side, *both]) for side, both in zip(sides, edges, strict=True)]
    made = [divided(side, block, "a padded side") for side, block in zip(padded, blocks, strict=True)]
    return [(scaled(batch, product(blocks)), *made, *rest)]


def batch_to_space(at: Operands) -> list[Shape]:
    """Inputs: data, block [n], crops [n, 2]."""
    batch, sides, rest, blocks, edges = _blocks(at)
    grown = [scaled(side, block) for side, block in zip(sides, blocks, strict=True)]
    made = [side - sum(both) if known(side) else UNKNOWN for side, both in zip(grown, edges, strict=True)]
    return [(divided(batch, product(blocks), "a batch"), *made, *rest)]


def matrix_diag(at: Operands) -> list[Shape]:
    data = at.shape(0)
    return [(*data, data[axis_of(-1, len(data))])]


def _blocks(at: Operands) -> tuple[int, Shape, Shape, list[int], list[tuple[int, int]]]:
    data, blocks, flat = at.shape(0), at.integers(1), at.integers(2)
    if len(flat) != 2 * len(blocks) or len(data) <= len(blocks):
        raise ShapeError(f"{len(blocks)} blocks and {len(flat)} edges do not fit {len(data)} dimensions")
    edges = list(zip(flat[::2], flat[1::2], strict=True))
    return data[0], data[1 : 1 + len(blocks)], data[1 + len(blocks) :], blocks, edges


def _common_rank(shapes: list[Shape]) -> int:
    ranks = {len(shape) for shape in shapes}
    if len(ranks) != 1:
        raise ShapeError(f"{' and '.join(extent(s) for s in shapes) or 'nothing'} cannot be joined")
    return ranks.pop()


def _common(shapes: list[Shape]) -> Shape:
    """The shape that all have, with what only some of them know."""
    _common_rank(shapes)
    merged = []
    for dimensions in zip(*shapes, strict=True):
        sizes = {d for d in dimensions if d >= 0}
        if len(sizes) > 1:
            raise ShapeError(f"parts of {' and '.join(str(d) for d in sorted(sizes))} do not go together")
        merged.append(sizes.pop() if sizes else UNKNOWN)
    return tuple(merged)


RULES: Rules = {
    "RESHAPE": reshape,
    "SQUEEZE": squeeze,
    "EXPAND_DIMS": expand_dims,
    "TRANSPOSE": transpose,
    "CONCATENATION": concatenation,
    "PACK": pack,
    "UNPACK": unpack,
    "SPACE_TO_DEPTH": space_to_depth,
    "DEPTH_TO_SPACE": depth_to_space,
    "SPACE_TO_BATCH_ND": space_to_batch,
    "BATCH_TO_SPACE_ND": batch_to_space,
    "MATRIX_DIAG": matrix_diag,
}
