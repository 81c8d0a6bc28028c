"""An energy budget and a frequency sweep as text."""

from __future__ import annotations

from ...core.quantity import Quantity
from ...core.units import show
from ...energy.report import BatteryLife, EnergyBudget, FrequencySweep, PowerSplit
from ..table import pipe_table
from .common import notes, quantity, where

BAR = 24


def budget_text(report: EnergyBudget) -> str:
    often = "nonstop" if report.rate_hz is None else f"{report.rate_hz:.4g} a second"
    head = pipe_table(
        ("Budget", "Value"),
        (
            ("Rate", often),
            ("Latency", quantity(report.latency_ms)),
            ("Longer than the period by", "-" if report.gap_ms is None else quantity(report.gap_ms)),
            ("Highest rate", quantity(report.inferences_per_second)),
            ("Awake", _share(report.active_share)),
            ("Energy of an inference", quantity(report.energy_uj)),
            ("Energy of a wake-up", quantity(report.wakeup_uj)),
            *_split(report.power),
            ("Sleep current", quantity(report.sleep_current_ua)),
            ("Average power", quantity(report.average_power_mw)),
            ("of which inferences", quantity(report.compute_power_mw)),
            ("of which sleep", _share(report.sleep_share)),
            ("Charge a day", quantity(report.charge_mah)),
            ("of which inferences", quantity(report.compute_charge_mah)),
        ),
    )
    parts = [f"{report.verdict}: {report.statement}, on {where(report.deployment)}", head]
    if report.battery is not None:
        parts.append(_battery(report.battery))
    missing = [f"To know more takes {text}." for text in report.missing]
    sources = report.battery.sources if report.battery else ()
    return "\n\n".join((*parts, *missing)) + notes(
        report.assumptions, report.warnings, (report.power.origin,) if report.power.origin else (), sources
    )


def _battery(life: BatteryLife) -> str:
    return pipe_table(
        ("Battery", life.battery),
        (
            ("Capacity", quantity(life.capacity_mah)),
            ("Voltage", quantity(life.nominal_v)),
            ("Self-discharge a year", _share(life.self_discharge_share)),
            ("Life", quantity(life.life_days)),
            ("at most, if sleep took nothing", quantity(life.most_days)),
            ("One inference after the other", quantity(life.nonstop_days)),
        ),
    )


def _split(power: PowerSplit) -> tuple[tuple[str, str], ...]:
    supply = f" at {power.supply_v:g} V" if power.supply_v else ""
    return (
        (f"Power while computing{supply}", quantity(power.power_mw)),
        ("of which dynamic", _bar(power.dynamic_mw, power.power_mw)),
        ("of which static", _bar(power.static_mw, power.power_mw)),
    )


def _bar(part: Quantity, whole: Quantity) -> str:
    if part.value is None or not whole.value:
        return "unknown"
    return f"{'#' * round(BAR * part.value / whole.value):<{BAR}} {quantity(part)}"


def _share(share: Quantity) -> str:
    if share.value is None or share.low is None or share.high is None:
        return "unknown"
    told = f"{100 * share.value:.3g} %"
    if share.low == share.high:
        return f"{told} ({share.basis})"
    return f"{told} ({100 * share.low:.3g} % to {100 * share.high:.3g} %, {share.basis})"


def sweep_text(report: FrequencySweep) -> str:
    most = max((step.energy_uj.value or 0.0 for step in report.steps), default=0.0)
    steps = pipe_table(
        ("MHz", "Latency", "Power", "Energy", "Static", "Energy-delay uJ s", "Meets", "Static =, rest #"),
        ((s.clock_mhz, quantity(s.latency_ms), quantity(s.power_mw), quantity(s.energy_uj),
          show(s.static_uj.value, "uJ"), s.energy_delay.value,
          "unknown" if s.meets_limits is None else "yes" if s.meets_limits else "no",
          _stack(s.energy_uj.value, s.static_uj.value, most)) for s in report.steps),
    )  # fmt: skip
    best = [("Least energy", _clock(report.best_energy_mhz))]
    best.append(("Least energy-delay product", _clock(report.best_energy_delay_mhz)))
    if report.latency_limit_ms is not None and report.lowest_clock_mhz is not None:
        limit = show(report.latency_limit_ms, "ms")
        best.append((f"Lowest clock within {limit}", quantity(report.lowest_clock_mhz)))
    head = pipe_table(("Clock", "Value"), best)
    origin = (report.power_origin,) if report.power_origin else ()
    title = f"Clock of {report.deployment.target} with {report.deployment.runtime}"
    return f"{title}\n\n{head}\n\n{steps}" + notes(
        report.assumptions, report.warnings, report.unscaled, origin
    )


def _clock(mhz: float | None) -> str:
    return "unknown" if mhz is None else f"{mhz:g} MHz"


def _stack(energy: float | None, static: float | None, most: float) -> str:
    """The step's energy as a bar against the largest, its static part first."""
    if energy is None or not most:
        return ""
    whole = round(BAR * energy / most)
    still = min(whole, round(BAR * (static or 0.0) / most))
    return "=" * still + "#" * (whole - still)
