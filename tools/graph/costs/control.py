"""Branches and loops: what they run, and how often, as far as the file tells."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ..model import ModelGraph, Op, Subgraph
from .traffic import Traffic
from .work import OpContext, UncountableError, Work

Cost = tuple[Work, Traffic]
Of = Callable[[int], Cost]
"""The cost of a subgraph by its number."""
_BODY = "body_subgraph_index"
_BRANCHES = ("then_subgraph_index", "else_subgraph_index")


class Controlled(NamedTuple):
    """The cost of an operator that runs others."""

    work: Work
    traffic: Traffic
    note: str = ""
    """What was taken where the run decides."""


def branch(at: OpContext, of: Of) -> Controlled:
    """The larger of both branches, unless a constant decides.

    Raises:
        UncountableError: the work of one is not known.
    """
    numbers = [at.op.option_int(name, -1) for name in _BRANCHES]
    if min(numbers) < 0:
        raise UncountableError("which branch runs is decided at run time")
    decided = at.inputs[0].values if at.inputs and at.inputs[0] is not None else None
    if decided:
        return Controlled(*of(numbers[0] if decided[0] else numbers[1]))
    first, second = sorted((of(number) for number in numbers), key=lambda cost: cost[0], reverse=True)
    note = (
        "" if first[0] == second[0] else f"a branch of {_range(second[0], first[0])}: the larger is counted"
    )
    return Controlled(*first, note)


def loop(at: OpContext, graph: ModelGraph, of: Of) -> Controlled:
    """A turn, as often as the file says.

    Raises:
        UncountableError: it does not say how often, or the work of a turn is not known.
    """
    number = at.op.option_int(_BODY, -1)
    if number < 0:
        raise UncountableError("how often its body runs is decided at run time")
    work, traffic = of(number)
    if at.op.kind == "WHILE":
        tested = of(at.op.option_int("cond_subgraph_index", -1))
        work, traffic = _sum(work, tested[0]), Traffic(*map(sum, zip(traffic, tested[1], strict=True)))
    turns = at.op.options.get("trip_count", _counted_turns(at, graph))
    if not isinstance(turns, int):
        raise UncountableError(f"its trip count is known only at run time; a turn is {_amount(work)}")
    most = bool(at.op.options.get("may_stop", False))
    note = (
        f"a loop that may stop before its {turns} turns, each of {_amount(work)}: all are counted"
        if most
        else ""
    )
    return Controlled(
        Work(turns * work.macs, turns * work.element_ops), Traffic(*(turns * each for each in traffic)), note
    )


def _counted_turns(at: OpContext, graph: ModelGraph) -> int | None:
    """Of TFLite's loop, which counts up from a constant by one as long as it is below another."""
    numbers = [at.op.option_int(name, -1) for name in ("cond_subgraph_index", _BODY)]
    if at.op.kind != "WHILE" or not all(0 < number < len(graph.subgraphs) for number in numbers):
        return None
    cond, body = (graph.subgraphs[number] for number in numbers)
    tested = _maker(cond, cond.outputs[0]) if cond.outputs else None
    if tested is None or tested.kind not in {"LESS", "LESS_EQUAL"} or tested.inputs[0] not in cond.inputs:
        return None
    place = cond.inputs.index(tested.inputs[0])
    limit = _number(cond, tested.inputs[1])
    start = at.input(place).values if at.has(place) else None
    stepped = _maker(body, body.outputs[place]) if place < len(body.outputs) else None
    if stepped is None or stepped.kind != "ADD" or body.inputs[place] not in stepped.inputs:
        return None
    steps = [_number(body, i) for i in stepped.inputs if i != body.inputs[place]]
    if limit is None or not start or steps != [1]:
        return None
    return max(limit - start[0] + (tested.kind == "LESS_EQUAL"), 0)


def _maker(subgraph: Subgraph, tensor: int) -> Op | None:
    return next((op for op in subgraph.ops if tensor in op.outputs), None)


def _number(subgraph: Subgraph, tensor: int) -> int | None:
    values = subgraph.tensors[tensor].values if tensor >= 0 else None
    return values[0] if values and len(values) == 1 else None


def _sum(one: Work, other: Work) -> Work:
    return Work(one.macs + other.macs, one.element_ops + other.element_ops)


def _range(low: Work, high: Work) -> str:
    if low.macs == high.macs:
        return f"{low.element_ops:,} to {high.element_ops:,} operations on elements"
    return f"{low.macs:,} to {high.macs:,} MACs"


def _amount(work: Work) -> str:
    return f"{work.macs:,} MACs" if work.macs else f"{work.element_ops:,} operations on elements"
