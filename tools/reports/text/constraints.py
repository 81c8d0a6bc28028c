"""Verdicts as text."""

from __future__ import annotations

from ...constraint_checker.report import ConstraintReport
from ...core.units import show
from .changes import changes_text
from .common import notes, where
from .optimization import fit_text


def constraints_text(report: ConstraintReport) -> str:
    lines = [f"{report.verdict}: {where(report.deployment)}", ""]
    for check in report.checks:
        soft = " (soft)" if check.soft else ""
        lines.append(f"{check.verdict:<8} {check.name}{soft}: {check.statement}")
        lines += [f"           {term.name}: {show(term.value, term.unit)}" for term in check.terms]
        lines += [
            f"         > {x.change} ({x.effort}): {show(x.before, x.unit)} -> {show(x.after, x.unit)}"
            + (", closes the gap" if x.closes_gap else "")
            for x in check.levers
        ]
    if report.fit is not None:
        lines += ["", fit_text(report.fit)]
    if report.baseline is not None:
        lines += ["", changes_text(report.baseline)]
    return "\n".join(lines) + "\n" + notes(report.assumptions, report.warnings)
