"""The order of operators as a scheduling problem: what each needs first, brings to memory and sets free."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...core.records import dataclass
from ...graph import ModelGraph, Op, Subgraph
from ..liveness import Liveness

_WITH_STATE = frozenset({"CALL_ONCE", "CUSTOM", "IF", "WHILE", "CALL"})
"""Their order is kept among each other, as is that of what reads or writes a variable."""


@dataclass(frozen=True)
class OrderProblem:
    """Operators 0 to n - 1 of the main subgraph. Bytes are what the planner reserves, alignment included."""

    before: tuple[tuple[int, ...], ...]
    """What has to run before each operator."""
    sizes: tuple[int, ...]
    """Of the buffers that share memory over time, numbered for this problem."""
    writes: tuple[tuple[int, ...], ...]
    reads: tuple[tuple[int, ...], ...]
    """Buffers that each operator writes and reads, none twice."""
    readers: tuple[int, ...]
    """How many operators read each buffer."""
    given: tuple[int, ...]
    """Buffers that are there at the beginning."""
    kept: frozenset[int]
    """Buffers that stay until the end."""
    extra: tuple[int, ...]
    """What each operator needs besides while it runs: scratch buffers, the subgraphs that it calls."""
    always: int
    """Bytes held all the time."""

    def live_bytes(self, order: Sequence[int]) -> list[int]:
        """Bytes held while each operator runs, in the given order."""
        left = list(self.readers)
        held = self.always + sum(self.sizes[b] for b in self.given)
        found = []
        for op in order:
            held += sum(self.sizes[b] for b in self.writes[op])
            found.append(held + self.extra[op])
            for b in self.reads[op]:
                left[b] -= 1
            gone = {b for b in (*self.reads[op], *self.writes[op]) if not left[b] and b not in self.kept}
            held -= sum(self.sizes[b] for b in gone)
        return found

    @property
    def at_start(self) -> int:
        """Bytes held before the first operator."""
        return self.always + sum(self.sizes[b] for b in self.given)

    @property
    def floor(self) -> int:
        """No order has a lower peak: what is held at the start, and what each operator takes at least."""
        stays = {b for b in self.given if b in self.kept}
        base = self.always + sum(self.sizes[b] for b in stays)
        least = [
            base + extra + sum(self.sizes[b] for b in {*reads, *writes} - stays)
            for reads, writes, extra in zip(self.reads, self.writes, self.extra, strict=True)
        ]
        return max([self.at_start, *least])

    def peak(self, order: Sequence[int]) -> int:
        return max([self.at_start, *self.live_bytes(order)])

    def is_valid(self, order: Sequence[int]) -> bool:
        """Whether each operator is there once, after everything that it needs."""
        place = {op: at for at, op in enumerate(order)}
        return len(place) == len(order) == len(self.before) and all(
            place[first] < place[op] for op, needs in enumerate(self.before) for first in needs
        )


def order_problem(
    graph: ModelGraph,
    lives: Liveness,
    alignment: int,
    *,
    keeps_inputs: bool = False,
    holders: Mapping[int, int] | None = None,
) -> OrderProblem:
    """
    Args:
        lives: of the order as it is; says which tensors take memory and how much.
        alignment: every size is rounded up to it.
        keeps_inputs: whether the model's inputs stay until the end.
        holders: tensors that take the memory of another one, and which.
    """
    sub = graph.main
    ops = len(sub.ops)
    shared, always = _shared_tensors(sub, lives, alignment)
    own = [tensor for tensor in shared if tensor not in (holders or {})]
    number = {tensor: i for i, tensor in enumerate(own)}
    writes = tuple(_numbered(op.outputs, number) for op in sub.ops)
    number |= {tensor: number[holder] for tensor, holder in (holders or {}).items() if holder in number}
    reads = tuple(_numbered(op.inputs, number) for op in sub.ops)
    readers = [0] * len(shared)
    for read in reads:
        for buffer in read:
            readers[buffer] += 1
    written = {b for op in writes for b in op}
    kept = (*sub.outputs, *(sub.inputs if keeps_inputs else ()))
    return OrderProblem(
        before=_needs(sub),
        sizes=tuple(shared[tensor] for tensor in own),
        writes=writes,
        reads=reads,
        readers=tuple(readers),
        given=tuple(i for i in range(len(own)) if i not in written),
        kept=frozenset(number[t] for t in kept if t in number),
        extra=_extra(lives, ops, alignment),
        always=always,
    )


def _numbered(tensors: Sequence[int], number: dict[int, int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(number[t] for t in tensors if t in number))


def _shared_tensors(sub: Subgraph, lives: Liveness, alignment: int) -> tuple[dict[int, int], int]:
    """Tensors of the main subgraph with their bytes, and what variables take for good."""
    shared, always = {}, 0
    for buffer in lives.buffers:
        if buffer.subgraph or buffer.tensor is None or not buffer.is_used:
            continue
        size = _rounded(buffer.bytes, alignment)
        if sub.tensors[buffer.tensor].is_variable:
            always += size
        else:
            shared[buffer.tensor] = size
    return shared, always


def _extra(lives: Liveness, ops: int, alignment: int) -> tuple[int, ...]:
    """The most that scratch buffers and called subgraphs hold at any step of each operator."""
    inner = [
        b._replace(bytes=_rounded(b.bytes, alignment))
        for b in lives.buffers
        if b.subgraph or b.tensor is None
    ]
    most = [0] * ops
    held = Liveness(tuple(inner), lives.op_of_step).live_bytes().tolist()
    for op, live in zip(lives.op_of_step, held, strict=True):
        if ops:
            most[op] = max(most[op], live)
    return tuple(most)


def _rounded(size: int, alignment: int) -> int:
    return -(-size // alignment) * alignment


def _needs(sub: Subgraph) -> tuple[tuple[int, ...], ...]:
    producer = {t: op.index for op in sub.ops for t in op.outputs if t >= 0}
    variables = {t.index for t in sub.tensors if t.is_variable}
    found, last_with_state = [], None
    for op in sub.ops:
        needs = {producer[t] for t in op.inputs if t in producer and t not in variables}
        if _has_state(op, variables):
            needs |= set() if last_with_state is None else {last_with_state}
            last_with_state = op.index
        found.append(tuple(sorted(needs - {op.index})))
    return tuple(found)


def _has_state(op: Op, variables: set[int]) -> bool:
    touched = not variables.isdisjoint((*op.inputs, *op.outputs))
    return touched or op.kind in _WITH_STATE or "VARIABLE" in op.kind or op.kind.startswith("VAR_HANDLE")
