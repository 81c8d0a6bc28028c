"""A change really made, as text."""

from __future__ import annotations

from ...core.units import show
from ...optimization_simulator.applied.report import AppliedOptimization, FileFigures
from ..table import pipe_table
from .common import notes, percent

_ROWS = (("File", "file_bytes", "bytes"), ("Arena", "arena_bytes", "bytes"), ("MACs", "macs", ""),
         ("Latency here", "host_latency_ms", "ms"))  # fmt: skip


def applied_text(report: AppliedOptimization) -> str:
    table = pipe_table(
        ("", "Before", "Predicted", "Obtained", "Error"), (_row(report, *row) for row in _ROWS)
    )
    return (
        f"{report.technique} of {report.model} by {report.quantizer}: {report.output}\n\n{table}\n\n"
        f"Arena: {report.arena_basis}. Latency: median with one thread on this machine, not on a target.\n"
        f"Data: {report.data}.\n"
        f"Drift: {_drift(report)}\n"
        f"Accuracy: {report.accuracy_risk}." + notes(report.assumptions, report.warnings)
    )


def _row(report: AppliedOptimization, label: str, name: str, unit: str) -> tuple[str, ...]:
    figures: tuple[FileFigures, ...] = (report.before, report.predicted, report.obtained)
    values = (getattr(each, name) for each in figures)
    error = report.errors.get(name)
    shown = [("" if v is None else f"{v:,}" if not unit else show(v, unit)) for v in values]
    return (label, *shown, "" if error is None else f"{100 * error:+.2f} %")


def _drift(report: AppliedOptimization) -> str:
    drift = report.drift
    if drift is None:
        return "unknown: the two were not compared."
    if drift.largest_difference == 0:
        return f"none on {drift.samples} samples."
    parts = [
        "SQNR unknown" if drift.sqnr_db is None else f"SQNR {drift.sqnr_db:.1f} dB",
        "cosine unknown" if drift.cosine is None else f"cosine {drift.cosine:.5f}",
    ]
    if drift.top1_agreement is not None:
        parts.append(f"the same largest output in {percent(drift.top1_agreement)}")
    return f"{', '.join(parts)} of {drift.samples} samples."
