"""The clock at which a battery lasts longest, of those that meet the limits."""

from __future__ import annotations

from ....hardware_db.errors import UsageError
from ...core.deployment import Deployment
from ...core.quantity import Quantity
from ...core.records import dataclass
from ...cost_model.study import study
from ...energy.cell import Cell
from ...energy.duty_cycle import Duty, budget_of
from ...graph import ModelGraph
from ...verdicts.limits import Limits
from ...verdicts.verdict import Verdict
from .answering import other_changes, relaxed
from .limit_answer import LimitAnswer, LimitPoint
from .probes import Probe, probe

CLOCKS = 64
"""Even steps up to the deployment's own clock."""


@dataclass(frozen=True)
class _Step:
    clock_mhz: float
    found: Probe
    life_days: Quantity

    @property
    def shown(self) -> str:
        return f"{self.clock_mhz:g} MHz"


def longest_life(
    graph: ModelGraph, deployment: Deployment, limits: Limits, asked: Duty, cell: Cell
) -> LimitAnswer:
    """Raises UsageError where the life is not known at any clock, with what is missing."""
    steps = [_step(graph, deployment, limits, asked, cell, part / CLOCKS) for part in range(1, CLOCKS + 1)]
    known = [step for step in steps if step.life_days.value is not None]
    if not known:
        missing = budget_of(study(graph, deployment), asked, cell).missing
        raise UsageError(
            "The battery's life is not known.", hint=f"It takes {'; '.join(missing)}." if missing else ""
        )
    meeting = [step for step in known if step.found.meets]
    longest = max(known, key=_life)
    if not meeting:
        return _none(graph, deployment, limits, steps, longest)
    best = max(meeting, key=_life)
    refused = [step for step in known if _life(step) > _life(best)]
    beyond = min(refused, key=_life, default=None)
    low, high = best.life_days.low, best.life_days.high
    spread = "" if low is None or high is None else f" ({low:.3g} to {high:.3g})"
    statement = f"{cell.name} lasts longest at {best.shown}: {_life(best):.3g} days{spread}"
    if beyond is not None:
        statement += f"; at {beyond.shown} it would last longer, but {beyond.found.reasons[0]}"
    return LimitAnswer(
        model=graph.name, deployment=deployment.ref, variable="battery-life", limits=limits,
        question="the longest battery life",
        feasible=True, value=_life(best), unit="days", statement=statement,
        binding=beyond.found.failing[0] if beyond else None,
        at=_point(best), beyond=_point(beyond) if beyond else None,
        method="scan", tried=len(steps),
        assumptions=(
            *deployment.assumptions, f"clocks in {CLOCKS} even steps up to {deployment.clock_mhz:g} MHz",
        ),
        warnings=() if beyond else ("no limit binds: other clocks drain the battery faster",),
    )  # fmt: skip


def _step(
    graph: ModelGraph, deployment: Deployment, limits: Limits, asked: Duty, cell: Cell, share: float
) -> _Step:
    place = deployment if share == 1 else deployment.at(clock_mhz=deployment.clock_mhz * share)
    life = budget_of(study(graph, place), asked, cell).battery
    days = Quantity.unknown("days") if life is None else life.life_days
    return _Step(place.clock_mhz, probe(graph, place, limits), days)


def _life(step: _Step) -> float:
    return step.life_days.value or 0.0


def _point(step: _Step) -> LimitPoint:
    found = step.found
    return LimitPoint(
        value=_life(step), told=f"{_life(step):.3g} days at {step.shown}", verdict=found.verdict,
        fails=found.failing, reasons=found.reasons, figures=found.figures,
    )  # fmt: skip


def _none(
    graph: ModelGraph, deployment: Deployment, limits: Limits, steps: list[_Step], longest: _Step
) -> LimitAnswer:
    single, pairs = relaxed([step.found for step in steps], limits, [step.shown for step in steps])
    unknown = any(step.found.verdict is Verdict.UNKNOWN for step in steps)
    what = "is known to meet" if unknown else "meets"
    return LimitAnswer(
        model=graph.name, deployment=deployment.ref, variable="battery-life", limits=limits,
        question="the longest battery life",
        feasible=None if unknown else False, value=None, unit="days",
        statement=f"none of {len(steps)} clocks tried {what} the limits",
        binding=longest.found.failing[0] if longest.found.failing else None,
        at=None, beyond=_point(longest), method="scan", tried=len(steps),
        relaxations=single, relaxed_pairs=pairs, fit=other_changes(graph, deployment, limits),
        assumptions=deployment.assumptions,
    )  # fmt: skip
