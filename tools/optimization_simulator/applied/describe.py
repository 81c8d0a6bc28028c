"""A change really made, in words and tables."""

from __future__ import annotations

from ...core.document import Document, Paragraph, Section, Table, Text, described, joined, notes, text
from .applied_optimization import AppliedOptimization

_ROWS = (
    ("File", "file_bytes"), ("Arena", "arena_bytes"), ("MACs", "macs"), ("Latency here", "host_latency_ms"),
)  # fmt: skip


_WORST = 5


@described.register
def applied(report: AppliedOptimization) -> Document:
    header = ("", "Before", "Predicted", "Obtained", "Error")
    blocks = (
        Table(header, tuple(_row(report, *row) for row in _ROWS)),
        Paragraph(text(
            "Arena: {arena_basis}. Latency: median with one thread on this machine, not on a target."
        )),
        Paragraph(text("Data: {data}.")),
        Paragraph(joined("Drift: ", _drift(report))),
        Paragraph(_accuracy(report)),
        *([_layers(report)] if report.layers else ()),
    )  # fmt: skip
    title = text("{technique} of {model} by {quantizer}: {output}")
    return Document(report, title, (Section("", blocks),), notes=notes(report))


def _layers(report: AppliedOptimization) -> Table:
    rows = tuple(
        tuple(text(cell, f"layers[#{at}]") for cell in ("{index} {op}", "{own_sqnr_db:-}", "{sqnr_db:-}"))
        for at in range(min(len(report.layers), _WORST))
    )
    return Table(("Layer that adds the most noise", "Signal to its own", "To all behind it"), rows)


def _accuracy(report: AppliedOptimization) -> Text:
    if report.accuracy_before is None or report.accuracy_after is None:
        return text("Accuracy: {accuracy_risk}.")
    return text(
        "Accuracy: {accuracy_before.metric} {accuracy_before.value} before, {accuracy_after.value} after, "
        "on {accuracy_after.samples} samples."
    )


def _row(report: AppliedOptimization, label: str, name: str) -> tuple[Text, ...]:
    error = text(f"{{+errors.{name}}}") if name in report.errors else ""
    return (label, *(text(f"{{{of}.{name}:-}}") for of in ("before", "predicted", "obtained")), error)


def _drift(report: AppliedOptimization) -> Text:
    drift = report.drift
    if drift is None:
        return "unknown: the two were not compared."
    if drift.largest_difference == 0:
        return text("none on {drift.samples} samples.")
    top = "" if drift.top1_agreement is None else ", the same largest output in {top1_agreement}"
    return text(f"SQNR {{sqnr_db}}, cosine {{cosine}}{top} of {{samples}} samples.", "drift")
