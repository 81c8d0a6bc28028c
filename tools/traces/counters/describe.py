"""Counters in words and tables."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...core.document import (
    Block,
    Document,
    Items,
    Section,
    described,
    joined,
    notes,
    place,
    table_of,
    text,
)
from .cache_prediction import CachePrediction
from .counter_report import CounterReport

_LAYERS = 64
_SUFFIX = re.compile(r"_(?:mhz|mw|gb_s)$")
"""Units that stand beside the value."""


@described.register
def counters(report: CounterReport) -> Document:
    blocks = tuple(blocks_of(report))
    return Document(
        report, "Counters", (Section("", blocks),), summary=(text("{kind}"),), notes=notes(report)
    )


def blocks_of(report: CounterReport) -> Iterator[Block]:
    if report.metrics:
        value = ("Value", lambda row: f"{_digits(row.value)} {'' if row.unit == '1' else row.unit}".strip())
        name = ("Figure", lambda row: _SUFFIX.sub("", row.name).replace("_", " "))
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


def _digits(value: float) -> str:
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"


@described.register
def cache(report: CachePrediction) -> Document:
    words = "{fitting_layers} of the layers fit the data cache of {cache_bytes}."
    summary = text(words if report.cache_bytes is not None else "No data cache is known of this core.")
    table = table_of(
        report.layers[:_LAYERS], "layers", ("Layer", "{index}"), ("Operator", "{op}"),
        ("Working set", "{working_set_bytes}"), ("Of the cache", "{cache_ratio:-}"),
        ("Miss rate", lambda row: "-" if row.miss_rate is None else f"{row.miss_rate:.0%}"),
        ("Least misses", "{least_misses:-}"), ("Of its cycles", "{penalty_share|%:-}"),
    )  # fmt: skip
    return Document(
        report, joined("Cache of ", place(report.deployment)), (Section("", (table,)),), summary=(summary,),
        notes=notes(report),
    )  # fmt: skip
