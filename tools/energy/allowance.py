"""What a budget of power, current or a battery's life leaves for the load whose rate is open."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.intervals import difference, product, total
from ..core.quantity import Quantity
from .account import Account
from .lifetime import allowed_ua
from .load import Load
from .load_budget import Allowance, LoadShare

DAY_S = 86_400.0
_MW, _UA = "mW", "uA"


def is_open(load: Load) -> bool:
    """Whether how often it runs is what is asked."""
    return load.rate is None and load.share is None and (load.each is not None or load.energy is not None)


def allowed_by(loads: Sequence[Load], rows: Sequence[LoadShare], account: Account) -> Allowance | None:
    """The rate of the first load without one, out of what the others leave of the budget."""
    power, current = _allowed(account)
    if power is None or current is None:
        return None
    at = next((i for i, load in enumerate(loads) if is_open(load)), None)
    rate = Quantity.unknown("1/s") if at is None else _rate(loads, rows, at, power, current, account)
    return Allowance(
        power_mw=power, current_ua=current, rate_hz=rate, period_s=product("s", (rate, -1)),
        runs_per_day=rate.scaled(DAY_S, ""),
    )  # fmt: skip


def _rate(
    loads: Sequence[Load],
    rows: Sequence[LoadShare],
    at: int,
    power: Quantity,
    current: Quantity,
    account: Account,
) -> Quantity:
    """In power where a voltage is known, else in currents."""
    by_power = power.value is not None
    allowed, unit = (power, _MW) if by_power else (current, _UA)
    others = [
        (load, _standing(load, row, by_power=by_power))
        for i, (load, row) in enumerate(zip(loads, rows, strict=True))
        if i != at
    ]
    standing = total(unit, Quantity.exact(0.0, unit), *(mean for _, mean in others))
    asleep = sum(mean.value or 0.0 for load, mean in others if load.between)
    each = _cost_of_run(loads[at], rows[at], asleep, by_power=by_power)
    if allowed.value is None or standing.value is None or not each:
        return Quantity.unknown("1/s")
    spare = difference(allowed, standing.value)
    assert spare.value is not None
    if spare.value <= 0:
        return Quantity.exact(0.0, "1/s", spare.basis)
    rate, time = spare.value / each, loads[at].each
    if time is not None and time.value:
        rate = min(rate, (1 - account.headroom) * 1e3 / time.value)
    low = max(0.0, (spare.low or 0.0) / each)
    return Quantity(value=rate, low=min(low, rate), high=rate, unit="1/s", basis=spare.basis)


def _standing(load: Load, row: LoadShare, *, by_power: bool) -> Quantity:
    """What another load takes on average; one that is on between runs, as if there were none."""
    if load.between:
        return row.power_mw if by_power else load.current or Quantity.unknown(_UA)
    return row.average_power_mw if by_power else row.average_current_ua


def _cost_of_run(load: Load, row: LoadShare, asleep: float, *, by_power: bool) -> float | None:
    """What one more run a second adds to the average: its energy, less what sleep would have taken."""
    if load.energy is not None and load.each is None:
        return row.energy_uj.value / 1e3 if row.energy_uj.value and by_power else None
    draw = row.power_mw.value if by_power else (load.current.value if load.current else None)
    if draw is None or load.each is None or load.each.value is None or draw <= asleep:
        return None
    return (draw - asleep) * load.each.value / 1e3


def _allowed(account: Account) -> tuple[Quantity | None, Quantity | None]:
    """Average power and current that the budget, or a battery over the life wanted, allows."""
    volts, cell = account.volts, account.cell
    if account.allowed is not None:
        given = account.allowed
        if given.unit == _MW:
            return given, given.scaled(1e3 / volts, _UA) if volts else Quantity.unknown(_UA)
        return given.scaled(volts / 1e3, _MW) if volts else Quantity.unknown(_MW), given
    if cell is None or account.life_days is None:
        return None, None
    current = allowed_ua(cell, account.life_days)
    return current.scaled(volts / 1e3, _MW) if volts else Quantity.unknown(_MW), current
