"""The parsers' door: a graph that passes is one that a runtime can run, and that every tool takes.

What is odd but legal passes: outputs that nobody reads, operators that nobody needs, dimensions of 0.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..graph import Subgraph, Tensor
from ..graph.shapes.agreement import Agreement
from ..graph.sizes import MOST_BYTES, are_believable, room
from .tflite.reader import DamagedError

_CALLERS = "subgraph"
_CALLED_LISTS = frozenset({"called_computations"})
_DEEPEST_CALL = 32
_SCRATCH_READERS = frozenset({"CUSTOM"})
"""Operators that may be handed memory which nothing has written, as Vela hands it to an NPU."""


def check_graph(subgraphs: Sequence[Subgraph]) -> None:
    """
    Raises:
        DamagedError: what no runtime can run: tensors beyond any memory, an operator that writes an input or
            what another has written, or that reads what nothing computes or a later one does; outputs that
            nothing computes; calls in a circle or too deep.
    """
    for subgraph in subgraphs:
        _check_sizes(subgraph)
        _check_writes(subgraph)
        _check_order(subgraph)
        _check_reads(subgraph)
    _check_calls(subgraphs)
    if not subgraphs[0].outputs:
        raise DamagedError("it has no outputs")


def check_shapes(subgraph: Subgraph) -> None:
    """
    Raises:
        DamagedError: shapes that contradict each other, so that no runtime can run the operator.
    """
    agreement = Agreement(subgraph.tensors)
    for op in subgraph.ops:
        if reason := agreement.contradiction(op):
            raise DamagedError(f"operator {op.index} ({op.kind}) cannot run: {reason}")


def _check_sizes(subgraph: Subgraph) -> None:
    if not are_believable(subgraph.tensors):
        largest = max(subgraph.tensors, key=room)
        raise DamagedError(
            f"its tensors would take more than {MOST_BYTES >> 50} PiB, most of it tensor {largest.index}"
        )


def _check_writes(subgraph: Subgraph) -> None:
    written: dict[int, int] = {}
    given = set(subgraph.inputs)
    for op in subgraph.ops:
        for i in op.outputs:
            tensor = subgraph.tensors[i]
            if tensor.is_variable:
                continue
            if i in given:
                raise DamagedError(f"operator {op.index} ({op.kind}) writes tensor {i}, an input")
            if tensor.is_constant:
                raise DamagedError(f"operator {op.index} ({op.kind}) writes tensor {i}, a constant")
            if written.setdefault(i, op.index) != op.index:
                raise DamagedError(f"operators {written[i]} and {op.index} both compute tensor {i}")


def _check_reads(subgraph: Subgraph) -> None:
    """Every output is there, and so is all that operators read."""
    there = set(subgraph.inputs).union(*(op.outputs for op in subgraph.ops))
    for i in subgraph.outputs:
        if i not in there and not _is_kept(subgraph.tensors[i]):
            raise DamagedError(f"nothing computes its output, tensor {i}")
    for op in subgraph.ops:
        if op.kind in _SCRATCH_READERS:
            continue
        for i in op.inputs:
            if i >= 0 and i not in there and not _is_kept(subgraph.tensors[i]):
                raise DamagedError(
                    f"operator {op.index} ({op.kind}) reads tensor {i}, which nothing computes"
                )


def _is_kept(tensor: Tensor) -> bool:
    """There without being computed; a constant of no elements has no data to be known by."""
    return tensor.is_constant or tensor.is_variable or tensor.elements == 0


def _check_order(subgraph: Subgraph) -> None:
    """An operator reads only what is given, constant, kept, or computed before it."""
    producer: dict[int, int] = {}
    for op in subgraph.ops:
        for tensor in op.outputs:
            producer.setdefault(tensor, op.index)
    given = set(subgraph.inputs)
    for op in subgraph.ops:
        for i in op.inputs:
            late = i in producer and producer[i] >= op.index and i not in given
            if late and not (subgraph.tensors[i].is_variable or subgraph.tensors[i].is_constant):
                raise DamagedError(
                    f"operator {op.index} reads tensor {i}, which operator {producer[i]} computes"
                )


def _check_calls(subgraphs: Sequence[Subgraph]) -> None:
    """Subgraphs that operators call are there, and none calls itself, directly or through others."""
    calls = [_called(subgraph, len(subgraphs)) for subgraph in subgraphs]
    waits_for = [len(called) for called in calls]
    callers: list[list[int]] = [[] for _ in subgraphs]
    for caller, called in enumerate(calls):
        for callee in called:
            callers[callee].append(caller)
    settled = [i for i, count in enumerate(waits_for) if count == 0]
    for callee in settled:
        for caller in callers[callee]:
            waits_for[caller] -= 1
            if waits_for[caller] == 0:
                settled.append(caller)
    if len(settled) < len(subgraphs):
        raise DamagedError("subgraphs call each other in a circle")
    depths = [0] * len(subgraphs)
    for caller in settled:
        depths[caller] = 1 + max((depths[callee] for callee in calls[caller]), default=0)
    if max(depths) > _DEEPEST_CALL:
        raise DamagedError(f"its subgraphs call each other more than {_DEEPEST_CALL} deep")


def _called(subgraph: Subgraph, count: int) -> frozenset[int]:
    called: set[int] = set()
    for op in subgraph.ops:
        for name, value in op.options.items():
            if _CALLERS in name and isinstance(value, int):
                called.add(value)
            elif name in _CALLED_LISTS and isinstance(value, tuple):
                called.update(int(v) for v in value)
    missing = [i for i in called if not 0 <= i < count]
    if missing:
        raise DamagedError(f"an operator calls subgraph {missing[0]}, of {count}")
    return frozenset(called)
