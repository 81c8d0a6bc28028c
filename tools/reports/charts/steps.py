"""What each change on the way to the limits brings: one upon the other, beside the limit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...constraint_checker.constraint_report import ConstraintReport
from ...core.document import Chart, Column
from ...cost_model.performance_estimate import PerformanceEstimate
from ...memory_planner.memory_plan import MemoryPlan
from ...verdicts.changes import Combination, Figures
from .spec import Row, chart_spec, labels, quantity, tooltip, with_words

COLUMNS = (
    Column("step", "Then"), Column("effort", "Effort"), Column("latency", "Latency", "ms"),
    Column("energy", "Energy", "uJ"), Column("arena", "RAM (arena)", "bytes"),
    Column("flash", "Flash", "bytes"),
)  # fmt: skip
_CHOICES = (
    ("Latency", "latency", "ms"), ("Energy", "energy", "uJ"), ("RAM (arena)", "arena", "bytes"),
    ("Flash", "flash", "bytes"),
)  # fmt: skip
_LIMITED_BY = {"latency": "latency", "energy": "energy", "arena": "ram", "flash": "flash"}
"""Figure → the check that limits it."""
_ROW = 30
_ROOM = 1.25
"""For the words behind the longest bar, as a factor."""


def steps_chart(
    checks: ConstraintReport, performance: PerformanceEstimate, memory: MemoryPlan
) -> Chart | None:
    """None where no combination of changes was sought, or nothing has to change."""
    sought = checks.fit and (checks.fit.changes or checks.fit.nearest)
    if not sought or not sought.changes:
        return None
    limits = {check.name: check.bound for check in checks.checks}
    listed = list(_rows(sought, performance, memory))
    for row in listed:
        row |= {f"{name}_limit": limits.get(check) for name, check in _LIMITED_BY.items()}
    rows = with_words(listed, COLUMNS)
    spec = chart_spec(
        _ROW * len(rows), "Changes one upon the other, and what each brings",
        transform=[
            {"calculate": "datum['@field']", "as": "shown"},
            {"calculate": "datum['@field_limit'] || 0", "as": "limit"},
            {"calculate": "datum['@field_text']", "as": "words"},
        ],
        encoding={
            "y": {"field": "step", "type": "nominal", "title": None, "sort": None,
                  "axis": {"labelLimit": 220}},
            "tooltip": tooltip(COLUMNS),
        },
        layer=[*_bars(), *_limit()],
    )  # fmt: skip
    choices = []
    for label, field, unit in _CHOICES:
        values = [row[field] for row in rows if row[field]]
        if values:
            most = max([*values, rows[0][f"{field}_limit"] or 0.0]) * _ROOM
            words = {"@field": field, "@labels": labels(unit), "@title": label, "@most": f"{most!r}"}
            choices.append((label, words))
    return Chart("steps", spec, rows, COLUMNS, tuple(choices)) if choices else None


def _bars() -> Iterator[dict[str, Any]]:
    known = {"filter": "datum.shown !== null"}
    x = quantity(
        "shown", "@title", scale={"domainMin": 0, "domainMax": {"expr": "@most"}, "nice": False},
        axis={"tickCount": 5, "labelExpr": "@labels"},
    )  # fmt: skip
    yield {
        "transform": [known], "mark": {"type": "bar", "color": "var(--compute)"}, "encoding": {"x": x}
    }  # fmt: skip
    yield {
        "transform": [known],
        "mark": {"type": "text", "align": "left", "dx": 5},
        "encoding": {"x": x, "text": {"field": "words"}},
    }
    yield {
        "transform": [{"filter": "datum.shown === null"}],
        "mark": {"type": "text", "text": "unknown", "align": "left", "color": "var(--quiet)"},
        "encoding": {"x": {"value": 6}},
    }


def _limit() -> Iterator[dict[str, Any]]:
    yield {
        "mark": {"type": "tick", "color": "var(--fail)", "thickness": 3, "size": _ROW - 2},
        "encoding": {
            "x": quantity("limit", "@title"),
            "opacity": {"condition": {"test": "datum.limit > 0", "value": 1}, "value": 0},
        },
    }


def _rows(sought: Combination, performance: PerformanceEstimate, memory: MemoryPlan) -> Iterator[Row]:
    yield {
        "step": "as it is", "effort": "none", "latency": performance.latency_ms.value,
        "energy": performance.energy_uj.value, "arena": memory.arena.value, "flash": memory.flash.value,
    }  # fmt: skip
    for number, step in enumerate(sought.changes, start=1):
        yield {"step": f"{number}. {step.technique}", "effort": step.effort, **_figures(step.after)}


def _figures(after: Figures | None) -> Row:
    if after is None:
        return dict.fromkeys(_LIMITED_BY)
    return {
        "latency": after.latency_ms.value, "energy": after.energy_uj.value,
        "arena": after.arena_bytes, "flash": after.flash_bytes,
    }  # fmt: skip
