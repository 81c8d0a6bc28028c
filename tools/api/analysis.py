"""Everything about one model on one deployment, computed once."""

from __future__ import annotations

import os

from ...hardware_db.errors import UsageError
from ..compatibility_scorer.compatibility_report import CompatibilityReport
from ..compatibility_scorer.scorer import compatibility_of
from ..core.deployment import Deployment
from ..core.files import file_named
from ..core.quantity import Result
from ..core.renamed import takes_where
from ..cost_model.audit import audited_estimate
from ..cost_model.external_memory import with_placements
from ..cost_model.performance_estimate import PerformanceEstimate
from ..cost_model.study import study
from ..graph.summarize import summarize_model
from ..graph.summary import ModelSummary
from ..memory_planner.memory_plan import MemoryPlan
from ..optimization_simulator.applied.accuracy import measured_accuracy
from ..optimization_simulator.applied.measured_accuracy import MeasuredAccuracy
from ..optimization_simulator.heavy import SHARE
from ..optimization_simulator.optimization_report import OptimizationReport
from ..placement.model_source import ModelSource, as_graph
from ..roofline.roofline import roofline_of
from ..roofline.roofline_report import RooflineReport
from .constraints import check_constraints
from .memory_analysis import MemoryAnalysis, memory_analysis
from .optimizations import simulate_optimizations


class AnalysisReport(Result):
    """Result of `analyze`."""

    schema_version: str = "1.0"
    model: ModelSummary
    """What the model holds."""
    model_path: str | None = None
    """The model's file, in full; null for a named architecture, a graph, and where names are redacted."""
    memory: MemoryPlan
    """RAM and flash."""
    memory_analysis: MemoryAnalysis
    """RAM needed against RAM that there is."""
    performance: PerformanceEstimate
    """Time and energy."""
    roofline: RooflineReport
    """What bounds it."""
    compatibility: CompatibilityReport
    """Where each operator runs."""
    optimization: OptimizationReport
    """What changes would bring."""
    accuracy: MeasuredAccuracy | None = None
    """Of the file on labelled samples, run on this machine; null where none were given."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        return ", ".join(part.headline() for part in (self.memory.deployment, self.roofline, self.memory))


@takes_where
def analyze_model(
    model: ModelSource,
    deployment: Deployment | str,
    *,
    heavy_share: float = SHARE,
    data: str | os.PathLike[str] | None = None,
    metric: str | None = None,
) -> AnalysisReport:
    """Profile a model on a deployment: summary, memory, hardware, layers and what to change.

    Args:
        model: a graph, a path or the name of an architecture.
        deployment: a deployment, or a target's name for its usual runtime.
        heavy_share: share of the parameters or of the MACs from which a layer is listed as heavy, 0 to 1.
        data: labelled samples that the file's accuracy is measured on, as `measured_accuracy` takes them.
        metric: MODULE:FUNCTION, called with outputs and labels; None counts top-1.

    Raises:
        InputError: a model or target that cannot be used.
        UsageError: data for a model that is no file, or without labels.

    Example:
        >>> board = deployment("stm32h743zi", "tflm-cmsis-nn")
        >>> report = analyze_model("kws.tflite", board)
        >>> report.model.macs, report.memory.arena_bytes, report.roofline.bound.value
        (2656768, 22820, 'compute')
    """
    graph, place = as_graph(model, deployment)
    case = study(graph, place)
    changes = simulate_optimizations(graph, place, heavy_share=heavy_share)
    checks = check_constraints(graph, place, remedies=False)
    return AnalysisReport(
        model=summarize_model(graph),
        model_path=_path(model, place),
        memory_analysis=memory_analysis(checks, changes.options),
        memory=with_placements(graph, place, case.plan),
        performance=audited_estimate(case),
        roofline=roofline_of(case),
        compatibility=compatibility_of(case),
        optimization=changes,
        accuracy=_accuracy(model, data, metric),
        assumptions=tuple(dict.fromkeys((*case.assumptions, *case.plan.assumptions))),
        warnings=tuple(dict.fromkeys((*case.warnings, *case.plan.warnings))),
    )


def _accuracy(
    model: ModelSource, data: str | os.PathLike[str] | None, metric: str | None
) -> MeasuredAccuracy | None:
    if data is None:
        return None
    if not isinstance(model, str | os.PathLike):
        raise UsageError("Accuracy is measured of a file.", hint="Name the .tflite or .onnx file.")
    return measured_accuracy(model, data, metric=metric)


def _path(model: ModelSource, place: Deployment) -> str | None:
    if not isinstance(model, str | os.PathLike) or place.settings.redact_names:
        return None
    file = file_named(model)
    return None if file is None else str(file.resolve())
