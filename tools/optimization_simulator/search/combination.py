"""A trial as a result: each change in its order with the figures after it."""

from __future__ import annotations

import math

from ...verdicts.changes import ChangeStep, Combination, Figures
from ..efforts import hardest
from ..figures import figure, gains
from .trials import Trial, Trials


def combination(trials: Trials, trial: Trial, goal: str) -> Combination:
    """A trial with the figures after each of its changes."""
    before = trials.unchanged.figures
    steps = []
    for count, name in enumerate(trial.changes, start=1):
        technique = trials.techniques[name]
        so_far = trials.one(trial.changes[:count])
        steps.append(
            ChangeStep(
                technique=name,
                about=technique.about,
                effort=technique.effort,
                accuracy_risk=technique.accuracy_risk,
                after=so_far.figures if isinstance(so_far, Trial) else None,
            )
        )
    return Combination(
        changes=tuple(steps),
        effort=hardest(step.effort for step in steps),
        effort_steps=trial.steps,
        verdict=trial.verdict,
        reasons=trial.reasons,
        after=trial.figures,
        gain=gains(before, trial.figures),
        gain_per_effort=gain_per_effort(before, trial, goal),
    )


def gain_per_effort(before: Figures, trial: Trial, goal: str) -> float | None:
    """log2(before / after) of the goal's figure, per step of effort."""
    old, new = figure(before, goal), figure(trial.figures, goal)
    if not trial.steps or not old or not new:
        return None
    return math.log2(old / new) / trial.steps
