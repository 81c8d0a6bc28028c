"""Results of what is added up and compared of a user's own figures."""

from typing import ClassVar

from ..core.quantity import Quantity, Result
from ..verdicts.verdict import Verdict


class LoadShare(Result):
    """One consumer, and its part of the whole."""

    name: str
    each_ms: Quantity
    """Time of one run."""
    rate_hz: Quantity
    """Runs per second."""
    energy_uj: Quantity
    """Of one run; nonstop, of each thing that it gets done."""
    power_mw: Quantity
    """While it runs."""
    active_share: Quantity
    """Of the time that it is on, 0 to 1."""
    average_power_mw: Quantity
    """Over time."""
    average_current_ua: Quantity
    """Over time."""
    share: Quantity
    """Of the average power, or of the current where no voltage is known, 0 to 1."""


class OwnBattery(Result):
    """The battery that the loads are drawn from."""

    battery: str
    """Its name."""
    capacity_mah: Quantity
    """Rated; the interval is what can be used of it."""
    nominal_v: Quantity
    """Nominal voltage."""
    life_days: Quantity
    """How long it lasts."""


class Allowance(Result):
    """What a budget leaves for the load whose rate is open."""

    power_mw: Quantity
    """Average power that the budget allows."""
    current_ua: Quantity
    """Average current that the budget allows."""
    rate_hz: Quantity
    """The most runs per second that keep to it; unknown where no load's rate is open."""
    period_s: Quantity
    """The least time from one run to the next."""
    runs_per_day: Quantity
    """The most runs in a day."""


class LoadBudget(Result):
    """Power, battery life and cost of loads that the user measured."""

    main_rows: ClassVar[str] = "loads"

    schema_version: str = "1.0"
    verdict: Verdict
    """Whether the runs find their time, and the average keeps to the budget; PASS where neither is asked."""
    statement: str
    supply_v: float | None
    """Voltage that currents are taken at."""
    loads: tuple[LoadShare, ...]
    """Each consumer, in the order given."""
    active_share: Quantity
    """Of the time that something with a time of its own runs, 0 to 1; above 1 there is not enough time."""
    highest_rate_hz: Quantity
    """Of the first load with a time, one run after the other, beside the others and less the headroom."""
    average_power_mw: Quantity
    """Over time, of one device."""
    average_current_ua: Quantity
    """Over time, of one device."""
    devices: int
    """That energy and cost are of."""
    energy_day_wh: Quantity
    """Of all devices in a day that they are on."""
    energy_month_wh: Quantity
    """Of all devices in a month."""
    energy_year_wh: Quantity
    """Of all devices in a year of twelve such months."""
    charge_day_mah: Quantity
    """Of one device in a day."""
    cost_day: float | None
    """In the currency of the price; null without one."""
    cost_month: float | None
    """In the currency of the price; null without one."""
    cost_year: float | None
    """In the currency of the price; null without one."""
    battery: OwnBattery | None
    """Null without one."""
    allowance: Allowance | None
    """What the budget, or the life wanted, allows; null without one."""
    store_runs: Quantity
    """Runs of the first load that the stored energy holds."""
    missing: tuple[str, ...] = ()
    """What it takes to know what is unknown."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        return self.statement


class FigureComparison(Result):
    """One figure held against another, or against an interval."""

    schema_version: str = "1.0"
    measured: Quantity
    """What the user measured."""
    against: Quantity
    """What it is held against, with its interval where one is stated."""
    low: Quantity
    """Lower end of the interval; unknown without one."""
    high: Quantity
    """Upper end of the interval; unknown without one."""
    ratio: Quantity
    """The measured one over the other."""
    change: Quantity
    """How much more the measured one is, as a share of the other; below zero where it is less."""
    inside: bool | None
    """Whether it lies in the interval, the ends included; null without one."""
    beyond: Quantity
    """The measured one over the end of the interval that it lies beyond; unknown inside or without one."""
    statement: str

    def headline(self) -> str:
        return self.statement
