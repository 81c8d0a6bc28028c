"""What a user's own figures tell by themselves, without a model: added up, or held against each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Unpack

from ...hardware_db.errors import UsageError
from ..core.quantity import Basis, Quantity
from ..core.units import digits
from ..energy.account import Terms, account_of
from ..energy.adding_up import added_up
from ..energy.cell import cell
from ..energy.load import Load, load_of
from ..energy.load_budget import FigureComparison, LoadBudget

_MOST_LOADS = 20


def add_up_loads(
    loads: Sequence[Load | str],
    *,
    supply_v: float | None = None,
    battery: str | None = None,
    battery_mah: float | None = None,
    battery_v: float | None = None,
    **terms: Unpack[Terms],
) -> LoadBudget:
    """Tell energy, average power, battery life and cost of what the user measured, without any estimate.

    energy of a run      = power × time, power = current × voltage
    share of the time    = time × rate
    average power        = Σ power × share of the time; what sleeps has the time that no run takes
    battery life         = capacity / (average current + self-discharge)
    most runs per second = (budget - what the others take) / (energy of a run - sleep power × its time),
                           at most (1 - headroom) / time
    energy of a day      = average power × hours × devices × overhead; cost = energy × price

    Args:
        loads: what draws, each as `NAME=TIME,POWER or CURRENT or ENERGY,RATE`, such as
            `inference=85ms,38mA,1/min`, or a `Load`. `sleep=` and `idle=` draw between the runs, one without
            a time all the time; `40%` is a share of the time, `1..2mJ` an interval.
        supply_v: voltage of the currents; None takes the battery's.
        battery: a name such as CR2032 or "LiPo 500 mAh".
        battery_mah: capacity, where the name tells none.
        battery_v: nominal voltage of the battery.
        terms: `battery_wh`, `usable_share`, `life_days`, `budget_mw`, `budget_ua`, `store_uj`, `headroom`,
            `devices`, `hours_per_day`, `days_per_month`, `price_per_kwh` and `overhead`, as `Terms` has them.

    Raises:
        UsageError: a load that cannot be read, no load, or a figure that cannot be.
        UnknownNameError: no battery of that name, and not both its figures given.

    Example:
        >>> budget = add_up_loads(
        ...     ["inference=85ms,38mA,1/min", "sleep=6uA"], supply_v=3.3, battery_mah=1200
        ... )
        >>> f"{float(budget.loads[0].energy_uj.to('mJ')):.2f} mJ, {float(budget.battery.life_days):.0f} days"
        '10.66 mJ, 836 days'
    """
    asked_alone = any(terms.get(name) is not None for name in ("budget_mw", "budget_ua", "life_days"))
    if len(loads) > _MOST_LOADS or not (loads or asked_alone):
        raise UsageError(f"There are {len(loads)} loads, not 1 to {_MOST_LOADS}.")
    read = [load_of(load) if isinstance(load, str) else load for load in loads]
    source = cell(battery, battery_mah, battery_v, None, terms.get("battery_wh"), supply_v)
    return added_up(read, account_of(terms, source, supply_v))


def compare_figures(
    measured: float,
    against: float | None = None,
    *,
    unit: str = "",
    low: float | None = None,
    high: float | None = None,
) -> FigureComparison:
    """Hold a figure against another, or against an interval: inside or outside, ratio and change.

    ratio = measured / against; change = ratio - 1; beyond = measured / the end that it lies beyond.

    Args:
        measured: what the user measured, in `unit`.
        against: an estimate, a claim or an earlier measurement; None takes the middle of the interval.
        unit: of all of them, such as ms or uJ.
        low: lower end of the interval stated.
        high: upper end of it.

    Raises:
        UsageError: nothing to hold it against, a figure that is not above zero, or ends in the wrong order.

    Example:
        >>> compare_figures(41, 28, unit="ms", low=19, high=42).statement
        '41 ms lies inside 19–42 ms, 1.46 times the 28 ms'
    """
    _checked(measured=measured, against=against, low=low, high=high)
    if (low is None) is not (high is None) or (low is None and against is None):
        raise UsageError("There is nothing to hold it against.", hint="Give a figure, or both ends.")
    if low is not None and high is not None and low > high:
        raise UsageError(f"The interval {low:g} to {high:g} is upside down.")
    middle = against if against is not None else math.sqrt((low or 1.0) * (high or 1.0))
    own = Quantity.exact(measured, unit, Basis.MEASURED)
    other = Quantity(
        value=middle, low=min(middle, low or middle), high=max(middle, high or middle), unit=unit,
        basis=Basis.ASSUMED,
    )  # fmt: skip
    inside = None if low is None or high is None else low <= measured <= high
    end = None if inside is not False else high if measured > (high or 0.0) else low
    ratio = measured / middle
    return FigureComparison(
        measured=own,
        against=other,
        low=Quantity.unknown(unit) if low is None else Quantity.exact(low, unit, Basis.ASSUMED),
        high=Quantity.unknown(unit) if high is None else Quantity.exact(high, unit, Basis.ASSUMED),
        ratio=Quantity.exact(ratio, "x"),
        change=Quantity.exact(ratio - 1, "1"),
        inside=inside,
        beyond=Quantity.unknown("x") if end is None else Quantity.exact(measured / end, "x"),
        statement=_held(measured, middle, unit, low, high, inside),
    )


def _held(
    measured: float, middle: float, unit: str, low: float | None, high: float | None, inside: bool | None
) -> str:
    times = f"{digits(measured / middle)} times the {digits(middle)} {unit}".rstrip()
    if inside is None or low is None or high is None:
        return f"{digits(measured)} {unit} is {times}".replace("  ", " ")
    where = "inside" if inside else "outside"
    return f"{digits(measured)} {unit} lies {where} {digits(low)}–{digits(high)} {unit}, {times}"


def _checked(**figures: float | None) -> None:
    for name, value in figures.items():
        if value is not None and not 0 < value < math.inf:
            raise UsageError(f"{name} {value:g} must be above zero.")


__all__ = ["add_up_loads", "compare_figures"]
