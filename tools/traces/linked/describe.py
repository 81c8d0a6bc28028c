"""A linked firmware in words and tables."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.document import (
    Block,
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
from .firmware_report import FirmwareReport

_ROWS = 16


@described.register
def firmware(report: FirmwareReport) -> Document:
    summary = [text("{format}: flash {flash_bytes}, RAM {ram_bytes}.")]
    if report.deployment is not None:
        summary.append(joined("Against the plan for ", place(report.deployment)))
    blocks = tuple(_blocks(report))
    title = f"What is linked into {report.file}"
    return Document(report, title, (Section("", blocks),), summary=tuple(summary), notes=notes(report))


def _blocks(report: FirmwareReport) -> Iterator[Block]:
    yield table_of(
        report.parts, "parts", ("For", "{role}"), ("Flash", "{flash_bytes}"), ("RAM", "{ram_bytes}"),
        ("Symbols", "{symbols}"),
    )  # fmt: skip
    if report.against:
        yield table_of(
            report.against, "against", ("Against the plan", "{part}"), ("Linked", "{linked_bytes:not found}"),
            ("Planned", "{planned~!}"), ("Linked / planned", "{ratio:-}"), ("Because", "{why}"),
        )  # fmt: skip
    if report.regions:
        yield table_of(
            report.regions, "regions", ("Region", lambda row: row.name_untrusted), ("Used", "{used_bytes}"),
            ("Of", "{size_bytes}"),
        )  # fmt: skip
    rows = report.symbols[:_ROWS]
    cells = ("{bytes}", "{role}")
    yield Table(
        ("Symbol", "Bytes", "For", "In", "From"),
        tuple(
            (
                row.name_untrusted, *(text(cell, f"symbols[#{at}]") for cell in cells),
                _where(row.in_flash, row.in_ram), row.object_untrusted.rsplit("/", 1)[-1],
            )
            for at, row in enumerate(rows)
        ),
    )  # fmt: skip
    if len(report.symbols) > _ROWS:
        yield Paragraph(f"{len(report.symbols) - _ROWS:,} more symbols are in --json.")


def _where(in_flash: bool, in_ram: bool) -> str:
    return "flash and RAM" if in_flash and in_ram else "flash" if in_flash else "RAM"
