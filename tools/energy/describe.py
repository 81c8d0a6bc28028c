"""An energy budget and a sweep of the clock in words and tables."""

from __future__ import annotations

from ..core.document import (
    Bar,
    Block,
    Document,
    Paragraph,
    Section,
    Table,
    Text,
    described,
    figures,
    joined,
    notes,
    place,
    text,
)
from ..core.paths import keys_of
from .energy_budget import EnergyBudget, FrequencySweep
from .load_budget import FigureComparison, LoadBudget


@described.register
def energy_budget(report: EnergyBudget) -> Document:
    supply = " at {power.supply_v}" if report.power.supply_v else ""
    blocks: list[Block] = [
        figures(
            "Budget",
            ("Rate", "{rate_hz:nonstop}"),
            ("Latency", "{latency_ms~!}"),
            ("Longer than the period by", "-" if report.gap_ms is None else "{gap_ms~!}"),
            ("Highest rate", "{inferences_per_second~!}"),
            ("Awake", "{active_share~!}"),
            ("Energy of an inference", "{energy_uj~!}"),
            ("Energy of a wake-up", "{wakeup_uj~!}"),
            ("Power while computing", joined(text("{power.power_mw~!}"), text(supply))),
            *_between(report),
            ("Average power", "{average_power_mw~!}"),
            ("of which inferences", "{compute_power_mw~!}"),
            (f"of which {'idle' if report.rests == 'idle' else 'sleep'}", "{sleep_share~!}"),
            *([("Sensor", "{sensor}: {sensor_draws~!}")] if report.sensor else []),
            *([("of which sensors", "{sensor_power_mw~!}")] if report.sensor_power_mw.value else []),
            ("Charge a day", "{charge_mah~!}"),
            ("of which inferences", "{compute_charge_mah~!}"),
        ),
        _split(),
    ]
    if report.battery is not None:
        blocks.append(battery_table())
    places = range(len(report.missing))
    blocks += [Paragraph(text(f"To know more takes {{missing[#{at}]}}.")) for at in places]
    stated = any(report.power.origin in line for line in report.stands_on)
    origin = () if stated or not report.power.origin else (text("{power.origin}"),)
    sources = range(len(report.battery.sources)) if report.battery else ()
    cited = tuple(text(f"{{battery.sources[#{at}]}}") for at in sources)
    return Document(
        report, joined(text("{statement}, on "), place(report.deployment)), (Section("", tuple(blocks)),),
        verdict=text("{verdict}"), notes=(*notes(report, "stands_on"), *origin, *cited),
    )  # fmt: skip


def _between(report: EnergyBudget) -> list[tuple[str, str]]:
    idle = ("Power while idle", "{sleep_power_mw~!}")
    return [idle if report.rests == "idle" else ("Sleep current", "{sleep_current_ua~!}")]


def _split() -> Table:
    """The power while computing, in the part that follows the clock and the part that does not."""
    rows = tuple(
        (part, text(f"{{power.{part}_mw~!}}"), Bar(f"power.{part}_mw", "power.power_mw"))
        for part in ("dynamic", "static")
    )
    return Table(("Power while computing", "Value", "Of the whole"), rows)


def battery_table(nonstop: str = "One inference after the other") -> Table:
    return figures(
        "Battery",
        ("Battery", "{battery.battery}"),
        ("Capacity", "{battery.capacity_mah~!}"),
        ("Voltage", "{battery.nominal_v~!}"),
        ("Self-discharge a year", "{battery.self_discharge_share~!}"),
        ("of all that leaves it", "{battery.leak_share~!}"),
        ("Life", "{battery.life_days~!}"),
        ("at most, inferences alone", "{battery.most_days~!}"),
        (nonstop, "{battery.nonstop_days~!}"),
        ("in the mode that loses RAM, at most", "{battery.deep_days~!}"),
        ("Shelf life", "{battery.shelf_days~!}"),
        ("Current out of it, on average", "{battery.drawn_ua~!}"),
        ("left for all that is not counted", "{battery.spare_ua~!}"),
        ("to last so many days", "{battery.held_days}"),
        ("Current while computing", "{battery.peak_ma~!}"),
        ("The most that it gives in pulses", "{battery.pulse_ma~!}"),
    )


@described.register
def frequency_sweep(report: FrequencySweep) -> Document:
    rows: list[tuple[Text, Text]] = [
        ("Least energy", "{best_energy_mhz}"),
        ("Least energy-delay product", "{best_energy_delay_mhz}"),
    ]
    if report.best_average_mhz is not None:
        rows.append(("Least on average at the rate, asleep in between", "{best_average_mhz}"))
    if report.latency_limit_ms is not None and report.lowest_clock_mhz is not None:
        rows.append((text("Lowest clock within {latency_limit_ms}"), "{lowest_clock_mhz~!}"))
    if report.steps:
        bases = ("latency {latency_ms.basis}", "power {power_mw.basis}", "energy {energy_uj.basis}")
        rows.append(("Basis", text(", ".join(bases), "steps[#0]")))
    origin = (text("{power_origin}"),) if report.power_origin else ()
    return Document(
        report, text("Clock of {deployment.target} with {deployment.runtime}"),
        (Section("", (figures("Clock", *rows), _steps(report))),),
        notes=(*notes(report, "unscaled"), *origin),
    )  # fmt: skip


def _steps(report: FrequencySweep) -> Table:
    keys = keys_of(report.steps)
    most = max(range(len(keys)), key=lambda at: report.steps[at].energy_uj.value or 0.0, default=0)
    rated = any(step.average_power_mw.known for step in report.steps)
    cells = (
        "{clock_mhz}", "{latency_ms~}", "{power_mw~}", "{energy_uj~}", "{static_uj}", "{energy_delay}",
        *(["{average_power_mw}"] if rated else []), "{meets_limits}",
    )  # fmt: skip
    rows = tuple(
        (*(text(cell, at) for cell in cells), Bar(f"{at}.energy_uj", f"steps[{keys[most]}].energy_uj"))
        for at in (f"steps[{key}]" for key in keys)
    )
    average = ["Average"] if rated else []
    header = (
        "Clock", "Latency", "Power", "Energy", "Static", "Energy-delay", *average, "Meets",
        "Energy, as a bar",
    )  # fmt: skip
    return Table(header, rows, spare=("Energy, as a bar", "Static", "Energy-delay"))


_TOGETHER = (
    ("Busy", "active_share"), ("Highest rate", "highest_rate_hz"), ("Average power", "average_power_mw"),
    ("Average current", "average_current_ua"), ("Energy a day", "energy_day_wh"),
    ("Energy a month", "energy_month_wh"), ("Energy a year", "energy_year_wh"),
    ("Charge a day", "charge_day_mah"),
)  # fmt: skip


@described.register
def load_budget(report: LoadBudget) -> Document:
    rows: list[tuple[Text, Text]] = [
        (name, f"{{{path}~}}") for name, path in _TOGETHER if getattr(report, path).value
    ]
    if report.cost_month is not None:
        rows += [("Cost a day", "{cost_day}"), ("a month", "{cost_month}"), ("a year", "{cost_year}")]
    if report.store_runs.value is not None:
        rows.append(("Runs that the store holds", "{store_runs~}"))
    blocks: list[Block] = [figures("Together", *rows), _loads(report)]
    if report.battery is not None:
        blocks.append(
            figures(
                "Battery",
                ("Battery", "{battery.battery}"),
                ("Capacity", "{battery.capacity_mah~!}"),
                ("Voltage", "{battery.nominal_v~!}"),
                ("Life", "{battery.life_days~!}"),
            )
        )
    if report.allowance is not None:
        blocks.append(
            figures(
                "Allowed",
                ("Average power", "{allowance.power_mw~!}"),
                ("Average current", "{allowance.current_ua~!}"),
                ("Rate", "{allowance.rate_hz~!}"),
                ("From one to the next", "{allowance.period_s~!}"),
                ("Runs a day", "{allowance.runs_per_day~!}"),
            )
        )
    places = range(len(report.missing))
    blocks += [Paragraph(text(f"To know more takes {{missing[#{at}]}}.")) for at in places]
    return Document(
        report,
        text("{statement}"),
        (Section("", tuple(blocks)),),
        verdict=text("{verdict}"),
        notes=notes(report),
    )


def _loads(report: LoadBudget) -> Table:
    cells = (
        "{name}", "{each_ms~}", "{power_mw~}", "{energy_uj~}", "{rate_hz~}", "{active_share}",
        "{average_power_mw~}", "{share}",
    )  # fmt: skip
    rows = tuple(
        tuple(text(cell, at) for cell in cells) for at in (f"loads[#{i}]" for i in range(len(report.loads)))
    )
    header = ("Load", "Time", "Power", "Energy each", "Rate", "On", "Average", "Of the whole")
    return Table(header, rows)


@described.register
def figure_comparison(report: FigureComparison) -> Document:
    rows: list[tuple[Text, Text]] = [
        ("Measured", "{measured}"), ("Against", "{against~}"), ("Ratio", "{ratio}"), ("Change", "{change}"),
        ("Inside", "{inside}"), ("Beyond the end by", "{beyond}"),
    ]  # fmt: skip
    return Document(report, text("{statement}"), (Section("", (figures("Compared", *rows),)),))
