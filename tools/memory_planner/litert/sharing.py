"""Which tensors LiteRT's operators write into their input's memory.

Follows google-ai-edge/LiteRT at f6745779: IdentifyInPlaceTensors in tflite/arena_planner.cc, and what kernels
register as `inplace_operator` (tflite/kernels: activations, add, bitcast, div, dynamic_update_slice,
expand_dims, mul, reshape, squeeze, sub).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence

from ...graph import Op, Subgraph
from ..liveness import Buffer

_VIEWS = frozenset({"BITCAST", "EXPAND_DIMS", "RESHAPE", "SQUEEZE"})
"""What leaves its first input as it is."""
_MAY_WRITE_OVER = {
    "ADD": 2, "DIV": 2, "DYNAMIC_UPDATE_SLICE": 1, "MUL": 2, "SOFTMAX": 1, "SUB": 2,
}  # fmt: skip
"""How many of its inputs, from the first, an operator may write over."""
_SCALAR_BYTES = 4


def shared_tensors(sub: Subgraph) -> dict[int, int]:
    """For each tensor that has no memory of its own, the one whose memory it takes."""
    references = Counter(t for op in sub.ops for t in op.inputs if t >= 0)
    references.update(t for t in (*sub.outputs, *sub.inputs) if t >= 0)
    references.update(t.index for t in sub.tensors if t.is_variable)
    holders: dict[int, int] = {}
    inputs, outputs = set(sub.inputs), set(sub.outputs)
    for op in sub.ops:
        if op.outputs and op.outputs[0] in outputs:
            continue
        shared = _shared_input(op, sub, inputs, references) if op.outputs and op.outputs[0] >= 0 else None
        if shared is None:
            continue
        holder = holders.get(shared, shared)
        if op.kind in _VIEWS or references[holder] <= 1:
            holders[op.outputs[0]] = holder
    return holders


def _shared_input(op: Op, sub: Subgraph, inputs: Container[int], references: Mapping[int, int]) -> int | None:
    is_view, output = op.kind in _VIEWS, sub.tensors[op.outputs[0]]
    if output.is_variable:
        return None
    for tensor in op.inputs[: 1 if is_view else _MAY_WRITE_OVER.get(op.kind, 0)]:
        if tensor < 0 or tensor in inputs:
            continue
        given = sub.tensors[tensor]
        if given.is_constant or given.is_variable:
            continue
        size = given.bytes or 0
        if is_view or (size == output.bytes and size > _SCALAR_BYTES and references[tensor] <= 1):
            return tensor
    return None


def merged_buffers(sub: Subgraph, buffers: Sequence[Buffer]) -> tuple[list[Buffer], dict[int, int]]:
    """Buffers that have memory of their own, alive as long as what shares it, and who shares whose."""
    own = {b.tensor: b for b in buffers if b.subgraph == 0 and b.tensor is not None}
    holders = {t: holder for t, holder in shared_tensors(sub).items() if t in own and holder in own}
    last = {holder: own[holder].last for holder in holders.values()}
    for tensor, holder in holders.items():
        last[holder] = max(last[holder], own[tensor].last)
    kept = [
        b if b.subgraph or b.tensor not in last else b._replace(last=last[b.tensor])
        for b in buffers
        if b.subgraph or b.tensor not in holders
    ]
    return kept, holders
