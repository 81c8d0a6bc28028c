"""The results that a report is written from; nothing else goes into it."""

from __future__ import annotations

from typing import Any

from ..api.compatibility import score_compatibility
from ..api.constraints import check_constraints
from ..api.memory import plan_memory
from ..api.optimizations import simulate_optimizations
from ..api.roofline import analyze_roofline, estimate_performance
from ..api.timeline import trace_timeline
from ..calibration.validation.evidence import EvidenceReport, evidence
from ..compatibility_scorer.compatibility_report import CompatibilityReport
from ..constraint_checker.constraint_report import ConstraintReport
from ..core.deployment import Deployment
from ..core.records import dataclass
from ..cost_model.performance_estimate import PerformanceEstimate
from ..graph.summarize import summarize_model
from ..graph.summary import ModelSummary
from ..memory_planner.memory_plan import MemoryPlan
from ..optimization_simulator.optimization_report import OptimizationReport
from ..placement.model_source import ModelSource, as_graph
from ..roofline.roofline_report import RooflineReport
from ..timeline.timeline import Timeline
from ..verdicts.limits import Limits
from .kinds import kinds_of


@dataclass(frozen=True)
class Results:
    place: Deployment
    model: ModelSummary
    performance: PerformanceEstimate
    roofline: RooflineReport
    compatibility: CompatibilityReport
    memory: MemoryPlan
    """With the RAM that the limits reserve."""
    checks: ConstraintReport
    timeline: Timeline
    optimization: OptimizationReport | None
    """None where no changes were simulated."""
    evidence: EvidenceReport | None
    """None where no measurements were looked up."""
    transform: str = ""
    """What was made of the model before, such as int8."""

    @property
    def by_name(self) -> dict[str, Any]:
        """What the report's references are resolved in."""
        found = {
            "model": self.model, "performance": self.performance, "roofline": self.roofline,
            "compatibility": self.compatibility, "kinds": kinds_of(self.model, self.roofline),
            "memory": self.memory, "checks": self.checks, "timeline": self.timeline,
        }  # fmt: skip
        more = {"optimization": self.optimization, "evidence": self.evidence}
        return found | {name: value for name, value in more.items() if value is not None}


def results_of(
    model: ModelSource,
    deployment: Deployment | str,
    limits: Limits | None = None,
    *,
    in_depth: bool = True,
    transform: str = "",
) -> Results:
    """Everything that the tools know of a model on a deployment.

    Args:
        model: a path, the name of an architecture, or a graph.
        deployment: a deployment, or a target's name for its usual runtime.
        limits: what is demanded beyond fitting at all.
        in_depth: also simulate changes and look up measurements, which takes most of the time.
        transform: what was made of the model before.

    Raises:
        InputError: a model or target that cannot be used.
    """
    graph, place = as_graph(model, deployment)
    limits = limits or Limits()
    return Results(
        place=place,
        model=summarize_model(graph),
        performance=estimate_performance(graph, place),
        roofline=analyze_roofline(graph, place),
        compatibility=score_compatibility(graph, place),
        memory=plan_memory(graph, place, reserve_bytes=limits.reserve_bytes),
        checks=check_constraints(graph, place, limits, remedies=in_depth),
        timeline=trace_timeline(graph, place, levers=False),
        optimization=simulate_optimizations(graph, place) if in_depth else None,
        evidence=evidence(graph, place) if in_depth else None,
        transform=transform,
    )
