"""Verdicts in words and tables."""

from __future__ import annotations

from collections.abc import Iterator

from ..compare.describe import changes
from ..core.document import (
    Block,
    Document,
    Paragraph,
    Ref,
    Section,
    Table,
    Text,
    described,
    notes,
    place,
    table_of,
    text,
)
from ..core.paths import keys_of
from ..cost_model.describe import measured_first
from ..verdicts.describe import fit_blocks
from .constraint_report import Check, ConstraintReport


@described.register
def constraints(report: ConstraintReport) -> Document:
    baseline = tuple(changes(report.baseline, "baseline")) if report.baseline is not None else ()
    turned = tuple(_turned(report)) if report.changed is not None else ()
    sections = (
        Section("", tuple(blocks(report))),
        Section("Since the baseline", baseline),
        Section("Since the former report", turned),
    )
    return Document(
        report, place(report.deployment), tuple(section for section in sections if section.blocks),
        verdict=Ref("verdict"), notes=notes(report),
    )  # fmt: skip


def verdict_table(report: ConstraintReport) -> Table:
    """One row a check: what is judged, how, and the sentence with the figures."""
    return table_of(
        report.checks, "checks", ("Check", _name), ("Verdict", "{verdict}"), ("Reason", "{statement}"),
        ("Basis", "{basis}"), spare=("Basis",),
    )  # fmt: skip


def blocks(report: ConstraintReport) -> Iterator[Block]:
    """Each verdict, what it is made of, and what would help."""
    yield from measured_first(report)
    yield verdict_table(report)
    terms, levers = [], []
    for key, check in zip(keys_of(report.checks), report.checks, strict=True):
        at = f"checks[{key}]"
        terms += [_row(at, f"terms[#{n}]", "{name}", "{value}") for n in range(len(check.terms))]
        levers += [
            _row(at, f"levers[#{n}]", "{change}", "{effort}", "{before}", "{after}", "{closes_gap}")
            for n in range(len(check.levers))
        ]
    if terms:
        yield Table(("Check", "Made up of", "Amount"), tuple(terms), folded="What it is made up of")
    if levers:
        header = ("Check", "Would help", "Effort", "Before", "After", "Closes the gap")
        yield Table(header, tuple(levers))
    if report.fit is not None:
        yield from fit_blocks(report.fit, "fit")


def _turned(report: ConstraintReport) -> Iterator[Block]:
    changed = report.changed
    assert changed is not None
    before = "{changed.figures_before}" if changed.figures_before else "figures without a name"
    yield Paragraph(text(f"From {before} to {{changed.figures_after}}: {{changed.same}} verdicts stayed."))
    if changed.turned:
        yield table_of(
            changed.turned, "changed.turned", ("Check", "{name}"), ("Before", "{before}"), ("Now", "{after}"),
            ("Needed before", "{demand_before:-}"), ("Needs now", "{demand_after:-}"),
        )  # fmt: skip


def _name(check: Check) -> str:
    return f"{check.name} (soft)" if check.soft else check.name


def _row(check: str, within: str, *cells: str) -> tuple[Text, ...]:
    return (Ref(f"{check}.name"), *(text(cell, f"{check}.{within}") for cell in cells))
