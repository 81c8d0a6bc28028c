"""Which format of the weights a language model can have somewhere: the widest that fits, and those around."""

from __future__ import annotations

from collections.abc import Sequence

from ....tools.generation.memory import usual_of
from ..bench import Answering, Record, needed
from ..query import Query, Role
from ..words import spoken
from .cases import cards_of, demanded, estimated, is_narrow
from .phrases import VERDICT_WORDS, lines, table
from .tokens import tight, where

_AROUND = 2
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
    least, rows = demanded(query)[0], list[Record]()
    for entry in usual_of(query.text(Role.ENGINE) or "llama.cpp"):
        rows.append(needed((yield from estimated(query, weights=entry.id, **place))))
    rated = not place and any(row.knows("decode_tokens_per_s") for row in rows)
    fast = [row for row in rows if not least or (row.number("session_tokens_per_s") or 0.0) >= least]
    roomy = next((row for row in fast if row["verdict"] == "PASS"), None)
    just = next((row for row in fast if row["verdict"] == "MARGINAL"), None)
    best = roomy or just
    if best is None:
        none = _none(rows[-1], query, slow=len(fast) < len(rows))
        return lines(none, _shown(rows[-1 - _AROUND :], rated=rated))
    at = rows.index(best)
    how = "the widest quantisation that fits with room to spare" if roomy else "which only just fits"
    how += " and is fast enough" if least and at and rows[at - 1] not in fast else ""
    rate = f", {best.ref('decode_tokens_per_s', '~')}" if rated else ""
    name = best.ref("model") if place else where(best, cards_of(query))
    return lines(
        f"{best.ref('weights')}, {how}: {_room(best)} at {best.ref('context')} tokens{rate}: {name}.",
        f"{just.ref('weights')} only just fits: {_room(just)}, with little left for anything else."
        if roomy and just and rows.index(just) < at
        else "",
        "Below 4 bits much quality is lost." if is_narrow(str(best["weights"])) else "",
        _shown(rows[max(0, at - _AROUND) : at + _AROUND + 1], rated=rated),
        tight(best),
    )


def _none(narrowest: Record, query: Query, *, slow: bool) -> str:
    """What the narrowest takes, or how slow it is."""
    if slow and narrowest["verdict"] != "FAIL":
        rate = narrowest.ref("decode_tokens_per_s", "~")
        return f"None that fits is so fast: {narrowest.ref('weights')} writes {rate}."
    place = where(narrowest, cards_of(query))
    return f"None of the usual ones: even {narrowest.ref('weights')} takes {_room(narrowest)}. {place}."


def _room(record: Record) -> str:
    return f"{record.ref('total_bytes', 'GiB')} of {record.ref('ram_bytes', 'GiB')}"


def _shown(rows: Sequence[Record], *, rated: bool) -> str:
    cells = [
        [
            row.ref("weights"),
            *([row.ref("decode_tokens_per_s", "~")] if rated else []),
            row.ref("total_bytes", "GiB"),
            VERDICT_WORDS[row["verdict"]].partition(",")[0].lower(),
        ]
        for row in rows
    ]
    return table(["quantisation", *(["tokens/s"] if rated else []), "takes", "fits"], cells)
