"""Operator support as text."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence

from ...compatibility_scorer.report import CompatibilityReport, SimulatedRemedy
from ...core.quantity import Quantity
from ...core.units import digits, show
from ...placement.report import OpPlacement
from ..table import Cell, pipe_table
from .common import notes, percent, where

_RUNS = {"accelerated": "yes", "cpu": "yes", "cpu-fallback": "fallback", "untold": "somewhere"}
_SEGMENTS_SHOWN = 12
_SPANS_SHOWN = 5
_NARROW = 24
"""Least width of a column that is wrapped."""


def compatibility_text(report: CompatibilityReport, *, every: bool = False, width: int | None = None) -> str:
    """The report; operators that share placement and reason share a row.

    Args:
        every: a row for each operator, alike or not.
        width: columns of the terminal that long cells are wrapped to; None wraps nothing.
    """
    parts = [f"{score(report)} on {where(report.deployment)}"]
    if report.penalties:
        rows = [(p.name, p.points, p.weight, percent(p.share), p.reason) for p in report.penalties]
        parts.append(_table(("Penalty", "Points", "Of", "Work", "Reason"), rows, width))
    if report.fallback_cost is not None and report.fallback_ops:
        parts.append(_shared(report, width))
    parts.append(_table(OPERATOR_HEADER, operator_rows(report.ops, every=every), width))
    if report.remedies:
        header = ("What would help", "Operators", "More run", "More on accelerator", "Score", "Latency")
        parts.append(_table(header, [_remedy(r) for r in report.remedies], width))
    return "\n\n".join(parts) + notes(report.assumptions, report.warnings)


def score(report: CompatibilityReport) -> str:
    return f"{report.verdict}: score {digits(report.score)} of 100"


OPERATOR_HEADER = ("Layers", "Operators", "Runs", "On", "Optimized", "Reason", "Remedy")


def operator_rows(ops: Sequence[OpPlacement], *, every: bool = False) -> list[tuple[str, ...]]:
    """Under `OPERATOR_HEADER`; operators alike in placement and reason share a row."""
    groups: dict[object, list[OpPlacement]] = {}
    for op in ops:
        groups.setdefault(op.index if every else _alike(op), []).append(op)
    return [
        (_spans([op.index for op in group]), _kinds(group), _RUNS.get(group[0].runs, group[0].runs.value),
         group[0].processor or "-", "yes" if group[0].optimized else "no", group[0].reason, group[0].remedy)
        for group in groups.values()
    ]  # fmt: skip


def _alike(op: OpPlacement) -> tuple[str, ...]:
    return (op.runs.value, op.processor, str(op.optimized), op.reason, op.remedy)


def _kinds(group: Sequence[OpPlacement]) -> str:
    """`CONV_2D x 27, ADD x 10`: most first."""
    counts = Counter(op.op for op in group).most_common()
    return ", ".join(name if count == 1 else f"{name} x {count}" for name, count in counts)


def _shared(report: CompatibilityReport, width: int | None) -> str:
    """Which processor computes what, what moves between, and what that costs."""
    pieces = [
        (_span([s.first, s.last]), s.ops, s.processor or "-", percent(s.macs_share))
        for s in report.segments[:_SEGMENTS_SHOWN]
    ]
    more = len(report.segments) - len(pieces)
    lines = [_table(("Layers", "Operators", "On", "MACs"), pieces, width)]
    lines += [f"and {more} more pieces"] if more > 0 else []
    lines.append(
        f"Moved between processors: {show(report.transfers_bytes, 'bytes')}, {_figure(report.transfer_ms)}"
    )
    lines.append(
        f"Latency as placed {_figure(report.latency_ms)}, if all were accelerated "
        f"{_figure(report.accelerated_latency_ms)}: {_times(report.fallback_cost)}"
    )
    return "\n".join(lines)


def _remedy(remedy: SimulatedRemedy) -> tuple[Cell, ...]:
    touched = len(remedy.ops) or "all"
    return (
        remedy.change, touched, remedy.runs, remedy.accelerated, f"{digits(remedy.score)} ({remedy.verdict})",
        show(remedy.latency_ms.value, "ms"),
    )  # fmt: skip


def _figure(figure: Quantity | None) -> str:
    return "unknown" if figure is None or figure.value is None else show(figure.value, figure.unit)


def _times(cost: Quantity | None) -> str:
    if cost is None or cost.value is None or cost.low is None or cost.high is None:
        return "what falling back costs is unknown"
    spread = "" if cost.high - cost.low < 0.01 * cost.value else f" ({cost.low:.3g} to {cost.high:.3g})"
    return f"{cost.value:.3g} times as long{spread}"


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
    told = ", ".join(_span(run) for run in runs[:_SPANS_SHOWN])
    more = sum(len(run) for run in runs[_SPANS_SHOWN:])
    return f"{told} and {more} more" if more else told


def _table(header: Sequence[str], rows: Sequence[Sequence[Cell]], width: int | None) -> str:
    """A pipe table; in a terminal, its widest columns wrapped into lines below."""
    table = pipe_table(header, rows)
    if width is None or len(table.splitlines()[0]) <= width:
        return table
    texts = [[cell if isinstance(cell, str) else "" for cell in row] for row in rows]
    natural = [max(len(row[i]) for row in texts) for i in range(len(header))]
    wide = [i for i, n in enumerate(natural) if n > _NARROW]
    rest = width - (len(table.splitlines()[0]) - sum(natural[i] for i in wide))
    room = {i: max(rest * natural[i] // sum(natural[j] for j in wide), _NARROW) for i in wide}
    return pipe_table(header, [line for row in rows for line in _wrapped(row, room)])


def _wrapped(row: Sequence[Cell], room: dict[int, int]) -> Iterator[tuple[Cell, ...]]:
    folded = {i: textwrap.wrap(str(row[i]), room[i]) or [""] for i in room}
    for line in range(max(len(lines) for lines in folded.values())):
        yield tuple(
            (folded[i][line] if line < len(folded[i]) else "") if i in room else (cell if line == 0 else "")
            for i, cell in enumerate(row)
        )
