"""Results of the energy budget and of the frequency sweep."""

from typing import ClassVar

from ..core.deployment import DeploymentRef
from ..core.quantity import Quantity, Result
from ..verdicts.verdict import Verdict


class PowerSplit(Result):
    """Power while computing, in the part that follows the clock and the part that does not."""

    power_mw: Quantity
    dynamic_mw: Quantity
    """The part that follows the clock."""
    static_mw: Quantity
    supply_v: float | None
    """The supply that the figures hold at."""
    origin: str
    """Where the split comes from."""


class Drain(Result):
    """One of what empties a battery, and its part of all that leaves it."""

    name: str
    """computing, asleep or idle, beside the chip, a host's name, or the battery's own self-discharge."""
    power_mw: Quantity
    """Averaged over time; unknown for the self-discharge."""
    charge_mah: Quantity
    """A day; unknown without a supply voltage."""
    share: Quantity
    """Of the charge, else of the power, 0 to 1."""


class BatteryLife(Result):
    """How long a battery lasts."""

    battery: str
    """Its name."""
    capacity_mah: Quantity
    """Rated; the interval is what can be used of it."""
    nominal_v: Quantity
    """Nominal voltage."""
    self_discharge_share: Quantity
    """Of the capacity, in a year."""
    life_days: Quantity
    """Unknown where the sleep current is, or where the rate cannot be reached."""
    most_days: Quantity
    """Were nothing drawn between inferences: an upper bound of the life."""
    resting_days: Quantity
    """Were nothing ever computed: what the network takes off the life is the difference to this."""
    nonstop_days: Quantity
    """One inference after the other."""
    leak_share: Quantity
    """Of what leaves the battery while it lasts, that it loses by itself; unknown where a share is."""
    drawn_ua: Quantity = Quantity.unknown("uA")
    """Average current out of it; times the life and its self-discharge's share it is the capacity."""
    held_days: float | None = None
    """The life that `allowed_ua` is of: the one wanted, else half of what it is without anything beside the
    chip, else its shelf life where that ends first."""
    allowed_ua: Quantity = Quantity.unknown("uA")
    """Average current that a life of `held_days` allows in all."""
    spare_ua: Quantity = Quantity.unknown("uA")
    """What is left of that for sensors, radio and time awake to record; 0 where nothing is."""
    deep_days: Quantity = Quantity.unknown("days")
    """In the lowest mode between inferences, which loses RAM, what each start takes left out: at most."""
    shelf_days: Quantity = Quantity.unknown("days")
    """How long it can be used, drawn from or not."""
    pulse_ma: Quantity = Quantity.unknown("mA")
    """The most that it gives in pulses."""
    peak_ma: Quantity = Quantity.unknown("mA")
    """Average current while computing, which it has to give at the least."""
    sources: tuple[str, ...]
    """Where its figures were read."""


class EnergyBudget(Result):
    """What a model that runs at a rate draws, and how long a battery lasts."""

    schema_version: str = "1.0"
    model: str = ""
    deployment: DeploymentRef
    verdict: Verdict
    """Whether an inference and its wake-up are over before the next one is due."""
    statement: str
    rate_hz: float | None
    """As asked for; None is one after the other."""
    period_s: float | None
    """Time from one inference to the next; null for one after the other."""
    latency_ms: Quantity
    """Time of one inference."""
    wakeup_ms: Quantity
    """Unknown, and left out of the sums, where none was given."""
    gap_ms: Quantity | None
    """What it takes longer than the period; None where it does not."""
    inferences_per_second: Quantity
    """One after the other: the highest rate."""
    energy_uj: Quantity
    """Per inference."""
    wakeup_uj: Quantity
    """Energy of one wake-up."""
    power: PowerSplit
    """Power while computing, in its parts."""
    sleep_current_ua: Quantity
    """Current asleep."""
    sleep_power_mw: Quantity
    """Power between inferences."""
    rests: str = ""
    """What it is between inferences: asleep, or idle as a whole board that does not sleep; empty: unknown."""
    sensor_power_mw: Quantity
    """Of what draws beside the chip while it is in use, averaged; 0 where no sensor was named."""
    sensor: str = ""
    """One that was named by name or kind, and how long it is on."""
    sensor_draws: Quantity = Quantity.unknown("uA")
    """While it is on, in uA or mW."""
    host_power_mw: Quantity = Quantity.exact(0.0, "mW")
    """Of the board that an accelerator is plugged into, idle; 0 where none was named."""
    regulator_efficiency: float | None = None
    """Power that reaches the chip, of what the battery gives, 0 to 1; null where none was given."""
    active_share: Quantity
    """Duty cycle: share of the time that it is awake, 0 to 1."""
    compute_power_mw: Quantity
    """Of inferences and wake-ups alone, averaged over time, and of a host that was named."""
    average_power_mw: Quantity
    """Over time, asleep or idle and awake."""
    sleep_share: Quantity
    """Of what is drawn between inferences, in the average power, 0 to 1."""
    compute_charge_mah: Quantity
    """Of inferences and wake-ups, in a day."""
    charge_mah: Quantity
    """In a day, asleep and awake."""
    drains: tuple[Drain, ...] = ()
    """What empties the battery, the largest first; empty where a part is not known."""
    drained_by: str = ""
    """The largest of them and the share of each, in words."""
    network: str = ""
    """How much of that the network is: it decides, counts or hardly matters."""
    battery: BatteryLife | None
    missing: tuple[str, ...] = ()
    """What it takes to know what is unknown."""
    stands_on: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        return self.statement


class ClockStep(Result):
    """One inference at one clock."""

    clock_mhz: float
    latency_ms: Quantity
    """Time of one inference."""
    power_mw: Quantity
    static_mw: Quantity
    energy_uj: Quantity
    """Energy of one inference."""
    static_uj: Quantity
    """Static power over the latency: what a slow clock costs."""
    energy_delay: Quantity
    """Energy × latency."""
    average_power_mw: Quantity = Quantity.unknown("mW")
    """At the rate of the limits, asleep between inferences; unknown without a rate."""
    meets_limits: bool | None
    """None where a limited figure is unknown; True where nothing is limited."""


class FrequencySweep(Result):
    """Latency, power, energy and energy-delay product over the clock."""

    main_rows: ClassVar[str] = "steps"

    schema_version: str = "1.0"
    model: str = ""
    deployment: DeploymentRef
    """At the highest clock of the sweep."""
    steps: tuple[ClockStep, ...]
    """Slowest first."""
    best_energy_mhz: float | None
    """Of the steps that meet the limits; None where energy is unknown at every clock or none meets them."""
    best_energy_delay_mhz: float | None
    """The clock with the least energy × latency, likewise."""
    best_average_mhz: float | None = None
    """The clock with the least average power at the rate, asleep the rest of the time, likewise."""
    slower_takes: Quantity = Quantity.unknown("1")
    """What the slowest clock that keeps up draws at the rate, over what the highest does; without a rate,
    energy over energy. Above 1 it pays to run fast and sleep. Unknown with one such clock."""
    latency_limit_ms: float | None
    lowest_clock_mhz: Quantity | None
    """The slowest that meets the latency limit; its interval meets it at the ends of the latency's.
    None without a limit, unknown where not even the highest clock meets it."""
    power_origin: str
    """Where the power at other clocks comes from."""
    unscaled: tuple[str, ...]
    """What does not get faster with the clock."""
    stands_on: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        return (
            f"{len(self.steps)} clocks, least energy at {self.best_energy_mhz or 0:g} MHz"
            if self.best_energy_mhz
            else f"{len(self.steps)} clocks"
        )
