"""The combinations that no other beats in every figure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...verdicts.pareto import pareto
from ..figures import GOALS, figure
from .trials import Trial, soundest


def front(found: Sequence[Trial]) -> list[Trial]:
    """What is as good in latency, energy, RAM, flash and effort as all others are in none.

    Of those that meet the limits; where none does, of those that are not known to fail; else of those that
    run. A figure that is unknown is the worst. Of equals, the first stays.
    """
    candidates = soundest([trial for trial in found if trial.runs])
    distinct: dict[tuple[float, ...], Trial] = {}
    for trial in sorted(candidates, key=lambda t: (t.steps, len(t.changes))):
        distinct.setdefault(_costs(trial), trial)
    if not distinct:
        return []
    costs = np.array(list(distinct))
    kept = pareto(costs, np.ones(len(costs), dtype=np.bool_))
    return [trial for trial, stays in zip(distinct.values(), kept, strict=True) if stays]


def _costs(trial: Trial) -> tuple[float, ...]:
    figures = (figure(trial.figures, goal) for goal in GOALS)
    return (*(float("inf") if value is None else float(value) for value in figures), float(trial.steps))
