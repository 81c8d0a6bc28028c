"""A diagnosis as lines."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from .findings import Diagnosis, Finding, Grade


def diagnosis_text(report: Diagnosis) -> str:
    lines = [line for area, group in groupby(report.findings, _area) for line in _section(area, [*group])]
    problems = sum(each.grade is Grade.PROBLEM for each in report.findings)
    notes = sum(each.grade is Grade.NOTE for each in report.findings)
    text = f"{problems} problem{'' if problems == 1 else 's'}, {notes} note{'' if notes == 1 else 's'}"
    return "\n".join([*lines, f"{text}." if problems or notes else "Everything works."])


def _area(finding: Finding) -> str:
    return finding.area


def _section(area: str, findings: list[Finding]) -> Iterator[str]:
    yield area.capitalize()
    width = max(len(each.about) for each in findings)
    for each in findings:
        yield f"  {each.grade:<7}  {each.about:<{width}}  {each.found}"
        if each.next_step:
            yield f"  {'':<7}  {'':<{width}}  -> {each.next_step}"
    yield ""
