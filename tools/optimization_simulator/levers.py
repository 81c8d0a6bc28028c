"""What would close a gap: every lever is a change that was simulated on this model and deployment."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from ..constraint_checker.constraint_report import Check, Lever
from ..core.quantity import Quantity
from ..verdicts.changes import Figures, Fit
from ..verdicts.verdict import Verdict
from .optimization_report import Option
from .search.fit import shortest_fit
from .search.search import Search, run_search

if TYPE_CHECKING:
    from .search.trials import Trials

MOST = 6
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
        if before.value is None or after.value is None or after.value >= before.value:
            continue
        found.append(
            Lever(
                change=option.technique,
                before=before.value,
                after=after.value,
                after_low=after.low,
                after_high=after.high,
                unit=check.unit,
                closes_gap=after.value <= check.bound,
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


class _Figure(NamedTuple):
    value: float | None
    low: float | None = None
    high: float | None = None


def _figure(name: str, figures: Figures, batch: int) -> _Figure:
    match name:
        case "ram":
            return _Figure(figures.arena_bytes)
        case "flash":
            return _Figure(figures.flash_bytes)
        case "latency":
            return _of_one(figures.latency_ms, 1)
        case "rate":
            return _of_one(figures.latency_ms, batch)
        case "energy":
            return _of_one(figures.energy_uj, batch)
        case _:
            return _Figure(None)


def _of_one(quantity: Quantity, batch: int) -> _Figure:
    ends = (quantity.value, quantity.low, quantity.high)
    return _Figure(*(None if end is None else end / batch for end in ends))
