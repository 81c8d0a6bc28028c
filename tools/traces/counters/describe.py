"""Counters in words and tables."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.document import Block, Document, Items, Section, described, notes, table_of, text
from .counter_report import CounterReport


@described.register
def counters(report: CounterReport) -> Document:
    blocks = tuple(blocks_of(report))
    return Document(
        report, "Counters", (Section("", blocks),), summary=(text("{kind}"),), notes=notes(report)
    )


def blocks_of(report: CounterReport) -> Iterator[Block]:
    if report.metrics:
        value = ("Value", lambda row: f"{row.value:.3g} {'' if row.unit == '1' else row.unit}".strip())
        name = ("Figure", lambda row: row.name.replace("_", " "))
        yield table_of(report.metrics, "metrics", name, value, ("From", "{formula}"))
    if report.causes:
        yield table_of(
            report.causes,
            "causes",
            ("Where the cycles went", "{cause}"),
            ("Share", "{share|%}"),
            ("By", "{how}"),
        )
    lines = tuple(
        text("{name} ({severity}): {why}. What helps: {remedy}", f"rules[#{at}]")
        for at in range(len(report.rules))
    )
    if lines:
        yield Items(lines, "What the counters say")
