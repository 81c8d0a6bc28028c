"""From which to which operator each buffer is needed.

Counts time as TFLite Micro does (lite/micro/micro_allocation_info.cc): the model's inputs are there at
time 0, each operator takes the next step, and a subgraph that an operator calls is walked where it is
called. A tensor that nothing produces keeps NEVER as its beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.records import dataclass
from ..graph import ModelGraph, Op, Subgraph, Tensor
from .kernels.kernel_call import UnplannableError

Ints = npt.NDArray[np.int64]
NEVER = -1
_STEPS_AT_MOST = 1_000_000
_CALLED = {
    "IF": ("then_subgraph_index", "else_subgraph_index"),
    "WHILE": ("cond_subgraph_index", "body_subgraph_index"),
    "CALL_ONCE": ("init_subgraph_index",),
    "CUSTOM": ("body_subgraph_index",),
}


class Buffer(NamedTuple):
    """What has to be in memory from step `first` to step `last` inclusive."""

    subgraph: int
    tensor: int | None
    """None for the scratch buffer of operator `op`."""
    op: int
    """Operator that owns a scratch buffer; -1 for a tensor."""
    bytes: int
    first: int
    last: int

    @property
    def is_used(self) -> bool:
        return self.last != NEVER


@dataclass(frozen=True)
class Liveness:
    buffers: tuple[Buffer, ...]
    """Tensors of each subgraph in order, then scratch buffers: the order in which they are planned."""
    op_of_step: tuple[int, ...]
    """Operator of the main subgraph that runs at each step; step 0 counts to the first."""

    def op_at(self, step: int) -> int:
        return self.op_of_step[max(0, step)]

    def live_bytes(self) -> Ints:
        """Sum of buffers alive, by step; what no operator touches does not count."""
        change = np.zeros(len(self.op_of_step) + 1, dtype=np.int64)
        used = [b for b in self.buffers if b.is_used]
        sizes = np.array([b.bytes for b in used], dtype=np.int64)
        np.add.at(change, np.array([max(0, b.first) for b in used], dtype=np.int64), sizes)
        np.subtract.at(change, np.array([b.last + 1 for b in used], dtype=np.int64), sizes)
        return np.cumsum(change[:-1])

    def alive_at(self, step: int) -> list[Buffer]:
        return [b for b in self.buffers if b.is_used and b.first <= step <= b.last]


ScratchOf = Callable[[int, Op], tuple[int, ...]]
BytesOf = Callable[[Tensor], int | None]


@dataclass
class _Lives:
    first: list[int]
    last: list[int]


@dataclass
class _Walk:
    """One pass over the model in the order in which it runs."""

    graph: ModelGraph
    step: int = 0
    op_of_step: list[int] = field(default_factory=lambda: [0])
    lives: list[_Lives] = field(default_factory=list)
    scratch_lives: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)
    calling: list[int] = field(default_factory=list)

    def enter_step(self, main_op: int) -> None:
        self.step += 1
        if self.step > _STEPS_AT_MOST:
            raise UnplannableError(f"its subgraphs call each other more than {_STEPS_AT_MOST} times")
        self.op_of_step.append(main_op)

    def subgraph(self, index: int, main_op: int) -> None:
        if not 0 <= index < len(self.graph.subgraphs):
            raise UnplannableError(f"an operator calls subgraph {index}, which the model does not have")
        if index in self.calling:
            raise UnplannableError(f"subgraph {index} calls itself")
        self.calling.append(index)
        sub, lives = self.graph.subgraphs[index], self.lives[index]
        self._mark(lives, sub.inputs, self.step)
        for op in sub.ops:
            self.enter_step(op.index if index == 0 else main_op)
            self._operator(index, op, lives, op.index if index == 0 else main_op)
        self._mark(lives, sub.outputs, self.step)
        self.calling.pop()

    def _operator(self, index: int, op: Op, lives: _Lives, main_op: int) -> None:
        begin = self.step
        for tensor in op.outputs:
            _begin(lives, tensor, begin)
        for option in _CALLED.get(op.kind, ()):
            called = op.option_int(option, -1)
            if called >= 0:
                self.enter_step(main_op)
                self.subgraph(called, main_op)
        for tensor in (*op.inputs, *op.outputs):
            if tensor >= 0:
                lives.last[tensor] = self.step
        first = self.scratch_lives.get((index, op.index), (begin, 0))[0]
        self.scratch_lives[index, op.index] = (first, self.step)

    def keep_variables(self) -> None:
        for sub, lives in zip(self.graph.subgraphs, self.lives, strict=True):
            for tensor in (t.index for t in sub.tensors if t.is_variable):
                lives.first[tensor], lives.last[tensor] = 0, self.step

    @staticmethod
    def _mark(lives: _Lives, tensors: tuple[int, ...], step: int) -> None:
        for tensor in tensors:
            _begin(lives, tensor, step)
            if tensor >= 0:
                lives.last[tensor] = step


def _begin(lives: _Lives, tensor: int, step: int) -> None:
    if tensor >= 0 and lives.first[tensor] == NEVER:
        lives.first[tensor] = step


def liveness(
    graph: ModelGraph,
    bytes_of: BytesOf,
    scratch_of: ScratchOf | None = None,
    *,
    variables: bool = False,
    shared_variables: Container[tuple[int, int]] = (),
) -> Liveness:
    """When each buffer of the model is alive.

    Args:
        graph: the model.
        bytes_of: size of a tensor in the runtime; None where it has none that is fixed.
        scratch_of: scratch buffers of an operator of a subgraph.
        variables: whether tensors that keep their content are among the buffers, for good.
        shared_variables: (subgraph, tensor) of those that are treated as if they did not keep it.

    Raises:
        UnplannableError: a shape is not known, an operator reads what a later one computes, or
            subgraphs call each other without end.
    """
    walk = _Walk(graph)
    walk.lives = [_Lives([NEVER] * len(s.tensors), [NEVER] * len(s.tensors)) for s in graph.subgraphs]
    for sub in graph.subgraphs:
        _check_order(sub)
    walk.subgraph(0, 0)
    if variables:
        walk.keep_variables()
    tensors = [
        Buffer(s, t.index, -1, _size(t, bytes_of), lives.first[t.index], lives.last[t.index])
        for s, (sub, lives) in enumerate(zip(graph.subgraphs, walk.lives, strict=True))
        for t in _planned_tensors(sub)
        if variables or not t.is_variable or (s, t.index) in shared_variables
        if lives.last[t.index] != NEVER or bytes_of(t) is not None
    ]
    scratch = [
        Buffer(s, None, op.index, size, *walk.scratch_lives.get((s, op.index), (NEVER, NEVER)))
        for s, sub in enumerate(graph.subgraphs)
        for op in sub.ops
        for size in (scratch_of(s, op) if scratch_of else ())
    ]
    return Liveness(tuple(b for b in tensors if b.bytes) + tuple(scratch), tuple(walk.op_of_step))


def _planned_tensors(sub: Subgraph) -> list[Tensor]:
    """What shares memory over time: not constants, not handles of variables."""
    handles = {i for op in sub.ops if op.kind == "VAR_HANDLE" for i in op.outputs}
    return [t for t in sub.tensors if not t.is_constant and t.index not in handles]


def _size(tensor: Tensor, bytes_of: BytesOf) -> int:
    size = bytes_of(tensor)
    if size is not None:
        return size
    if tensor.elements is None:
        raise UnplannableError(
            f"the shape of tensor {tensor.index}, {list(tensor.shape)}, is not known before the model runs"
        )
    raise UnplannableError(f"tensor {tensor.index} is of type {tensor.dtype.value}, which has no fixed size")


def _check_order(sub: Subgraph) -> None:
    """Operators are listed in execution order, unless the graph is circular or damaged."""
    producer = {t: op.index for op in sub.ops for t in op.outputs if t >= 0}
    given = set(sub.inputs)
    for op in sub.ops:
        for tensor in op.inputs:
            if tensor < 0 or tensor in given or sub.tensors[tensor].is_variable:
                continue
            if producer.get(tensor, -1) >= op.index:
                later = producer[tensor]
                raise UnplannableError(f"operator {op.index} reads what operator {later} computes later")
