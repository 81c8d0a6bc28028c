"""The results that a report is written from; nothing else goes into it."""

from __future__ import annotations

from typing import Any

from ..api.analysis import AnalysisReport, analyze_model
from ..api.constraints import check_constraints
from ..api.memory import plan_memory
from ..api.timeline import trace_timeline
from ..calibration.validation.stands_on import EvidenceReport, evidence
from ..constraint_checker.report import ConstraintReport
from ..core.deployment import Deployment
from ..core.records import dataclass
from ..memory_planner.plan import MemoryPlan
from ..placement.model_source import ModelSource, as_graph
from ..timeline.report import Timeline
from ..verdicts.limits import Limits
from .kinds import kinds_of


@dataclass(frozen=True)
class Results:
    place: Deployment
    analysis: AnalysisReport
    memory: MemoryPlan
    """With the RAM that the limits reserve."""
    checks: ConstraintReport
    timeline: Timeline
    evidence: EvidenceReport

    @property
    def by_name(self) -> dict[str, Any]:
        """What the report's references are resolved in."""
        analysis = self.analysis
        return {
            "model": analysis.model, "performance": analysis.performance, "roofline": analysis.roofline,
            "compatibility": analysis.compatibility, "optimization": analysis.optimization,
            "kinds": kinds_of(analysis), "memory": self.memory, "checks": self.checks,
            "timeline": self.timeline, "evidence": self.evidence,
        }  # fmt: skip


def results_of(model: ModelSource, deployment: Deployment | str, limits: Limits | None = None) -> Results:
    """Everything that the tools know of a model on a deployment.

    Raises:
        InputError: a model or target that cannot be used.
    """
    graph, place = as_graph(model, deployment)
    limits = limits or Limits()
    return Results(
        place=place,
        analysis=analyze_model(graph, place),
        memory=plan_memory(graph, place, reserve_bytes=limits.reserve_bytes),
        checks=check_constraints(graph, place, limits),
        timeline=trace_timeline(graph, place, levers=False),
        evidence=evidence(graph, place),
    )
