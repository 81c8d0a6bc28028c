"""Whether every operator of a model runs on a deployment, where, and on what kind of kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..deployments import Deployment
from ..memory_planner.plan import MemoryPlan
from ..model_source import ModelSource, as_graph
from .penalties import DEFAULT_WEIGHTS, checked_weights, weights_from_text
from .placement import Given, Placed, place_operators
from .report import CompatibilityReport, OpPlacement, Penalty, Runs, Segment, SimulatedRemedy
from .scorer import Case, score
from .simulate import with_remedies

if TYPE_CHECKING:
    from ..roofline.placed import PlacedTimes


def score_compatibility(
    model: ModelSource,
    where: Deployment | str,
    *,
    weights: Mapping[str, float] | None = None,
    plan: MemoryPlan | None = None,
    placed: Sequence[Placed] | None = None,
    times: PlacedTimes | None = None,
    remedies: bool = True,
) -> CompatibilityReport:
    """Tell for each operator whether it runs, where and how well, and score the whole from 0 to 100.

    Args:
        model: a graph, a path or the name of an architecture.
        where: a deployment, or a target's name for its usual runtime.
        weights: points by penalty's name, in place of those in `DEFAULT_WEIGHTS`.
        plan: the memory plan of this model on this deployment; None plans it here.
        placed: where its operators run, if that was decided already: by `place_operators`, which also takes
            what an accelerator's compiler decided.
        times: what they take there.
        remedies: whether to simulate what would make more operators run, or run on the accelerator.

    Raises:
        InputError: a model or target that cannot be used.
        UsageError: a weight that is none.
    """
    points = checked_weights(weights)
    graph, place = as_graph(model, where)
    case = Case.of(graph, place, plan, placed, times)
    report = score(case, points)
    return with_remedies(case, report, points) if remedies else report


__all__ = [
    "DEFAULT_WEIGHTS",
    "CompatibilityReport",
    "Given",
    "OpPlacement",
    "Penalty",
    "Placed",
    "Runs",
    "Segment",
    "SimulatedRemedy",
    "place_operators",
    "score_compatibility",
    "weights_from_text",
]
