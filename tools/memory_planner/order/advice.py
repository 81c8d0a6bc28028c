"""The sentences about an order of operators and a packing."""

from __future__ import annotations

from ....hardware_db import Planner
from ...core.units import show
from ..terms import ArenaTerms
from .order_report import OrderReport

STORES_EVERY_TENSOR = frozenset({Planner.TFLM_GREEDY, Planner.LITERT_ARENA})
"""Interpreters. What compilers place is theirs to choose."""


def advice_of(report: OrderReport) -> str:
    """What the user should do, with what it saves."""
    said = [_of_order(report), _of_packing(report)]
    return " ".join(sentence for sentence in said if sentence)


def _of_order(report: OrderReport) -> str:
    assert report.before is not None
    assert report.after is not None
    saved = report.saved_by_order_bytes
    if not report.moved_ops:
        if not report.order_is_proven:
            return f"No better order was found; none goes below {show(report.peak_bound_bytes, 'bytes')}."
        if report.planner in STORES_EVERY_TENSOR:
            return "The operators' order is the best there is."
        return "No order has a lower peak of live buffers."
    gap = report.after.peak_bytes - (report.peak_bound_bytes or 0)
    sure = (
        "No order has a lower peak."
        if report.order_is_proven
        else f"At most {show(gap, 'bytes')} less is possible."
    )
    if saved > 0:
        return f"This order would save {show(saved, 'bytes')}. {sure}"
    lower = show(report.before.peak_bytes - report.after.peak_bytes, "bytes")
    return f"This order lowers the peak by {lower}, but the runtime's planner does not make use of it. {sure}"


def _of_packing(report: OrderReport) -> str:
    saved = report.saved_by_packing_bytes
    if saved <= 0:
        return ""
    if report.offline_plan:
        more = " more" if report.saved_by_order_bytes > 0 else ""
        return f"A memory plan in the model's metadata would save {show(saved, 'bytes')}{more}."
    return f"The runtime's planner leaves {show(saved, 'bytes')} unused; it takes no plan from outside."


def assumptions_of(terms: ArenaTerms, packer: str) -> tuple[str, ...]:
    notes = ["the order among operators that keep state, call subgraphs or are custom is left as it is"]
    if terms.planner in STORES_EVERY_TENSOR:
        notes.append(f"what the planner leaves open is packed by: {packer}")
    else:
        notes.append(
            "the peak counts no buffer that overlaps another; the arena does, where the compiler does"
        )
        notes.append("the compiler may choose an order of its own")
    return tuple(notes)
