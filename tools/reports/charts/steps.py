"""What each change on the way to the limits brings: one upon the other, beside the limit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...constraint_checker.constraint_report import ConstraintReport
from ...core.document import Chart, Column
from ...core.records import replace
from ...core.sanitize import clean_text
from ...cost_model.performance_estimate import PerformanceEstimate
from ...memory_planner.memory_plan import MemoryPlan
from ...optimization_simulator.optimization_report import OptimizationReport
from ...verdicts.changes import Combination, Figures
from .picture import Picture
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
_TIMELINE = ("Latency", "Energy")
_ROW = 30
_ROOM = 1.5
"""For the words behind the longest bar, as a factor."""


def steps_chart(
    checks: ConstraintReport, performance: PerformanceEstimate, memory: MemoryPlan
) -> Chart | None:
    """None where no combination of changes was sought, or nothing has to change."""
    sought = checks.fit and (checks.fit.changes or checks.fit.nearest)
    if not sought or not sought.changes:
        return None
    limits = {check.name: check.bound for check in checks.checks}
    before = (
        performance.latency_ms.value, performance.energy_uj.value, memory.arena.value, memory.flash.value
    )  # fmt: skip
    return _chart(_rows(sought, before), {name: limits.get(check) for name, check in _LIMITED_BY.items()})


def optimization_timeline(report: OptimizationReport) -> Picture | None:
    """Latency and energy after each change of a combination; None where no change brings anything.

    It is the shortest that meets the limits or comes nearest, where there is something to change; else the
    one with most gain for its effort.
    """
    sought = report.fit and (report.fit.changes or report.fit.nearest)
    if not sought or not sought.changes:
        sought = next((each for each in report.front if each.changes), None)
    if sought is None or not report.options:
        return None
    before = report.options[0].before
    first = (before.latency_ms.value, before.energy_uj.value, before.arena_bytes, before.flash_bytes)
    chart = _chart(_rows(sought, first), dict.fromkeys(_LIMITED_BY))
    if chart is None:
        return None
    drawn = tuple(_of_figure(chart, choice) for choice in chart.choices if choice[0] in _TIMELINE)
    missing = [label for label in _TIMELINE if label not in {chart.spec["description"] for chart in drawn}]
    unknown = f" Not known: {', '.join(missing).lower()}." if missing else ""
    title = f"Optimising {report.model or 'the model'} for {report.deployment.target}, step by step"
    caption = f"Each change upon the ones above it, as the difference of two estimates.{unknown}"
    return Picture("optimization_timeline", clean_text(title), caption, drawn) if drawn else None


def _of_figure(chart: Chart, choice: tuple[str, Mapping[str, str]]) -> Chart:
    label = choice[0]
    spec = {**chart.spec, "description": label}
    return replace(chart, name=f"steps-{label.lower()}", spec=spec, choices=(choice,))


def _chart(listed: Iterable[Row], limits: Mapping[str, float | None]) -> Chart | None:
    bounds = {f"{name}_limit": bound for name, bound in limits.items()}
    rows = with_words([row | bounds for row in listed], COLUMNS)
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


def _rows(sought: Combination, before: Sequence[float | None]) -> Iterator[Row]:
    yield {"step": "as it is", "effort": "none", **dict(zip(_LIMITED_BY, before, strict=True))}
    for number, step in enumerate(sought.changes, start=1):
        yield {"step": f"{number}. {step.technique}", "effort": step.effort, **_figures(step.after)}


def _figures(after: Figures | None) -> Row:
    if after is None:
        return dict.fromkeys(_LIMITED_BY)
    return {
        "latency": after.latency_ms.value, "energy": after.energy_uj.value,
        "arena": after.arena_bytes, "flash": after.flash_bytes,
    }  # fmt: skip
