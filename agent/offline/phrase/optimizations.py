"""What changes would bring, before and after."""

from __future__ import annotations

from ....tools.optimization_simulator.report import OptimizationReport, Option
from ....tools.verdicts.changes import Figures
from ..reading import Reading
from ..turns import Outcome
from .figures import bullets, layer, listed, percent, plain, size
from .subject import model_of, place_of

_LABELS = {"ram": "RAM"}
_MOST = 5
_HEAVY = 3
_REASONS = 4
"""More changes than these are named without the reason."""


def phrase(outcome: Outcome, asked: Reading) -> list[str]:
    report = OptimizationReport.model_validate(outcome.result)
    options = [o for o in report.options if o.technique.startswith(asked.technique)] or list(report.options)
    helpful = [o for o in options if o.applicable and _gain(o, report.goal) < 0]
    others = [o for o in options if o.applicable and o not in helpful]
    where = f"{model_of(outcome)} on {place_of(report.deployment)}"
    parts = [_lead(report.goal, where, helpful, options)]
    shown = [*helpful, *(others if len(options) == 1 or asked.technique else [])][:_MOST]
    if shown:
        parts.append(bullets([_line(option, report.goal) for option in shown]))
    if report.combined is not None and report.combined.applicable and not asked.technique:
        parts.append(f"Together, which is not the sum: {_line(report.combined, report.goal)}.")
    return [*parts, *_heavy(report, asked), *_not_applicable(options, bool(asked.technique))]


def _lead(goal: str, where: str, helpful: list[Option], options: list[Option]) -> str:
    if helpful:
        best = helpful[0]
        what = f"the {_LABELS.get(goal, goal)} of {where}"
        return f"For {what}, {best.technique} brings the most: {_change(best, goal)}."
    if len(options) == 1 and not options[0].applicable:
        only = options[0]
        return f"{only.technique} changes nothing for {where}: {only.reason}."
    return f"None of the changes that I simulate lowers the {_LABELS.get(goal, goal)} of {where}."


def _gain(option: Option, goal: str) -> float:
    return option.gain.get(goal, 0.0)


def _line(option: Option, goal: str) -> str:
    first = [goal, *(g for g in ("latency", "energy", "ram", "flash") if g != goal)]
    told = [_figure(option, name, exact=name == goal) for name in first]
    risk = "" if option.accuracy_risk in ("", "none") else f"; accuracy: {option.accuracy_risk}"
    return f"{option.technique} ({option.effort}): {', '.join(text for text in told if text)}{risk}"


def _change(option: Option, goal: str) -> str:
    gain = option.gain.get(goal)
    relative = "" if not gain else f" ({percent(abs(gain))} {'less' if gain < 0 else 'more'})"
    return f"{_figure(option, goal, exact=True)}{relative}"


def _figure(option: Option, name: str, *, exact: bool) -> str:
    """Before and after, where both are known and differ."""
    if option.after is None:
        return ""
    before, after = _printed(option.before, name, exact), _printed(option.after, name, exact)
    label = {"ram": "arena"}.get(name, name)
    return "" if "unknown" in (before, after) or before == after else f"{label} {before} → {after}"


def _printed(figures: Figures, name: str, exact: bool) -> str:
    match name:
        case "latency":
            return plain(figures.latency_ms.value, "ms")
        case "energy":
            return plain(figures.energy_uj.value, "uJ")
        case _:
            count = figures.arena_bytes if name == "ram" else figures.flash_bytes
            return size(count) if exact else plain(count, "bytes")


def _heavy(report: OptimizationReport, asked: Reading) -> list[str]:
    if asked.technique or not report.heavy_layers:
        return []
    lines = [
        f"{layer(hint.index, hint.op)} holds {percent(hint.share)} of the {hint.of}: {hint.suggestion}"
        for hint in report.heavy_layers[:_HEAVY]
        if "CUSTOM:" not in hint.suggestion
    ]
    return ["Heavy layers:\n" + bullets(lines)] if lines else []


def _not_applicable(options: list[Option], asked: bool) -> list[str]:
    left = [o for o in options if not o.applicable]
    if not left or (asked and len(options) == 1):
        return []
    if len(left) > _REASONS:
        return [f"Not applicable here: {listed([o.technique for o in left])}."]
    return [f"Not applicable: {listed([f'{o.technique} ({o.reason})' for o in left])}."]
