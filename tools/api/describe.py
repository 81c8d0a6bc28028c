"""The whole profile of a model in words and tables: the five categories of a resource profiling report."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from ..compatibility_scorer.describe import score
from ..core.document import (
    Bar,
    Block,
    Code,
    Document,
    Items,
    Paragraph,
    Section,
    Table,
    Text,
    described,
    figures,
    joined,
    notes,
    place,
    table_of,
    text,
    within,
)
from ..core.paths import keys_of
from ..cost_model import describe as performance
from ..graph import describe as model
from ..memory_planner import describe as memory
from ..optimization_simulator import describe as optimization
from ..optimization_simulator.applied.kinds import KINDS
from ..optimization_simulator.optimization_report import Option
from ..roofline.describe import head as roofs
from .analysis import AnalysisReport
from .memory_analysis import MemoryStatus

_SUGGESTED = 6
_FIGURES = {
    "latency": ("latency", "latency_ms"), "ram": ("RAM", "arena_bytes"), "flash": ("flash", "flash_bytes"),
}  # fmt: skip
"""Name of a gain → its name, and the field that it is of."""
_HOW_TO_INT8 = (
    "With TensorFlow: converter.optimizations = [tf.lite.Optimize.DEFAULT], converter.representative_dataset "
    "= samples of your inputs, converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]."
)


@described.register
def analysis(report: AnalysisReport) -> Document:
    estimate = report.performance
    sections = (
        Section("Model summary", tuple(_model(report))),
        Section("Memory analysis", tuple(_memory(report))),
        Section(
            "Hardware performance",
            (
                *within("performance", [performance.head(estimate)]),
                *within("roofline", [roofs(report.roofline)]),
                Paragraph(score("compatibility")),
            ),
        ),
        Section(
            "Per-layer performance",
            (
                _slowest(report),
                *within("performance", [performance.layers(estimate)]),
                *within("performance", performance.power_throughout(estimate)),
            ),
        ),
        Section("Optimization opportunities", tuple(_opportunities(report))),
        Section("Next steps", tuple(_next_steps(report))),
    )
    title = joined(f"{report.model.name} on ", place(report.roofline.deployment, "roofline.deployment"))
    return Document(report, title, sections, notes=notes(report, inside=("memory", "optimization")))


def _model(report: AnalysisReport) -> Iterator[Block]:
    head = model.head(report.model)
    path = (("Path", text("{model_path}")),) if report.model_path is not None else ()
    moved = next(iter(within("model", [head])))
    assert isinstance(moved, Table)
    accuracy: tuple[tuple[Text, ...], ...] = ()
    if report.accuracy is not None:
        told = "{accuracy.metric} {accuracy.value} on {accuracy.samples} of your samples, run here"
        accuracy = (("Accuracy", text(told)),)
    yield Table(moved.header, (moved.rows[0], *path, *moved.rows[1:], *accuracy))


def _memory(report: AnalysisReport) -> Iterator[Block]:
    found = report.memory_analysis
    yield figures(
        "Memory",
        ("Peak RAM required", text("{memory_analysis.required_bytes}")),
        ("Available RAM", text("{memory_analysis.available_bytes}")),
        ("RAM utilisation", text("{memory_analysis.utilization}")),
        ("as a bar", Bar("memory_analysis.required_bytes", "memory_analysis.available_bytes")),
        ("RAM status", text("{memory_analysis.status}")),
    )
    yield from _issues(report)
    if found.recommendations:
        yield table_of(
            found.recommendations, "memory_analysis.recommendations",
            ("Memory recommendation", "{change}"), ("Effort", "{effort}"), ("Before", "{before}"),
            ("After", "{after}"), ("Enough", "{closes_gap}"),
        )  # fmt: skip
    yield from within("memory", memory.blocks(report.memory))


def _issues(report: AnalysisReport) -> Iterator[Block]:
    """What is wrong, with how much is lacking in bytes and in relation to what there is."""
    found = report.memory_analysis
    if not found.issues:
        return
    lines: list[Text] = [text(f"{{memory_analysis.issues[#{at}]}}") for at in range(len(found.issues))]
    if found.missing_bytes is not None:
        lines.append(text(
            "Urgent: it needs {memory_analysis.missing_bytes} ({memory_analysis.missing_share}) more RAM "
            "than there is."
        ))  # fmt: skip
    elif found.status is MemoryStatus.EXCESSIVE:
        lines.append(text(
            "It takes {memory_analysis.utilization} of the RAM: stack, heap and application get what is left."
        ))  # fmt: skip
    yield Items(tuple(lines), "Memory issues")


def _slowest(report: AnalysisReport) -> Paragraph:
    layers = report.roofline.layers
    slowest = max(range(len(layers)), key=lambda at: layers[at].share or 0.0, default=None)
    if slowest is None or not layers[slowest].share:
        return Paragraph("No layer's time is known.")
    at = f"roofline.layers[{keys_of(layers)[slowest]}]"
    return Paragraph(text("Layer {index} ({op}) takes {share} of the time and is {bound}-bound.", at))


def _opportunities(report: AnalysisReport) -> Iterator[Block]:
    yield figures(
        "Baseline",
        ("Total parameter memory", text("{model.parameter_bytes}")),
        ("Total MACs", text("{model.macs}")),
    )
    rows = [_suggestion(option, at) for at, option in _best(report)]
    if rows:
        yield Table(("Suggestion", "Brings down", "Before", "After", "Change", "Effort"), tuple(rows))
    yield from within("optimization", optimization.blocks(report.optimization))


def _best(report: AnalysisReport) -> list[tuple[int, Option]]:
    """What brings most for the effort: of RAM or flash where they are at fault, else of the time."""
    goal = _goal(report)
    options = enumerate(report.optimization.options)
    helping = [(at, option) for at, option in options if option.gain.get(goal, 0.0) < 0]
    return sorted(helping, key=lambda each: -optimization.gain_per_effort(each[1], goal))[:_SUGGESTED]


def _goal(report: AnalysisReport) -> str:
    if report.memory_analysis.status in (MemoryStatus.OVER, MemoryStatus.EXCESSIVE):
        return "ram"
    return "flash" if report.memory_analysis.issues else "latency"


def _suggestion(option: Option, at: int) -> tuple[Text, ...]:
    """By the figure that it brings down most."""
    most = min((name for name in _FIGURES if name in option.gain), key=lambda name: option.gain[name])
    words, field = _FIGURES[most]
    here = f"optimization.options[#{at}]"
    cells = ("{before." + field + "}", "{after." + field + "}", "{+gain." + most + "}", "{effort}")
    return (text("{technique}", here), words, *(text(cell, here) for cell in cells))


def _next_steps(report: AnalysisReport) -> Iterator[Block]:
    """Commands that go on from here: simulate the best change, apply it where it can be, check again."""
    ref = report.roofline.deployment
    subject = shlex.quote(report.model_path or report.model.name)
    where = f"-t {ref.target} -r {ref.runtime}"
    best = next((option.technique for _, option in _best(report)), None)
    lines = [f"edgewright check {subject} {where}"]
    if best is not None:
        name = shlex.quote(best)
        lines.insert(0, f"edgewright optimize {subject} {where} --technique {name}")
        suffix = f".{report.model.format}"
        if best in KINDS.get(suffix, {}):
            lines[1:] = [
                f"edgewright optimize {subject} {where} --apply {name} -o smaller{suffix}",
                f"edgewright check smaller{suffix} {where}",
            ]
    yield Code("Simulate the change, make it, and check what came out:", "\n".join(lines))
    if best == "int8":
        yield Paragraph(_HOW_TO_INT8)
    yield Paragraph(
        "Changes that ask for retraining or a redesign are made where the model is trained; export it again "
        "and analyse that file."
    )
