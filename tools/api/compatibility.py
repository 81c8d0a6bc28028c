"""Whether every operator of a model runs on a deployment, where, and on what kind of kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..compatibility_scorer.compatibility_report import CompatibilityReport
from ..compatibility_scorer.penalties import checked_weights
from ..compatibility_scorer.remedy_trials import with_remedies
from ..compatibility_scorer.scorer import PlacedModel, score
from ..core.deployment import Deployment
from ..core.renamed import takes_where
from ..memory_planner.memory_plan import MemoryPlan
from ..placement.model_source import ModelSource, as_graph
from ..placement.operators import Placed

if TYPE_CHECKING:
    from ..cost_model.placed_times import PlacedTimes


@takes_where
def score_compatibility(
    model: ModelSource,
    deployment: Deployment | str,
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
        deployment: a deployment, or a target's name for its usual runtime.
        weights: points by penalty's name, in place of those in `DEFAULT_WEIGHTS`.
        plan: the memory plan of this model on this deployment; None plans it here.
        placed: where its operators run, if that was decided already: by `place_operators`, which also takes
            what an accelerator's compiler decided.
        times: what they take there.
        remedies: whether to simulate what would make more operators run, or run on the accelerator.

    Raises:
        InputError: a model or target that cannot be used.
        UsageError: a weight that is none.

    Example:
        >>> board = deployment("stm32h743zi", "tflm-cmsis-nn")
        >>> score_compatibility("kws.tflite", board)
        <CompatibilityReport kws.tflite on ...: PASS, 100 of 100, 13 of 13 operators run>
        >>> report = score_compatibility("vww", deployment("alif-ensemble-e7"))
        >>> report.deployment.runtime, report.verdict.value
        ('ethos-u', 'PASS')
    """
    points = checked_weights(weights)
    graph, place = as_graph(model, deployment)
    case = PlacedModel.of(graph, place, plan, placed, times)
    report = score(case, points)
    return with_remedies(case, report, points) if remedies else report
