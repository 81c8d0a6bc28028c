"""Which format of the weights a language model can have somewhere: the widest that fits, and those around."""

from __future__ import annotations

from ....tools.generation.usual import usual_of
from ..bench import Answering
from ..query import Query, Role
from ..words import spoken
from .cases import demanded, is_narrow, kinds
from .decoding_rows import rows_of, table_of
from .phrases import lines, said
from .tokens import filled, tight, where

_AROUND, _RATE = 2, "decode_tokens_per_s"
"""Formats that are shown on each side of the one to take."""


def asks_format(query: Query) -> bool:
    """Whether the format is to be found, and none is named."""
    found = bool(spoken("format_choice", query.question))
    return found and not query.says(Role.WEIGHTS, Role.DTYPE) and len(set(query.all(Role.TARGET))) < 2


def widest_format(query: Query, **place: str) -> Answering:
    """The widest usual format that fits with room and is as fast as is asked; what only just fits beside it.

    Args:
        place: the target that stands for bare memory, where none is named.
    """
    usual = [entry.id for entry in usual_of(query.text(Role.ENGINE) or "llama.cpp")]
    named, least = kinds(query.put(Role.WEIGHTS, *usual)), demanded(query)[0]
    rows, _ = yield from rows_of(named, **place)
    fast = [row for row in rows if not least or (row.record.number("session_tokens_per_s") or 0.0) >= least]
    roomy = next((row for row in fast if row.record["verdict"] == "PASS"), None)
    just = next((row for row in fast if row.record["verdict"] == "MARGINAL"), None)
    best = roomy or just or rows[-1]
    at, record = rows.index(best), best.record
    shown = table_of(rows[max(0, at - _AROUND) : at + _AROUND + 1], bare=bool(place))
    if not (roomy or just):
        does = f"takes {filled(record)}" if best.fails else f"writes {record.ref(_RATE, '~')}"
        return lines(f"None of the usual ones: even {best.name} {does}. {where(record)}.", shown)
    how = "the widest quantisation that fits with room to spare" if roomy else "which only just fits"
    rate = "" if place else f", {record.ref(_RATE, '~')}"
    kept = f" with {said(query, Role.TAKEN_BYTES)} kept free" if query.has(Role.TAKEN_BYTES) else ""
    return lines(
        f"{best.name}, {how}{kept}: {filled(record)} at {record.ref('context')} tokens{rate}: "
        f"{record.ref('model') if place else where(record)}.",
        f"{just.name} only just fits: {filled(just.record)}, with little left for anything else."
        if roomy and just and rows.index(just) < at
        else "",
        "Below 4 bits much quality is lost." if is_narrow(str(record["weights"])) else "",
        shown,
        tight(record),
    )
