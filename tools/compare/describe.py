"""What a new version of a model changed, in words and tables."""

from __future__ import annotations

from collections.abc import Iterator

from ..core.document import (
    Block,
    Document,
    Paragraph,
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
from .model_diff import LayerChange, ModelDiff

_MOST_LAYERS = 8


@described.register
def model_diff(report: ModelDiff) -> Document:
    title = joined("What changed on ", place(report.deployment))
    return Document(report, title, (Section("", tuple(changes(report))),), notes=notes(report))


def changes(diff: ModelDiff, at: str = "") -> Iterator[Block]:
    """Figures, the peak and the layers that moved the time most; `at` is where it stands in the result."""
    begin = f"{at}." if at else ""
    if diff.same_file:
        yield Paragraph("The model is the one that it was compared with.")
        return
    yield table_of(
        diff.figures, f"{begin}figures",
        ("Figure", "{name}"), ("Before", "{before}"), ("After", "{after}"), ("Change", "{+change~}"),
        ("Of before", "{+percent}"), ("It is", "{direction}"),
    )  # fmt: skip
    if diff.peak_moved:
        before, after = ("{peak_before.op} ({peak_before.index})", "{peak_after.op} ({peak_after.index})")
        yield Paragraph(text(f"The memory peak moved from {before} to {after}.", at))
    if diff.unsupported_added:
        yield Paragraph(text("New operators that do not run: {unsupported_added}.", at))
    if diff.layers:
        order = sorted(range(len(diff.layers)), key=lambda n: -abs(diff.layers[n].latency_ms or 0))
        rows = tuple(_layer(diff.layers[n], f"{begin}layers[#{n}]") for n in order[:_MOST_LAYERS])
        yield Table(("Layer", "It was", "Time"), rows)
    if len(diff.layers) > _MOST_LAYERS:
        yield Paragraph(f"And {len(diff.layers) - _MOST_LAYERS} more layers.")


def _layer(layer: LayerChange, at: str) -> tuple[Text, ...]:
    side = "after" if layer.after else "before"
    name = text(f"{{{side}.op}} ({{{side}.index}})", at) if layer.after or layer.before else "none"
    return (name, text("{change}", at), text("{+latency_ms}", at))
