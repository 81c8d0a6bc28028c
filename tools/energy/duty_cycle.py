"""From one inference to a duty cycle and a battery's life.

average power = (energy of an inference + of waking up) × rate × share in use + sleep power × (1 - duty cycle)
                + sensors × share in use
life          = capacity / (average current + self-discharge)
"""

from __future__ import annotations

from ...hardware_db.errors import UsageError
from ..core.intervals import at_most, difference, product, total
from ..core.quantity import Basis, Quantity
from ..core.records import dataclass, replace
from ..core.units import digits, show
from ..cost_model.energy import energy
from ..cost_model.estimate import estimate_of
from ..cost_model.performance_estimate import PerformanceEstimate
from ..cost_model.power import Power
from ..cost_model.study import Study
from ..verdicts.verdict import Verdict
from .cell import Cell
from .drains import drains_of, in_words
from .draw import (
    CHIP_ALONE,
    HOURS,
    Board,
    Draw,
    Sleep,
    charge_of,
    deep_charge,
    draw,
    lifted,
    sleep_of,
    supply_of,
)
from .energy_budget import EnergyBudget, PowerSplit
from .lifetime import life_of


@dataclass(frozen=True)
class Duty:
    """How often it runs; None is one inference after the other."""

    rate_hz: float | None = None
    wakeup_us: float | None = None
    sleep_ua: float | None = None
    hours_per_day: float = HOURS
    """That it is in use; asleep the others."""
    life_days: float | None = None
    """Life that is wanted of a battery."""

    @property
    def in_use(self) -> float:
        return self.hours_per_day / HOURS

    @property
    def period_ms(self) -> float | None:
        return None if self.rate_hz is None else 1e3 / self.rate_hz


def duty(
    rate_hz: float | None,
    period_s: float | None,
    sleep_ua: float | None,
    wakeup_us: float | None,
    hours_per_day: float | None = None,
    life_days: float | None = None,
) -> Duty:
    """What was asked for.

    Raises:
        UsageError: a rate and a period at once; a figure below zero, or a rate or period of zero.
    """
    if rate_hz is not None and period_s is not None:
        raise UsageError("Both a rate and a period are given.", hint="Drop one of them.")
    for name, value in (("rate_hz", rate_hz), ("period_s", period_s), ("life_days", life_days)):
        if value is not None and not 0 < value < float("inf"):
            raise UsageError(f"{name} {value:g} must be above zero.")
    for name, value in (("sleep_ua", sleep_ua), ("wakeup_us", wakeup_us)):
        if value is not None and not 0 <= value < float("inf"):
            raise UsageError(f"{name} {value:g} cannot be below zero.")
    if hours_per_day is not None and not 0 < hours_per_day <= HOURS:
        raise UsageError(f"hours_per_day {hours_per_day:g} must be above 0 and at most 24.")
    rate = 1 / period_s if period_s else rate_hz
    return Duty(rate, wakeup_us, sleep_ua, hours_per_day or HOURS, life_days)


def budget_of(case: Study, asked: Duty, cell: Cell | None, beside: Board = CHIP_ALONE) -> EnergyBudget:
    """The budget of a costed model."""
    estimate, power = estimate_of(case), case.power
    beside = lifted(beside, case.deployment, cell)
    latency, rate = estimate.latency_ms, asked.rate_hz
    wakeup = Quantity.unknown("ms")
    if asked.wakeup_us is not None:
        wakeup = Quantity.exact(asked.wakeup_us / 1e3, "ms", Basis.ASSUMED)
    awake = latency if wakeup.value is None else total("ms", latency, wakeup)
    between = product("ms", (awake, 1), (estimate.at_once_gain, -1)) if estimate.at_once > 1 else awake
    verdict = _verdict(between, asked.period_ms)
    spent = energy(power.milliwatts, awake)
    sleep, supply = sleep_of(case.deployment, asked.sleep_ua), supply_of(power, case.deployment, cell)
    share = _active_share(awake, rate).scaled(asked.in_use, "1")
    compute = _average(spent, power, rate, verdict).scaled(asked.in_use, "mW")
    drawn = draw(compute, share, sleep, supply, cell, beside, asked.in_use)
    on_several = verdict is not Verdict.FAIL and _verdict(awake, asked.period_ms) is Verdict.FAIL
    if verdict is Verdict.FAIL or on_several:
        drawn = _unknown(drawn)
    return EnergyBudget(
        model=case.graph.name,
        deployment=case.deployment.ref,
        verdict=verdict,
        statement=_statement(awake, between, estimate, asked),
        rate_hz=rate,
        period_s=None if rate is None else 1 / rate,
        latency_ms=latency,
        wakeup_ms=wakeup,
        gap_ms=difference(between, asked.period_ms) if verdict is Verdict.FAIL and asked.period_ms else None,
        inferences_per_second=estimate.inferences_per_second,
        energy_uj=estimate.energy_uj,
        wakeup_uj=product("uJ", (power.milliwatts, 1), (wakeup, 1)),
        power=split_of(power),
        sleep_current_ua=sleep.current_ua,
        sleep_power_mw=drawn.sleep_power_mw,
        rests=_rests(sleep),
        sensor_power_mw=drawn.sensor_power_mw,
        sensor=beside.named.words,
        sensor_draws=beside.named.draws,
        host_power_mw=beside.host_mw,
        regulator_efficiency=beside.regulator_efficiency,
        active_share=share,
        compute_power_mw=drawn.compute_power_mw,
        average_power_mw=drawn.average_power_mw,
        sleep_share=drawn.sleep_share,
        compute_charge_mah=drawn.compute_charge_mah,
        charge_mah=drawn.charge_mah,
        drains=(drains := drains_of(drawn, cell)),
        drained_by=(words := in_words(drains))[0],
        network=words[1],
        battery=None
        if cell is None
        else life_of(
            cell,
            drawn,
            charge_of(power.milliwatts, supply, cell, beside),
            deep_charge(case.deployment.target, sleep, share, drawn, supply, cell, beside),
            asked.life_days,
        ),
        missing=(*_missing(case, share, sleep, beside), *([_SEVERAL] if on_several else [])),
        stands_on=tuple(
            s for s in (*estimate.stands_on, sleep.note, *beside.named.notes, beside.host_note) if s
        ),
        assumptions=(*case.assumptions, *_assumptions(case, asked), *power_path(supply, cell, beside)),
        warnings=case.warnings,
    )


def split_of(power: Power) -> PowerSplit:
    """Power in its two parts; what is not static is dynamic."""
    whole, static = power.milliwatts, power.static_mw
    dynamic = Quantity.unknown("mW")
    if (
        whole.value is not None and whole.low is not None and whole.high is not None
        and static.value is not None and static.low is not None and static.high is not None
    ):  # fmt: skip
        dynamic = Quantity(
            value=whole.value - static.value,
            low=max(0.0, min(whole.low - static.high, whole.value - static.value)),
            high=whole.high - static.low,
            unit="mW",
            basis=static.basis,
        )
    return PowerSplit(
        power_mw=whole, dynamic_mw=dynamic, static_mw=static, supply_v=power.supply_v, origin=power.split
    )


def _active_share(awake: Quantity, rate: float | None) -> Quantity:
    if awake.value is None:
        return Quantity.unknown("1")
    if rate is None:
        return Quantity.exact(1.0, "1")
    return at_most(product("1", (awake, 1), by=rate / 1e3), 1.0)


def _average(spent_uj: Quantity, power: Power, rate: float | None, verdict: Verdict) -> Quantity:
    """mW of inferences and wake-ups, averaged over time."""
    if rate is None or verdict is Verdict.FAIL:
        return power.milliwatts
    return product("mW", (spent_uj, 1), by=rate / 1e3)


_SEVERAL = "what it draws with several cores of its accelerator at work"


def _unknown(drawn: Draw) -> Draw:
    """Of a rate that cannot be reached there is no average, of several cores at work no known power."""
    unknown, charge = Quantity.unknown("mW"), Quantity.unknown("mAh")
    return replace(
        drawn,
        compute_power_mw=unknown,
        average_power_mw=unknown,
        sleep_share=Quantity.unknown("1"),
        compute_charge_mah=charge,
        charge_mah=charge,
        parts=(),
    )


def _verdict(awake: Quantity, period_ms: float | None) -> Verdict:
    if awake.value is None or awake.high is None:
        return Verdict.UNKNOWN
    if period_ms is None:
        return Verdict.PASS
    if awake.value > period_ms:
        return Verdict.FAIL
    return Verdict.MARGINAL if awake.high > period_ms else Verdict.PASS


def _statement(awake: Quantity, between: Quantity, estimate: PerformanceEstimate, asked: Duty) -> str:
    if awake.value is None or between.value is None:
        return "how long an inference takes is not known"
    takes = f"one inference takes {show(awake.value, 'ms')}"
    period = asked.period_ms
    if period is None or asked.rate_hz is None:
        return f"{takes}, one after the other"
    if between.value < awake.value and awake.value > period:
        takes = f"{takes}; {estimate.at_once} at once, one ends every {show(between.value, 'ms')}"
    fastest = estimate.at_once_per_second
    often = f"{digits(asked.rate_hz)} a second"
    if between.value > period:
        most = digits(fastest.value) if fastest.value else "unknown"
        return (
            f"{takes}, longer than the {show(period, 'ms')} from one to the next: "
            f"{often} cannot be reached, {most} can"
        )
    if between.high is not None and between.high > period:
        return f"{takes} of {show(period, 'ms')}, but the interval reaches beyond"
    return f"{takes} of the {show(period, 'ms')} from one to the next"


def _rests(sleep: Sleep) -> str:
    return "asleep" if sleep.current_ua.known else "idle" if sleep.idle_mw.known else ""


def _missing(case: Study, share: Quantity, sleep: Sleep, beside: Board) -> tuple[str, ...]:
    target, notes = case.deployment.target.id, []
    if case.latency_ms.value is None:
        notes.append(f"a measurement of {case.deployment.runtime.id} on a core of this kind")
    if case.power.milliwatts.value is None:
        notes.append(f"a cited power of {target} while computing")
    between = sleep.current_ua.known or sleep.idle_mw.known
    if not between and share.value != 1.0:
        whole = any(m.board_power_w or m.board_active_w for m in case.deployment.target.power)
        what = f"what {target} draws idle" if whole else f"the sleep current of {target} with its RAM kept"
        notes.append(f"{what}: give sleep_ua")
    return (*notes, *([] if beside.host_mw.known else [f"what {beside.host} draws idle"]))


def _assumptions(case: Study, asked: Duty) -> list[str]:
    notes = [] if asked.wakeup_us is not None else ["waking up is left out: give wakeup_us"]
    if asked.rate_hz is None:
        notes.append("no rate named: took one inference after the other")
    if asked.in_use < 1:
        notes.append(
            f"in use {digits(asked.hours_per_day)} hours a day, asleep the others; sensors are off then"
        )
    if case.deployment.batch > 1:
        notes.append("the rate counts batches")
    return notes


def power_path(supply: float | None, cell: Cell | None, beside: Board) -> list[str]:
    """What is assumed of the battery, of what lies between it and the chip, and of what draws beside it."""
    notes = list(cell.assumptions) if cell else []
    battery_v = cell.nominal_v.value if cell else None
    if beside.regulator_efficiency is not None:
        notes.append(
            f"regulator: {beside.regulator_efficiency:.0%} of the power reaches the chip, at any load"
            + ("; a real one loses some" if beside.regulator_efficiency == 1 else "")
        )
    elif supply and battery_v and supply != battery_v:
        notes.append(
            f"currents taken as at {supply:g} V: the interval spans a linear regulator and an ideal "
            f"converter from {battery_v:g} V"
        )
    counted = [] if beside.regulator_efficiency is None else ["regulator"]
    with_sensor = beside.named.words or not beside.sensor_ua is beside.sensor_mw is None
    counted += ["sensor"] if with_sensor else []
    left_out = [each for each in ("sensor", "radio", "regulator") if each not in counted]
    words = " and ".join([", ".join(left_out[:-1]), left_out[-1]] if len(left_out) > 1 else left_out)
    what = (
        f"not counted: {words}"
        if counted
        else "the chip alone: no sensor, radio, regulator or LED is counted"
    )
    notes.append(what)
    return notes
