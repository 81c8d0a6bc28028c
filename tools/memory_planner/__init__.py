"""RAM and flash of a model on a deployment: liveness, the runtime's own planner, placement in regions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .plan import LayerMemory, LayerRef, MemoryPlan, PersistentPart, PlannedTensor, RegionUse

if TYPE_CHECKING:
    from ..deployments import Deployment
    from ..model_source import ModelSource

__all__ = [
    "LayerMemory",
    "LayerRef",
    "MemoryPlan",
    "PersistentPart",
    "PlannedTensor",
    "RegionUse",
    "plan_memory",
]


def plan_memory(model: ModelSource, where: Deployment | str) -> MemoryPlan:
    """Plan a model's arena and flash and place them in the target's memory regions.

    Args:
        model: a path, the name of an architecture, or a `ModelGraph`.
        where: a deployment, or a target for its usual one. Activations grow with its batch.

    Returns:
        The plan. What cannot be known is None there, with the reason in `warnings`.

    Raises:
        EdgewrightError: the model cannot be read, the target is not known, or an operator cannot follow
            a change of batch.
    """
    from ..model_source import as_graph
    from .planning import plan

    graph, place = as_graph(model, where)
    return plan(graph, place)
