"""Whether every operator of a model runs on a deployment, where, and on what kind of kernel."""

from __future__ import annotations

from collections.abc import Mapping

from ..deployments import Deployment
from ..memory_planner.plan import MemoryPlan
from ..model_source import ModelSource, as_graph
from .penalties import DEFAULT_WEIGHTS
from .placement import Placed, place_operators
from .report import CompatibilityReport, OpPlacement, Penalty
from .scorer import score


def score_compatibility(
    model: ModelSource,
    where: Deployment | str,
    *,
    weights: Mapping[str, float] | None = None,
    plan: MemoryPlan | None = None,
) -> CompatibilityReport:
    """Tell for each operator whether it runs, where and how well, and score the whole from 0 to 100.

    Args:
        model: a graph, a path or the name of an architecture.
        where: a deployment, or a target's name for its usual runtime.
        weights: points by penalty's name, in place of those in `DEFAULT_WEIGHTS`.
        plan: the memory plan of this model on this deployment; None plans it here.

    Raises:
        InputError: a model or target that cannot be used.
        UsageError: a weight that is none.
    """
    from ..memory_planner.planning import plan as memory_plan

    graph, place = as_graph(model, where)
    return score(graph, place, plan or memory_plan(graph, place), weights)


__all__ = [
    "DEFAULT_WEIGHTS",
    "CompatibilityReport",
    "OpPlacement",
    "Penalty",
    "Placed",
    "place_operators",
    "score_compatibility",
]
