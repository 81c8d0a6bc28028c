"""Time, bound and energy of each layer and of the whole model."""

from __future__ import annotations

from ..core.deployment import Deployment
from ..core.renamed import takes_where
from ..cost_model.audit import audited_estimate
from ..cost_model.performance_estimate import PerformanceEstimate
from ..cost_model.study import study
from ..placement.model_source import ModelSource, as_graph
from ..roofline.roofline import roofline_of
from ..roofline.roofline_report import RooflineReport


@takes_where
def analyze_roofline(
    model: ModelSource, deployment: Deployment | str, *, measured: bool = False
) -> RooflineReport:
    """Tell what bounds a model on a deployment, layer by layer and weighted by time.

    Args:
        model: a graph, a path or the name of an architecture.
        deployment: a deployment, or a target's name for its usual runtime.
        measured: take bandwidth and peaks that are measured here, in about two seconds; of a host alone.

    Raises:
        InputError: a model or target that cannot be used.
        UsageError: ceilings of another machine than this one.

    Example:
        >>> board = deployment("stm32h743zi", "tflm-cmsis-nn")
        >>> report = analyze_roofline("kws.tflite", board)
        >>> report.bound.value, report.ridge_point, round(report.arithmetic_intensity, 1)
        ('compute', 0.5, 31.5)
        >>> [layer.op for layer in report.layers if layer.share > 0.2]
        ['CONV_2D']
    """
    graph, place = as_graph(model, deployment)
    if measured:
        from ..host_runs.ceilings import with_ceilings

        place = with_ceilings(place)
    return roofline_of(study(graph, place))


@takes_where
def estimate_performance(model: ModelSource, deployment: Deployment | str) -> PerformanceEstimate:
    """Estimate latency, cycles, power and energy of one batch, per layer and in total.

    Args:
        model: a graph, a path or the name of an architecture.
        deployment: a deployment, or a target's name for its usual runtime.

    Raises:
        InputError: a model or target that cannot be used.

    Example:
        >>> board = deployment("stm32h743zi", "tflm-cmsis-nn")
        >>> estimate = estimate_performance("kws.tflite", board)
        >>> estimate.latency_ms < 50, estimate.latency_ms.basis.value
        (True, 'fitted')
        >>> estimate.accelerated_layers, estimate.cpu_only_layers, estimate.optimized_layers
        (0, 13, 12)
        >>> max(estimate.to_rows(), key=lambda row: row["latency_ms"])["op"]
        'CONV_2D'
    """
    graph, place = as_graph(model, deployment)
    return audited_estimate(study(graph, place))
