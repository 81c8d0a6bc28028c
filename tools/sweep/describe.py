"""A sweep in words and tables: what was accepted, what is best, and what to take for which demand."""

from __future__ import annotations

from collections.abc import Iterator

from ..core.document import (
    Block,
    Code,
    Document,
    Items,
    Paragraph,
    Section,
    Table,
    Text,
    described,
    joined,
    notes,
    table_of,
    text,
)
from ..verdicts.describe import listed
from .sweep_report import Guideline, SweepReport, SweptRow, TreeReport

_WORDS = {"latency_ms": "latency", "energy_uj": "energy", "arena_bytes": "RAM", "flash_bytes": "flash"}
_LEFT_OUT = 5


@described.register
def sweep(report: SweepReport) -> Document:
    verdicts = listed([text(f"{{verdicts.{name}}} {name}") for name in sorted(report.verdicts)])
    counts = text("{evaluations} evaluations, {accepted} accepted ({accepted_ratio})")
    title = joined(counts, ": " if report.verdicts else "", verdicts, ".")
    sections = [Section("", tuple(_blocks(report)))]
    if report.tree is not None:
        sections.append(Section("What to take", tuple(tree_blocks(report.tree, "tree"))))
    return Document(report, title, tuple(sections), notes=notes(report))


def _blocks(report: SweepReport) -> Iterator[Block]:
    if report.budgets:
        yield table_of(
            report.budgets, "budgets", ("Budget", "{budget}"),
            ("Kind", lambda budget: "hard" if budget.hard else "soft"), ("Violated by", "{violated}"),
            ("Unknown", "{unknown}"),
        )  # fmt: skip
    if report.precisions:
        yield table_of(
            report.precisions, "precisions", ("Precision", "{precision}"),
            ("Mean latency", "{latency_ms_mean}"), ("Mean energy", "{energy_j_mean}"),
            ("Mean parameters", "{memory_mb_mean}"), ("Accepted", "{accepted_ratio}"),
            ("Evaluations", "{evaluations}"),
        )  # fmt: skip
    if report.best:
        yield Paragraph("Least of each figure among what is accepted (latency and energy of one inference):")
        rows = tuple(
            (text("{model}", at), _WORDS[one.figure], text(f"{{row.{one.figure}}}", at), *_named(one.row, at))
            for at, one in ((f"best[#{n}]", one) for n, one in enumerate(report.best))
        )
        yield Table(("Model", "Figure", "Value", "Transform", "On"), rows)
    if report.fronts:
        fronts = [
            text(f"{{fronts[#{at}].count}} of {{fronts[#{at}].model}}") for at in range(len(report.fronts))
        ]
        lead = "On the Pareto front of latency, energy, RAM and flash: "
        yield Paragraph(joined(lead, listed(fronts), " (pareto.csv)."))
    if report.left_out:
        shown = range(min(len(report.left_out), _LEFT_OUT))
        lines: list[Text] = [text("{evaluations} × {reason}", f"left_out[#{at}]") for at in shown]
        more = len(report.left_out) - _LEFT_OUT
        lines += [f"and {more} more reasons in summary.json"] if more > 0 else []
        yield Items(tuple(lines), "Left out")
    yield Paragraph(text("Written to {output}: {files}."))


def _named(row: SweptRow, at: str) -> tuple[Text, ...]:
    batch = ", batch {batch}" if row.batch > 1 else ""
    here = f"{at}.row"
    return (text("{transform}", here), text(f"{{target}} with {{runtime}} at {{clock_mhz}}{batch}", here))


@described.register
def decision_tree(tree: TreeReport) -> Document:
    return Document(tree, "What to take", (Section("", tuple(tree_blocks(tree))),))


def tree_blocks(tree: TreeReport, at: str = "") -> Iterator[Block]:
    demands = "{demands} demands (models under pairs of limits)"
    yield Paragraph(text(f"Which {{label}} to take, learned from {demands}: {{chosen_by}}.", at))
    yield Code("", tree.text)
    if tree.held_out_accuracy is not None and tree.majority_accuracy is not None:
        yield Paragraph(text(
            "On models that it had not seen such a tree is right in {held_out_accuracy} of "
            "{held_out_demands} demands; always the commonest answer in {majority_accuracy}.", at,
        ))  # fmt: skip
    else:
        yield Paragraph("One model only: nothing was held out, so how often it is right is not known.")
    begin = f"{at}." if at else ""
    if tree.guidelines:
        rows = tuple(_guideline(row, f"{begin}guidelines[#{n}]") for n, row in enumerate(tree.guidelines))
        yield Table(("Latency", "Energy", "Take", "Share", "Mostly", "Models", "Evaluations"), rows)


def _guideline(row: Guideline, at: str) -> tuple[Text, ...]:
    limits = (("latency_limit_ms", row.latency_limit_ms), ("energy_limit_uj", row.energy_limit_uj))
    within = ("any" if limit is None else text(f"at most {{{name}}}", at) for name, limit in limits)
    cells = ("{take}", "{share}", "{mostly}", "{models}", "{evaluations}")
    return (*within, *(text(cell, at) for cell in cells))
