"""RAM and flash of a model on a deployment: liveness, the runtime's own planner, placement in regions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .plan import (
    LayerMemory,
    LayerRef,
    LinkerHint,
    MemoryPlan,
    PersistentPart,
    PlacementOption,
    PlannedTensor,
    RegionUse,
)

if TYPE_CHECKING:
    from ..deployments import Deployment
    from ..model_source import ModelSource

__all__ = [
    "LayerMemory",
    "LayerRef",
    "LinkerHint",
    "MemoryPlan",
    "PersistentPart",
    "PlacementOption",
    "PlannedTensor",
    "RegionUse",
    "plan_memory",
]


def plan_memory(model: ModelSource, where: Deployment | str, *, reserve_bytes: int = 0) -> MemoryPlan:
    """Plan a model's arena and flash and place them in the target's memory regions.

    Args:
        model: a path, the name of an architecture, or a `ModelGraph`.
        where: a deployment, or a target for its usual one. Activations grow with its batch.
        reserve_bytes: RAM to keep for stack, heap and the application, in one piece.

    Returns:
        The plan, with every other placement that fits and its time. What cannot be known is None there,
        with the reason in `warnings`.

    Raises:
        EdgewrightError: the model cannot be read, the target is not known, or an operator cannot follow
            a change of batch.
        UsageError: a reserve below zero.
    """
    from ...hardware_db.errors import UsageError
    from ..model_source import as_graph
    from ..roofline.spilling import with_placements
    from .planning import plan

    if reserve_bytes < 0:
        raise UsageError(f"A reserve of {reserve_bytes} bytes is below zero.", hint="Give 0 or more.")
    graph, place = as_graph(model, where)
    return with_placements(graph, place, plan(graph, place, reserve_bytes=reserve_bytes))
