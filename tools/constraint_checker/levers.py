"""What would close a gap: every lever is a change that was simulated on this model and deployment."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..deployments import Deployment
from ..memory_planner import MemoryPlan
from ..memory_planner.arrangements import arrangements
from ..optimization_simulator.report import Figures, Fit, Option
from ..verdict import Verdict
from .report import Check, Lever

if TYPE_CHECKING:
    from ..optimization_simulator.trials import Trials

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
    from ..optimization_simulator.fit import shortest_fit
    from ..optimization_simulator.search import Search, run_search

    failing = [c for c in checks if c.verdict is Verdict.FAIL and not c.soft]
    if not failing:
        return None
    goal = next((_GOALS[check.name] for check in failing if check.name in _GOALS), "latency")
    if not any(trial.meets for trial in trials.found):
        run_search(trials, goal, Search.GREEDY, None)
    return shortest_fit(trials, goal, Search.GREEDY)


def with_split_arena(check: Check, plan: MemoryPlan, where: Deployment, reserve: int) -> Check:
    """The check with two arenas in regions of their own as a lever, where one finds no room and two do."""
    nonpersistent = plan.arena_nonpersistent_bytes
    if check.verdict is not Verdict.FAIL or plan.arena_bytes is None or nonpersistent is None:
        return check
    reserved = plan.model_copy(update={"reserve_bytes": reserve})
    apart = [each for each in arrangements(reserved, where) if each.persistent and not each.external]
    if not apart:
        return check
    planned, kept = (" + ".join(r.id for r in run) for run in (apart[0].arena, apart[0].persistent))
    lever = Lever(
        change=f"two arenas: planned tensors in {planned}, the interpreter's data in {kept}",
        before=plan.arena_bytes,
        after=nonpersistent,
        unit=check.unit,
        closes_gap=True,
        effort="minutes",
    )
    return check.model_copy(update={"levers": (lever,)})


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
