"""From one inference to streams and jobs: load, devices, time, energy and money.

demanded = rate × streams × inferences of an event, or pieces × inferences of each / time
load     = demanded / (inferences a second of one device × devices)
needed   = ⌈demanded / inferences a second of one device⌉
time     = pieces × inferences of each / (inferences a second of one device × devices)
energy   = power × time of a job; average power at the rate × hours of a period
money    = energy × price of a kWh + hours × devices × rent; price of a device × devices

Rate, load and devices needed are of one site; energy, time of devices and money of all sites.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property

from ..core.intervals import product, total
from ..core.quantity import Quantity
from ..core.records import dataclass
from ..core.units import digits, show
from ..cost_model.estimate import estimate_of
from ..cost_model.study import Study
from ..energy.draw import HOURS, Board
from ..energy.duty_cycle import Duty, budget_of
from ..energy.energy_budget import EnergyBudget
from ..verdicts.verdict import Verdict
from .batching import best_batch, longest_wait
from .demand import Demand, Terms
from .prices import MONEY, no_money, pays_off, priced, prices_of
from .workload_estimate import WorkloadEstimate

_COUNT, _PER_SECOND, _H, _WH, _MW = "", "1/s", "h", "Wh", "mW"
_HOUR_S, _MILLION, _EXACT = 3600.0, 1e6, 1e-9


def workload_of(
    case: Study,
    asked: Demand,
    terms: Terms,
    beside: Board,
    unfit: str = "",
    most_wait_ms: float | None = None,
) -> WorkloadEstimate:
    """The workload of a costed model.

    Args:
        unfit: why it does not fit; empty where it does. What does not fit does no work.
        most_wait_ms: from the arrival of an input to its result; bounds the batch that is told.
    """
    estimate = estimate_of(case)
    can = Quantity.unknown(_PER_SECOND) if unfit else estimate.at_once_per_second
    demanded = _exact(asked.per_second, _PER_SECOND)
    needed = _ceiling(product(_COUNT, (demanded, 1), (can, -1)))
    devices = asked.devices or 1
    load = product("1", (demanded, 1), (can, -1), by=1 / devices)
    duration = product(_H, (can, -1), by=(asked.inferences or 0.0) / _HOUR_S / devices)
    if asked.items is None:
        duration = Quantity.unknown(_H)
    run = _Run(case, asked, terms, beside, can, load, duration, devices)
    paid = prices_of(case.deployment.target, terms)
    energy = run.energy_wh
    spent = priced(energy.scaled(1e-3, "kWh"), paid.of_kwh)
    spent = spent.scaled(terms.get("overhead") or 1.0, MONEY)
    rent = priced(run.device_hours, paid.of_hour)
    running = [each for each in (spent, rent) if each.known]
    pieces, bought = run.pieces, paid.of_device.scaled(run.in_all, MONEY)
    all_of_it = [each for each in (bought, *running) if each.known]
    each = product(MONEY, (total(MONEY, *running), 1), by=1 / pieces) if running and pieces else no_money()
    return WorkloadEstimate(
        model=case.graph.name,
        deployment=case.deployment.ref,
        verdict=Verdict.FAIL if unfit else _verdict(can, load, asked),
        statement=f"it does not fit: {unfit}"
        if unfit
        else _statement(asked, can, load, needed, duration, estimate.at_once),
        latency_ms=estimate.latency_ms,
        inferences_per_second=can,
        at_once=estimate.at_once,
        devices=devices,
        sites=asked.sites,
        devices_in_all=_in_all(asked, needed),
        rate_hz=asked.rate_hz,
        streams=asked.streams,
        per_event=asked.per_event,
        demanded_per_second=demanded,
        load=load,
        devices_needed=needed,
        streams_served=_floor(product(_COUNT, (can, 1), by=1 / (asked.rate_hz * asked.per_event)))
        if asked.rate_hz
        else Quantity.unknown(_COUNT),
        best_batch=case.deployment.batch if unfit else best_batch(case, asked, most_wait_ms),
        longest_wait_ms=longest_wait(estimate.latency_ms, case.deployment.batch, run.share_per_second),
        items=pieces,
        duration_h=duration,
        within_h=asked.within_h,
        period_h=run.period_h,
        power_mw=case.power.milliwatts,
        average_power_mw=run.average_mw,
        power_in_all_mw=run.average_mw.scaled(run.in_all, _MW),
        computing_in_all_mw=run.computing_mw,
        energy_wh=energy,
        computing_wh=run.computing_mw.scaled((run.period_h or 0.0) / 1e3, _WH)
        if run.period_h
        else Quantity.unknown(_WH),
        cost_energy=spent,
        rent_per_hour=paid.of_hour,
        rent_offer=paid.offer,
        cost_rent=rent,
        cost_devices=bought,
        cost_in_all=total(MONEY, *all_of_it) if bought.known and running else no_money(),
        cost_per_million=each.scaled(_MILLION, MONEY),
        per_currency=product(_COUNT, (each, -1)),
        pays_off_h=pays_off(paid, terms, case.power.milliwatts),
        missing=(*_missing(case, run), *paid.missing),
        stands_on=(*estimate.stands_on, *paid.stands_on, *run.notes),
        assumptions=(*case.assumptions, *_assumptions(asked, terms, run.at_work, estimate.at_once)),
        warnings=case.warnings,
    )


@dataclass(frozen=True)
class _Run:
    """What the devices do over the time that is asked about."""

    case: Study
    asked: Demand
    terms: Terms
    beside: Board
    can: Quantity
    load: Quantity
    duration_h: Quantity
    devices: int

    @property
    def period_h(self) -> float | None:
        """Hours in use of the days that are asked about."""
        days = self.terms.get("days")
        if self.asked.items is not None or days is None:
            return None
        return days * (self.terms.get("hours_per_day") or HOURS)

    @property
    def pieces(self) -> float | None:
        """Of the job; at a rate, of the period; nonstop, what the devices do in it."""
        asked, hours = self.asked, self.period_h
        if asked.items is not None or hours is None:
            return asked.items
        a_second = asked.rate_hz * asked.streams * asked.sites if asked.rate_hz else self._nonstop()
        return None if a_second is None else a_second * hours * _HOUR_S

    def _nonstop(self) -> float | None:
        can = self.can.value
        return None if can is None else can * self.in_all / self.asked.per_event

    @property
    def at_work(self) -> int:
        """Devices that run over the period: those that are named, else as many as are needed."""
        if self.asked.devices or not self.load.value:
            return self.devices
        return max(1, math.ceil(self.load.value))

    @property
    def in_all(self) -> int:
        """Devices that run, at all sites."""
        return self.at_work * self.asked.sites

    @property
    def share_per_second(self) -> float | None:
        """Inferences of one device at the rate, where those that run keep up."""
        per_second, load = self.asked.per_second, self.load.value
        behind = load is None or (self.asked.devices is not None and load > 1)
        return (
            None if self.asked.rate_hz is None or per_second is None or behind else per_second / self.at_work
        )

    @cached_property
    def _budget(self) -> EnergyBudget:
        """Of one device, at its part of the rate."""
        per_second, batch = self.asked.per_second or 0.0, self.case.deployment.batch
        duty = Duty(per_second / self.at_work / batch, hours_per_day=HOURS)
        return budget_of(self.case, duty, None, self.beside)

    @property
    def is_nonstop(self) -> bool:
        return self.asked.items is not None or self.asked.per_second is None

    @property
    def average_mw(self) -> Quantity:
        """Of one device: while it computes, or at its part of the rate, idle or asleep in between."""
        if not self.is_nonstop:
            return self._budget.average_power_mw
        busy = self.case.power.milliwatts
        return total(_MW, busy, self.beside.host_mw) if self.beside.host_mw.value else busy

    @property
    def computing_mw(self) -> Quantity:
        """The part of it that computes, of all devices."""
        one = self.case.power.milliwatts if self.is_nonstop else self._budget.compute_power_mw
        return one.scaled(self.in_all, _MW)

    @property
    def notes(self) -> tuple[str, ...]:
        return (self.beside.host_note,) if self.beside.host_note else ()

    @property
    def device_hours(self) -> Quantity:
        """All devices together."""
        if self.asked.items is not None:
            return self.duration_h.scaled(self.devices, _H)
        return Quantity.unknown(_H) if self.period_h is None else _exact(self.period_h * self.in_all, _H)

    @property
    def energy_wh(self) -> Quantity:
        return product(_WH, (self.average_mw, 1), (self.device_hours, 1), by=1e-3)


def _exact(value: float | None, unit: str) -> Quantity:
    return Quantity.unknown(unit) if value is None else Quantity.exact(value, unit)


def _in_all(asked: Demand, needed: Quantity) -> Quantity:
    """Devices of all sites: those that are named, else as many as are needed."""
    if asked.devices or asked.per_second is None:
        return _exact(float((asked.devices or 1) * asked.sites), _COUNT)
    return needed.scaled(asked.sites, _COUNT)


def _ceiling(count: Quantity) -> Quantity:
    return _whole(count, lambda number: math.ceil(number - _EXACT))


def _floor(count: Quantity) -> Quantity:
    return _whole(count, lambda number: math.floor(number + _EXACT))


def _whole(count: Quantity, rounded: Callable[[float], int]) -> Quantity:
    if count.value is None or count.low is None or count.high is None:
        return count
    value, low, high = (float(rounded(each)) for each in (count.value, count.low, count.high))
    return Quantity(value=value, low=low, high=high, unit=count.unit, basis=count.basis)


def _verdict(can: Quantity, load: Quantity, asked: Demand) -> Verdict:
    if asked.per_second is None:
        return Verdict.PASS if can.known else Verdict.UNKNOWN
    if load.value is None or load.high is None:
        return Verdict.UNKNOWN
    if load.value > 1:
        return Verdict.FAIL
    return Verdict.MARGINAL if load.high > 1 else Verdict.PASS


def _statement(
    asked: Demand, can: Quantity, load: Quantity, needed: Quantity, duration: Quantity, at_once: int
) -> str:
    if can.value is None:
        return "how long an inference takes is not known"
    if asked.items is not None and duration.value is not None:
        done = f"{digits(asked.items)} pieces take {show(duration.value, _H)}"
        within = "" if asked.within_h is None else f" of {show(asked.within_h, _H)}"
        return f"{done}{within}"
    if asked.per_second is None or load.value is None:
        how = f"with {at_once} at once" if at_once > 1 else "one after the other"
        return f"{show(can.value, _PER_SECOND)} {how}"
    said = f"{show(asked.per_second, _PER_SECOND)} are a load of {digits(100 * load.value)} %"
    return said if load.value <= 1 or needed.value is None else f"{said}: it takes {needed.value:g} devices"


def _missing(case: Study, run: _Run) -> tuple[str, ...]:
    target, found = case.deployment.target.id, []
    if case.latency_ms.value is None:
        found.append(f"a measurement of {case.deployment.runtime.id} on a core of this kind")
    if case.power.milliwatts.value is None:
        found.append(f"a cited power of {target} while computing")
    elif run.period_h is not None and not run.average_mw.known:
        found.append(f"what {target} draws between the runs, or a rate that can be reached")
    return tuple(found)


def _assumptions(asked: Demand, terms: Terms, at_work: int, at_once: int) -> list[str]:
    said = []
    if terms.get("hours_per_day", HOURS) != HOURS:
        said.append("switched off outside its hours of use")
    if at_once > 1:
        said.append(f"{at_once} inferences at once, one on each core of the accelerator")
    if asked.streams > 1 or asked.per_event > 1:
        said.append("the network alone: what finds and cuts out each piece comes on top")
    if at_work > 1:
        said.append("the work divides evenly over the devices")
    return said
