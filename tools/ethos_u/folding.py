"""What Vela computes ahead, so that neither NPU nor CPU does."""

from __future__ import annotations

from ..graph import Subgraph

_READS_SHAPES = frozenset({"SHAPE", "RANK"})


def computed_ahead(subgraph: Subgraph) -> frozenset[int]:
    """Operators whose result follows from constants and from shapes; an open batch counts as 1."""
    tensors = subgraph.tensors
    known = {t.index for t in tensors if t.is_constant}
    ahead = set()
    for op in subgraph.ops:
        inputs = [i for i in op.inputs if i >= 0]
        of_shape = op.kind in _READS_SHAPES and all(-1 not in tensors[i].shape[1:] for i in inputs)
        if inputs and (of_shape or known.issuperset(inputs)):
            ahead.add(op.index)
            known.update(op.outputs)
    return frozenset(ahead)
