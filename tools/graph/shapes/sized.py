"""Output shapes that an integer input states: how much to pad, how often to repeat, how large to make it."""

from __future__ import annotations

from ..costs.work import extent
from .operands import UNKNOWN, Operands, Rules, Shape, ShapeError, axis_of, broadcast, scaled, total


def pad(at: Operands) -> list[Shape]:
    """Inputs: data, paddings [rank, 2]."""
    data, edges = at.shape(0), at.integers(1)
    if len(edges) != 2 * len(data):
        raise ShapeError(f"{len(edges)} paddings do not fit {len(data)} dimensions")
    sides = zip(data, edges[::2], edges[1::2], strict=True)
    return [tuple(total([d, before, after]) for d, before, after in sides)]


def tile(at: Operands) -> list[Shape]:
    data, repeats = at.shape(0), at.integers(1)
    if len(repeats) != len(data):
        raise ShapeError(f"{len(repeats)} multiples do not fit {len(data)} dimensions")
    return [tuple(scaled(d, max(times, UNKNOWN)) for d, times in zip(data, repeats, strict=True))]


def resize(at: Operands) -> list[Shape]:
    """Inputs: image [n, h, w, c], size (h, w)."""
    batch, _, _, channels = at.shape(0, 4)
    size = at.integers(1)
    if len(size) != 2:
        raise ShapeError(f"its size has {len(size)} numbers, not 2")
    return [(batch, *size, channels)]


def broadcast_to(at: Operands) -> list[Shape]:
    target = tuple(at.integers(1))
    made = broadcast([at.shape(0), target])
    if made != target:
        raise ShapeError(f"{extent(at.shape(0))} does not broadcast to {extent(target)}")
    return [target]


def fill(at: Operands) -> list[Shape]:
    return [tuple(at.integers(0))]


def scatter_nd(at: Operands) -> list[Shape]:
    """Inputs: indices, updates, shape."""
    return [tuple(at.integers(2))]


def sparse_to_dense(at: Operands) -> list[Shape]:
    return [tuple(at.integers(1))]


def one_hot(at: Operands) -> list[Shape]:
    """Inputs: indices, depth, value where on, value where off."""
    indices, depth = at.shape(0), at.integer(1)
    axis = axis_of(at.op.option_int("axis", -1), len(indices) + 1)
    return [(*indices[:axis], depth, *indices[axis:])]


def top_k(at: Operands) -> list[Shape]:
    data, count = at.shape(0), at.integer(1)
    return [(*data[:-1], count), (*data[:-1], count)]


def shape_of(at: Operands) -> list[Shape]:
    return [(len(at.shape(0)),)]


def rank(at: Operands) -> list[Shape]:
    at.shape(0)
    return [()]


def range_(at: Operands) -> list[Shape]:
    """Inputs: start, limit, step."""
    start, limit, step = (at.integer(position) for position in range(3))
    if step == 0:
        raise ShapeError("its step is 0")
    return [(len(range(start, limit, step)),)]


RULES: Rules = {
    "PAD": pad,
    "PADV2": pad,
    "MIRROR_PAD": pad,
    "TILE": tile,
    "RESIZE_BILINEAR": resize,
    "RESIZE_NEAREST_NEIGHBOR": resize,
    "BROADCAST_TO": broadcast_to,
    "FILL": fill,
    "RANDOM_UNIFORM": fill,
    "RANDOM_STANDARD_NORMAL": fill,
    "SCATTER_ND": scatter_nd,
    "SPARSE_TO_DENSE": sparse_to_dense,
    "ONE_HOT": one_hot,
    "TOPK_V2": top_k,
    "SHAPE": shape_of,
    "RANK": rank,
    "RANGE": range_,
}
