"""Lists of integers that MNN computes at every inference out of constants and ranks: which axis or slice."""

from __future__ import annotations

import operator
from collections.abc import Callable

from . import schema
from .network import Net, Operator

RANK = 1 << 20
"""Stands for a rank that is not known: (rank + axis) mod rank is the axis, whichever it is."""
_ARITHMETIC: dict[int, Callable[[int, int], int]] = {
    0: operator.add, 1: operator.sub, 2: operator.mul, 17: operator.mod, 19: operator.mod,
}  # fmt: skip
_SAME = frozenset({"Unsqueeze", "Squeeze", "Cast", "ExpandDims", "Reshape", "ConvertTensor"})
_MOST = 64


def folded(net: Net, op: Operator, kind: str) -> bool:
    """Whether its output is known before the model runs; it is then a constant, or computed out of ranks."""
    if kind == "Rank":
        return _rank(net, op)
    if not op.inputs or any(name not in net.lists for name in op.inputs):
        return False
    found = _computed(net, op, kind, [net.lists[name] for name in op.inputs])
    if found is None or len(op.outputs) != 1 or len(found) > _MOST:
        return False
    if net.of_ranks.isdisjoint(op.inputs):
        net.hold_list(op.outputs[0], found)
        return True
    net.lists[op.outputs[0]] = found
    net.of_ranks.add(op.outputs[0])
    return False


def _rank(net: Net, op: Operator) -> bool:
    name = op.inputs[0]
    if name in net.ranks:
        net.hold_list(op.outputs[0], [net.ranks[name]], is_scalar=True)
        return True
    net.lists[op.outputs[0]] = [RANK]
    net.of_ranks.add(op.outputs[0])
    net.put("Size", [net.then("Shape", [name])], op.outputs)
    return True


def _computed(net: Net, op: Operator, kind: str, given: list[list[int]]) -> list[int] | None:
    if kind in _SAME:
        return given[0]
    if kind == "Concat":
        return [value for each in given for value in each]
    compute = _ARITHMETIC.get(net.fields(schema.WHOLE, op)[0]) if kind == "BinaryOp" else None
    if (
        compute is None
        or {len(each) for each in given} != {1}
        or (compute is operator.mod and not given[1][0])
    ):
        return None
    return [compute(given[0][0], given[1][0])]


def signed(axis: int) -> int:
    """Of an axis that was counted from a rank that is not known."""
    return axis - RANK if axis > RANK // 2 else axis
