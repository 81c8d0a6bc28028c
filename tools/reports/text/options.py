"""Changes one by one: those worth trying first, the rest on demand."""

from __future__ import annotations

import math

from ...optimization_simulator.efforts import STEPS
from ...optimization_simulator.report import OptimizationReport, Option
from ..table import pipe_table
from .common import change

FIGURES = ("Latency", "Energy", "Arena", "Flash")
_WORTH = -0.01
"""A hundredth less at least."""
_FEW = 8


HEADER = ("Change", "Applies", "Effort", *FIGURES, "Why")


def options_text(report: OptimizationReport, top: int, every: bool = False) -> str:
    """What brings the goal nearer, most gain per step of effort first; all that was tried with `every`."""
    shown, left = worth_trying(report, top, every)
    together = (report.combined,) if report.combined else ()
    risks = _risks((*shown, *together)) if shown else ""
    rows = [_row(option) for option in (*shown, *together)]
    more = f"\n{left}; --all tells which and why." if left else ""
    return pipe_table(HEADER, rows) + more + risks


def worth_trying(report: OptimizationReport, top: int, every: bool = False) -> tuple[tuple[Option, ...], str]:
    """The options to show, and how many are not shown for what reason."""
    if every or len(report.options) <= _FEW:
        return report.options, ""
    worth = sorted(
        (o for o in report.options if o.gain.get(report.goal, 0.0) < _WORTH),
        key=lambda o: -_gain_per_effort(o, report.goal),
    )
    shown = tuple(worth[:top])
    return shown, _left_out(report, len(worth) - len(shown))


def _gain_per_effort(option: Option, goal: str) -> float:
    """Halvings per step of effort."""
    return -math.log2(max(1 + option.gain.get(goal, 0.0), 1e-9)) / STEPS.get(option.effort, 3)


def _left_out(report: OptimizationReport, more: int) -> str:
    elsewhere = sum(
        o.gain.get(report.goal, 0.0) >= _WORTH and any(gain < _WORTH for gain in o.gain.values())
        for o in report.options
    )
    refused = sum(not o.applicable for o in report.options)
    useless = sum(o.applicable for o in report.options) - elsewhere
    useless -= sum(o.gain.get(report.goal, 0.0) < _WORTH for o in report.options)
    told = [
        f"{count} that {what}"
        for count, what in (
            (more, "help less than these"), (elsewhere, f"help something other than {report.goal}"),
            (useless, "bring nothing"), (refused, "do not apply"),
        )
        if count
    ]  # fmt: skip
    return f"Not shown: {', '.join(told)}" if told else ""


def _risks(options: tuple[Option, ...]) -> str:
    """Accuracy, once for all changes that risk the same."""
    risks: dict[str, list[str]] = {}
    for option in options:
        if (
            option.applicable
            and not option.accuracy_risk.startswith("none")
            and " + " not in option.technique
        ):
            risks.setdefault(option.accuracy_risk, []).append(option.technique)
    lines = [f"- {', '.join(names)}: {risk}" for risk, names in risks.items()]
    return "\n".join(["", "", "Accuracy:", *lines]) if lines else ""


def _row(option: Option) -> tuple[str, ...]:
    after, before = option.after, option.before
    if after is None:
        return (option.technique, "no", option.effort, "", "", "", "", option.reason)
    return (
        option.technique, "yes", option.effort,
        change(before.latency_ms.value, after.latency_ms.value, "ms"),
        change(before.energy_uj.value, after.energy_uj.value, "uJ"),
        change(before.arena_bytes, after.arena_bytes, "bytes"),
        change(before.flash_bytes, after.flash_bytes, "bytes"), option.reason,
    )  # fmt: skip


def techniques_text() -> str:
    """Every technique that can be named, how it is written and what it asks for."""
    from ...optimization_simulator.techniques.names import listed

    return pipe_table(("Technique", "What it does", "Effort"), listed())
