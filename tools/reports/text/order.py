"""The best order of operators and the best packing as text."""

from __future__ import annotations

from ...core.units import show
from ...memory_planner.order.report import ArenaFigures, OrderReport
from ..table import pipe_table
from .common import notes, where

_OPERATORS_SHOWN = 60


def order_text(report: OrderReport) -> str:
    parts = [f"Best order on {where(report.deployment)}", report.advice]
    if report.before and report.after:
        parts.append(_figures(report, report.before, report.after))
    if report.moved_ops:
        shown = [str(op) for op in report.order[:_OPERATORS_SHOWN]]
        more = len(report.order) - len(shown)
        rest = f" and {more} more (--json lists them)" if more else ""
        parts.append(f"Run the operators in this order: {', '.join(shown)}{rest}")
    return "\n\n".join(parts) + notes(report.assumptions, report.warnings)


def _figures(report: OrderReport, before: ArenaFigures, after: ArenaFigures) -> str:
    bound = show(report.peak_bound_bytes, "bytes")
    proven = "proven" if report.order_is_proven else "the search ended before the proof"
    packed = "proven" if report.packing_is_proven else "not proven"
    rows = [
        ("Peak of live buffers", show(before.peak_bytes, "bytes"), show(after.peak_bytes, "bytes")),
        ("at operator", before.peak_op, after.peak_op),
        (
            "Arena as the planner packs it",
            show(before.arena_bytes, "bytes"),
            show(after.arena_bytes, "bytes"),
        ),
        ("No order has a peak below", "", f"{bound} ({proven})"),
    ]
    if after.packed_bytes is not None:
        best = f"{show(after.packed_bytes, 'bytes')} ({packed}; {report.packed_by})"
        rows.insert(3, ("Arena packed best", show(before.packed_bytes, "bytes"), best))
    return pipe_table(("Memory", "Order as it is", "Best order"), rows)
