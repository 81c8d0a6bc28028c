"""Everything about one model on one deployment, computed once."""

from __future__ import annotations

from ..compatibility_scorer import CompatibilityReport
from ..deployments import Deployment
from ..graph.summarize import summarize_model
from ..graph.summary import ModelSummary
from ..memory_planner import MemoryPlan
from ..model_source import ModelSource, as_graph
from ..optimization_simulator import OptimizationReport, simulate_optimizations
from ..quantity import Result
from ..roofline import PerformanceEstimate, RooflineReport, estimate_of, roofline_of, study
from ..roofline.spilling import with_placements


class AnalysisReport(Result):
    """Result of `analyze`."""

    schema_version: str = "1.0"
    model: ModelSummary
    memory: MemoryPlan
    performance: PerformanceEstimate
    roofline: RooflineReport
    compatibility: CompatibilityReport
    optimization: OptimizationReport
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def analyze_model(model: ModelSource, where: Deployment | str) -> AnalysisReport:
    """Profile a model on a deployment: summary, memory, hardware, layers and what to change.

    Args:
        model: a graph, a path or the name of an architecture.
        where: a deployment, or a target's name for its usual runtime.

    Raises:
        InputError: a model or target that cannot be used.
    """
    graph, place = as_graph(model, where)
    case = study(graph, place)
    return AnalysisReport(
        model=summarize_model(graph),
        memory=with_placements(graph, place, case.plan),
        performance=estimate_of(case),
        roofline=roofline_of(case),
        compatibility=case.compatibility,
        optimization=simulate_optimizations(graph, place),
        assumptions=tuple(dict.fromkeys((*case.assumptions, *case.plan.assumptions))),
        warnings=tuple(dict.fromkeys((*case.warnings, *case.plan.warnings))),
    )
