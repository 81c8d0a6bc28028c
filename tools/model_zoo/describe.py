"""Published accuracies as tables."""

from __future__ import annotations

from collections.abc import Iterator

from ..core.document import Block, Document, Paragraph, Section, Table, described, notes, text
from .published_accuracy import PublishedAccuracy

_OF_A_ROW = ("{model}", "{accuracy|%}", "{metric}", "{dataset}", "{precision}", "{weights}", "{publisher}")
_HEADER = ("Network", "Accuracy", "Metric", "Dataset", "Type", "Weights", "Published by")


@described.register
def published_accuracy(report: PublishedAccuracy) -> Document:
    """The comparison, where there is one, then every row."""
    first = (
        text("{model} is the most accurate, {accuracy|%} {metric} on {dataset}.", "compared[#0]")
        if report.compared
        else report.headline()
    )
    return Document(report, first, (Section("", tuple(_blocks(report))),), notes=notes(report))


def _blocks(report: PublishedAccuracy) -> Iterator[Block]:
    if report.compared:
        cells = ("{model}", "{accuracy|%}", "{behind}", "{precision}")
        rows = (tuple(text(cell, f"compared[#{at}]") for cell in cells) for at in range(len(report.compared)))
        yield Table(("Network", "Accuracy", "Behind", "Type"), tuple(rows))
    if report.rows:
        read = (tuple(text(cell, f"rows[#{at}]") for cell in _OF_A_ROW) for at in range(len(report.rows)))
        yield Table(_HEADER, tuple(read), spare=("Published by", "Weights"))
    for at in range(len(report.apart)):
        yield Paragraph(text(f"{{apart[#{at}]}} was measured otherwise and is not compared."))
    for at in range(len(report.unknown)):
        yield Paragraph(text(f"Of {{unknown[#{at}]}} no accuracy was read."))
