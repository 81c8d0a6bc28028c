"""A conversion, in words and tables."""

from __future__ import annotations

from ..core.document import Document, Paragraph, Section, Table, Text, described, notes, text
from .converted_model import ConversionStage, ConvertedModel, ConverterSetup


@described.register
def converted(report: ConvertedModel) -> Document:
    header = ("Step", "By", "File", "MACs", "SQNR", "Same top-1", "Accuracy")
    rows = tuple(_row(stage, f"stages[{at}]") for at, stage in enumerate(report.stages))
    blocks = (
        Table(header, rows),
        Paragraph(text("Each step is compared with the one before. Data: {data}.")),
    )
    return Document(
        report, text("{model} by {converter}: {output}"), (Section("", blocks),), notes=notes(report)
    )


def _row(stage: ConversionStage, at: str) -> tuple[Text, ...]:
    of_drift = (
        ("–", "–")
        if stage.drift is None
        else tuple(text(f"{{{at}.drift.{name}:-}}") for name in ("sqnr_db", "top1_agreement"))
    )
    accuracy = "–" if stage.accuracy is None else text(f"{{{at}.accuracy.value}}")
    told = [text(f"{{{at}.{name}}}") for name in ("stage", "made_by", "file_bytes", "macs:-")]
    return (*told, *of_drift, accuracy)


@described.register
def set_up(report: ConverterSetup) -> Document:
    blocks = (Paragraph(text("It takes {installed_bytes} in {folder}; remove that folder to be rid of it.")),)
    return Document(report, text("The converter {converter} is set up"), (Section("", blocks),))
