"""A timeline in characters: one bar an operator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...core.units import show
from ...optimization_simulator.report import Option
from ...timeline.report import Timeline, TimelineOp
from ..table import pipe_table
from .common import change, notes, where

WIDTH = 40
ROWS_AT_MOST = 64
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def timeline_text(report: Timeline, *, unicode: bool = False) -> str:
    """Plain ASCII unless `unicode`; neighbours share a row where there are many operators."""
    blocks = [_head(report), "\n".join(_rows(report, unicode=unicode)), _peak(report)]
    blocks += [_savings(report), _without_effect(report.without_effect)]
    text = "\n\n".join(block for block in blocks if block) + notes(report.assumptions, report.warnings)
    return text if unicode else text.replace("µs", "us")


def _head(report: Timeline) -> str:
    if report.arena_bytes is None:
        return f"Timeline on {where(report.deployment)}: the memory cannot be planned"
    parts = [f"Timeline on {where(report.deployment)}: arena {show(report.arena_bytes, 'bytes')}"]
    if report.arena_persistent_bytes is not None:
        parts.append(
            f"{show(report.arena_nonpersistent_bytes, 'bytes')} shared over time and "
            f"{show(report.arena_persistent_bytes, 'bytes')} kept"
        )
    if report.fits is False:
        parts.append(f"does not fit: {report.why_not}")
    return "; ".join(parts)


def _rows(report: Timeline, *, unicode: bool) -> Iterator[str]:
    size = -(-len(report.ops) // ROWS_AT_MOST) or 1
    groups = [report.ops[at : at + size] for at in range(0, len(report.ops), size)]
    most = max((op.live_bytes or 0 for op in report.ops), default=0)
    names = [_label(group) for group in groups]
    width = max((len(name) for name in names), default=0)
    times = [_time(group) for group in groups]
    slowest = max((len(text) for text in times), default=0)
    for name, group, time in zip(names, groups, times, strict=True):
        live = max((op.live_bytes or 0 for op in group), default=0)
        has_peak = report.peak is not None and any(op.index == report.peak.index for op in group)
        mark = (" ◀ peak" if unicode else " <- peak") if has_peak else ""
        filled = _bar(live / most if most else 0.0, unicode=unicode)
        yield f"{name:<{width}} |{filled}| {show(live, 'bytes'):>9} {time:>{slowest}}{mark}".rstrip()


def _label(group: Sequence[TimelineOp]) -> str:
    """Of several operators, the one at which most is alive."""
    fullest = max(group, key=lambda op: op.live_bytes or 0)
    numbers = f"{group[0].index}" if len(group) == 1 else f"{group[0].index}-{group[-1].index}"
    return f"{numbers:>7} {fullest.op[:28]}"


def _time(group: Sequence[TimelineOp]) -> str:
    known = [op.latency_ms for op in group if op.latency_ms is not None]
    return show(sum(known), "ms") if len(known) == len(group) else "unknown"


def _bar(share: float, *, unicode: bool) -> str:
    if not unicode:
        return ("#" * round(share * WIDTH)).ljust(WIDTH)
    eighths = round(share * WIDTH * 8)
    return ("█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()).ljust(WIDTH)


def _peak(report: Timeline) -> str:
    if report.peak is None:
        return ""
    peak = report.peak
    made_of = pipe_table(
        ("Alive at the peak", "Bytes", "Operators", "Offset"),
        ((b.name_untrusted or "scratch buffer", b.bytes, f"{b.first_op} to {b.last_op}", b.offset)
         for b in peak.buffers),
    )  # fmt: skip
    lead = f"Peak: {show(peak.live_bytes, 'bytes')} at operator {peak.index} ({peak.op})"
    if peak.scratch_bytes:
        lead += f", {show(peak.scratch_bytes, 'bytes')} of it scratch"
    if report.gap_bytes:
        lead += f"; alignment and gaps add {show(report.gap_bytes, 'bytes')}"
    return f"{lead}\n\n{made_of}"


def _savings(report: Timeline) -> str:
    if not report.savings:
        return ""
    return "What would lower it\n\n" + pipe_table(
        ("Change", "Arena", "Latency", "MACs", "Effort", "Why"),
        ((o.technique, change(o.before.arena_bytes, o.after.arena_bytes, "bytes"),
          change(o.before.latency_ms.value, o.after.latency_ms.value, "ms"),
          o.after.macs, o.effort, o.reason) for o in report.savings if o.after),
    )  # fmt: skip


def _without_effect(options: Sequence[Option]) -> str:
    if not options:
        return ""
    return "Without effect on the arena\n" + "\n".join(
        f"- {o.technique}: {o.reason if o.after is None else 'the arena gets no smaller'}" for o in options
    )
