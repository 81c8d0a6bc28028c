"""Conversions between float and integer that a model can do without."""

from __future__ import annotations

from collections.abc import Iterable

from ....hardware_db.errors import UsageError
from ...core.records import replace
from ...graph import DType, ModelGraph, Op, Subgraph
from ...graph.tensor import Tensor

_FLOATS = frozenset({DType.FLOAT32, DType.FLOAT16})


def integer_io(graph: ModelGraph) -> ModelGraph:
    """Inputs and outputs in the integers that the model computes in: the caller converts, or its sensor does.

    Raises:
        UsageError: no float input goes straight into a QUANTIZE, no float output comes from a DEQUANTIZE.
    """
    main = graph.main
    readers = _readers(main)
    gone: dict[int, int] = {}
    ops: set[int] = set()
    for tensor in main.inputs:
        reading = readers.get(tensor, [])
        if _is_float(main, tensor) and len(reading) == 1 and reading[0].kind == "QUANTIZE":
            gone[tensor] = reading[0].outputs[0]
            ops.add(reading[0].index)
    for op in main.ops:
        made = op.outputs[0] if op.outputs else -1
        if op.kind == "DEQUANTIZE" and made in main.outputs and not readers.get(made):
            gone[made] = op.inputs[0]
            ops.add(op.index)
    if not ops:
        raise UsageError("no float input goes straight into a QUANTIZE and no output out of a DEQUANTIZE")
    return without(graph, ops, gone)


def without_needless_casts(graph: ModelGraph) -> ModelGraph:
    """Integers that are made float and integers again stay integers.

    Raises:
        UsageError: no DEQUANTIZE is read by QUANTIZEs alone, and no QUANTIZE changes nothing.
    """
    main, readers = graph.main, _readers(graph.main)
    gone: dict[int, int] = {}
    ops: set[int] = set()
    sources: dict[int, int] = {}
    for op in main.ops:
        if len(op.outputs) != 1 or not op.inputs or op.inputs[0] < 0:
            continue
        source, made = op.inputs[0], op.outputs[0]
        if op.kind == "QUANTIZE" and _is_same(main, source, made):
            gone[made] = source
            ops.add(op.index)
        if op.kind == "DEQUANTIZE" and _is_undone(op, main, readers.get(made, [])):
            ops.add(op.index)
            sources |= {reader.index: source for reader in readers[made]}
    for reader, source in sources.items():
        made = main.ops[reader].outputs[0]
        if _is_same(main, source, made):
            gone[made] = source
            ops.add(reader)
    if not ops:
        raise UsageError("no integer is made float and integer again")
    rewired = tuple(
        replace(op, inputs=(sources[op.index],)) if op.index in sources else op for op in main.ops
    )
    changed = replace(graph, subgraphs=(replace(main, ops=rewired), *graph.subgraphs[1:]))
    return without(changed, ops, gone)


def _is_undone(op: Op, main: Subgraph, reading: list[Op]) -> bool:
    if op.outputs[0] in main.outputs or main.tensors[op.inputs[0]].is_constant:
        return False
    return bool(reading) and all(reader.kind == "QUANTIZE" for reader in reading)


def _readers(main: Subgraph) -> dict[int, list[Op]]:
    readers: dict[int, list[Op]] = {}
    for op in main.ops:
        for tensor in set(op.inputs):
            readers.setdefault(tensor, []).append(op)
    return readers


def _is_float(main: Subgraph, tensor: int) -> bool:
    return main.tensors[tensor].dtype in _FLOATS


def _is_same(main: Subgraph, one: int, other: int) -> bool:
    """Same numbers: type and quantisation."""
    a, b = main.tensors[one], main.tensors[other]
    return a.dtype is b.dtype and a.quantization == b.quantization


def without(graph: ModelGraph, ops: set[int], gone: dict[int, int]) -> ModelGraph:
    """The graph without these operators; what read a tensor that is `gone` reads its replacement."""
    main = graph.main

    def now(tensor: int) -> int:
        seen = {tensor}
        while tensor in gone and gone[tensor] not in seen:
            tensor = gone[tensor]
            seen.add(tensor)
        return tensor

    left = [op for op in main.ops if op.index not in ops]
    kept_ops = [replace(op, inputs=tuple(map(now, op.inputs))) for op in left]
    inputs, outputs = tuple(map(now, main.inputs)), tuple(map(now, main.outputs))
    dropped = set(gone) | {t for op in main.ops if op.index in ops for t in op.outputs}
    used = {*inputs, *outputs, *(t for op in kept_ops for t in (*op.inputs, *op.outputs, *op.intermediates))}
    kept = [tensor for tensor in main.tensors if tensor.index in used or tensor.index not in dropped]
    place = {tensor.index: at for at, tensor in enumerate(kept)} | {-1: -1}
    shrunk = replace(
        main,
        tensors=tuple(_numbered(kept)),
        ops=tuple(
            replace(
                op,
                index=at,
                inputs=tuple(place[t] for t in op.inputs),
                outputs=tuple(place[t] for t in op.outputs),
                intermediates=tuple(place[t] for t in op.intermediates),
            )
            for at, op in enumerate(kept_ops)
        ),
        inputs=tuple(place[t] for t in inputs),
        outputs=tuple(place[t] for t in outputs),
    )
    return replace(graph, subgraphs=(shrunk, *graph.subgraphs[1:]), signatures=(), metadata_untrusted=())


def _numbered(tensors: Iterable[Tensor]) -> list[Tensor]:
    return [replace(tensor, index=at) for at, tensor in enumerate(tensors)]
