"""Estimate, change, estimate again: a gain is the difference, never a constant."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ...hardware_db.errors import EdgewrightError
from ..deployments import Deployment
from ..ethos_u.vela import rules_alone
from ..graph import ModelGraph
from ..graph.serialize import graph_sha256
from ..verdict import Verdict
from .figures import GOALS, figure, figures, option
from .memory import memory_options
from .report import Figures, Option
from .techniques import Technique, reason_of, techniques

__all__ = ["GOALS", "combine", "figure", "simulate_options"]


@rules_alone()
def simulate_options(graph: ModelGraph, where: Deployment) -> tuple[Option, ...]:
    """Every technique on its own, and every other plan of the memory."""
    before, _ = figures(graph, where)
    changed = tuple(_simulate(technique, graph, where, before) for technique in techniques(where))
    return (*changed, *memory_options(graph, where))


@rules_alone()
def combine(graph: ModelGraph, where: Deployment, options: Iterable[Option], goal: str) -> Option | None:
    """The best applicable technique of each family together: effects are not additive."""
    known = {technique.name: technique for technique in techniques(where)}
    chosen: dict[str, Technique] = {}
    for simulated in options:
        technique = known.get(simulated.technique)
        if technique is not None and technique.family not in chosen and _helps(simulated, goal):
            chosen[technique.family] = technique
    if len(chosen) < 2:
        return None
    together = sorted(chosen.values(), key=lambda t: _ORDER.index(t.family))

    def apply(g: ModelGraph, w: Deployment) -> tuple[ModelGraph, Deployment]:
        for technique in together:
            g, w = technique.apply(g, w)
        return g, w

    efforts = {technique.effort for technique in together}
    both = Technique(
        name=" + ".join(technique.name for technique in together),
        about="the best of each kind together",
        effort="retraining" if "retraining" in efforts else "minutes",
        accuracy_risk="; ".join(
            dict.fromkeys(t.accuracy_risk for t in together if t.accuracy_risk != "none")
        ),
        family="all",
        apply=apply,
    )
    before, _ = figures(graph, where)
    return _simulate(both, graph, where, before)


_ORDER = ("resolution", "pruning", "precision", "io", "casts", "runtime", "clock")
"""Shapes first, then types, then where it runs: quantisation parameters belong to the final shapes."""


def _simulate(technique: Technique, graph: ModelGraph, where: Deployment, before: Figures) -> Option:
    try:
        changed, there = technique.apply(graph, where)
    except EdgewrightError as error:
        return _option(technique, before, None, reason_of(error))
    if changed is not graph:
        changed = replace(changed, history=(*graph.history, technique.name), sha256=graph_sha256(changed))
    after, runs = figures(changed, there)
    if runs is Verdict.FAIL:
        return _option(technique, before, None, _without_kernels(changed, there))
    return _option(technique, before, after, technique.about)


def _without_kernels(graph: ModelGraph, where: Deployment) -> str:
    """The first operator that the runtime refuses, and why."""
    from ..compatibility_scorer import place_operators

    refused = [placed for placed in place_operators(graph, where) if placed.supported is False]
    told = f"{where.runtime.id} has no kernels for {len(refused)} of {len(graph.ops)} changed operators"
    return f"{told}: {refused[0].kind}: {refused[0].reason}" if refused else told


def _option(technique: Technique, before: Figures, after: Figures | None, reason: str) -> Option:
    return option(
        technique.name,
        before,
        after,
        reason,
        effort=technique.effort,
        accuracy_risk=technique.accuracy_risk,
    )


def _helps(option: Option, goal: str) -> bool:
    return option.applicable and option.gain.get(goal, 0.0) < -0.01
