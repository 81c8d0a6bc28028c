"""The score and the verdict, out of placements and penalties; what falling back costs, out of the times."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ...hardware_db import Fallback
from ..core.deployment import Deployment
from ..core.quantity import Quantity
from ..core.records import dataclass
from ..cost_model.memory_levels import data_levels
from ..cost_model.placed_times import times_as_placed
from ..graph import ModelGraph
from ..graph.work_shares import work_shares
from ..memory_planner.memory_plan import MemoryPlan
from ..memory_planner.reporting import plan as memory_plan
from ..placement.operators import FALLBACK, UNTOLD, Placed, place_operators
from ..placement.segments import segments
from ..verdicts.verdict import Verdict
from .compatibility_report import CompatibilityReport, Penalty
from .penalties import (
    ALL,
    DEFAULT_WEIGHTS,
    applied,
    memory_penalties,
    operator_penalties,
    time_lost,
)

if TYPE_CHECKING:
    from ..cost_model.placed_times import PlacedTimes
    from ..cost_model.study import Study

DOMINATES = 0.5
"""Share of the work, or of the time lost, from which slow operators make the verdict MARGINAL."""


@dataclass(frozen=True, eq=False)
class PlacedModel:
    """A model on a deployment, placed and costed."""

    graph: ModelGraph
    deployment: Deployment
    plan: MemoryPlan
    placed: tuple[Placed, ...]
    elsewhere: tuple[Placed, ...]
    """Of subgraphs other than the main one."""
    times: PlacedTimes | None
    """None without an accelerator."""

    @classmethod
    def of(
        cls,
        graph: ModelGraph,
        deployment: Deployment,
        plan: MemoryPlan | None = None,
        placed: Sequence[Placed] | None = None,
        times: PlacedTimes | None = None,
    ) -> PlacedModel:
        """What is not given is found here."""
        plan = plan or memory_plan(graph, deployment)
        placed = tuple(placed) if placed is not None else place_operators(graph, deployment)
        others = range(1, len(graph.subgraphs))
        elsewhere = tuple([p for i in others for p in place_operators(graph, deployment, (i,))])
        if times is None and deployment.accelerator is not None:
            times = _times(graph, deployment, plan, placed)
        return cls(graph, deployment, plan, placed, elsewhere, times)


@dataclass(frozen=True)
class Judged:
    verdict: Verdict
    score: float
    penalties: tuple[Penalty, ...]


def judge(case: PlacedModel, weights: Mapping[str, float]) -> Judged:
    """Count in points what the placements and the memory plan cost."""
    cost = case.times.fallback_cost.value if case.times else None
    penalties = operator_penalties(case.placed, case.elsewhere, case.graph, weights, cost)
    penalties += memory_penalties(case.plan, case.deployment, weights)
    taken_off = applied(penalties)
    slow = max(_slow_share(case.placed, case.graph), time_lost(cost))
    verdict = _verdict((*case.placed, *case.elsewhere), case.plan, slow)
    return Judged(verdict, round(ALL - sum(p.points for p in taken_off), 1), taken_off)


def score(case: PlacedModel, weights: Mapping[str, float]) -> CompatibilityReport:
    """Tell what was judged and why, and what falling back costs in time."""
    judged = judge(case, weights)
    ops = tuple(p.placement for p in case.placed)
    times = case.times
    return CompatibilityReport(
        model=case.graph.name,
        deployment=case.deployment.ref,
        verdict=judged.verdict,
        score=judged.score,
        penalties=judged.penalties,
        ops=ops,
        supported_ops=sum(op.supported is True for op in ops),
        optimized_ops=sum(op.optimized for op in ops),
        fallback_ops=sum(p.cause in {FALLBACK, UNTOLD} for p in case.placed),
        unsupported_ops=sum(op.supported is False for op in ops),
        unknown_ops=sum(op.supported is None for op in ops),
        segments=segments(case.graph, case.placed, case.deployment.runtime.partition),
        transfers_bytes=times.moved.total_bytes if times else 0,
        transfer_ms=times.transfer_ms if times else Quantity.exact(0.0, "ms"),
        latency_ms=times.latency_ms if times else None,
        accelerated_latency_ms=times.accelerated_latency_ms if times else None,
        fallback_cost=times.fallback_cost if times else None,
        assumptions=_assumptions(case),
        warnings=_warnings(case),
    )


def compatibility_of(study: Study) -> CompatibilityReport:
    """The report of a model whose memory was planned and whose times were worked out already."""
    case = PlacedModel.of(study.graph, study.deployment, study.plan, study.placed, study.shared)
    return score(case, DEFAULT_WEIGHTS)


def _times(
    graph: ModelGraph, deployment: Deployment, plan: MemoryPlan, placed: Sequence[Placed]
) -> PlacedTimes:
    return times_as_placed(graph, deployment, data_levels(plan, deployment), placed)


def _verdict(placed: Sequence[Placed], plan: MemoryPlan, slow_share: float) -> Verdict:
    runs = [p.supported for p in placed]
    if False in runs or plan.fits is False:
        return Verdict.FAIL
    if None in runs:
        return Verdict.UNKNOWN
    return Verdict.MARGINAL if slow_share > DOMINATES else Verdict.PASS


def _slow_share(placed: Sequence[Placed], graph: ModelGraph) -> float:
    shares, _ = work_shares(graph)
    slow = [bool(p.supported) and not p.optimized for p in placed]
    return float(shares[slow].sum()) if len(placed) else 0.0


def _assumptions(case: PlacedModel) -> tuple[str, ...]:
    notes = list(case.deployment.assumptions)
    if not work_shares(case.graph)[1]:
        notes.append("the work of no operator can be counted: each counts the same")
    unknown = sum(p.cause == UNTOLD for p in case.placed)
    if unknown:
        notes.append(
            f"operators of which no source tells where they run ({unknown}) count as accelerated in times; "
            "at the upper end of the fallback's cost the CPU runs them"
        )
    runtime = case.deployment.runtime
    splits = case.deployment.accelerator is not None and runtime.fallback is Fallback.CPU
    if splits and runtime.partition is None:
        notes.append(
            f"no source tells how {runtime.id} splits a model: all that it takes counts as accelerated"
        )
    return tuple(notes)


def _warnings(case: PlacedModel) -> tuple[str, ...]:
    notes = []
    refused = [p.placement for p in case.elsewhere if p.supported is False]
    if refused:
        notes.append(f"subgraphs beside the main one hold {len(refused)} operators that do not run")
    if case.plan.fits is None:
        notes.append("whether it fits in memory is unknown and does not count here")
    cost = case.times.fallback_cost.value if case.times else None
    if cost is not None and not math.isclose(cost, 1.0, rel_tol=0.01):
        notes.append(f"the operators that the accelerator does not get make it take {cost:.3g} times as long")
    return (*notes, *(case.times.warnings if case.times else ()))
