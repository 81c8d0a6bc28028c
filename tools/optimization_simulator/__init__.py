"""What each change would bring on this model and this deployment."""

from __future__ import annotations

from ...hardware_db.errors import UsageError, nearest
from ..deployments import Deployment
from ..ethos_u.vela import rules_alone
from ..model_source import ModelSource, as_graph
from .heavy import heavy_layers
from .memory import order_options
from .report import Figures, LayerHint, OptimizationReport, Option
from .simulate import GOALS, combine, figure, simulate_options


@rules_alone()
def simulate_optimizations(
    model: ModelSource, where: Deployment | str, goal: str = "latency", *, technique: str | None = None
) -> OptimizationReport:
    """Simulate changes of the model and of the deployment, best for the goal first.

    Args:
        model: a graph, a path or the name of an architecture.
        where: a deployment, or a target's name for its usual runtime.
        goal: latency, energy, ram or flash.
        technique: only this one, such as int8; None simulates all.

    Raises:
        InputError: a model or target that cannot be used.
        UsageError: an unknown goal or technique.
    """
    if goal not in GOALS:
        raise UsageError(f"There is no goal {goal!r}.", hint=f"Known: {', '.join(GOALS)}.")
    graph, place = as_graph(model, where)
    options = simulate_options(graph, place)
    if technique is not None:
        names = [option.technique for option in options]
        if technique not in names:
            close = ", ".join(nearest(technique, names) or names)
            raise UsageError(f"There is no technique {technique!r}.", hint=f"Known: {close}.")
        options = tuple(option for option in options if option.technique == technique)
    ordered = tuple(sorted(options, key=lambda option: _rank(option, goal)))
    return OptimizationReport(
        deployment=place.ref,
        goal=goal,
        options=ordered,
        combined=combine(graph, place, ordered, goal),
        heavy_layers=heavy_layers(graph),
        assumptions=place.assumptions,
    )


def _rank(option: Option, goal: str) -> tuple[bool, float]:
    value = None if option.after is None else figure(option.after, goal)
    return (not option.applicable, float("inf") if value is None else value)


__all__ = [
    "Figures",
    "LayerHint",
    "OptimizationReport",
    "Option",
    "order_options",
    "simulate_optimizations",
    "simulate_options",
]
