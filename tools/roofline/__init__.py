"""Time, bound and energy of each layer and of the whole model."""

from __future__ import annotations

from ..deployments import Deployment
from ..model_source import ModelSource, as_graph
from .estimate import estimate_of
from .report import PerformanceEstimate, RooflineReport
from .roof import roofline_of
from .study import Study, study


def analyze_roofline(model: ModelSource, where: Deployment | str) -> RooflineReport:
    """Tell what bounds a model on a deployment, layer by layer and weighted by time.

    Args:
        model: a graph, a path or the name of an architecture.
        where: a deployment, or a target's name for its usual runtime.

    Raises:
        InputError: a model or target that cannot be used.
    """
    graph, place = as_graph(model, where)
    return roofline_of(study(graph, place))


def estimate_performance(model: ModelSource, where: Deployment | str) -> PerformanceEstimate:
    """Estimate latency, cycles, power and energy of one batch, per layer and in total.

    Args:
        model: a graph, a path or the name of an architecture.
        where: a deployment, or a target's name for its usual runtime.

    Raises:
        InputError: a model or target that cannot be used.
    """
    graph, place = as_graph(model, where)
    return estimate_of(study(graph, place))


__all__ = [
    "PerformanceEstimate",
    "RooflineReport",
    "Study",
    "analyze_roofline",
    "estimate_of",
    "estimate_performance",
    "roofline_of",
    "study",
]
