"""Loads added up: shares of time, averages, battery life, cost, and what a budget leaves."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.intervals import product, total
from ..core.quantity import Quantity
from ..core.units import digits, show
from ..verdicts.verdict import Verdict
from .account import Account
from .allowance import allowed_by, is_open
from .draw import HOURS, charge_of, days
from .load import Load
from .load_budget import Allowance, LoadBudget, LoadShare, OwnBattery

_MW, _UA = "mW", "uA"


def added_up(loads: Sequence[Load], account: Account) -> LoadBudget:
    """Everything that the figures tell; what they do not is unknown, and `missing` names what it takes."""
    busy = _busy(loads)
    rows = [_row(load, busy, account.volts) for load in loads]
    watts, amps = Quantity.unknown(_MW), Quantity.unknown(_UA)
    if rows:
        watts = total(_MW, *(row.average_power_mw for row in rows))
        amps = total(_UA, *(row.average_current_ua for row in rows))
    rows = [_with_share(row, watts, amps) for row in rows]
    day, month, year = _energies(watts, account)
    allowance = allowed_by(loads, rows, account)
    verdict, statement = _judged(loads, busy, watts, amps, allowance, account)
    return LoadBudget(
        verdict=verdict,
        statement=statement,
        supply_v=account.volts,
        loads=tuple(rows),
        active_share=Quantity.unknown("1") if any(map(_is_untimed, loads)) else busy,
        highest_rate_hz=_highest(loads, account),
        average_power_mw=watts,
        average_current_ua=amps,
        devices=account.devices,
        energy_day_wh=day,
        energy_month_wh=month,
        energy_year_wh=year,
        charge_day_mah=amps.scaled(24e-3, "mAh"),
        cost_day=_cost(day, account),
        cost_month=_cost(month, account),
        cost_year=_cost(year, account),
        battery=_battery(loads, watts, amps, account),
        allowance=allowance,
        store_runs=_runs_held(rows, account),
        missing=tuple(_missing(loads, rows, account)),
        assumptions=_assumptions(loads, account),
    )


def _busy(loads: Sequence[Load]) -> Quantity:
    """Of the time that loads with a time or a share of their own are on."""
    shares = [share for load in loads if (share := _own_share(load)) is not None]
    return total("1", *shares) if shares else Quantity.exact(0.0, "1")


def _is_untimed(load: Load) -> bool:
    """Whether only the energy of a run is told, so that how long it takes is not known."""
    return load.energy is not None and load.each is None and load.share is None


def _own_share(load: Load) -> Quantity | None:
    if load.share is not None:
        return load.share.scaled(0.01, "1")
    if load.each is None:
        return None
    return product("1", (load.each, 1), (load.rate, 1), by=1e-3) if load.rate else Quantity.unknown("1")


def _row(load: Load, busy: Quantity, volts: float | None) -> LoadShare:
    each, rate = load.each or Quantity.unknown("ms"), load.rate or Quantity.unknown("1/s")
    power, current, energy = _drawn(load, volts)
    on = _own_share(load) or (_rest(busy) if load.between else Quantity.exact(1.0, "1"))
    if load.energy is not None:
        mean = product(_MW, (load.energy, 1), (rate, 1), by=1e-3)
        amps = mean.scaled(1e3 / volts, _UA) if volts else Quantity.unknown(_UA)
        on = on if load.each else Quantity.unknown("1")
    else:
        mean, amps = product(_MW, (power, 1), (on, 1)), product(_UA, (current, 1), (on, 1))
    return LoadShare(
        name=load.name, each_ms=each, rate_hz=rate, energy_uj=energy, power_mw=power, active_share=on,
        average_power_mw=mean, average_current_ua=amps, share=Quantity.unknown("1"),
    )  # fmt: skip


def _drawn(load: Load, volts: float | None) -> tuple[Quantity, Quantity, Quantity]:
    """Power and current while it runs, and the energy of one run."""
    none = Quantity.unknown(_MW), Quantity.unknown(_UA)
    power, current = load.power or none[0], load.current or none[1]
    if load.energy is not None:
        power = product(_MW, (load.energy, 1), (load.each, -1)) if load.each else power
        return power, power.scaled(1e3 / volts, _UA) if volts else none[1], load.energy
    if volts:
        power, current = (
            load.power or current.scaled(volts / 1e3, _MW),
            load.current or power.scaled(1e3 / volts, _UA),
        )
    if load.each is not None:
        return power, current, product("uJ", (power, 1), (load.each, 1))
    if load.rate is not None:
        return power, current, product("uJ", (power, 1), (load.rate, -1), by=1e3)
    return power, current, Quantity.unknown("uJ")


def _rest(busy: Quantity) -> Quantity:
    """The share of the time that nothing else runs; never below nothing."""
    if busy.value is None or busy.low is None or busy.high is None:
        return busy
    low, value, high = (max(0.0, 1 - share) for share in (busy.high, busy.value, busy.low))
    return Quantity(value=value, low=low, high=high, unit="1", basis=busy.basis)


def _with_share(row: LoadShare, watts: Quantity, amps: Quantity) -> LoadShare:
    part, whole = (row.average_power_mw, watts) if watts.value else (row.average_current_ua, amps)
    if part.value is None or not whole.value:
        return row
    return row.model_copy(update={"share": Quantity.exact(part.value / whole.value, "1", whole.basis)})


def _energies(watts: Quantity, account: Account) -> tuple[Quantity, Quantity, Quantity]:
    """Of a day, a month and a year, in Wh."""
    day = watts.scaled(account.hours_per_day * account.devices * account.overhead / 1e3, "Wh")
    return day, day.scaled(account.days_per_month, "Wh"), day.scaled(12 * account.days_per_month, "Wh")


def _cost(energy_wh: Quantity, account: Account) -> float | None:
    if account.price_per_kwh is None or energy_wh.value is None:
        return None
    return energy_wh.value / 1e3 * account.price_per_kwh


def _asleep(loads: Sequence[Load], volts: float | None) -> tuple[Quantity, Quantity]:
    """What is drawn where nothing runs: power and current of what sleeps."""
    drawn = [_drawn(load, volts)[:2] for load in loads if load.between]
    power, current = ([each[i] for each in drawn] for i in (0, 1))
    return (
        total(_MW, *power) if power else Quantity.exact(0.0, _MW),
        total(_UA, *current) if current else Quantity.exact(0.0, _UA),
    )


def _battery(loads: Sequence[Load], watts: Quantity, amps: Quantity, account: Account) -> OwnBattery | None:
    """While they are on so many hours a day; what sleeps does so in the others too."""
    cell, on = account.cell, account.hours_per_day / HOURS
    if cell is None:
        return None
    watts, amps = (
        total(mean.unit, mean.scaled(on, mean.unit), rest.scaled(1 - on, mean.unit)) if on < 1 else mean
        for mean, rest in zip((watts, amps), _asleep(loads, account.volts), strict=True)
    )
    if watts.value is not None and account.volts:
        charge = charge_of(watts, account.supply_v, cell)
    else:
        charge = amps.scaled(24e-3, "mAh")
    return OwnBattery(
        battery=cell.name,
        capacity_mah=cell.capacity_mah,
        nominal_v=cell.nominal_v,
        life_days=days(cell, charge),
    )


def _highest(loads: Sequence[Load], account: Account) -> Quantity:
    """Of the first load with a time: what the others and the headroom leave, over that time."""
    first = next((load for load in loads if load.each is not None), None)
    if first is None or first.each is None:
        return Quantity.unknown("1/s")
    rest = [load for load in loads if load is not first]
    others = _busy(rest)
    if others.value is None or any(map(_is_untimed, rest)):
        return Quantity.unknown("1/s")
    left = 1 - account.headroom - others.value
    return product("1/s", (first.each, -1), by=1e3 * left) if left > 0 else Quantity.exact(0.0, "1/s")


def _runs_held(rows: Sequence[LoadShare], account: Account) -> Quantity:
    if account.store_uj is None or not rows:
        return Quantity.unknown("")
    return product("", (rows[0].energy_uj, -1), by=account.store_uj)


def _judged(
    loads: Sequence[Load],
    busy: Quantity,
    watts: Quantity,
    amps: Quantity,
    allowance: Allowance | None,
    account: Account,
) -> tuple[Verdict, str]:
    """Against the time there is and the budget; what rests on a figure that is not known is UNKNOWN."""
    most = 1 - account.headroom
    if busy.value is not None and busy.value > most:
        return Verdict.FAIL, (
            f"the runs take {digits(100 * busy.value)} % of the time, more than the {digits(100 * most)} % "
            "there is"
        )
    is_drawn = any(load.power or load.current or load.energy for load in loads)
    drawn = f"on average {show(watts.value, _MW)}" if watts.value is not None else (
        f"on average {show(amps.value, _UA)}" if amps.value is not None else "the average is not known"
    )  # fmt: skip
    if allowance is None and not is_drawn and busy.value is not None:
        return Verdict.PASS, f"the runs take {digits(100 * busy.value)} % of the time"
    if allowance is None:
        return (Verdict.PASS if watts.known or amps.known else Verdict.UNKNOWN), drawn
    if allowance.rate_hz.value:
        return Verdict.PASS, f"at most one every {show(1e3 / allowance.rate_hz.value, 'ms')}"
    if allowance.rate_hz.value == 0:
        return Verdict.FAIL, "the budget is spent without a single run"
    pairs = ((watts, allowance.power_mw), (amps, allowance.current_ua))
    known = [(a.value, b.value) for a, b in pairs if a.value is not None and b.value is not None]
    if not known:
        return Verdict.UNKNOWN, drawn
    takes, allowed = known[0]
    return (Verdict.PASS if takes <= allowed else Verdict.FAIL), drawn


def _missing(loads: Sequence[Load], rows: Sequence[LoadShare], account: Account) -> list[str]:
    notes = []
    undrawn = [load.name for load in loads if load.power is load.current is load.energy is None]
    if undrawn:
        notes.append(f"what {' and '.join(undrawn)} draws: a power, or a current and a voltage")
    unpaced = [load.name for load in loads if is_open(load)]
    if unpaced and account.allowed is None and account.life_days is None and account.store_uj is None:
        notes.append(f"how often {' and '.join(unpaced)} runs")
    if any(load.current is not None for load in loads) and account.volts is None:
        notes.append("the voltage, for energy and power")
    by_power = any(row.average_power_mw.known and not row.average_current_ua.known for row in rows)
    if account.cell is not None and not account.cell.nominal_v.known and by_power:
        notes.append("the voltage of the battery")
    return notes


def _assumptions(loads: Sequence[Load], account: Account) -> tuple[str, ...]:
    notes = list[str]()
    if any(map(_is_untimed, loads)) and any(load.between for load in loads):
        notes.append("how long a run takes is not known: what is on between runs is taken as on all the time")
    cell = account.cell
    if cell is not None:
        notes += cell.assumptions
        battery_v = cell.nominal_v.value
        currents = any(load.current is not None for load in loads)
        if account.supply_v is None and battery_v and currents:
            notes.append(f"currents taken at the battery's {battery_v:g} V")
        elif account.supply_v and battery_v and account.supply_v != battery_v:
            notes.append(
                f"currents taken as at {account.supply_v:g} V: the interval spans a linear regulator and an "
                f"ideal converter from {battery_v:g} V"
            )
    return tuple(notes)
