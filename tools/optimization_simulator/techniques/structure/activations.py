"""Costly activation functions replaced by one that kernels do in passing."""

from __future__ import annotations

from ....core.records import replace
from ....graph import ModelGraph, Op
from .edit import GraphEdit
from .fusing import absorb
from .layers import Layers, chosen

COSTLY = frozenset({"HARD_SWISH", "GELU", "ELU", "LEAKY_RELU", "PRELU"})


def rectified(graph: ModelGraph, kind: str, layers: Layers = ()) -> ModelGraph:
    """HARD_SWISH, GELU, ELU, LEAKY_RELU, PRELU and x*LOGISTIC(x) become RELU6 or RELU, fused where possible.

    Args:
        graph: any model.
        kind: RELU6 or RELU.
        layers: the activations to replace; none takes all.

    Raises:
        UsageError: there is none, or a layer named is none.
    """
    edit = GraphEdit(graph)
    swishes = dict(_swishes(edit))

    def why_not(op: Op) -> str | None:
        if op.kind in COSTLY or op.index in swishes:
            return None
        return f"is a {op.label}: not an activation that {kind} could stand for"

    none = f"there is no {', no '.join(sorted(COSTLY))} and no x*LOGISTIC(x) in it"
    for op in chosen(graph, layers, why_not, none):
        data = op.inputs[0]
        if op.index in swishes:
            gate = swishes[op.index]
            data = gate.inputs[0]
            edit.readers[data] = [r for r in edit.readers[data] if r.index != gate.index]
            edit.put(gate)
        single = replace(op, inputs=(data,))
        if not absorb(edit, single, kind):
            edit.put(op, edit.op(kind, (data,), op.outputs[0], {}))
    return edit.done()


def _swishes(edit: GraphEdit) -> list[tuple[int, Op]]:
    """MUL of x and LOGISTIC of x: index of the MUL, and the LOGISTIC."""
    found = []
    for op in edit.main.ops:
        if op.kind != "MUL" or len(op.inputs) != 2:
            continue
        for data, gate in (op.inputs, op.inputs[::-1]):
            source = edit.producers.get(gate)
            if source is not None and source.kind == "LOGISTIC" and source.inputs[0] == data:
                if edit.is_read_once(gate):
                    found.append((op.index, source))
                break
    return found
