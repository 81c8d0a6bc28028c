"""Time, bound and energy of each layer and of the whole model."""

from __future__ import annotations

from ..core.deployment import Deployment
from ..cost_model.estimate import estimate_of
from ..cost_model.report import PerformanceEstimate
from ..cost_model.study import study
from ..placement.model_source import ModelSource, as_graph
from ..roofline.report import RooflineReport
from ..roofline.roofline import roofline_of


def analyze_roofline(model: ModelSource, deployment: Deployment | str) -> RooflineReport:
    """Tell what bounds a model on a deployment, layer by layer and weighted by time.

    Args:
        model: a graph, a path or the name of an architecture.
        deployment: a deployment, or a target's name for its usual runtime.

    Raises:
        InputError: a model or target that cannot be used.
    """
    graph, place = as_graph(model, deployment)
    return roofline_of(study(graph, place))


def estimate_performance(model: ModelSource, deployment: Deployment | str) -> PerformanceEstimate:
    """Estimate latency, cycles, power and energy of one batch, per layer and in total.

    Args:
        model: a graph, a path or the name of an architecture.
        deployment: a deployment, or a target's name for its usual runtime.

    Raises:
        InputError: a model or target that cannot be used.
    """
    graph, place = as_graph(model, deployment)
    return estimate_of(study(graph, place))
