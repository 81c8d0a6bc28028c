"""Operators that Vela leaves out of what it compiles, because nothing needs their result."""

from __future__ import annotations

from collections.abc import Callable

from ..graph import Op, Subgraph


def unneeded(subgraph: Subgraph, taken: Callable[[Op], bool]) -> frozenset[int]:
    """Operators whose results lead to no output of the model.

    A reshape on the NPU goes by the shape of its output, so that what computes its second input is left out.

    Args:
        taken: whether the NPU computes an operator.
    """
    wanted = set(subgraph.outputs)
    left_out = set()
    for op in reversed(subgraph.ops):
        if op.outputs and wanted.isdisjoint(op.outputs):
            left_out.add(op.index)
        elif op.kind == "RESHAPE" and taken(op):
            wanted.update(op.inputs[:1])
        else:
            wanted.update(op.inputs)
    return frozenset(left_out)
