"""Markdown for a comment on a pull request: the verdict first, then what changed."""

from __future__ import annotations

import re

from ...constraint_checker.report import Check, ConstraintReport
from ..table import pipe_table
from ..text.changes import changes_text
from ..text.common import where

_SPECIAL = re.compile(r"([\\`*_\[\]<>#!~&@])")


def markdown(report: ConstraintReport, model: str) -> str:
    title = f"### {report.verdict}: {escaped(model)} on {escaped(where(report.deployment))}"
    parts = [title, pipe_table(("Check", "Verdict", "Reason"), map(_row, report.checks))]
    if report.baseline is not None:
        parts.append(changes_text(report.baseline, escaped))
    return "\n\n".join(parts) + "\n"


def escaped(text: str) -> str:
    """Text that Markdown shows as it is, on one line; a table escapes its own bars."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def _row(check: Check) -> tuple[str, ...]:
    name = f"{check.name} (soft)" if check.soft else check.name
    return (escaped(name), check.verdict.value, escaped(check.statement))
