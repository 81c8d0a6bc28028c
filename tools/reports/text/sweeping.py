"""A sweep as text: what was accepted, what is best, and what to take for which demand."""

from __future__ import annotations

from ...core.units import show
from ...sweep.report import Guideline, SweepReport, SweptRow, TreeReport
from ..table import Cell, pipe_table
from .common import notes

_UNITS = {"latency_ms": "ms", "energy_uj": "uJ", "arena_bytes": "bytes", "flash_bytes": "bytes"}
_WORDS = {"latency_ms": "latency", "energy_uj": "energy", "arena_bytes": "RAM", "flash_bytes": "flash"}
LEFT_OUT = 5


def sweep_report_text(report: SweepReport) -> str:
    verdicts = ", ".join(f"{count:,} {name}" for name, count in sorted(report.verdicts.items()))
    head = f"{report.evaluations:,} evaluations, {report.accepted:,} accepted ({report.accepted_ratio:.1%})"
    parts = [f"{head}: {verdicts}." if verdicts else f"{head}."]
    if report.budgets:
        rows = [(b.budget, "hard" if b.hard else "soft", b.violated, b.unknown) for b in report.budgets]
        parts.append(pipe_table(("budget", "kind", "violated by", "unknown"), rows))
    if report.precisions:
        parts.append(_precisions(report))
    if report.best:
        best: list[list[Cell]] = [
            [one.model, _WORDS[one.figure], _value(one.row, one.figure), *_named(one.row)]
            for one in report.best
        ]
        parts.append("Least of each figure among what is accepted (latency and energy of one inference):")
        parts.append(pipe_table(("model", "figure", "value", "transform", "on"), best))
    fronts = ", ".join(f"{front.count:,} of {front.model}" for front in report.fronts)
    if fronts:
        parts.append(f"On the Pareto front of latency, energy, RAM and flash: {fronts} (pareto.csv).")
    if report.left_out:
        parts.append(_left_out(report))
    if report.tree is not None:
        parts.append(tree_text(report.tree))
    parts.append(f"Written to {report.output}: {', '.join(report.files)}.")
    return "\n\n".join(parts) + notes(report.assumptions, report.warnings)


def tree_text(tree: TreeReport) -> str:
    head = f"Which {tree.label} to take, learned from {tree.demands:,} demands (models under pairs of limits)"
    parts = [f"{head}: {tree.chosen_by}.", tree.text]
    if tree.held_out_accuracy is not None and tree.majority_accuracy is not None:
        parts.append(
            f"On models that it had not seen such a tree is right in {tree.held_out_accuracy:.1%} of "
            f"{tree.held_out_demands:,} demands; always the commonest answer in {tree.majority_accuracy:.1%}."
        )
    else:
        parts.append("One model only: nothing was held out, so how often it is right is not known.")
    if tree.guidelines:
        parts.append(pipe_table(
            ("latency", "energy", "take", "share", "mostly", "models", "evaluations"),
            [_guideline(row) for row in tree.guidelines],
        ))  # fmt: skip
    return "\n\n".join(parts)


def _precisions(report: SweepReport) -> str:
    rows: list[list[Cell]] = [
        [
            each.precision,
            show(each.latency_ms_mean, "ms"),
            show(None if each.energy_j_mean is None else each.energy_j_mean * 1e6, "uJ"),
            show(None if each.memory_mb_mean is None else each.memory_mb_mean * 1024**2, "bytes"),
            f"{each.accepted_ratio:.1%}",
            each.evaluations,
        ]
        for each in report.precisions
    ]
    header = ("precision", "mean latency", "mean energy", "mean parameters", "accepted", "evaluations")
    return pipe_table(header, rows)


def _named(row: SweptRow) -> list[Cell]:
    batch = f", batch {row.batch}" if row.batch > 1 else ""
    return [row.transform, f"{row.target} with {row.runtime} at {row.clock_mhz:g} MHz{batch}"]


def _value(row: SweptRow, figure: str) -> str:
    return show(getattr(row, figure), _UNITS[figure])


def _left_out(report: SweepReport) -> str:
    shown = [f"- {each.evaluations:,} × {each.reason}" for each in report.left_out[:LEFT_OUT]]
    more = len(report.left_out) - len(shown)
    if more > 0:
        shown.append(f"- and {more} more reasons in summary.json")
    return "\n".join(["Left out:", *shown])


def _guideline(row: Guideline) -> list[Cell]:
    limits = [
        "any" if limit is None else f"at most {show(limit, unit)}"
        for limit, unit in ((row.latency_limit_ms, "ms"), (row.energy_limit_uj, "uJ"))
    ]
    return [*limits, row.take, f"{row.share:.0%}", row.mostly or "-", row.models, row.evaluations]
