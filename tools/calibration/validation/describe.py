"""The measurements behind an estimate, and how far estimates are from them, in words and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...core.document import (
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
from .evidence import Evidence, EvidenceReport
from .validation_report import SUMS, ErrorGroup, LeftOut, ValidationReport

_AKIN = {
    "target": "on this very target with this library",
    "pair": "on other targets with this core and this library",
    "runtime": "of this library on other cores",
    "isa": "on this core with other libraries",
    "nothing": "akin to it",
}
FEW = 4
"""Rows of fewer measurements are no summary."""


@described.register
def evidence_of(report: EvidenceReport) -> Document:
    title = joined("Behind latencies on ", place(report.deployment))
    return Document(report, title, (Section("", tuple(blocks(report))),), notes=notes(report))


def blocks(report: EvidenceReport) -> Iterator[Block]:
    akin = _AKIN.get(report.akin_by, f"that share its {report.akin_by}")
    most = ", {networks} networks; the {nearest} most alike are below" if report.nearest else ""
    yield Paragraph(text(f"Latencies here rest on {{measurements}} published measurements {akin}{most}."))
    if report.nearest:
        yield table_of(
            report.nearest, "nearest", ("Network", "{network}"), ("Type", "{dtype}"), ("Device", "{device}"),
            ("Runtime", "{runtime} {runtime_version}"), ("Clock", "{clock_mhz}"), ("Batch", "{batch}"),
            ("Latency", "{latency_ms}"), ("Read at", _read_at), spare=("Batch", "Clock", "Type"),
        )  # fmt: skip


def _read_at(found: Evidence) -> str:
    return f"{found.repository} {found.path} @{found.commit[:8]} ({found.id})"


@described.register
def validation(report: ValidationReport) -> Document:
    left = tuple(
        _left_out(what, left)
        for what, those in (("no prediction for", report.unpredicted), ("refused", report.refused))
        for left in those
    )
    remarks = (*left, *notes(report))
    if not report.groups:
        return Document(report, "No measurement could be compared.", (), notes=remarks)
    title = text("Errors of estimates against the measurements: {measurements}.")
    tables = (*_groups(report, summary=True), *_groups(report, summary=False))
    written = tuple(Paragraph(f"Written: {name}") for name in report.written)
    return Document(report, title, (Section("", (*_worst(report), *tables, *written)),), notes=remarks)


def _groups(report: ValidationReport, *, summary: bool) -> Iterator[Table]:
    """Worst median last within its class, so that it is what stays on the screen."""
    chosen = [at for at, group in enumerate(report.groups) if (group.runtime in SUMS) == summary]
    chosen.sort(key=lambda at: _order(report.groups[at]))
    if chosen:
        header = (
            "Class", "Runtime", "Quantity", "Scheme", "n", "Models", "Boards", "Median", "Mean", "±10 %",
            "±25 %", "In 90 % interval", "Rank",
        )  # fmt: skip
        spare = ("Boards", "Models", "Mean", "Rank", "±10 %", "±25 %")
        yield Table(header, tuple(_row(report.groups, at) for at in chosen), spare=spare)


def _order(group: ErrorGroup) -> tuple[str, str, str, float]:
    return (group.device_class, group.quantity, group.scheme, group.median_ape)


def _row(groups: Sequence[ErrorGroup], at: int) -> tuple[Text, ...]:
    cells = (
        "{device_class}", "{runtime}", "{quantity}", "{scheme}", "{n}", "{models}", "{boards}",
        "{median_ape}", "{mean_ape}", "{within_10}", "{within_25}",
    )  # fmt: skip
    group, here = groups[at], f"groups[#{at}]"
    rest = ((group.coverage, "{coverage}"), (group.rank_correlation, "{rank_correlation}"))
    return (
        *(text(cell, here) for cell in cells),
        *("-" if value is None else text(cell, here) for value, cell in rest),
    )


def _worst(report: ValidationReport) -> Iterator[Paragraph]:
    detail = [at for at, group in enumerate(report.groups) if group.runtime not in SUMS]
    many = [at for at in detail if report.groups[at].n >= FEW]
    if detail:
        worst = max(many or detail, key=lambda at: report.groups[at].median_ape)
        of_many = f" of {FEW} measurements or more" if many else ""
        yield Paragraph(text(
            f"Worst row{of_many}: {{device_class}} with {{runtime}}, {{quantity}}, "
            "{scheme}: median error {median_ape}, n = {n}.", f"groups[#{worst}]",
        ))  # fmt: skip


def _left_out(what: str, left: LeftOut) -> str:
    more = ", …" if left.n > len(left.ids) else ""
    return f"{what} {left.n:,}: {left.reason} ({', '.join(left.ids)}{more})"
