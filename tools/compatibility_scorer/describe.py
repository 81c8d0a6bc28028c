"""Operator support in words and tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ..core.document import (
    Block,
    Document,
    Paragraph,
    Ref,
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
from ..placement.op_placement import OpPlacement
from .compatibility_report import CompatibilityReport, SimulatedRemedy

_RUNS = {"accelerated": "yes", "cpu": "yes", "cpu-fallback": "fallback", "untold": "somewhere"}
_SEGMENTS_SHOWN = 12
_SPANS_SHOWN = 5


@described.register
def compatibility(report: CompatibilityReport, *, every: bool = False) -> Document:
    """Operators that share placement and reason share a row, unless `every` asks for a row for each."""
    return Document(
        report, joined(text("score {score} of 100 on "), place(report.deployment)),
        (Section("", tuple(blocks(report, every=every))),), verdict=Ref("verdict"),
        summary=(text(_COUNTS),), notes=notes(report),
    )  # fmt: skip


_COUNTS = (
    "Of {ops} operators {supported_ops} run, {optimized_ops} of them on kernels written for the processor; "
    "{fallback_ops} fall back to the CPU, {unsupported_ops} do not run, {unknown_ops} are unknown."
)


def score(at: str = "") -> Text:
    """The verdict in one sentence, and how many operators run where."""
    return joined(text("{verdict}: score {score} of 100. ", at), text(_COUNTS, at))


def blocks(report: CompatibilityReport, *, every: bool = False) -> Iterator[Block]:
    if report.penalties:
        yield table_of(
            report.penalties, "penalties", ("Penalty", "{name}"), ("Points", "{points}"), ("Of", "{weight}"),
            ("Share", "{share}"), ("Reason", "{reason}"), spare=("Of",),
        )  # fmt: skip
    if report.fallback_cost is not None and report.fallback_ops:
        yield from _shared(report)
    yield operators(report.ops, every=every)
    if report.remedies:
        yield table_of(
            report.remedies, "remedies",
            ("What would help", "{change}"), ("Operators", _touched), ("More run", "{runs}"),
            ("More on accelerator", "{accelerated}"), ("Score", "{score}"), ("Verdict", "{verdict}"),
            ("Latency", "{latency_ms~}"), spare=("More on accelerator", "More run", "Operators"),
        )  # fmt: skip


def _touched(remedy: SimulatedRemedy) -> str:
    return f"{len(remedy.ops)}" if remedy.ops else "all"


def _shared(report: CompatibilityReport) -> Iterator[Block]:
    """Which processor computes what, what moves between, and what that costs."""
    yield table_of(
        report.segments[:_SEGMENTS_SHOWN], "segments",
        ("Layers", lambda segment: _span([segment.first, segment.last])), ("Operators", "{ops}"),
        ("On", lambda segment: segment.processor or "-"), ("MACs", "{macs_share}"),
    )  # fmt: skip
    more = len(report.segments) - _SEGMENTS_SHOWN
    if more > 0:
        yield Paragraph(f"and {more} more pieces")
    yield Paragraph(text("Moved between processors: {transfers_bytes}, {transfer_ms~}."))
    yield Paragraph(
        text(
            "Latency as placed {latency_ms}, if all were accelerated {accelerated_latency_ms}: "
            "{fallback_cost~} times as long."
        )
    )


def operators(ops: Sequence[OpPlacement], *, every: bool = False) -> Table:
    """Where each operator runs; those alike in placement and reason share a row."""
    groups: dict[object, list[int]] = {}
    for at, op in enumerate(ops):
        alike = (op.runs, op.processor, op.optimized, op.reason, op.remedy)
        groups.setdefault(at if every else alike, []).append(at)
    header = ("Layers", "Operators", "Runs", "On", "Optimized", "Reason", "Remedy")
    rows = tuple(_group(ops, group) for group in groups.values())
    return Table(header, rows, spare=("Optimized", "On"))


def _group(ops: Sequence[OpPlacement], group: Sequence[int]) -> tuple[Text, ...]:
    first, at = ops[group[0]], f"ops[#{group[0]}]"
    return (
        _spans([ops[n].index for n in group]), _kinds([ops[n].op for n in group]),
        _RUNS.get(first.runs, first.runs.value), first.processor or "-", Ref(f"{at}.optimized"),
        Ref(f"{at}.reason"), Ref(f"{at}.remedy"),
    )  # fmt: skip


def _kinds(names: Sequence[str]) -> str:
    """`CONV_2D × 27, ADD × 10`: most first."""
    counts = Counter(names).most_common()
    return ", ".join(name if count == 1 else f"{name} × {count}" for name, count in counts)


def _span(indices: Sequence[int]) -> str:
    first, last = min(indices), max(indices)
    return str(first) if first == last else f"{first}-{last}"


def _spans(indices: Sequence[int]) -> str:
    """`0-4, 7, 9-12 and 5 more`."""
    runs: list[list[int]] = []
    for index in indices:
        if runs and index == runs[-1][-1] + 1:
            runs[-1].append(index)
        else:
            runs.append([index])
    shown = ", ".join(_span(run) for run in runs[:_SPANS_SHOWN])
    more = sum(len(run) for run in runs[_SPANS_SHOWN:])
    return f"{shown} and {more} more" if more else shown
