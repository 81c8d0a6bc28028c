"""RAM and flash of a model on a deployment: liveness, the runtime's own planner, placement in regions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...hardware_db.errors import UsageError
from ..core.renamed import takes_where
from ..cost_model.external_memory import with_placements
from ..memory_planner.memory_plan import MemoryPlan
from ..memory_planner.order.best_order import search
from ..memory_planner.order.order_report import OrderReport
from ..memory_planner.reporting import plan
from ..placement.model_source import as_graph

if TYPE_CHECKING:
    from ..core.deployment import Deployment
    from ..memory_planner.order.search import Progress
    from ..placement.model_source import ModelSource


@takes_where
def plan_memory(model: ModelSource, deployment: Deployment | str, *, reserve_bytes: int = 0) -> MemoryPlan:
    """Plan a model's arena and flash and place them in the target's memory regions.

    Args:
        model: a path, the name of an architecture, or a `ModelGraph`.
        deployment: a deployment, or a target for its usual one. Activations grow with its batch.
        reserve_bytes: RAM to keep for stack, heap and the application, in one piece.

    Returns:
        The plan, with every other placement that fits and its time. What cannot be known is None there,
        with the reason in `warnings`.

    Raises:
        EdgewrightError: the model cannot be read, the target is not known, or an operator cannot follow
            a change of batch.
        UsageError: a reserve below zero.

    Example:
        >>> board = deployment("stm32h743zi", "tflm-cmsis-nn")
        >>> plan = plan_memory("kws.tflite", board)
        >>> plan.arena_bytes, plan.peak_layer.op, plan.fits
        (22820, 'DEPTHWISE_CONV_2D', True)
        >>> [use.region for use in plan.regions if "arena" in use.holds]
        ['dtcm']
    """
    if reserve_bytes < 0:
        raise UsageError(f"A reserve of {reserve_bytes} bytes is below zero.", hint="Give 0 or more.")
    graph, place = as_graph(model, deployment)
    return with_placements(graph, place, plan(graph, place, reserve_bytes=reserve_bytes))


@takes_where
def best_memory_order(
    model: ModelSource,
    deployment: Deployment | str,
    *,
    time_limit_s: float = 5.0,
    progress: Progress | None = None,
) -> OrderReport:
    """Seek the order of operators and the packing of their buffers that need the least arena.

    Args:
        model: a path, the name of an architecture, or a `ModelGraph`.
        deployment: a deployment, or a target for its usual one.
        time_limit_s: after it, the best that was found is reported with the bound proven by then. So it is on
            an interrupt from the keyboard.
        progress: called with a line of text now and then while the search goes on.

    Returns:
        The best order with the arena before and after it, and what the best packing would leave of both.

    Raises:
        EdgewrightError: the model cannot be read, or the target is not known.
        UsageError: a time limit that is not above zero.

    Example:
        >>> board = deployment("stm32h743zi", "tflm-cmsis-nn")
        >>> report = best_memory_order("inception_v1:96", board)
        >>> report.order_is_proven, report.saved_by_order_bytes
        (True, 0)
    """
    if not time_limit_s > 0:
        raise UsageError(f"A time limit of {time_limit_s:g} s leaves no time.", hint="Give 1 or more.")
    graph, place = as_graph(model, deployment)
    return search(graph, place, time_limit_s, progress).model_copy(update={"model": graph.name})
