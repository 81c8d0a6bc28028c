"""Estimate, change, estimate again: a gain is the difference, never a constant."""

from __future__ import annotations

from collections.abc import Collection

from ...core.deployment import Deployment
from ...cost_model.comparing import for_changes
from ...graph import ModelGraph
from ...placement.operators import place_operators
from ...verdicts.changes import Figures
from ...verdicts.limits import Limits
from ..efforts import hardest
from ..figures import GOALS, figure, option
from ..kept import kept
from ..memory import memory_options
from ..optimization_report import Option
from ..techniques.catalogue import techniques
from ..techniques.ruled_out import allowed_plans
from ..techniques.structure.published import lost_in_int8
from ..techniques.technique import Technique
from .trials import Trials, soundest

__all__ = ["GOALS", "figure", "simulate_options", "together"]


def simulate_options(
    graph: ModelGraph, deployment: Deployment, trials: Trials | None = None, out: Collection[str] = ()
) -> tuple[Option, ...]:
    """Every technique on its own, and every other plan of the memory; `trials` keeps what was estimated.

    Args:
        out: kinds of changes that `trials` leaves out.
    """
    tried = trials or Trials(graph, deployment, techniques(deployment), Limits())
    tried.run([(), *((name,) for name in tried.techniques)])
    before = tried.unchanged.figures
    changed = [_option(tried, technique, before, graph.name) for technique in tried.techniques.values()]
    shared = kept(graph, for_changes(graph, deployment))
    if shared.memory is None:
        shared.memory = memory_options(graph, shared.deployment)
    return (*changed, *allowed_plans(shared.memory, out))


def together(trials: Trials, goal: str) -> Option | None:
    """The best for the goal of two or more changes; of those that meet the limits, where there are any."""
    several = [trial for trial in trials.found if len(trial.changes) > 1 and trial.runs]
    known = [trial for trial in soundest(several) if figure(trial.figures, goal) is not None]
    if not known:
        return None
    best = min(known, key=lambda trial: (figure(trial.figures, goal) or 0.0, trial.steps, trial.changes))
    used = [trials.techniques[name] for name in best.changes]
    risks = dict.fromkeys(t.accuracy_risk for t in used if t.accuracy_risk != "none")
    return option(
        " + ".join(best.changes), trials.unchanged.figures, best.figures,
        "the best that was found of two or more changes together",
        effort=hardest(t.effort for t in used), accuracy_risk="; ".join(risks) or "none",
    )  # fmt: skip


def _option(trials: Trials, technique: Technique, before: Figures, network: str) -> Option:
    trial = trials.one((technique.name,))
    after, reason = None, technique.about
    if isinstance(trial, str):
        reason = trial
    elif trial.runs:
        after = trial.figures
    else:
        built = trials.built((technique.name,))
        reason = built if isinstance(built, str) else _without_kernels(built.graph, built.deployment)
    published = lost_in_int8(network) if technique.name.startswith("int8") else ""
    risk = published or technique.accuracy_risk
    return option(technique.name, before, after, reason, effort=technique.effort, accuracy_risk=risk)


def _without_kernels(graph: ModelGraph, deployment: Deployment) -> str:
    """The first operator that the runtime refuses, and why."""
    refused = [placed for placed in place_operators(graph, deployment) if placed.supported is False]
    text = f"{deployment.runtime.id} has no kernels for {len(refused)} of {len(graph.ops)} changed operators"
    return f"{text}: {refused[0].kind}: {refused[0].reason}" if refused else text
