"""What files of measurements say, in words and tables."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator

from ...core.document import (
    Block,
    Document,
    Items,
    Paragraph,
    Section,
    Table,
    Text,
    described,
    figures,
    notes,
    table_of,
    text,
    within,
)
from ..accesses import AccessReport
from ..counters.describe import blocks_of
from ..power.describe import energy_blocks, fit_blocks
from ..run_times import ThermalState
from .trace_report import MeasuredClock, TraceReport

_ROWS = 12


@described.register
def trace(report: TraceReport) -> Document:
    named = ", ".join(source.file for source in report.sources)
    summary = tuple(
        text("{file}: {format}, {rows} rows, {basis}", f"sources[#{at}]") for at in range(len(report.sources))
    )
    return Document(
        report,
        f"What is in {named}",
        (Section("", tuple(_blocks(report))),),
        summary=summary,
        notes=notes(report),
    )


def _blocks(report: TraceReport) -> Iterator[Block]:
    if report.occupancy is not None and len(report.lanes) > 1:
        yield _occupancy(report)
        yield table_of(
            report.lanes[:_ROWS], "lanes", ("Unit", lambda row: row.lane_untrusted), ("For", "{doing}"),
            ("Times", "{times}"), ("Busy", "{busy_share|%}"), ("Moved", "{bytes:-}"),
        )  # fmt: skip
    if report.operators:
        yield _totals(report, "operators", "Operator")
    if report.by_source:
        yield _totals(report, "by_source", "Of the source")
    if report.joined:
        yield _joined(report)
        if len(report.joined) > _ROWS:
            yield Paragraph(f"{len(report.joined) - _ROWS} more rows are in --json.")
    if report.facts:
        rows = tuple((key.replace("_", " "), value) for key, value in report.facts.items())
        yield Table(("The file says", "Value"), rows)
    if report.engines:
        said = ", ".join(f"{engine} {count}" for engine, count in report.engines.items())
        yield Paragraph(f"Operators or epochs by what they run on: {said}.")
    if report.compiled:
        yield _compiled(report)
    if report.bound_shares:
        said = ", ".join(f"{unit} {share:.0%}" for unit, share in report.bound_shares.items())
        yield Paragraph(f"Of the expected cycles, by what binds: {said}.")
    if report.clocks:
        yield _clocks(report)
    yield from _counted(report)
    if report.energy is not None:
        yield from within("energy", energy_blocks(report.energy))
    if report.energy_fit is not None:
        yield from within("energy_fit", fit_blocks(report.energy_fit))
    yield from _advice(report)


def _counted(report: TraceReport) -> Iterator[Block]:
    """Accesses, runs and counters."""
    if report.accesses is not None:
        yield from _accesses(report.accesses)
    if report.run_times is not None:
        yield _runs(report.run_times.thermal)
    if report.counters is not None:
        yield Paragraph(text("By its counters the run is {counters.kind}."))
        yield from within("counters", blocks_of(report.counters))
    if report.counted_layers:
        yield _layers(report)


def _accesses(report: AccessReport) -> Iterator[Block]:
    at = "accesses"
    yield figures(
        "Memory", ("Instructions", f"{{{at}.instructions}}"), ("Loads", f"{{{at}.loads}}"),
        ("Stores", f"{{{at}.stores}}"), ("Moved", f"{{{at}.moved_bytes}}"),
        ("Touched, in lines of 32 B", f"{{{at}.touched_bytes}}"),
        ("Follows the access before", f"{{{at}.sequential_share|%}}"),
        ("Accesses to a line", f"{{{at}.reuse}}"),
    )  # fmt: skip
    yield table_of(
        report.caches, "accesses.caches", ("Data cache", "{cache_bytes}"), ("Misses", "{miss_share|%}"),
    )  # fmt: skip


def _joined(report: TraceReport) -> Table:
    return table_of(
        report.joined[:_ROWS], "joined",
        ("Source", lambda row: row.operator_untrusted or row.location_untrusted),
        ("Programs", lambda row: ", ".join(row.programs)), ("Units", lambda row: ", ".join(row.lanes)),
        ("Runs", lambda row: ", ".join(row.invocations)), ("Start", "{start_ms}"), ("End", "{end_ms}"),
        ("Total", "{measured_ms}"), ("Share", "{share|%}"), ("Expected cycles", "{expected_cycles}"),
        ("Implied clock", "{implied_clock_mhz:-}"),
    )  # fmt: skip


def _clocks(report: TraceReport) -> Table:
    """As measured; `frequency` has what is estimated of the target's clocks."""
    return table_of(
        report.clocks, "clocks", ("Clock", "{clock_mhz}"), ("Runs", "{runs}"), ("Time", "{latency_ms}"),
        ("Power", "{power_mw}"), ("Energy", "{energy_uj}"), ("Energy-delay, uJ*s", "{energy_delay}"),
        ("Least", lambda row: ", ".join(_least(row))),
    )  # fmt: skip


def _least(row: MeasuredClock) -> Iterator[str]:
    if row.least_energy:
        yield "energy"
    if row.least_edp:
        yield "energy-delay"


def _runs(seen: ThermalState | None) -> Table:
    names = ("p50_ms", "p90_ms", "p95_ms", "p99_ms", "mean_ms", "deviation_ms")
    titles = ("p50", "p90", "p95", "p99", "Mean", "Standard deviation")
    rows = [(title, f"{{run_times.{name}}}") for title, name in zip(titles, names, strict=True)]
    rows.append(("Far off the median", "{run_times.outliers}"))
    at = "run_times.thermal"
    if seen is not None and seen.start_c is not None:
        rows.append(("Temperature", f"{{{at}.start_c}} to {{{at}.end_c}}, at most {{{at}.most_c}}"))
    if seen is not None and seen.most_clock_mhz is not None:
        rows.append(("Clock as logged", f"{{{at}.least_clock_mhz}} to {{{at}.most_clock_mhz}}"))
    return figures(
        "Runs", ("Runs after the first", "{run_times.runs}"), ("First, cold", "{run_times.first_ms}"), *rows
    )


def _compiled(report: TraceReport) -> Table:
    """The costliest first, else what no accelerator took; with the columns that the report has."""
    every = report.compiled
    order = sorted(
        range(len(every)), key=lambda at: (-(every[at].cycles or 0.0), every[at].engine != "CPU", at)
    )[:_ROWS]
    columns: list[tuple[str, Callable[[int], Text]]] = [
        ("Layer", lambda at: every[at].name_untrusted), ("Operator", lambda at: every[at].op_untrusted)
    ]  # fmt: skip
    templates = {"Times": "times", "On": "engine", "Cycles": "cycles", "Bound by": "bound", "MACs": "macs",
                 "ROM": "rom_bytes"}  # fmt: skip
    for title, name in templates.items():
        if any(getattr(row, name) not in (None, "", 1) for row in every):
            blank = "" if title in ("On", "Bound by") else ":-"
            columns.append((title, functools.partial(_of_compiled, f"{{{name}{blank}}}")))
    if any(row.why_untrusted for row in every):
        columns.append(("Because", lambda at: every[at].why_untrusted))
    header = tuple(title for title, _ in columns)
    return Table(header, tuple(tuple(cell(at) for _, cell in columns) for at in order))


def _of_compiled(template: str, at: int) -> Text:
    return text(template, f"compiled[#{at}]")


def _layers(report: TraceReport) -> Table:
    """Each by its cycles, what its counters say of it, and the rule that decides."""
    return table_of(
        report.counted_layers[:_ROWS], "counted_layers", ("Layer", lambda row: row.name_untrusted),
        ("Cycles", lambda row: f"{row.counts['cycles']:,.0f}" if "cycles" in row.counts else "-"),
        ("It is", "{kind}"), ("By", lambda row: row.rules[0].why if row.rules else "no rule"),
    )  # fmt: skip


def _occupancy(report: TraceReport) -> Table:
    rows: list[tuple[Text, Text]] = [
        ("Compute alone", "{occupancy.compute_only_share|%}"),
        ("Compute and transfers at once", "{occupancy.overlap_share|%}"),
        ("Transfers alone", "{occupancy.transfer_only_share|%}"),
        ("Idle", "{occupancy.idle_share|%}"),
        ("Transfers hidden behind compute", "{occupancy.hidden_transfer_share|%:none}"),
    ]
    assert report.occupancy is not None
    total = (
        "{occupancy.total_ms}" if report.occupancy.total_ms is not None else "{occupancy.total_cycles} cycles"
    )
    return figures("Of the time", ("Whole", total), *rows)


def _totals(report: TraceReport, at: str, title: str) -> Table:
    rows = getattr(report, at)[:_ROWS]
    timed = any(row.time_ms is not None for row in rows)
    time = ("Time", "{time_ms}") if timed else ("Cycles", "{cycles}")
    return table_of(
        rows, at, (title, lambda row: row.name_untrusted), ("Times", "{times}"), time, ("Share", "{share|%}")
    )


def _advice(report: TraceReport) -> Iterator[Block]:
    lines = tuple(
        text("{name} ({severity}): {why}. What helps: {remedy}", f"advice[#{at}]")
        for at in range(len(report.advice))
    )
    if lines:
        yield Items(lines, "What stands out")
    doubts = tuple(
        text("{name} ({severity}): {why}. Better: {remedy}", f"doubts[#{at}]")
        for at in range(len(report.doubts))
    )
    if doubts:
        yield Items(doubts, "Why to doubt it")
    if report.checklist:
        met = ("Met", lambda row: {True: "yes", False: "no", None: "not known"}[row.met])
        yield table_of(report.checklist, "checklist", ("To be repeated", "{name}"), met, ("By", "{found}"))
