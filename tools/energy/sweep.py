"""The same model at every clock: what a slower one costs and saves."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ...hardware_db.derived import region_bytes_per_s
from ...hardware_db.errors import UsageError
from ..core.deployment import Deployment
from ..core.intervals import product
from ..core.quantity import Basis, Quantity
from ..cost_model.energy import energy
from ..cost_model.study import Study, study
from ..graph import ModelGraph
from ..verdicts.limits import Limits
from .duty_cycle import Duty, budget_of
from .energy_budget import ClockStep, FrequencySweep

STEPS = 8
CLOSE = 1e-3
"""Share of the clock that the lowest one is searched to."""
LEAST_SHARE = 0.01
"""Of the highest clock, where the search for the lowest ends."""


def sweep_of(
    graph: ModelGraph,
    place: Deployment,
    clocks_mhz: Sequence[float] | None,
    limits: Limits,
) -> FrequencySweep:
    """Every step at its clock; batch, threads and runtime stay.

    Raises:
        UsageError: a clock above the maximum or not above zero, or an empty list.
    """
    clocks = _clocks(place, clocks_mhz)
    cases = [study(graph, place.at(clock_mhz=clock)) for clock in clocks]
    top = cases[-1]
    steps = tuple(_step(case, limits) for case in cases)
    wanted = _latency_limit(limits)
    lowest = None if wanted is None else _lowest_clock(graph, place, wanted)
    return FrequencySweep(
        model=graph.name,
        deployment=top.deployment.ref,
        steps=steps,
        best_energy_mhz=_best(steps, lambda step: step.energy_uj, scales=top.power.scales),
        best_energy_delay_mhz=_best(steps, lambda step: step.energy_delay, scales=top.power.scales),
        best_average_mhz=_best(steps, lambda step: step.average_power_mw, scales=top.power.scales),
        slower_takes=_slower_takes(steps) if top.power.scales else Quantity.unknown("1"),
        latency_limit_ms=wanted,
        lowest_clock_mhz=lowest,
        power_origin=top.power.split,
        unscaled=_unscaled(cases),
        stands_on=tuple(s for s in (*top.times.evidence, top.power.evidence) if s),
        assumptions=tuple(a for a in top.assumptions if not a.startswith("no clock named")),
        warnings=(*top.warnings, *_warnings(top, steps), *_beyond(place, lowest)),
    )


def _clocks(place: Deployment, clocks_mhz: Sequence[float] | None) -> list[float]:
    if clocks_mhz is None:
        return [place.clock_mhz * step / STEPS for step in range(1, STEPS + 1)]
    if not clocks_mhz:
        raise UsageError("No clock is named.", hint="Name one or more in MHz, or none for eight steps.")
    return sorted(set(clocks_mhz))


def _step(case: Study, limits: Limits) -> ClockStep:
    latency, power = case.latency_ms, case.power
    average = Quantity.unknown("mW")
    if limits.rate_hz:
        average = budget_of(case, Duty(limits.rate_hz), None).average_power_mw
    spent = energy(power.milliwatts, latency)
    return ClockStep(
        clock_mhz=case.deployment.clock_mhz,
        latency_ms=latency,
        power_mw=power.milliwatts,
        static_mw=power.static_mw,
        energy_uj=spent,
        static_uj=product("uJ", (power.static_mw, 1), (latency, 1)),
        energy_delay=product("uJ*s", (spent, 1), (latency, 1), by=1e-3),
        average_power_mw=average,
        meets_limits=_meets(latency, power.milliwatts, spent, limits),
    )


def _slower_takes(steps: Sequence[ClockStep]) -> Quantity:
    """The slowest over the highest clock that keeps up, in average power where that is known."""
    able = [step for step in steps if step.meets_limits]
    if len(able) < 2:
        return Quantity.unknown("1")
    slow, fast = able[0], able[-1]
    rated = slow.average_power_mw.known and fast.average_power_mw.known
    one, other = (step.average_power_mw if rated else step.energy_uj for step in (slow, fast))
    if not one.value or not other.value:
        return Quantity.unknown("1")
    return Quantity.exact(one.value / other.value, "1", other.basis)


def _latency_limit(limits: Limits) -> float | None:
    asked = [limits.latency_ms, 1e3 / limits.rate_hz if limits.rate_hz else None]
    return min((ms for ms in asked if ms is not None), default=None)


def _meets(latency: Quantity, power: Quantity, spent: Quantity, limits: Limits) -> bool | None:
    bounds = (
        (latency, _latency_limit(limits)),
        (power, limits.power_mw),
        (spent, limits.energy_uj),
    )
    asked = [(figure.value, most) for figure, most in bounds if most is not None]
    if any(value is not None and value > most for value, most in asked):
        return False
    return None if any(value is None for value, _ in asked) else True


def _best(
    steps: Sequence[ClockStep], figure: Callable[[ClockStep], Quantity], *, scales: bool
) -> float | None:
    """The clock with the lowest figure; None where power is not known to follow the clock."""
    if not scales:
        return None
    known = [(q.value, s.clock_mhz) for s in steps if s.meets_limits and (q := figure(s)).value is not None]
    return min(known)[1] if known else None


def _lowest_clock(graph: ModelGraph, place: Deployment, most_ms: float) -> Quantity:
    """The slowest clock at which the latency is within the limit, and those at its interval's ends there."""
    top = study(graph, place).latency_ms
    if top.value is None or top.value > most_ms:
        return Quantity.unknown("MHz")
    value = _search(graph, place, most_ms)
    there = study(graph, place.at(clock_mhz=value)).latency_ms
    assert there.value is not None
    assert there.low is not None
    assert there.high is not None
    ends = (there.low / there.value, there.high / there.value)
    low, high = (_search(graph, place, most_ms / factor) for factor in ends)
    return Quantity(value=value, low=min(low, value), high=max(high, value), unit="MHz", basis=there.basis)


def _search(graph: ModelGraph, place: Deployment, most_ms: float) -> float:
    """By bisection: latency never grows with the clock. The highest clock where even that is too slow."""
    low, high = place.clock_mhz * LEAST_SHARE, place.clock_mhz
    if _fast_enough(graph, place, low, most_ms):
        return low
    while high - low > CLOSE * high:
        middle = math.sqrt(low * high)
        if _fast_enough(graph, place, middle, most_ms):
            high = middle
        else:
            low = middle
    return high


def _fast_enough(graph: ModelGraph, place: Deployment, clock_mhz: float, most_ms: float) -> bool:
    latency = study(graph, place.at(clock_mhz=clock_mhz)).latency_ms.value
    return latency is not None and latency <= most_ms


def _unscaled(cases: Sequence[Study]) -> tuple[str, ...]:
    """Regions that the model's data lives in and whose bandwidth is the same at every clock."""
    used = {cases[-1].levels.activations.region, cases[-1].levels.weights.region}
    clock = cases[-1].deployment.clock_mhz
    return tuple(
        f"{region.id} ({region.kind.value}): its bandwidth stays as the clock falls"
        for region in cases[-1].deployment.target.memories
        if region.id in used
        and (rate := region_bytes_per_s(region, clock)) is not None
        and rate == region_bytes_per_s(region, clock / 2)
    )


def _beyond(place: Deployment, lowest: Quantity | None) -> tuple[str, ...]:
    floor = place.clock_mhz * LEAST_SHARE
    if lowest is None or lowest.value is None or lowest.value > floor:
        return ()
    return (f"even {floor:.3g} MHz meets the latency; how slow the chip's clock may be is not known",)


def _warnings(top: Study, steps: Sequence[ClockStep]) -> list[str]:
    notes = []
    if not top.power.scales and top.power.milliwatts.value is not None:
        notes.append("only a rated power is known: what clock needs the least energy is unknown")
    if not any(step.meets_limits for step in steps):
        notes.append("no clock of the sweep is known to meet the limits")
    if top.power.static_mw.basis is Basis.ASSUMED:
        notes.append(
            "which clock needs the least energy rests on an assumed static share of the power; "
            "sleeping between inferences is not part of it"
        )
    return notes
