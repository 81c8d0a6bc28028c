"""Simulated changes in words and tables: those worth trying first, the rest on demand."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ..core.document import (
    Block,
    Document,
    Items,
    Paragraph,
    Ref,
    Section,
    Table,
    Text,
    described,
    joined,
    notes,
    place,
    table_of,
    text,
)
from ..verdicts.describe import fit_blocks, listed, name_of
from .efforts import STEPS
from .optimization_report import LayerSensitivity, OptimizationReport, Option
from .techniques.names import listed as known_techniques

ROWS = 12
_WORTH = -0.01
"""A hundredth less at least."""
_FEW = 8
_FIGURES = ("{latency_ms}", "{energy_uj}", "{arena_bytes}", "{flash_bytes}")


@described.register
def optimization(report: OptimizationReport, *, top: int = ROWS, every: bool = False) -> Document:
    """What brings the goal nearer, most gain per step of effort first; all that was tried with `every`."""
    title = joined(text("Changes simulated for {goal} on "), place(report.deployment))
    return Document(
        report, title, (Section("", tuple(blocks(report, top, every=every))),), notes=notes(report)
    )


def blocks(report: OptimizationReport, top: int = ROWS, *, every: bool = False) -> Iterator[Block]:
    yield from options(report, top, every=every)
    if len(report.front) > 1:
        yield from _front(report, top)
    if report.search is not None:
        ended = ", interrupted" if report.search.interrupted else ""
        yield Paragraph(text(
            "{method} search: {tried} of {possible} combinations tried, {estimated} of them apply" + ended,
            "search",
        ))  # fmt: skip
    if report.fit is not None:
        yield from fit_blocks(report.fit, "fit")
    if report.sensitivity:
        yield from _sensitivity(report.sensitivity, top)
    yield from heavy(report)


def heavy(report: OptimizationReport) -> Iterator[Block]:
    """Layers that hold much of the parameters or of the work, and what would change that."""
    if report.heavy_layers:
        yield table_of(
            report.heavy_layers, "heavy_layers", ("Layer", "{index}"), ("Operator", "{op}"),
            ("Parameters", "{parameter_bytes}"), ("MACs", "{macs}"),
            ("Kernels", lambda hint: str([list(shape) for shape in hint.kernel_shapes])),
            ("Share", "{share} of {of}"), ("Suggestion", "{suggestion}"), spare=("Kernels",),
        )  # fmt: skip


def options(report: OptimizationReport, top: int = ROWS, *, every: bool = False) -> Iterator[Block]:
    """The changes one by one, what is not shown, and what they risk in accuracy."""
    shown, left = _worth_trying(report, top, every=every)
    paths = [f"options[#{at}]" for at in shown] + (["combined"] if report.combined else [])
    chosen = [report.options[at] for at in shown] + ([report.combined] if report.combined else [])
    if not chosen:
        none = text(f"Of {{options}} changes that were tried not one brings {report.goal} down.")
        yield Paragraph(joined(none, f" {left}"))
        return
    rows = [(_as_it_is(paths[0]))] + [_option(o, at) for o, at in zip(chosen, paths, strict=True)]
    header = ("Change", "Effort", "Latency", "Energy", "Arena", "Flash", "Why")
    yield Table(header, tuple(rows), spare=("Energy", "Flash"))
    if left:
        yield Paragraph(left)
    if risks := _risks(chosen):
        yield Items(risks, "Accuracy")


def _risks(options: Sequence[Option]) -> tuple[str, ...]:
    """Once for all changes that risk the same."""
    risks: dict[str, list[str]] = {}
    for option in options:
        harmless = option.accuracy_risk.startswith("none") or " + " in option.technique
        if option.applicable and not harmless:
            risks.setdefault(option.accuracy_risk, []).append(option.technique)
    return tuple(f"{', '.join(names)}: {risk}" for risk, names in risks.items())


def _as_it_is(at: str) -> tuple[Text, ...]:
    return ("as it is", "", *(text(cell, f"{at}.before") for cell in _FIGURES), "")


def _option(option: Option, at: str) -> tuple[Text, ...]:
    name, effort, why = (Ref(f"{at}.{field}") for field in ("technique", "effort", "reason"))
    if option.after is None:
        return (name, effort, "does not apply", "", "", "", why)
    return (name, effort, *(text(cell, f"{at}.after") for cell in _FIGURES), why)


def _worth_trying(report: OptimizationReport, top: int, *, every: bool) -> tuple[list[int], str]:
    """Positions of the options to show, and how many are not shown for what reason."""
    if every or len(report.options) <= _FEW:
        return list(range(len(report.options))), ""
    worth = sorted(
        (at for at, o in enumerate(report.options) if o.gain.get(report.goal, 0.0) < _WORTH),
        key=lambda at: -gain_per_effort(report.options[at], report.goal),
    )
    return worth[:top], _left_out(report, len(worth) - len(worth[:top]))


def gain_per_effort(option: Option, goal: str) -> float:
    """Halvings per step of effort."""
    return -math.log2(max(1 + option.gain.get(goal, 0.0), 1e-9)) / STEPS.get(option.effort, 3)


def _left_out(report: OptimizationReport, more: int) -> str:
    helps = [o.gain.get(report.goal, 0.0) < _WORTH for o in report.options]
    elsewhere = sum(
        not does and any(gain < _WORTH for gain in o.gain.values())
        for o, does in zip(report.options, helps, strict=True)
    )
    refused = sum(not o.applicable for o in report.options)
    useless = sum(o.applicable for o in report.options) - elsewhere - sum(helps)
    kinds = (
        (more, "help less than these"), (elsewhere, f"help something other than {report.goal}"),
        (useless, "bring nothing"), (refused, "do not apply"),
    )  # fmt: skip
    counted = [f"{count} that {what}" for count, what in kinds if count]
    return f"Not shown: {', '.join(counted)}; --all says which and why." if counted else ""


def _front(report: OptimizationReport, top: int) -> Iterator[Block]:
    rows = []
    for n, each in enumerate(report.front[:top]):
        at = f"front[#{n}]"
        cells = ("{verdict}", "{effort}", "{effort_steps}", "{gain_per_effort}")
        gain = [text(cell, at) for cell in cells]
        if each.gain_per_effort is None:
            gain[-1] = "-"
        rows.append((name_of(each, at), *gain, text("{latency_ms~}", f"{at}.after"),
                     *(text(cell, f"{at}.after") for cell in _FIGURES[1:])))  # fmt: skip
    header = (
        "No other combination beats", "Limits", "Effort", "Steps", "Halvings/step",
        "Latency", "Energy", "Arena", "Flash",
    )  # fmt: skip
    yield Table(header, tuple(rows), spare=("Steps", "Halvings/step", "Energy", "Limits", "Flash"))
    if len(report.front) > len(rows):
        yield Paragraph(f"{len(report.front) - len(rows)} more with --top {len(report.front)}")


def _sensitivity(found: Sequence[LayerSensitivity], top: int) -> Iterator[Block]:
    """A row for each layer, that with the most to gain first."""
    layers: dict[int, dict[str, int]] = {}
    for at, each in enumerate(found):
        layers.setdefault(each.index, {})[each.change] = at
    changes = list(dict.fromkeys(each.change for each in found))
    yield Paragraph("One layer changed alone: latency, arena, flash of the whole model")
    rows: list[tuple[Text, ...]] = []
    for those in list(layers.values())[:top]:
        first = f"sensitivity[#{next(iter(those.values()))}]"
        cells = (_relative(found, those.get(name)) for name in changes)
        rows.append((Ref(f"{first}.index"), Ref(f"{first}.op"), *cells))
    yield Table(("Layer", "Operator", *(f"{name} there" for name in changes)), tuple(rows))
    yield Paragraph(f"{len(rows)} of {len(layers)} layers")


def _relative(found: Sequence[LayerSensitivity], at: int | None) -> Text:
    if at is None or not found[at].applicable:
        return "does not apply"
    gains = [f"gain.{name}" if name in found[at].gain else "" for name in ("latency", "ram", "flash")]
    return listed([text(f"{{+{gain}}}", f"sensitivity[#{at}]") if gain else "unknown" for gain in gains])


def technique_list() -> Document:
    """Every technique that can be named, how it is written and what it asks for."""
    table = Table(("Technique", "What it does", "Effort"), tuple(known_techniques()))
    return Document({}, "Techniques", (Section("", (table,)),))
