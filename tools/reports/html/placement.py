"""Where operators run, what that costs, and which changes would help."""

from __future__ import annotations

from ...core.units import digits, show
from ...optimization_simulator.report import Option
from ...verdicts.changes import Figures
from ..text.common import percent, quantity
from ..text.compatibility import OPERATOR_HEADER, operator_rows
from ..text.options import FIGURES, worth_trying
from .blocks import Block, Paragraph, Table
from .results import Results

_TOP = 12
_OPTIONS = ("Change", "Effort", *FIGURES, "Why")


def blocks(results: Results) -> tuple[Block, ...]:
    report = results.analysis.compatibility
    lead = (
        f"{report.verdict}: score {digits(report.score)} of 100. Of {len(report.ops)} operators "
        f"{report.supported_ops} run, {report.optimized_ops} of them on kernels written for the processor; "
        f"{report.fallback_ops} fall back to the CPU, {report.unsupported_ops} do not run, "
        f"{report.unknown_ops} are unknown."
    )
    found: list[Block] = [Paragraph(lead)]
    if report.penalties:
        rows = tuple((p.name, digits(p.points), percent(p.share), p.reason) for p in report.penalties)
        found.append(Table(("Penalty", "Points", "Work", "Reason"), rows, right=frozenset({1, 2})))
    found.append(Table(OPERATOR_HEADER, tuple(operator_rows(report.ops))))
    if report.fallback_cost is not None and report.fallback_ops:
        moved = show(report.transfers_bytes, "bytes")
        found.append(
            Paragraph(
                f"Moved between processors: {moved}, {quantity(report.transfer_ms)}. Falling back makes it "
                f"{quantity(report.fallback_cost)} times as long."
            )
        )
    if report.remedies:
        rows = tuple(
            (r.change, f"{len(r.ops) or 'all'}", f"{digits(r.score)} ({r.verdict})", quantity(r.latency_ms))
            for r in report.remedies
        )
        found.append(Table(("What would help", "Operators", "Score", "Latency"), rows))
    return tuple(found)


def option_blocks(results: Results) -> tuple[Block, ...]:
    report = results.analysis.optimization
    shown, left = worth_trying(report, _TOP)
    options = (*shown, *((report.combined,) if report.combined else ()))
    if not options:
        told = f"Of {len(report.options)} changes that were tried not one brings {report.goal} down."
        return (Paragraph(f"{told} {left}".strip()),)
    found: list[Block] = [
        Paragraph(
            f"Each simulated on this model and deployment for {report.goal}, most gain per effort first."
        ),
        Table(
            _OPTIONS,
            (_figures("as it is", "", options[0].before, ""), *map(_option, options)),
            frozenset({4, 5}),
        ),
    ]
    risks = {
        o.technique: o.accuracy_risk for o in shown if o.applicable and not o.accuracy_risk.startswith("none")
    }
    if risks:
        found.append(
            Table(("Change", "Accuracy"), tuple(risks.items()), folded="What each risks in accuracy")
        )
    if left:
        found.append(Paragraph(f"{left}."))
    if report.heavy_layers:
        rows = tuple(
            (
                f"{x.index}",
                x.op,
                show(x.parameter_bytes, "bytes"),
                f"{x.macs:,}",
                f"{x.share:.0%} of {x.of}",
                x.suggestion,
            )
            for x in report.heavy_layers
        )
        header = ("Layer", "Operator", "Parameters", "MACs", "Share", "Suggestion")
        found.append(Table(header, rows, right=frozenset({0, 2, 3})))
    return tuple(found)


def _option(option: Option) -> tuple[str, ...]:
    if option.after is None:
        return (option.technique, option.effort, *("does not apply",) * len(FIGURES), option.reason)
    return _figures(option.technique, option.effort, option.after, option.reason)


def _figures(name: str, effort: str, figures: Figures, why: str) -> tuple[str, ...]:
    return (
        name, effort, quantity(figures.latency_ms), quantity(figures.energy_uj),
        show(figures.arena_bytes, "bytes"), show(figures.flash_bytes, "bytes"), why,
    )  # fmt: skip
