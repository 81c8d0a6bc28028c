"""A timeline in rows: a bar for what is alive while each operator runs, and its time."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from ..core.document import (
    Bar,
    Block,
    Document,
    Drawing,
    Items,
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
from ..core.units import show
from .drawing import drawing
from .timeline import Timeline

_ROWS_AT_MOST = 64
_NO_SMALLER = "{technique}: the arena gets no smaller"


@described.register
def timeline(report: Timeline, *, memory_alone: bool = False) -> Document:
    if memory_alone:
        return Document(report, "Memory alive by operator", (Section("", (operators(report),)),))
    title = joined("Timeline on ", place(report.deployment))
    sections = (Section("", tuple(_blocks(report))), Section("What would lower it", tuple(_savings(report))))
    return Document(
        report, title, tuple(section for section in sections if section.blocks),
        summary=(_arena(report),), notes=notes(report),
    )  # fmt: skip


def _arena(report: Timeline) -> Text:
    if report.arena_bytes is None:
        return "The memory cannot be planned."
    parts = [text("Arena {arena_bytes!}")]
    if report.arena_persistent_bytes is not None:
        parts.append(text(": {arena_nonpersistent_bytes} shared over time and {arena_persistent_bytes} kept"))
    if report.fits is False:
        parts.append(text("; it does not fit: {why_not}"))
    return joined(*parts, ".")


def _blocks(report: Timeline) -> Iterator[Block]:
    yield operators(report)
    if report.shared_ms is not None:
        yield Paragraph(
            text(
                "With double buffering transfers run beside compute for {shared_ms} of it; -o x.csv and x.pb "
                "have DMA in, DMA out and the accelerator's work as rows of their own."
            )
        )
    if report.uses:
        yield table_of(
            report.uses, "uses", ("Unit", "{unit}"), ("Used on average", "{mean_utilization}"),
            ("At most", "{most_utilization}"), ("Operators known", "{known}"),
        )  # fmt: skip
    if report.ops:
        yield Drawing(functools.partial(drawing, report), "", "timeline")
    if report.peak is not None:
        lead = "Peak: {peak.live_bytes} at operator {peak.index} ({peak.op})"
        lead += ", {peak.scratch_bytes} of it scratch" if report.peak.scratch_bytes else ""
        lead += "; alignment and gaps add {gap_bytes}" if report.gap_bytes else ""
        yield Paragraph(text(f"{lead}."))
        yield table_of(
            report.peak.buffers, "peak.buffers",
            ("Alive at the peak", lambda buffer: buffer.name_untrusted or "scratch buffer"),
            ("Bytes", "{bytes|}"), ("Operators", "{first_op} to {last_op}"), ("Offset", "{offset:-}"),
        )  # fmt: skip


def operators(report: Timeline) -> Table:
    """Neighbours share a row where there are many operators: that at which most is alive stands for them."""
    size = -(-len(report.ops) // _ROWS_AT_MOST) or 1
    live = [op.live_bytes or 0 for op in report.ops]
    most = f"ops[#{live.index(max(live))}].live_bytes" if live else ""
    peak = report.peak.index if report.peak else None
    rows: list[tuple[Text, ...]] = []
    for begin in range(0, len(report.ops), size):
        group = range(begin, min(begin + size, len(report.ops)))
        fullest = max(group, key=lambda at: live[at])
        at = f"ops[#{fullest}]"
        numbers = f"{{ops[#{group[0]}].index}}" + (f"-{{ops[#{group[-1]}].index}}" if len(group) > 1 else "")
        mark = "peak" if any(report.ops[n].index == peak for n in group) else ""
        alive = (Bar(f"{at}.live_bytes", most), text("{live_bytes}", at))
        rows.append((text(numbers), text("{op}", at), *alive, _time(report, group), mark))
    return Table(("Operator", "", "Alive, as a bar", "Alive", "Time", ""), tuple(rows))


def _time(report: Timeline, group: range) -> Text:
    if len(group) == 1:
        return text(f"{{ops[#{group[0]}].latency_ms}}")
    known = [ms for at in group if (ms := report.ops[at].latency_ms) is not None]
    return show(sum(known), "ms") if len(known) == len(group) else "unknown"


def _savings(report: Timeline) -> Iterator[Block]:
    if any(option.after for option in report.savings):
        rows = tuple(
            (
                text("{technique}", at), text("{before.arena_bytes} → {after.arena_bytes}", at),
                text("{before.latency_ms} → {after.latency_ms}", at), text("{after.macs}", at),
                text("{effort}", at), text("{reason}", at),
            )
            for at in (f"savings[#{n}]" for n, option in enumerate(report.savings) if option.after)
        )  # fmt: skip
        yield Table(("Change", "Arena", "Latency", "MACs", "Effort", "Why"), rows, spare=("MACs",))
    if report.without_effect:
        lines = tuple(
            text("{technique}: {reason}" if option.after is None else _NO_SMALLER, f"without_effect[#{n}]")
            for n, option in enumerate(report.without_effect)
        )
        yield Items(lines, "Without effect on the arena")
