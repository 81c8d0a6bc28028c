"""What would close a gap: every lever is a change that was simulated on this model and deployment."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..constraint_checker.constraint_report import Check, Lever
from ..verdicts.changes import Figures, Fit
from ..verdicts.verdict import Verdict
from .optimization_report import Option
from .search.fit import shortest_fit
from .search.search import Search, run_search

if TYPE_CHECKING:
    from .search.trials import Trials

MOST = 4
_GOALS = {"latency": "latency", "rate": "latency", "energy": "energy", "ram": "ram", "flash": "flash"}
"""What a search goes for where a check fails."""


def with_levers(check: Check, options: Iterable[Option], batch: int) -> Check:
    """The check with the changes that lower its demand, those that close the gap first."""
    if check.verdict is Verdict.PASS or check.bound is None or check.demand is None:
        return check
    found = []
    for option in options:
        if option.after is None:
            continue
        before, after = _figure(check.name, option.before, batch), _figure(check.name, option.after, batch)
        if before is None or after is None or after >= before:
            continue
        found.append(
            Lever(
                change=option.technique,
                before=before,
                after=after,
                unit=check.unit,
                closes_gap=after <= check.bound,
                effort=option.effort,
            )
        )
    found.sort(key=lambda lever: (not lever.closes_gap, lever.after))
    return check.model_copy(update={"levers": (*check.levers, *found)[:MOST]})


def closing_all(trials: Trials, checks: Iterable[Check]) -> Fit | None:
    """The shortest list of changes that closes all gaps; None where no hard check fails."""
    failing = [c for c in checks if c.verdict is Verdict.FAIL and not c.soft]
    if not failing:
        return None
    goal = next((_GOALS[check.name] for check in failing if check.name in _GOALS), "latency")
    if not any(trial.meets for trial in trials.found):
        run_search(trials, goal, Search.GREEDY, None)
    return shortest_fit(trials, goal, Search.GREEDY)


def _figure(name: str, figures: Figures, batch: int) -> float | None:
    match name:
        case "ram":
            return figures.arena_bytes
        case "flash":
            return figures.flash_bytes
        case "latency":
            return figures.latency_ms.value
        case "rate":
            return None if figures.latency_ms.value is None else figures.latency_ms.value / batch
        case "energy":
            return None if figures.energy_uj.value is None else figures.energy_uj.value / batch
        case _:
            return None
