"""SARIF 2.1.0, which code hosts show beside the files of a change."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from .... import __version__
from ...constraint_checker.constraint_report import Check, ConstraintReport
from ...core.document import place
from ...core.render.cells import words
from ...core.sanitize import json_text
from ...verdicts.verdict import Verdict

_LEVELS = {Verdict.FAIL: "error", Verdict.MARGINAL: "warning", Verdict.UNKNOWN: "warning"}


def sarif_json(report: ConstraintReport, model: str) -> str:
    """One result for each check that did not pass, on the model's file; a soft limit is a note."""
    rules = [{"id": _id(check), "shortDescription": {"text": check.name}} for check in report.checks]
    results = [_result(report, check, model) for check in report.checks if check.verdict is not Verdict.PASS]
    document = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "edgewright", "version": __version__, "rules": rules}},
                "results": results,
            }
        ],
    }
    return json_text(document) + "\n"


def _result(report: ConstraintReport, check: Check, model: str) -> dict[str, Any]:
    where = words(place(report.deployment), report)
    return {
        "ruleId": _id(check),
        "level": "note" if check.soft else _LEVELS[check.verdict],
        "message": {"text": f"{check.verdict} on {where}: {check.statement}"},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": quote(model.replace("\\", "/"))}}}],
    }


def _id(check: Check) -> str:
    return check.name.replace(" ", "-")
