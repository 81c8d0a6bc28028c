"""Energy out of a power trace in tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...core.document import Block, Document, Paragraph, Section, described, figures, table_of, text
from ...core.document import Table as _Table
from .energy_report import EnergyFit, EnergyReport

_ROWS = 12


@described.register
def energy(report: EnergyReport) -> Document:
    return Document(report, "Energy", (Section("", tuple(energy_blocks(report))),))


@described.register
def fit(report: EnergyFit) -> Document:
    return Document(report, "Model of energy", (Section("", tuple(fit_blocks(report))),))


def energy_blocks(report: EnergyReport) -> Iterator[Block]:
    rows = [
        ("Readings", "{samples}"), ("Readings a second", "{rate_hz}"), ("Duration", "{duration_ms}"),
        ("Energy of all", "{energy_uj}"), ("Mean power", "{mean_mw}"), ("Peak", "{peak_mw}"),
        ("Standard deviation", "{deviation_mw}"),
    ]  # fmt: skip
    if report.inference_uj is not None:
        rows += [("Inferences", "{inferences}"), ("Energy of one", "{inference_uj}")]
    if report.idle_mw is not None:
        rows += [("Idle power", "{idle_mw}"), ("Of one, static", "{static_uj:-}")]
    yield figures("Power", *rows)
    if report.states:
        yield table_of(
            report.states, "states", ("Level of power", "{mean_mw}"), ("Of the time", "{share|%}"),
            ("Entered", "{times}"),
        )  # fmt: skip
    if report.how:
        yield Paragraph(text("Cut {how}."))
    if len(report.layers) > 1:
        yield _table(report.layers, "layers", "Layer")
    if report.by_kind:
        yield _table(report.by_kind, "by_kind", "Kind")


def _table(rows: Sequence[object], at: str, title: str) -> _Table:
    return table_of(
        rows[:_ROWS], at, (title, lambda row: row.name_untrusted), ("Time", "{time_ms}"),
        ("Energy", "{energy_uj}"), ("Share", "{share|%}"), ("Mean power", "{mean_mw}"),
        ("Dynamic", "{dynamic_uj:-}"), ("Times", "{times}"),
    )  # fmt: skip


def fit_blocks(report: EnergyFit) -> Iterator[Block]:
    yield Paragraph(text("Fitted to {rows} rows: {formula}."))
    yield table_of(
        report.terms, "terms", ("Term", "{name}"), ("mJ for each", lambda row: f"{row.coefficient:.4g}"),
        ("Unit", "{unit}"), ("Share", "{share|%}"),
        ("Holds from", lambda row: f"{row.low:.4g}"), ("To", lambda row: f"{row.high:.4g}"),
    )  # fmt: skip
    rows = [
        ("R2", "{r2}"), ("R2 of rows left out", "{left_out_r2}"),
        ("Median error of rows left out", f"{report.left_out_error:.1%}"),
    ]  # fmt: skip
    if report.documents_r2 is not None:
        rows += [
            ("R2 of cycles, accesses and clock", "{documents_r2}"),
            ("The same of rows left out", "{documents_left_out_r2}"),
        ]
    yield figures("How well it fits", *rows)
    if report.documents_r2 is not None:
        yield Paragraph(
            "A term of the clock alone adds the same energy to a long run as to a short one: that form holds "
            "only for runs of one length."
        )
