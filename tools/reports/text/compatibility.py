"""Operator support as text."""

from __future__ import annotations

from ...compatibility_scorer.report import CompatibilityReport
from ...units import digits
from ..table import pipe_table
from .common import notes, where


def compatibility_text(report: CompatibilityReport) -> str:
    head = f"{score(report)} on {where(report.deployment)}"
    penalties = pipe_table(
        ("Penalty", "Points", "Reason"), ((p.name, p.points, p.reason) for p in report.penalties)
    )
    ops = pipe_table(
        ("Layer", "Operator", "Runs", "On", "Optimized", "Reason", "Remedy"),
        ((x.index, x.op, "unknown" if x.supported is None else "yes" if x.supported else "no",
          x.processor or "-", "yes" if x.optimized else "no", x.reason, x.remedy) for x in report.ops),
    )  # fmt: skip
    return f"{head}\n\n{penalties}\n\n{ops}" + notes(report.assumptions, report.warnings)


def score(report: CompatibilityReport) -> str:
    return f"{report.verdict}: score {digits(report.score)} of 100"
