"""Simulated changes as text."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.units import show
from ...optimization_simulator.report import LayerSensitivity, OptimizationReport, SearchSummary
from ...verdicts.changes import Combination, Figures, Fit
from ..table import Cell, pipe_table
from .common import notes, where
from .options import FIGURES, options_text
from .relaxations import pair_text, relaxation_text

ROWS = 12


def optimization_text(report: OptimizationReport, top: int = ROWS, every: bool = False) -> str:
    head = f"Changes simulated for {report.goal} on {where(report.deployment)}"
    parts = [head, options_text(report, top, every)]
    if len(report.front) > 1:
        parts.append(_front(report, top))
    if report.search is not None:
        parts.append(_searched(report.search))
    if report.fit is not None:
        parts.append(fit_text(report.fit))
    if report.sensitivity:
        parts.append(_sensitivity(report.sensitivity, top))
    if report.heavy_layers:
        parts.append(_heavy(report))
    return "\n\n".join(parts) + notes(report.assumptions, report.warnings)


def fit_text(fit: Fit) -> str:
    """What would make it fit, with the figures after each change."""
    lines = [f"To fit: {fit.statement}."]
    for shown in (fit.changes, fit.nearest):
        if shown is None:
            continue
        if shown is fit.nearest:
            lines.append(f"Nearest: {shown.name}: {'; '.join(shown.reasons)}")
        lines += [f"- {line}" for line in _steps(shown)]
    if fit.relaxations:
        lines += ["One limit alone would have to give:", *map(relaxation_text, fit.relaxations)]
    elif fit.relaxed_pairs:
        lines += ["Two limits would have to give together:", *map(pair_text, fit.relaxed_pairs[:3])]
    return "\n".join(lines)


def _front(report: OptimizationReport, top: int) -> str:
    rows = [
        (
            each.name,
            each.verdict.value,
            each.effort,
            each.effort_steps,
            each.gain_per_effort,
            *_shown(each.after),
        )
        for each in report.front[:top]
    ]
    head = ("No other combination beats", "Limits", "Effort", "Steps", "Halvings/step", *FIGURES)
    left = len(report.front) - len(rows)
    return pipe_table(head, rows) + (f"\n{left} more with --top {len(report.front)}" if left else "")


def _shown(figures: Figures) -> tuple[str, str, str, str]:
    latency = figures.latency_ms
    told = show(latency.value, "ms")
    if latency.low is not None and latency.high is not None and latency.low < latency.high:
        told += f" ({show(latency.low, 'ms')} to {show(latency.high, 'ms')})"
    return (
        told,
        show(figures.energy_uj.value, "uJ"),
        show(figures.arena_bytes, "bytes"),
        show(figures.flash_bytes, "bytes"),
    )


def _searched(search: SearchSummary) -> str:
    ended = ", interrupted" if search.interrupted else ""
    return (
        f"{search.method} search: {search.tried:,} of {search.possible:,} combinations tried, "
        f"{search.estimated:,} of them apply{ended}"
    )


def _steps(shown: Combination) -> Iterator[str]:
    for number, step in enumerate(shown.changes, start=1):
        figures = "cannot run yet" if step.after is None else ", ".join(_named(step.after))
        yield f"{number}. {step.technique} ({step.effort}): {figures}"


def _named(figures: Figures) -> Iterator[str]:
    for name, text in zip(FIGURES, _shown(figures), strict=True):
        if text != "unknown":
            yield f"{name.lower()} {text}"


def _sensitivity(found: tuple[LayerSensitivity, ...], top: int) -> str:
    """A row for each layer, that with the most to gain first."""
    layers: dict[int, dict[str, LayerSensitivity]] = {}
    for each in found:
        layers.setdefault(each.index, {})[each.change] = each
    changes = list(dict.fromkeys(each.change for each in found))
    rows: list[list[Cell]] = [
        [index, next(iter(those.values())).op, *(_relative(those.get(name)) for name in changes)]
        for index, those in list(layers.items())[:top]
    ]
    table = pipe_table(("Layer", "Operator", *(f"{name} there" for name in changes)), rows)
    return (
        f"One layer changed alone: latency, arena, flash of the whole model\n\n{table}\n"
        f"{len(rows)} of {len(layers)} layers"
    )


def _relative(each: LayerSensitivity | None) -> str:
    if each is None or not each.applicable:
        return "does not apply"
    gains = [each.gain.get(name) for name in ("latency", "ram", "flash")]
    return ", ".join("unknown" if gain is None else f"{round(1e3 * gain) / 10:+g} %" for gain in gains)


def _heavy(report: OptimizationReport) -> str:
    return pipe_table(
        ("Layer", "Operator", "Param KiB", "MACs", "Kernels", "Share", "Suggestion"),
        ((x.index, x.op, x.parameter_bytes / 1024, x.macs, str([list(s) for s in x.kernel_shapes]),
          f"{x.share:.0%} of {x.of}", x.suggestion) for x in report.heavy_layers),
    )  # fmt: skip
