"""Whether operators and subgraphs refer to each other in a way that can be run."""

from __future__ import annotations

from collections.abc import Sequence

from ..graph import Subgraph
from .tflite.reader import DamagedError

_CALLERS = "subgraph"
_CALLED_LISTS = frozenset({"called_computations"})


def check_order(subgraph: Subgraph) -> None:
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


def check_calls(subgraphs: Sequence[Subgraph]) -> None:
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
