"""What the database holds: targets, runtimes, one runtime."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....tools.hardware_catalog.pages import RuntimeList, RuntimePage, TargetDiff, TargetEntry
from ..reading import Reading
from ..turns import Outcome
from .figures import bullets, listed

_MOST_OPERATORS = 40
_MOST_DIFFERENCES = 16


def phrase_targets(outcome: Outcome, _asked: Reading) -> list[str]:
    entries = [_entry(row) for row in (outcome.result or {}).get("targets", ())]
    if not entries:
        return ["I know no target like that."]
    classes = dict.fromkeys(entry.target_class for entry in entries)
    lines = [f"{kind}: {listed([e.id for e in entries if e.target_class == kind])}" for kind in classes]
    return ["I know these targets:\n" + bullets(lines)]


def phrase_difference(outcome: Outcome, _asked: Reading) -> list[str]:
    diff = TargetDiff.model_validate(outcome.result)
    if not diff.differences:
        return [f"{diff.one} and {diff.other} differ in nothing that I know."]
    lines = [f"{d.field}: {d.one or 'not told'} / {d.other or 'not told'}" for d in diff.differences]
    return [f"Where {diff.one} and {diff.other} differ:\n" + bullets(lines[:_MOST_DIFFERENCES])]


def _entry(row: Mapping[str, Any]) -> TargetEntry:
    return TargetEntry.model_validate({("target_class" if k == "class" else k): v for k, v in row.items()})


def phrase_runtimes(outcome: Outcome, _asked: Reading) -> list[str]:
    page = RuntimeList.model_validate(outcome.result)
    lines = [f"{r.id}: {r.name}, usually {r.usual_dtype}, planner {r.planner}" for r in page.runtimes]
    return ["I know these runtimes:\n" + bullets(lines)]


def phrase_runtime(outcome: Outcome, _asked: Reading) -> list[str]:
    page = RuntimePage.model_validate(outcome.result)
    lines = [f"{o.op}: {listed(list(o.dtypes))}" for o in page.operators[:_MOST_OPERATORS]]
    complete = "all that it supports" if page.complete else "what its sources tell; others are unknown"
    where = listed(list(page.targets)) or "no target that I know"
    lead = f"{page.name} ({page.id}, {page.vendor}) runs on {where}; usually {page.usual_dtype}."
    parts = [lead, f"Its operators ({complete}):\n" + bullets(lines)]
    return [*parts, f"Source: {'; '.join(page.sources)}."] if page.sources else parts
