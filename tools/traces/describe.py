"""A measured profile in words and tables: total, layers, those that stand out, and what to check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..core.document import (
    Block,
    Document,
    Items,
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
from ..core.quantity import Basis
from ..core.units import show
from .measured_profile import Hypothesis, LayerResidual, MeasuredLayer, MeasuredProfile
from .run_times import ThermalState

_MARK = "<<<"
_NAMED = 8


@described.register
def profile(report: MeasuredProfile) -> Document:
    source = f"{report.trace} ({report.source})" if report.trace else report.source
    summary: list[Text] = [joined("Against the estimate for ", place(report.deployment))]
    if report.machine:
        summary.append(text("Measured here: {machine}"))
    measured = (*_spread(report), *_of_ceilings(report), *_of_board(report), *_of_counters(report))
    blocks = (_totals(report), *measured, *_causes(report), *_layers(report), *_findings(report))
    return Document(
        report,
        f"{report.model}: {source}",
        (Section("", blocks),),
        summary=tuple(summary),
        notes=notes(report),
    )


def _totals(report: MeasuredProfile) -> Table:
    word = _word(report)
    runs = f", {report.runs:,} run{'s' if report.runs > 1 else ''}" if _was_run(report) else ""
    return figures(
        "Profile",
        (f"{word}{runs}", "{latency_ms~!}"),
        ("Estimated", "{estimated_ms~!}"),
        (f"{word} / estimated", "{ratio}"),
        ("Inside the interval", "{inside_interval}"),
        *([("Layers together, beside them", "{layers_ms}, {outside_ms}")] if report.outside_ms else []),
        ("Level of the layers", "{level_ratio}"),
    )


def _spread(report: MeasuredProfile) -> Iterator[Block]:
    found = report.run_times
    if found is None:
        return
    spread = "{run_times.mean_ms} ± {run_times.deviation_ms}"
    tail = "{run_times.p90_ms}, {run_times.p95_ms}, {run_times.p99_ms}"
    loading = ("Loading, then the first run", "{run_times.load_ms}, {run_times.first_ms}")
    rows = [
        ("First run", "{run_times.first_ms}") if found.load_ms is None else loading,
        ("Median", "{run_times.p50_ms}"),
        ("Mean ± deviation", spread),
        ("90, 95, 99 % of runs within", tail),
    ]
    rows.append(("Runs far off the median", "{run_times.outliers}"))
    if found.drift_ratio is not None:
        rows.append(("Last fifth over the first", "{run_times.drift_ratio}"))
    if found.peak_memory_bytes is not None:
        rows.append(("Memory of the process at most", "{run_times.peak_memory_bytes}"))
    if found.processors:
        on = ", ".join(map(str, found.processors[:_NAMED])) + _more(found.processors)
        rows.append(("Processors, governor", f"{on}, {found.governor or 'none stated'}"))
    rows += _warmth(found.thermal)
    if report.energy is not None:
        of = "{energy.energy_uj}, {energy.power_mw}" if report.energy.by else "not known: {energy.why_not}"
        rows.append(("Energy", of))
    yield figures("Runs", *rows)


def _warmth(seen: ThermalState | None) -> Iterator[tuple[str, str]]:
    if seen is None:
        return
    if seen.start_c is None:
        yield "Temperature", "not known: the system gives none"
    else:
        at = "run_times.thermal"
        yield f"Temperature, {seen.sensor}", f"{{{at}.start_c}} to {{{at}.end_c}}, at most {{{at}.most_c}}"
    words = {True: "yes", False: "no", None: "not known: nothing counts it here"}
    yield "Slowed by heat", words[seen.throttled]
    if seen.most_clock_mhz is not None:
        yield "Clock seen", "{run_times.thermal.least_clock_mhz} to {run_times.thermal.most_clock_mhz}"


def _of_board(report: MeasuredProfile) -> Iterator[Block]:
    board = report.board
    if board is None:
        return
    rows = [("Clock, as its firmware states it", "{board.clock_mhz}"), ("Time counted by", "{board.counter}")]
    if board.observed_mhz is not None:
        rows.append(("Clock by this machine's time", "{board.observed_mhz}"))
    if board.arena_used_bytes is not None:
        rows.append(("Arena used", "{board.arena_used_bytes|bytes}"))
    if board.build:
        rows.append(("Build", "{board.build}"))
    if board.outputs_match is not None:
        same = "all {board.elements} elements" if board.outputs_match else "{board.different_elements} differ"
        rows.append(("Outputs as computed beforehand", same))
    rows.append(("Runs with operators", "{board.detailed_runs}"))
    yield figures("Board", *rows)


def _of_ceilings(report: MeasuredProfile) -> Iterator[Block]:
    if report.attained is not None:
        yield figures(
            "Of this machine's ceilings",
            ("Arithmetic", "{attained.attained_gops} of {attained.peak_gops}, {attained.compute_share|%}"),
            ("Memory", "{attained.attained_gb_s} of {attained.bandwidth_gb_s}, {attained.memory_share|%}"),
            ("Intensity, ridge point", "{attained.arithmetic_intensity}, {attained.ridge_point}"),
        )


def _of_counters(report: MeasuredProfile) -> Iterator[Block]:
    if report.counters:
        yield figures("Counted in one run", *((name, f"{{counters.{name}}}") for name in report.counters))


_CAUSES = 4
_LONGEST = 10


def _causes(report: MeasuredProfile) -> Iterator[Block]:
    """The best of them, and what the layers cannot tell."""
    told = [at for at, row in enumerate(report.causes) if row.holds is not None][:_CAUSES]
    told += [at for at, row in enumerate(report.causes) if row.holds is None]
    if told:
        words = {True: "yes", False: "no", None: "unknown"}
        yield Table(
            ("Cause, tested", "Holds", "Explains", "Because"),
            tuple(
                (text("{cause}", at), words[row.holds], text("{explained_share|%:-}", at), text("{why}", at))
                for at, row in ((f"causes[#{n}]", report.causes[n]) for n in told)
            ),
        )


def _layers(report: MeasuredProfile) -> Iterator[Block]:
    timed = [at for at, layer in enumerate(report.layers) if layer.measured_ms is not None]
    if timed:
        header = ("Layer", "Operator", _word(report), "Estimated", "Ratio", "To level", "Mark")
        yield Table(header, tuple(_row(report.layers[at], f"layers[#{at}]") for at in timed))
    if timed:
        yield _work(report, timed)
    if timed and report.unmatched_layers:
        missing = ", ".join(map(str, report.unmatched_layers[:_NAMED]))
        yield Paragraph(f"Not in the trace: layers {missing}{_more(report.unmatched_layers)}.")
    if report.unmatched_events:
        events = ", ".join(
            f"{event.tag_untrusted} ({show(event.measured_ms, 'ms')})"
            for event in report.unmatched_events[:_NAMED]
        )
        yield Paragraph(f"In the trace, but no layer: {events}{_more(report.unmatched_events)}.")


def _work(report: MeasuredProfile, timed: Sequence[int]) -> Table:
    """The longest first, with what they compute and move."""
    order = sorted(timed, key=lambda at: -(report.layers[at].measured_ms or 0.0))[:_LONGEST]
    cells = ("{index}", "{op}", "{measured_ms}", "{share|%:-}", "{macs}", "{moved_bytes}",
             "{arithmetic_intensity:-}")  # fmt: skip
    rows = tuple(tuple(text(cell, f"layers[#{at}]") for cell in cells) for at in order)
    header = ("Longest", "Operator", _word(report), "Share", "MACs", "Moved", "FLOP/byte")
    return Table(header, rows, spare=("FLOP/byte",))


def _more(those: Sequence[object]) -> str:
    return f" and {len(those) - _NAMED} others" if len(those) > _NAMED else ""


def _was_run(report: MeasuredProfile) -> bool:
    """A compiler's expectation is no measurement."""
    return report.latency_ms.basis is Basis.MEASURED


def _word(report: MeasuredProfile) -> str:
    return "Measured" if _was_run(report) else str(report.latency_ms.basis).capitalize()


def _row(layer: MeasuredLayer, at: str) -> tuple[Text, ...]:
    op = f"{{op}} +{len(layer.covers)}" if layer.covers else "{op}"
    cells = ("{index}", op, "{measured_ms}", "{estimated_ms}", "{ratio:-}", "{residual_ratio:-}")
    return (*(text(cell, at) for cell in cells), _MARK if layer.stands_out else "")


def _findings(report: MeasuredProfile) -> Iterator[Block]:
    for at, residual in enumerate(report.residuals):
        if residual.facts:
            yield from _finding(residual, f"residuals[#{at}]", _word(report).casefold())
    facts = tuple(text(f"{{facts[#{at}]}}") for at in range(len(report.facts)))
    lines = (*facts, *_checks(report.hypotheses, ""))
    if lines:
        yield Items(lines, "All layers together")


def _finding(residual: LayerResidual, at: str, word: str) -> Iterator[Block]:
    level = "" if residual.residual_ratio is None else ", {residual_ratio} × the common level"
    head = (
        f"Layer {{index}} {{op}}: {{measured_ms}} {word}, {{estimated_ms}} estimated{level}: {{+excess_ms}}."
    )
    yield Paragraph(text(head, at))
    facts = tuple(text(f"{{facts[#{n}]}}", at) for n in range(len(residual.facts)))
    yield Items((*facts, *_checks(residual.hypotheses, f"{at}.")))


def _checks(hypotheses: Sequence[Hypothesis], begin: str) -> tuple[Text, ...]:
    paths = (f"{begin}hypotheses[#{at}]" for at in range(len(hypotheses)))
    return tuple(text("could be: {cause}. Check: {check}", path) for path in paths)
