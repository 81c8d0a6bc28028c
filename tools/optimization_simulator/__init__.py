"""What each change would bring on this model and this deployment, alone and together."""

from __future__ import annotations

import importlib
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from ..deployments import Deployment
from ..ethos_u.asked import rules_alone
from ..model_source import ModelSource, as_graph
from .report import Figures, LayerHint, OptimizationReport, Option

if TYPE_CHECKING:
    from ..constraint_checker import Limits
    from .memory import order_options
    from .simulate import simulate_options
    from .simulated import Progress


@rules_alone()
def simulate_optimizations(
    model: ModelSource,
    where: Deployment | str,
    goal: str = "latency",
    *,
    technique: str | Collection[str] | None = None,
    limits: Limits | None = None,
    search: str = "greedy",
    most_changes: int | None = None,
    sensitivity: bool = False,
    progress: Progress | None = None,
) -> OptimizationReport:
    """Simulate changes of the model and of the deployment, best for the goal first, and combinations of them.

    An interruption (Ctrl-C) of a search ends it: what was found till then is returned.

    Args:
        model: a graph, a path or the name of an architecture.
        where: a deployment, or a target's name for its usual runtime.
        goal: latency, energy, ram or flash.
        technique: only this one, such as int8, or only combinations of these; None takes all.
        limits: what a combination has to meet, beside fitting the target at all.
        search: greedy, beam or grid: which combinations are tried.
        most_changes: no longer combinations than this.
        sensitivity: also change each layer alone.
        progress: told how far it is.

    Raises:
        InputError: a model or target that cannot be used.
        UsageError: an unknown goal, technique or search, or a grid that is too large.
    """
    from .simulated import Question, simulated

    asked = Question(goal, technique, limits, search, most_changes, sensitivity)
    return simulated(*as_graph(model, where), asked, progress)


def __getattr__(name: str) -> Any:
    """What simulates is loaded on first use: the limits that it knows know its results."""
    homes = {"order_options": ".memory", "simulate_options": ".simulate"}
    if name not in homes:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(homes[name], __name__), name)


__all__ = [
    "Figures",
    "LayerHint",
    "OptimizationReport",
    "Option",
    "order_options",
    "simulate_optimizations",
    "simulate_options",
]
