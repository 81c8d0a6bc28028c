"""The best order of operators and the best packing, in words and tables."""

from __future__ import annotations

from ...core.document import (
    Block,
    Document,
    Paragraph,
    Section,
    Table,
    Text,
    described,
    joined,
    notes,
    place,
    text,
)
from .order_report import OrderReport

_OPERATORS_SHOWN = 60


@described.register
def order(report: OrderReport) -> Document:
    blocks: list[Block] = [Paragraph(text("{advice}"))]
    if report.before and report.after:
        blocks.append(_figures(report))
    if report.moved_ops:
        shown = ", ".join(str(op) for op in report.order[:_OPERATORS_SHOWN])
        more = len(report.order) - _OPERATORS_SHOWN
        rest = f" and {more} more (--json lists them)" if more > 0 else ""
        blocks.append(Paragraph(f"Run the operators in this order: {shown}{rest}"))
    title = joined("Best order on ", place(report.deployment))
    return Document(report, title, (Section("", tuple(blocks)),), notes=notes(report))


def _figures(report: OrderReport) -> Table:
    proven = "proven" if report.order_is_proven else "the search ended before the proof"
    packed = "proven" if report.packing_is_proven else "not proven"
    rows: list[tuple[Text, ...]] = [
        _row("Peak of live buffers", "peak_bytes"),
        _row("at operator", "peak_op"),
        _row("Arena as the planner packs it", "arena_bytes"),
    ]
    if report.after and report.after.packed_bytes is not None:
        best = text(f"{{after.packed_bytes}} ({packed}; {{packed_by}})")
        rows.append(("Arena packed best", text("{before.packed_bytes}"), best))
    rows.append(("No order has a peak below", "", text(f"{{peak_bound_bytes}} ({proven})")))
    return Table(("Memory", "Order as it is", "Best order"), tuple(rows))


def _row(label: str, field: str) -> tuple[Text, ...]:
    return (label, text(f"{{before.{field}}}"), text(f"{{after.{field}}}"))
