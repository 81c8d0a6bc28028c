"""A pipeline on a deployment: costs, memory, schedule, energy and verdicts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from ..core.deployment import Deployment
from ..core.intervals import at_most, product, total
from ..core.quantity import Quantity, weakest
from ..core.records import dataclass, replace
from ..core.units import show
from ..cost_model.energy import energy
from ..cost_model.power import Power, active_power
from ..cost_model.study import Study
from ..energy.cell import Cell
from ..energy.draw import Board, Draw, charge_of, draw, lifted, sleep_of, supply_of
from ..energy.duty_cycle import power_path
from ..energy.lifetime import life_of
from ..verdicts.limits import Limits
from ..verdicts.verdict import worst
from .costs import Cost, cost_of
from .judging import memory_checks, operator_checks, power_check, time_checks
from .memory import Memory, memory_of
from .pipeline_report import PipelineReport, PipelineStep
from .plan import PipelinePlan, Ram, Task, tasks_of
from .schedule import response_times

_MOST_PERIODS = 1000
"""A period after which all begins anew that is more of the longest periods than that is no use."""
_LATEST = 10
"""Longest periods after which the interval of a response is cut off, where it has no end."""


@dataclass(frozen=True)
class Supply:
    """What feeds the target, as the user gave it."""

    cell: Cell | None
    beside: Board
    sleep_ua: float | None


def pipeline_report(
    plan: PipelinePlan, folder: Path, deployment: Deployment, limits: Limits, supply: Supply
) -> PipelineReport:
    """
    Raises:
        EdgewrightError: a plan, a model or a step that cannot be used.
    """
    tasks = sorted(tasks_of(plan), key=lambda task: -task.rate_hz)
    costs = [cost_of(task, deployment, folder) for task in tasks]
    studies = [cost.study for cost in costs if cost.study is not None]
    memory = memory_of(tasks, studies, deployment, plan.ram)
    power = active_power(deployment)
    steps, cut = _steps(tasks, costs, power)
    utilization = total("1", *(step.active_share for step in steps))
    spent = _spent(steps, utilization, power, deployment, supply)
    checks = (
        *operator_checks([task.name for task in tasks], costs, limits),
        *memory_checks(memory, plan.ram, deployment, limits),
        *time_checks(steps, utilization, limits),
        *power_check(spent.drawn.average_power_mw, limits),
    )
    period_ms = _period(tasks)
    return PipelineReport(
        deployment=deployment.ref,
        verdict=worst(check.verdict for check in checks),
        checks=checks,
        steps=steps,
        utilization=utilization,
        ram_shared=plan.ram is Ram.SHARED,
        ram=memory.ram,
        arena_shared=memory.arenas_shared,
        arena_apart=memory.arenas_apart,
        flash=memory.flash,
        period_ms=period_ms,
        energy_uj=product("uJ", (spent.compute_mw, 1), by=period_ms),
        power_mw=power.milliwatts,
        compute_power_mw=spent.drawn.compute_power_mw,
        average_power_mw=spent.drawn.average_power_mw,
        sleep_current_ua=spent.sleep_ua,
        charge_mah=spent.drawn.charge_mah,
        battery=None
        if supply.cell is None
        else life_of(supply.cell, spent.drawn, spent.nonstop_mah, Quantity.unknown("mAh")),
        missing=_missing(tasks, costs, power, spent.sleep_ua, deployment),
        stands_on=_stands_on(costs, power, spent),
        assumptions=tuple(
            dict.fromkeys((*_assumptions(tasks, studies, memory, plan, deployment), *spent.assumptions))
        ),
        warnings=(*dict.fromkeys(line for case in studies for line in case.warnings), *cut),
    )


def _steps(
    tasks: Sequence[Task], costs: Sequence[Cost], power: Power
) -> tuple[tuple[PipelineStep, ...], list[str]]:
    """Each step, and what there is to say of responses that could not be told."""
    responses, cut = _responses(tasks, costs)
    found = []
    for task, cost, response in zip(tasks, costs, responses, strict=True):
        step, own = task.plan, cost.time_ms
        watts = Quantity.exact(step.power, "mW") if step.power is not None else power.milliwatts
        arena = None if cost.study is None else cost.study.planned.outcome.arena
        found.append(
            PipelineStep(
                name=task.name,
                kind=_kind(step.model or str(step.step)),
                rate_hz=task.rate_hz,
                period_ms=1e3 / task.rate_hz,
                after=step.after,
                time_ms=own,
                response_ms=response,
                budget_ms=step.latency,
                energy_uj=energy(watts, own),
                active_share=product("1", (own, 1), by=task.rate_hz / 1e3),
                ram_bytes=(step.ram or 0.0) + (0.0 if arena is None else arena.size.value or 0.0),
                source=cost.source,
            )
        )
    return tuple(found), cut


def _responses(tasks: Sequence[Task], costs: Sequence[Cost]) -> tuple[list[Quantity], list[str]]:
    """With the lower ends of all times, with the times, and with the upper ends."""
    unknown = [Quantity.unknown("ms")] * len(tasks)
    times, periods = [cost.time_ms for cost in costs], [1e3 / task.rate_hz for task in tasks]
    if any(time.value is None for time in times):
        return unknown, []
    value = response_times([time.value or 0.0 for time in times], periods)
    if value is None:
        return unknown, []
    low = response_times([time.low or 0.0 for time in times], periods)
    high = response_times([time.high or 0.0 for time in times], periods)
    assert low is not None
    cut = []
    if high is None:
        latest = _LATEST * max(periods)
        high = [latest] * len(tasks)
        cut = [
            "at the upper ends of the intervals the steps take more time than there is, and end later and "
            f"later: cut off at {show(latest, 'ms')}"
        ]
    basis = weakest(time.basis for time in times)
    return [
        Quantity(value=middle, low=min(least, middle), high=max(most, middle), unit="ms", basis=basis)
        for least, middle, most in zip(low, value, high, strict=True)
    ], cut


@dataclass(frozen=True)
class _Spent:
    drawn: Draw
    compute_mw: Quantity
    """Average of the steps alone."""
    nonstop_mah: Quantity
    sleep_ua: Quantity
    stands_on: tuple[str, ...]
    assumptions: tuple[str, ...]


def _spent(
    steps: Sequence[PipelineStep], utilization: Quantity, power: Power, deployment: Deployment, by: Supply
) -> _Spent:
    """Averages over time; unknown where the steps take more than all the time."""
    by = replace(by, beside=lifted(by.beside, deployment, by.cell))
    sleep, volts = sleep_of(deployment, by.sleep_ua), supply_of(power, deployment, by.cell)
    compute = total("mW", *(product("mW", (step.energy_uj, 1), by=step.rate_hz / 1e3) for step in steps))
    if utilization.value is None or utilization.value > 1:
        compute = Quantity.unknown("mW")
    drawn = draw(compute, at_most(utilization, 1.0), sleep, volts, by.cell, by.beside)
    return _Spent(
        drawn=drawn,
        compute_mw=compute,
        nonstop_mah=charge_of(power.milliwatts, volts, by.cell, by.beside),
        sleep_ua=sleep.current_ua,
        stands_on=(sleep.note,) if sleep.note else (),
        assumptions=("waking up is left out", *power_path(volts, by.cell, by.beside)),
    )


def _period(tasks: Sequence[Task]) -> float:
    """ms: the least common multiple of the periods where that is near them, else the longest."""
    periods = [1 / Fraction(task.rate_hz).limit_denominator(10_000) for task in tasks]
    longest, common = max(periods), Fraction(1)
    for period in periods:
        common = Fraction(
            math.lcm(common.numerator * period.denominator, period.numerator * common.denominator),
            common.denominator * period.denominator,
        )
    return float(common if common <= _MOST_PERIODS * longest else longest) * 1e3


def _missing(
    tasks: Sequence[Task], costs: Sequence[Cost], power: Power, sleep_ua: Quantity, deployment: Deployment
) -> tuple[str, ...]:
    target = deployment.target.id
    notes = [f"{task.name}: {cost.missing}" for task, cost in zip(tasks, costs, strict=True) if cost.missing]
    if power.milliwatts.value is None:
        notes.append(f"a cited power of {target} while computing")
    if sleep_ua.value is None:
        notes.append(f"the sleep current of {target} with its RAM kept: give sleep_ua")
    return tuple(notes)


def _stands_on(costs: Sequence[Cost], power: Power, spent: _Spent) -> tuple[str, ...]:
    of_models = [line for cost in costs if cost.study is not None for line in cost.study.times.evidence]
    of_steps = [cost.source for cost in costs if cost.source]
    lines = (*of_models, *of_steps, power.evidence, *spent.stands_on)
    return tuple(dict.fromkeys(line for line in lines if line))


def _assumptions(
    tasks: Sequence[Task],
    studies: Sequence[Study],
    memory: Memory,
    plan: PipelinePlan,
    deployment: Deployment,
) -> list[str]:
    notes = [line for case in studies for line in case.assumptions] or list(deployment.assumptions)
    notes.append(
        "one loop on one core: a step runs to its end, the one with the shorter period first; "
        "worst-case response by fixed-priority non-preemptive analysis"
    )
    if len(studies) > 1:
        notes.append(
            "one arena for all models: what they keep is stacked, the rest overlays"
            if plan.ram is Ram.SHARED
            else "arenas apart, counted as one piece of RAM"
        )
    if not memory.buffers.value:
        notes.append("buffers between steps are left out: give ram to a step")
    if any(task.plan.step is not None and task.plan.flash is None for task in tasks):
        notes.append("code of steps that are no network is left out: give flash to a step")
    return notes


def _kind(name: str) -> str:
    """No directories of the machine that it was computed on."""
    return Path(name).name if Path(name).is_absolute() else name
