"""Battery life, duty cycle, and the clock that needs least."""

from __future__ import annotations

from ....tools.core.quantity import Quantity
from ....tools.core.units import digits, show
from ....tools.energy.report import BatteryLife, ClockStep, EnergyBudget, FrequencySweep
from ....tools.verdicts.verdict import Verdict
from ..reading import Reading
from ..turns import Outcome
from .figures import bullets, listed, quantity
from .subject import model_of, place_of


def phrase_budget(outcome: Outcome, _asked: Reading) -> list[str]:
    budget = EnergyBudget.model_validate(outcome.result)
    lead = f"**{budget.verdict}**: {model_of(outcome)} on {place_of(budget.deployment)}: {budget.statement}."
    told = [lead, *_rates(budget)]
    if budget.battery is not None:
        told.append(_life(budget.battery, budget))
    told += _average(budget)
    if budget.missing:
        told.append(f"To know the rest takes {listed(list(budget.missing))}.")
    return told


def _rates(budget: EnergyBudget) -> list[str]:
    if budget.verdict is not Verdict.FAIL or budget.gap_ms is None:
        return []
    gap = budget.gap_ms
    doubt = ", though the interval leaves it open" if gap.low is not None and gap.low < 0 else ""
    return [
        f"It takes longer than the time from one to the next by {quantity(gap)}{doubt}; one after the other "
        f"it reaches {quantity(budget.inferences_per_second)}."
    ]


def _life(life: BatteryLife, budget: EnergyBudget) -> str:
    name = life.battery.upper() if life.battery[:2] == "cr" else life.battery
    if life.life_days.value is not None:
        asleep = budget.sleep_share
        share = f", of which sleep takes {_percent(asleep)}" if asleep.value else ""
        return f"A {name} lasts {quantity(life.life_days)}{share}."
    if budget.verdict is Verdict.FAIL:
        if life.nonstop_days.value is None:
            return f"How long a {name} lasts is unknown."
        return f"Computing all the time, a {name} lasts {quantity(life.nonstop_days)}."
    if life.most_days.value is None:
        return f"How long a {name} lasts is unknown."
    return (
        f"How long a {name} lasts is unknown without the current asleep; at most, if sleep took nothing, "
        f"{quantity(life.most_days)}."
    )


def _average(budget: EnergyBudget) -> list[str]:
    told = []
    if budget.energy_uj.value is not None:
        told.append(f"one inference needs {quantity(budget.energy_uj)}")
    if budget.average_power_mw.value is not None:
        told.append(f"the average power is {quantity(budget.average_power_mw)}")
    elif budget.compute_power_mw.value is not None:
        told.append(f"inferences alone draw {quantity(budget.compute_power_mw)} on average")
    charge = budget.charge_mah if budget.charge_mah.value is not None else budget.compute_charge_mah
    if charge.value is not None:
        alone = "" if budget.charge_mah.value is not None else " for the inferences alone"
        told.append(f"the charge drawn daily is {quantity(charge)}{alone}")
    if not told:
        return []
    text = listed(told)
    return [f"{text[0].upper()}{text[1:]}."]


def _percent(share: Quantity) -> str:
    return "unknown" if share.value is None else f"{digits(100 * share.value)} %"


def phrase_sweep(outcome: Outcome, _asked: Reading) -> list[str]:
    sweep = FrequencySweep.model_validate(outcome.result)
    told = []
    if sweep.latency_limit_ms is not None and sweep.lowest_clock_mhz is not None:
        limit = show(sweep.latency_limit_ms, "ms")
        clock = sweep.lowest_clock_mhz
        where = f"{model_of(outcome)} on {sweep.deployment.target} with {sweep.deployment.runtime}"
        told.append(
            f"No clock up to {digits(sweep.deployment.clock_mhz)} MHz is known to run {where} within {limit}."
            if clock.value is None
            else f"The lowest clock that runs {where} within {limit} is **{quantity(clock)}**."
        )
    if sweep.best_energy_mhz is not None:
        told.append(_best(sweep.best_energy_mhz, sweep.best_energy_delay_mhz))
    return [*told, bullets([_row(step) for step in sweep.steps])]


def _best(energy_mhz: float, delay_mhz: float | None) -> str:
    told = f"Of the clocks below, {digits(energy_mhz)} MHz needs the least energy"
    if delay_mhz is None:
        return f"{told}."
    other = "" if delay_mhz == energy_mhz else f"{digits(delay_mhz)} MHz "
    return f"{told} and {other}has the least energy-delay product."


def _row(step: ClockStep) -> str:
    latency, energy = quantity(step.latency_ms), quantity(step.energy_uj)
    return f"{digits(step.clock_mhz)} MHz: latency {latency}, energy {energy}"
