"""Whether every operator has a kernel, as a limit of none without one."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from ..core.deployment import Deployment
from ..core.quantity import Basis
from ..cost_model.estimate_table import EstimateTable
from ..cost_model.quantity_column import BASES, QuantityColumn
from ..graph import ModelGraph
from ..placement.operators import Desk, Placed, place_operators
from .judge import FAIL, PASS, UNKNOWN, Judged

UNIT = "operators without a kernel"
_NAMED = 3


def judged_operators(table: EstimateTable) -> Judged:
    missing, unknown = (_counts(table, state) for state in (False, None))
    demand = QuantityColumn(UNIT, missing, missing, missing + unknown, np.full(len(table), _DERIVED))
    verdict = np.select([table.runs == 1, table.runs == 0], [PASS, FAIL], UNKNOWN).astype(np.int64)
    return Judged("operators", None, verdict, demand, np.zeros(len(table)), lambda row: _sentence(table, row))


_DERIVED = BASES.index(Basis.DERIVED)


def _counts(table: EstimateTable, state: bool | None) -> npt.NDArray[np.float64]:
    """Operators of all subgraphs that are supported so, counted once for rows that share their flags."""
    counts = {id(flags): (*flags.supported, *flags.elsewhere).count(state) for flags in table.flags}
    return np.array([counts[id(flags)] for flags in table.flags], dtype=np.float64)


def _sentence(table: EstimateTable, row: int) -> str:
    flags, runtime = table.flags[row], table.deployments[row].runtime.id
    supported = (*flags.supported, *flags.elsewhere)
    total, missing, unknown = len(supported), supported.count(False), supported.count(None)
    if missing:
        do = "does" if missing == 1 else "do"
        return f"{missing} of {total} operators {do} not run on {runtime}: {_reasons(table, row)}"
    if unknown:
        are = "is" if unknown == 1 else "are"
        return (
            f"{unknown} of {total} operators {are} unknown to the sources on {runtime}: {_kinds(table, row)}"
        )
    return f"all {total} operators run on {runtime}"


def _reasons(table: EstimateTable, row: int) -> str:
    """Of the first that do not run, why; of other subgraphs where the main one's all do."""
    graph, deployment = table.models[row], table.deployments[row]
    chains = ((index,) for index in range(len(graph.subgraphs)))
    placed = (each for chain in chains for each in _placed(graph, deployment, chain))
    refused = (each for each in placed if each.supported is False)
    named = itertools.islice(refused, _NAMED)
    return "; ".join(f"{each.kind} ({each.context.op.index}): {each.reason}" for each in named)


def _placed(graph: ModelGraph, deployment: Deployment, chain: tuple[int, ...]) -> Iterable[Placed]:
    """One after another on a core, of which the first are enough; an accelerator takes or leaves groups."""
    if deployment.accelerator is not None:
        return place_operators(graph, deployment, chain)
    desk = Desk(graph, deployment, chain)
    return (desk.placed(index) for index in range(len(desk.ops)))


def _kinds(table: EstimateTable, row: int) -> str:
    """What the unknown ones are, in the order in which they first come."""
    graph, flags = table.models[row], table.flags[row]
    ops = (op for subgraph in graph.subgraphs for op in subgraph.ops)
    supported = (*flags.supported, *flags.elsewhere)
    return ", ".join(
        dict.fromkeys(op.kind for op, state in zip(ops, supported, strict=True) if state is None)
    )
