"""Which operators an Ethos-U gets: as Vela decided, else by its published rules."""

from __future__ import annotations

from typing import NamedTuple

from ...hardware_db import Runtime
from ..core.deployment import Deployment
from ..graph import ModelGraph, Op
from ..graph.memoize import memoized
from .asked import is_for_vela
from .compiled import Home, VelaOperator
from .kernel import is_compiled_part
from .rules import refusal
from .unneeded import unneeded
from .vela import vela_answer


class Decision(NamedTuple):
    accelerated: bool | None
    """None where the compiler that would tell gave up on the model."""
    reason: str


def decisions(graph: ModelGraph, deployment: Deployment) -> dict[int, Decision] | None:
    """Of every operator of the main subgraph; None where Vela has no part in it."""
    if not is_for_vela(deployment):
        return None
    answer = vela_answer(graph, deployment)
    if answer.compiled is not None:
        return {
            operator.index: _by_vela(graph, deployment, operator) for operator in answer.compiled.operators
        }
    ruled = decided_by_rules(graph, deployment)
    if not answer.gave_up:
        return ruled
    return {
        index: Decision(None, answer.gave_up) if decided.accelerated else decided
        for index, decided in ruled.items()
    }


def _by_vela(graph: ModelGraph, deployment: Deployment, operator: VelaOperator) -> Decision:
    match operator.home:
        case Home.NPU:
            return Decision(True, "Vela gives it to the NPU")
        case Home.MERGED:
            return Decision(True, "Vela computes it ahead, or as part of its neighbours")
    own = _ruled(graph, deployment, graph.ops[operator.index])
    return Decision(False, operator.reason or (own.reason if not own.accelerated else "Vela tells no reason"))


def decided_by_rules(graph: ModelGraph, deployment: Deployment) -> dict[int, Decision]:
    """Of every operator of the main subgraph, by the limits that Vela publishes for a series."""
    runtime, series = deployment.runtime, _series(deployment)

    def found() -> tuple[Runtime, dict[int, Decision]]:
        return runtime, _decided_by_rules(graph, deployment)

    return memoized(graph, "ethos-u limits", (id(runtime), series), found)[1]


def _decided_by_rules(graph: ModelGraph, deployment: Deployment) -> dict[int, Decision]:
    ruled = {op.index: _ruled(graph, deployment, op) for op in graph.ops}
    left_out = unneeded(graph.main, lambda op: bool(ruled[op.index].accelerated))
    nothing = Decision(True, "nothing that runs needs its result")
    return {index: nothing if index in left_out else decided for index, decided in ruled.items()}


def _ruled(graph: ModelGraph, deployment: Deployment, op: Op) -> Decision:
    if is_compiled_part(op):
        return Decision(True, "Vela compiled it, so it holds nothing but what the NPU computes")
    against = refusal(op, graph.main, _series(deployment), deployment.runtime.operators)
    if against is None:
        return Decision(True, "none of its published limits speaks against it")
    return Decision(False, f"{against.sentence}: {against.evidence}")


def _series(deployment: Deployment) -> str:
    return deployment.accelerator.family if deployment.accelerator else ""
