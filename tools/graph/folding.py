"""Constants taken for what they stand for."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.records import replace
from .model import ModelGraph, Op, Signature, Subgraph
from .tensor import Tensor


def with_plain_constants(graph: ModelGraph) -> ModelGraph:
    """Weights stored in float16 behind a DEQUANTIZE, as the float32 that it makes of them.

    In the main subgraph the DEQUANTIZE goes, and so does its output: what is left is numbered anew.
    """
    main = graph.main
    stored = {op.outputs[0]: op.inputs[0] for op in main.ops if _unpacks_a_constant(op, main)}
    if not stored:
        return graph
    tensors = list(main.tensors)
    for made, source in stored.items():
        tensors[source] = _as(tensors[source], main.tensors[made])
    kept = [tensor for tensor in tensors if tensor.index not in stored]
    place = {-1: -1} | {tensor.index: position for position, tensor in enumerate(kept)}
    place |= {made: place[source] for made, source in stored.items()}
    ops = [op for op in main.ops if not (op.outputs and op.outputs[0] in stored)]
    plain = replace(
        main,
        tensors=tuple(replace(tensor, index=position) for position, tensor in enumerate(kept)),
        ops=tuple(_moved(op, position, place) for position, op in enumerate(ops)),
        inputs=_at(main.inputs, place),
        outputs=_at(main.outputs, place),
    )
    signatures = tuple(_renamed(s, place) if s.subgraph == 0 else s for s in graph.signatures)
    return replace(graph, subgraphs=(plain, *graph.subgraphs[1:]), signatures=signatures)


def _unpacks_a_constant(op: Op, main: Subgraph) -> bool:
    if op.kind != "DEQUANTIZE" or not op.outputs or not op.inputs or op.inputs[0] < 0:
        return False
    source = main.tensors[op.inputs[0]]
    return source.is_constant and source.dtype.is_float


def _as(source: Tensor, made: Tensor) -> Tensor:
    return replace(source, dtype=made.dtype, stored_bytes=made.bytes or 0, sparsity=None)


def _moved(op: Op, index: int, place: dict[int, int]) -> Op:
    return replace(
        op,
        index=index,
        inputs=_at(op.inputs, place),
        outputs=_at(op.outputs, place),
        intermediates=_at(op.intermediates, place),
    )


def _at(tensors: Sequence[int], place: dict[int, int]) -> tuple[int, ...]:
    return tuple(place[tensor] for tensor in tensors)


def _renamed(signature: Signature, place: dict[int, int]) -> Signature:
    return replace(
        signature,
        inputs_untrusted=tuple((name, place[i]) for name, i in signature.inputs_untrusted),
        outputs_untrusted=tuple((name, place[i]) for name, i in signature.outputs_untrusted),
    )
