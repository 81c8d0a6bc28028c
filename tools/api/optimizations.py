"""What each change would bring on this model and this deployment, alone and together."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from ..core.deployment import Deployment, as_deployment
from ..core.renamed import takes_where
from ..cost_model.comparing import for_changes
from ..ethos_u.asked import by_rules
from ..optimization_simulator.heavy import SHARE
from ..optimization_simulator.optimization_report import OptimizationReport
from ..optimization_simulator.search.run import Question, optimizations
from ..placement.model_source import ModelSource, as_graph
from ..verdicts.limits import LimitsLike, as_limits

if TYPE_CHECKING:
    from ..optimization_simulator.search.run import Progress


@takes_where
def simulate_optimizations(  # noqa: PLR0913 - each is an option of its own on the command line
    model: ModelSource,
    deployment: Deployment | str,
    goal: str = "latency",
    *,
    technique: str | Collection[str] | None = None,
    exclude: str | Collection[str] | None = None,
    limits: LimitsLike | None = None,
    search: str = "greedy",
    most_changes: int | None = None,
    sensitivity: bool = False,
    heavy_share: float = SHARE,
    progress: Progress | None = None,
) -> OptimizationReport:
    """Simulate changes of the model and of the deployment, best for the goal first, and combinations of them.

    An interruption (Ctrl-C) of a search ends it: what was found till then is returned.

    Args:
        model: a graph, a path or the name of an architecture.
        deployment: a deployment, or a target's name for its usual runtime.
        goal: latency, energy, ram or flash.
        technique: only this one, such as int8, or only combinations of these; None takes all.
        exclude: kinds of changes that may not be made: retraining or redesign, a family (resolution, pruning,
            precision, depth, runtime, memory, clock, …) or one by its name.
        limits: what a combination has to meet, beside fitting the target at all.
        search: greedy, beam or grid: which combinations are tried.
        most_changes: no longer combinations than this.
        sensitivity: also change each layer alone.
        heavy_share: share of the parameters or of the MACs from which a layer is listed as heavy, 0 to 1.
        progress: told how far it is.

    Raises:
        InputError: a model or target that cannot be used.
        UsageError: an unknown goal, technique, kind or search, or a grid that is too large.

    Example:
        >>> board = deployment("stm32h743zi", "tflm-cmsis-nn")
        >>> report = simulate_optimizations("kws.tflite", board, "ram", technique="input-50")
        >>> option = report.options[0]
        >>> option.before.arena_bytes, option.after.arena_bytes, option.effort
        (22820, 11428, 'retraining')
    """
    asked = Question(
        goal, technique, as_limits(limits), search, most_changes, sensitivity, heavy_share, exclude
    )
    graph, place = as_graph(model, by_rules(as_deployment(deployment)))
    return optimizations(graph, for_changes(graph, place), asked, progress)
