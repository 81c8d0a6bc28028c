"""The memory plan that a model may bring along, as TFLite Micro obeys it.

Read in tensorflow/tflite-micro at 90b983c2: GetOfflinePlannedOffsets and InitializeAllocationInfo in
lite/micro/micro_allocation_info.cc, AllocateVariables in lite/micro/micro_allocator.cc.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from ...core.records import dataclass
from ...graph import ModelGraph
from ..kernels.kernel_call import UnplannableError
from ..liveness import Buffer

LEFT_TO_PLANNER = -1
_HEADER_WORDS = 3
_COUNT_WORD = 2


@dataclass(frozen=True)
class OfflinePlan:
    offsets: tuple[int, ...]
    """Of the tensors of all subgraphs in order; LEFT_TO_PLANNER where the interpreter shall decide."""
    starts: tuple[int, ...]
    """Where the tensors of each subgraph begin in `offsets`."""

    def offset(self, subgraph: int, tensor: int) -> int:
        return self.offsets[self.starts[subgraph] + tensor]

    def of(self, buffers: Sequence[Buffer]) -> list[int]:
        """
        Raises:
            UnplannableError: a buffer would lie before the arena.
        """
        return [LEFT_TO_PLANNER if b.tensor is None else self._checked(b.subgraph, b.tensor) for b in buffers]

    def keeps_apart(self, tensor: int) -> bool:
        """Whether a variable has memory of its own; its index is looked up in the first subgraph."""
        return self.offsets[tensor] == LEFT_TO_PLANNER

    def _checked(self, subgraph: int, tensor: int) -> int:
        offset = self.offset(subgraph, tensor)
        if offset < LEFT_TO_PLANNER:
            raise UnplannableError(f"its own memory plan puts tensor {tensor} at byte {offset}")
        return offset


def offline_plan(graph: ModelGraph) -> OfflinePlan | None:
    """The plan that holds for `graph`; None where it brings none, or was changed since it was planned.

    Raises:
        UnplannableError: the interpreter refuses the plan, or would read past its end.
    """
    if graph.history or not graph.offline_plans:
        return None
    counts = [len(sub.tensors) for sub in graph.subgraphs]
    total = sum(counts)
    for words in graph.offline_plans:
        if len(words) < _HEADER_WORDS:
            raise UnplannableError(f"its own memory plan has {len(words)} words, fewer than its header")
        if words[_COUNT_WORD] != total:
            raise UnplannableError(
                f"its own memory plan is for {words[_COUNT_WORD]} tensors, the model has {total}"
            )
        if len(words) < _HEADER_WORDS + total:
            raise UnplannableError(
                f"its own memory plan ends after {len(words) - _HEADER_WORDS} of {total} tensors"
            )
    starts = tuple(itertools.accumulate(counts[:-1], initial=0))
    return OfflinePlan(graph.offline_plans[-1][_HEADER_WORDS : _HEADER_WORDS + total], starts)


def planned_variables(graph: ModelGraph, plan: OfflinePlan | None) -> frozenset[tuple[int, int]]:
    """(subgraph, tensor) of the variables that share memory over time because the plan says so."""
    if plan is None:
        return frozenset()
    return frozenset((s, t) for s, t in _variables(graph) if plan.offset(s, t) != LEFT_TO_PLANNER)


def _variables(graph: ModelGraph) -> Iterator[tuple[int, int]]:
    for number, sub in enumerate(graph.subgraphs):
        yield from ((number, t.index) for t in sub.tensors if t.is_variable)
