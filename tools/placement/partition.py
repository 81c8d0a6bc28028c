"""How a runtime splits a model between its accelerator and the CPU."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from ...hardware_db.schema import Mapped, Partition
from ..graph import Subgraph

Piece = tuple[int, ...]
"""Indices of operators that one processor computes before another goes on."""


def pieces(subgraph: Subgraph, kinds: Sequence[str]) -> tuple[tuple[str, Piece], ...]:
    """Operators of a kind gathered for as long as one is ready, then those of the next kind that is.

    As TensorFlow Lite does it for its delegates (tensorflow/lite/graph_info.cc at 08df8c40): the ready
    operator that comes first decides the kind of a piece. Operators that are never ready make no piece.

    Args:
        kinds: of each operator.
    """
    readers, missing = _dependencies(subgraph)
    ready: dict[str, list[int]] = {}
    for index, count in enumerate(missing):
        if count == 0:
            heapq.heappush(ready.setdefault(kinds[index], []), index)
    found = []
    while any(ready.values()):
        kind = min((queue[0], kind) for kind, queue in ready.items() if queue)[1]
        piece = []
        while ready[kind]:
            index = heapq.heappop(ready[kind])
            piece.append(index)
            for reader in readers[index]:
                missing[reader] -= 1
                if missing[reader] == 0:
                    heapq.heappush(ready.setdefault(kinds[reader], []), reader)
        found.append((kind, tuple(sorted(piece))))
    return tuple(found)


def runs_in_order(kinds: Sequence[str]) -> tuple[tuple[str, Piece], ...]:
    """Operators of a kind that follow one another in the order of the file."""
    found: list[tuple[str, list[int]]] = []
    for index, kind in enumerate(kinds):
        if found and found[-1][0] == kind:
            found[-1][1].append(index)
        else:
            found.append((kind, [index]))
    return tuple((kind, tuple(piece)) for kind, piece in found)


def mapped(subgraph: Subgraph, taken: Sequence[bool], how: Partition | None) -> frozenset[int]:
    """Of the operators that an accelerator takes, those that the runtime gives it."""
    everything = frozenset(index for index, takes in enumerate(taken) if takes)
    if how is None or how.mapped is Mapped.EVERY:
        return everything
    kinds = ["taken" if takes else "left" for takes in taken]
    parts = [piece for kind, piece in pieces(subgraph, kinds) if kind == "taken"]
    if how.mapped is Mapped.LARGEST:
        parts.sort(key=len, reverse=True)
    most = 1 if how.mapped is Mapped.FRONT else how.most
    return frozenset(index for part in parts[:most] for index in part)


def _dependencies(subgraph: Subgraph) -> tuple[list[list[int]], list[int]]:
    """Readers of what each operator makes, and how many operators each waits for."""
    maker = {tensor: index for index, op in enumerate(subgraph.ops) for tensor in op.outputs}
    readers: list[list[int]] = [[] for _ in subgraph.ops]
    missing = [0] * len(subgraph.ops)
    for index, op in enumerate(subgraph.ops):
        for source in {maker[tensor] for tensor in op.inputs if tensor in maker} - {index}:
            readers[source].append(index)
            missing[index] += 1
    return readers, missing
