"""The score and the verdict, out of placements and penalties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..deployments import Deployment
from ..graph import ModelGraph
from ..memory_planner.plan import MemoryPlan
from ..verdict import Verdict
from .penalties import ALL, checked_weights, memory_penalties, operator_penalties, work_shares
from .placement import FALLBACK, Placed, place_operators
from .report import CompatibilityReport

DOMINATES = 0.5
"""Share of the work from which unoptimised or fallen-back operators make the verdict MARGINAL."""


def score(
    graph: ModelGraph, where: Deployment, plan: MemoryPlan | None, weights: Mapping[str, float] | None = None
) -> CompatibilityReport:
    """Place every operator of `graph`, and count what that and its memory `plan` cost."""
    points = checked_weights(weights)
    placed = place_operators(graph, where)
    elsewhere = [p for i in range(1, len(graph.subgraphs)) for p in place_operators(graph, where, (i,))]
    penalties = operator_penalties(placed, elsewhere, graph, points)
    penalties += memory_penalties(plan, where, points) if plan else []
    penalties.sort(key=lambda penalty: -penalty.points)
    slow_share = _slow_share(placed, graph)
    ops = tuple(p.placement for p in placed)
    return CompatibilityReport(
        deployment=where.ref,
        verdict=_verdict((*placed, *elsewhere), plan, slow_share),
        score=max(0.0, round(ALL - sum(p.points for p in penalties), 1)),
        penalties=tuple(penalties),
        ops=ops,
        supported_ops=sum(op.supported is True for op in ops),
        optimized_ops=sum(op.optimized for op in ops),
        fallback_ops=sum(p.cause == FALLBACK for p in placed),
        unsupported_ops=sum(op.supported is False for op in ops),
        unknown_ops=sum(op.supported is None for op in ops),
        assumptions=_assumptions(graph, where),
        warnings=_warnings(plan, elsewhere),
    )


def _verdict(placed: Sequence[Placed], plan: MemoryPlan | None, slow_share: float) -> Verdict:
    runs = [p.placement.supported for p in placed]
    if False in runs or (plan is not None and plan.fits is False):
        return Verdict.FAIL
    if None in runs:
        return Verdict.UNKNOWN
    return Verdict.MARGINAL if slow_share > DOMINATES else Verdict.PASS


def _slow_share(placed: Sequence[Placed], graph: ModelGraph) -> float:
    shares, _ = work_shares(graph)
    slow = [bool(p.placement.supported) and not p.placement.optimized for p in placed]
    return float(shares[slow].sum()) if len(placed) else 0.0


def _assumptions(graph: ModelGraph, where: Deployment) -> tuple[str, ...]:
    if work_shares(graph)[1]:
        return where.assumptions
    return (*where.assumptions, "the work of no operator can be counted: each counts the same")


def _warnings(plan: MemoryPlan | None, elsewhere: Sequence[Placed]) -> tuple[str, ...]:
    told = []
    refused = [p.placement for p in elsewhere if p.placement.supported is False]
    if refused:
        told.append(f"subgraphs beside the main one hold {len(refused)} operators that do not run")
    if plan is None or plan.fits is None:
        told.append("whether it fits in memory is unknown and does not count here")
    return tuple(told)
