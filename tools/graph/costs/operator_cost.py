"""The cost of one operator, and of those that run other subgraphs."""

from __future__ import annotations

from ..model import ModelGraph
from . import control, convolution, dense, elementwise, recurrent, stablehlo
from .families import DATA_DEPENDENT
from .traffic import NO_TRAFFIC, Traffic, traffic
from .work import NOTHING, OpContext, Rules, UncountableError, Work

_RULES: Rules = {
    **convolution.RULES,
    **dense.RULES,
    **recurrent.RULES,
    **elementwise.RULES,
    **stablehlo.RULES,
}
COUNTED_KINDS = frozenset(_RULES)
_NOT_KNOWABLE = {
    "CUSTOM": "a custom operator: what it computes is not in the model file",
    "STABLEHLO_WHILE": "how often its body runs is decided at run time",
    **dict.fromkeys(DATA_DEPENDENT, "how much it computes depends on the data"),
}
_DEEPEST_CALL = 32
_MOST = 2**53
"""Beyond it no network computes or moves anything; and sums over operators stay in 64 bits."""


class Costs:
    """Work and traffic of the operators of a graph; each subgraph that is called is costed once."""

    def __init__(self, graph: ModelGraph) -> None:
        self._graph = graph
        self._called: dict[int, tuple[Work, Traffic] | str] = {}
        self.notes: list[str] = []
        """What was taken where the run decides, of the operators costed so far."""

    def of(self, at: OpContext, depth: int = 0) -> tuple[Work, Traffic]:
        """CALL costs what its subgraph does; CALL_ONCE initialises before the first inference: nothing.

        Raises:
            UncountableError: where either cannot be known.
        """
        match at.op.kind:
            case "CALL":
                return self._subgraph(at.op.option_int("subgraph", -1), depth + 1)
            case "CALL_ONCE":
                return NOTHING, NO_TRAFFIC
            case kind if kind in _RULES:
                return believable(_RULES[kind](at), traffic(at))
            case "CUSTOM" if at.op.label in recurrent.NAMED:
                return believable(recurrent.NAMED[at.op.label](at), traffic(at))
            case "IF":
                return self._controlled(control.branch(at, self._caller(depth)))
            case kind if kind == "WHILE" or "body_subgraph_index" in at.op.options:
                return self._controlled(control.loop(at, self._graph, self._caller(depth)))
            case kind:
                raise UncountableError(_NOT_KNOWABLE.get(kind, f"no rule counts the work of {kind}"))

    def _caller(self, depth: int) -> control.Of:
        return lambda number: self._subgraph(number, depth + 1)

    def _controlled(self, cost: control.Controlled) -> tuple[Work, Traffic]:
        if cost.note:
            self.notes.append(cost.note)
        return believable(cost.work, cost.traffic)

    def _subgraph(self, number: int, depth: int) -> tuple[Work, Traffic]:
        if not 0 < number < len(self._graph.subgraphs):
            raise UncountableError(f"there is no subgraph {number} to call")
        if depth > _DEEPEST_CALL:
            raise UncountableError(f"subgraphs call each other more than {_DEEPEST_CALL} deep")
        if number not in self._called:
            self._called[number] = f"subgraph {number} calls itself"
            try:
                self._called[number] = self._sum(number, depth)
            except UncountableError as reason:
                self._called[number] = str(reason)
        cost = self._called[number]
        if isinstance(cost, str):
            raise UncountableError(cost)
        return cost

    def _sum(self, number: int, depth: int) -> tuple[Work, Traffic]:
        subgraph = self._graph.subgraphs[number]
        work, moved = NOTHING, NO_TRAFFIC
        for op in subgraph.ops:
            try:
                more_work, more_moved = self.of(OpContext.of(op, subgraph), depth)
            except UncountableError as reason:
                raise UncountableError(f"operator {op.index} of subgraph {number}: {reason}") from reason
            work = Work(work.macs + more_work.macs, work.element_ops + more_work.element_ops)
            moved = Traffic(*(a + b for a, b in zip(moved, more_moved, strict=True)))
        return believable(work, moved)


def believable(work: Work, moved: Traffic) -> tuple[Work, Traffic]:
    """The same; raises UncountableError for figures that only a damaged file can mean."""
    if min(*work, *moved) < 0:
        raise UncountableError("its options mean a negative amount of work")
    if max(*work, *moved) > _MOST:
        raise UncountableError(f"its shapes mean more than {_MOST} operations or bytes")
    return work, moved
