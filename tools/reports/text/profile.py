"""A measured profile as text: total, layers with a mark at those that stand out, facts, what to check."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.quantity import Basis
from ...core.units import digits, show
from ...traces.report import Hypothesis, LayerResidual, MeasuredLayer, MeasuredProfile
from ..table import pipe_table
from .common import notes, quantity, where

_MARK = "<<<"
_NAMED = 8


def profile_text(report: MeasuredProfile) -> str:
    parts = [_title(report), _totals(report), *_layers(report), *_findings(report)]
    return "\n\n".join(part for part in parts if part) + notes(report.assumptions, report.warnings)


def _title(report: MeasuredProfile) -> str:
    told = (
        f"{report.model}: {report.trace} ({report.source})"
        if report.trace
        else f"{report.model}: {report.source}"
    )
    machine = f"\nMeasured here: {report.machine}" if report.machine else ""
    return f"{told}\nAgainst the estimate for {where(report.deployment)}{machine}"


def _totals(report: MeasuredProfile) -> str:
    inside = {True: "yes", False: "no", None: "unknown"}[report.inside_interval]
    runs = f", {report.runs:,} run{'s' if report.runs > 1 else ''}" if _was_run(report) else ""
    return pipe_table(
        ("Metric", "Value"),
        (
            (f"{_word(report)}{runs}", quantity(report.latency_ms)),
            ("Estimated", quantity(report.estimated_ms)),
            (f"{_word(report)} / estimated", "unknown" if report.ratio is None else digits(report.ratio)),
            ("Inside the interval", inside),
            ("Level of the layers", "unknown" if report.level_ratio is None else digits(report.level_ratio)),
        ),
    )


def _layers(report: MeasuredProfile) -> Iterator[str]:
    timed = [layer for layer in report.layers if layer.measured_ms is not None]
    if timed:
        rows = [_row(layer) for layer in timed]
        yield pipe_table(
            ("Layer", "Operator", f"{_word(report)} ms", "Estimated ms", "Ratio", "To level", "Mark"), rows
        )
    if timed and report.unmatched_layers:
        shown = ", ".join(map(str, report.unmatched_layers[:_NAMED]))
        more = len(report.unmatched_layers) - _NAMED
        yield f"Not in the trace: layers {shown}{f' and {more} others' if more > 0 else ''}."
    if report.unmatched_events:
        told = [f"{e.tag_untrusted} ({show(e.measured_ms, 'ms')})" for e in report.unmatched_events[:_NAMED]]
        more = len(report.unmatched_events) - _NAMED
        yield f"In the trace, but no layer: {', '.join(told)}{f' and {more} others' if more > 0 else ''}."


def _was_run(report: MeasuredProfile) -> bool:
    """A compiler's expectation is no measurement."""
    return report.latency_ms.basis is Basis.MEASURED


def _word(report: MeasuredProfile) -> str:
    return "Measured" if _was_run(report) else str(report.latency_ms.basis).capitalize()


def _row(layer: MeasuredLayer) -> tuple[str | int | float | None, ...]:
    joined = f" +{len(layer.covers)}" if layer.covers else ""
    mark = _MARK if layer.stands_out else ""
    return (
        layer.index,
        layer.op + joined,
        layer.measured_ms,
        layer.estimated_ms,
        layer.ratio,
        layer.residual_ratio,
        mark,
    )


def _findings(report: MeasuredProfile) -> Iterator[str]:
    told = [residual for residual in report.residuals if residual.facts]
    for residual in told:
        yield _finding(residual, _word(report).casefold())
    whole = [f"- {fact}" for fact in report.facts] + _checks(report.hypotheses)
    if whole:
        yield "\n".join(["All layers together:", *whole])


def _finding(residual: LayerResidual, word: str) -> str:
    slower = "more" if residual.excess_ms > 0 else "less"
    level = (
        "" if residual.residual_ratio is None else f", {digits(residual.residual_ratio)} x the common level"
    )
    excess = f"{show(abs(residual.excess_ms), 'ms')} {slower}"
    head = (
        f"Layer {residual.index} {residual.op}: {show(residual.measured_ms, 'ms')} {word}, "
        f"{show(residual.estimated_ms, 'ms')} estimated{level}: {excess}"
    )
    told = [f"- {fact}" for fact in residual.facts]
    return "\n".join([f"{head}.", *told, *_checks(residual.hypotheses)])


def _checks(hypotheses: tuple[Hypothesis, ...]) -> list[str]:
    return [f"- could be: {each.cause}. Check: {each.check}" for each in hypotheses]
