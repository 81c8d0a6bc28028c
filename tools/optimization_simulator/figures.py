"""The figures that a change is judged by, before and after it."""

from __future__ import annotations

from ..compatibility_scorer.scorer import compatibility_of
from ..core.deployment import Deployment
from ..cost_model.estimate import estimate_of
from ..cost_model.study import Study, study
from ..graph import ModelGraph
from ..verdicts.changes import Figures
from ..verdicts.verdict import Verdict
from .optimization_report import Option

GOALS = ("latency", "energy", "ram", "flash")


def figures(graph: ModelGraph, deployment: Deployment) -> tuple[Figures, Verdict]:
    """What a change is judged by, and whether the model runs there at all."""
    case = study(graph, deployment)
    return figures_of(case), Verdict.FAIL if compatibility_of(case).unsupported_ops else Verdict.PASS


def figures_of(case: Study) -> Figures:
    performance = estimate_of(case)
    return Figures(
        latency_ms=performance.latency_ms,
        energy_uj=performance.energy_uj,
        arena_bytes=case.plan.arena_bytes,
        flash_bytes=case.plan.flash_bytes,
        parameter_bytes=case.graph.parameter_bytes,
        macs=case.table.total_macs,
    )


def figure(of: Figures, goal: str) -> float | None:
    match goal:
        case "latency":
            return of.latency_ms.value
        case "energy":
            return of.energy_uj.value
        case "ram":
            return of.arena_bytes
        case _:
            return of.flash_bytes


def option(
    technique: str, before: Figures, after: Figures | None, reason: str, *, effort: str, accuracy_risk: str
) -> Option:
    return Option(
        technique=technique,
        applicable=after is not None,
        reason=reason,
        effort=effort,
        accuracy_risk=accuracy_risk,
        before=before,
        after=after,
        gain={} if after is None else gains(before, after),
    )


def gains(before: Figures, after: Figures) -> dict[str, float]:
    found = {}
    for goal in GOALS:
        old, new = figure(before, goal), figure(after, goal)
        if old and new is not None:
            found[goal] = new / old - 1
    return found
