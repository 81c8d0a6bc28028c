"""Markdown for a comment on a pull request: the verdict first, then what changed."""

from __future__ import annotations

from ...compare.describe import changes
from ...constraint_checker.constraint_report import ConstraintReport
from ...constraint_checker.describe import verdict_table
from ...core.document import Document, Ref, Section, joined, place
from ...core.render.markdown import markdown as written


def markdown(report: ConstraintReport, model: str) -> str:
    blocks = (verdict_table(report), *(changes(report.baseline, "baseline") if report.baseline else ()))
    title = joined(f"{model} on ", place(report.deployment))
    document = Document(report, title, (Section("", blocks),), verdict=Ref("verdict"))
    return written(document, level=3) + "\n"
