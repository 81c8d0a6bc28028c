"""Calibrations in words and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...core.document import (
    Block,
    Code,
    Document,
    Paragraph,
    Section,
    Table,
    described,
    joined,
    notes,
    place,
    table_of,
    text,
)
from .anchor_set import AnchorSet
from .calibration import Calibration, CalibrationList, LearnedBoard


@described.register
def calibration(report: Calibration) -> Document:
    return Document(
        report,
        text("Calibration from {source}"),
        (Section("", tuple(_blocks(report))),),
        notes=notes(report),
        footer=tuple(text(f"wrote {{written[#{n}]}}") for n in range(len(report.written))),
    )


def _blocks(report: Calibration) -> Iterator[Block]:
    if report.error_after is not None:
        yield Paragraph(
            text(
                "Estimates of these models were off by {error_before}; of each, by the others, {error_after}."
            )
        )
    elif report.error_before is not None:
        yield Paragraph(
            text(
                "Estimates of these models were off by {error_before}; how far off the others are now, takes "
                "a second model to tell."
            )
        )
    if report.then:
        yield table_of(
            report.then, "then", ("Model", "{model}"), ("Latency", "{latency_ms~}"),
            ("Without the measurement", "{estimated_ms~}"),
        )  # fmt: skip
    if report.boards:
        yield boards_table(report.boards)
    yield table_of(
        report.rows, "rows", ("Line", "{line}"), ("Model", "{model}"), ("Target", "{target}"),
        ("Runtime", "{runtime}"), ("Measured", "{measured_ms:-}"), ("Estimated", "{estimated_ms:-}"),
        ("Used", "{used}"), ("Reason", "{reason}"), spare=("Runtime",),
    )  # fmt: skip


def boards_table(boards: Sequence[LearnedBoard]) -> Table:
    """What was learned of each board."""
    return table_of(
        boards, "boards", ("Target", "{target}"), ("Runtime", "{runtime}"),
        ("Measurements", "{measurements}"), ("Models", "{networks}"), ("Latencies ×", "{factor~}"),
        ("Error before", "{error_before}"), ("Left out, after", "{error_after:-}"), ("Kept in", "{file}"),
        spare=("Measurements",),
    )  # fmt: skip


@described.register
def kept(report: CalibrationList) -> Document:
    removed = (Paragraph(text("Removed {removed}.")),) if report.removed else ()
    boards: tuple[Block, ...] = (boards_table(report.boards),) if report.boards else ()
    none = () if report.boards or removed else (Paragraph("No board is calibrated."),)
    return Document(report, "Calibrations", (Section("", (*removed, *boards, *none)),), notes=notes(report))


@described.register
def anchors(report: AnchorSet) -> Document:
    return Document(
        report,
        text("What to measure on {deployment.target}"),
        (Section("", tuple(_anchors(report))),),
        notes=notes(report),
    )


def _anchors(report: AnchorSet) -> Iterator[Block]:
    yield Paragraph(joined("Three models that tell most about it, on ", place(report.deployment), "."))
    yield table_of(
        report.models, "models", ("Model", "{model}"), ("Write it", "{write}"), ("Measure it", "{measure}")
    )
    yield Code("Then fill in what was measured, in milliseconds", _table(report), whole=True)


def _table(report: AnchorSet) -> str:
    return "\n".join([report.header, *(each.line for each in report.models)]) + "\n"
