"""What the database holds: targets, runtimes, one runtime."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....tools.catalog import RuntimeList, RuntimePage
from ....tools.catalog.pages import TargetEntry
from ..reading import Reading
from ..turns import Outcome
from .figures import bullets, listed

_MOST_OPERATORS = 40


def phrase_targets(outcome: Outcome, _asked: Reading) -> list[str]:
    entries = [_entry(row) for row in (outcome.result or {}).get("targets", ())]
    lines = [f"{e.id}: {e.name}, {listed(list(e.cores))}; {listed(list(e.runtimes))}" for e in entries]
    return ["I know these targets:\n" + bullets(lines)]


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
