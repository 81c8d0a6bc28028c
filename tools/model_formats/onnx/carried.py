"""Shapes of what a loop hands from turn to turn, which ONNX lets change and networks leave as they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_AHEAD = 2
"""Inputs of a loop, and of its body, ahead of what is carried: how often and whether at all."""

_WITHOUT_END = 1 << 31


def carry_shapes(onnx: Any, graph: Any) -> bool:
    """Give the bodies of loops the shapes of what they are first given; whether one was new.

    The number of the turn, and whether it is run, are scalars. What a loop gives out has the shapes that its
    body makes, once a turn where they are stacked.
    """
    known = {v.name: v for v in (*graph.value_info, *graph.output, *graph.input)}
    changed = False
    for node in graph.node:
        body = next((a.g for a in node.attribute if a.name == "body" and a.HasField("g")), None)
        if node.op_type != "Loop" or body is None or node.domain not in {"", "ai.onnx"}:
            continue
        carried = node.input[_AHEAD:]
        for turn in body.input[:_AHEAD]:
            changed |= not turn.type.tensor_type.HasField("shape")
            turn.type.tensor_type.shape.SetInParent()
        for given, inner in zip(carried, body.input[_AHEAD:], strict=False):
            changed |= given in known and _take(inner.type, known[given].type, [])
        turns = _turns(onnx, graph, node)
        for at, (made, inner) in enumerate(zip(node.output, body.output[1:], strict=False)):
            stacked = [] if at < len(carried) else [turns]
            changed |= made in known and _take(known[made].type, inner.type, stacked)
    return changed


def _turns(onnx: Any, graph: Any, node: Any) -> int | None:
    held: Mapping[str, Any] = {tensor.name: tensor for tensor in graph.initializer}
    most = held.get(node.input[0]) if node.input else None
    return None if most is None else turns_of(onnx.numpy_helper.to_array(most).reshape(-1)[0])


def turns_of(most: float) -> int | None:
    """A trip count; None for one that no network has, which means that the body ends the loop."""
    return max(int(most), 0) if most < _WITHOUT_END else None


def _take(to: Any, of: Any, ahead: list[int | None]) -> bool:
    """Let a type without a shape have that of another, behind some dimensions; whether it was new."""
    if not of.HasField("tensor_type") or not of.tensor_type.HasField("shape") or _is_known(to):
        return False
    to.tensor_type.elem_type = to.tensor_type.elem_type or of.tensor_type.elem_type
    before = to.tensor_type.SerializeToString()
    to.tensor_type.ClearField("shape")
    for size in ahead:
        dimension = to.tensor_type.shape.dim.add()
        if size is not None:
            dimension.dim_value = size
    to.tensor_type.shape.dim.extend(of.tensor_type.shape.dim)
    return bool(to.tensor_type.SerializeToString() != before)


def _is_known(kind: Any) -> bool:
    """A sequence is no tensor, and has a shape of its own."""
    if kind.WhichOneof("value") not in {None, "tensor_type"}:
        return True
    shape = kind.tensor_type.shape
    return kind.tensor_type.HasField("shape") and all(d.HasField("dim_value") for d in shape.dim)
