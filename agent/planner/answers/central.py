"""A board in each place, or all of it in one place: what each of both takes."""

from __future__ import annotations

from collections.abc import Sequence

from ..bench import Answering, Record
from ..places import is_weighed
from ..query import Query, Role
from ..rents import says_rented
from ..want import Want
from . import outlay
from .phrases import lines, said

_RENTED, _OWNED = "l4", "rtx-4090"
"""Stand for the cards that clouds rent out for inference, and that have a price."""
_LINE = "What the lines to it carry is not counted: they bring all the video there, where boxes send results."


def weighs(query: Query) -> bool:
    """Whether a board in each place is weighed against one place for all."""
    return query.has(Role.PLACES) and query.has(Role.RATE_HZ) and is_weighed(query.question)


def instead(query: Query, first: Record, wants: Sequence[Want]) -> Answering:
    """The board that was chosen in each place, beside a card for all of them."""
    box = query.put(Role.TARGET, first["target"]).put(Role.RUNTIME, first["runtime"])
    return (yield from beside(box, wants))


def beside(query: Query, wants: Sequence[Want]) -> Answering:
    """The board that is named in each place, beside a card for all of them."""
    places, rate = query.number(Role.PLACES) or 1.0, query.number(Role.RATE_HZ) or 0.0
    whole = query.without([Role.PLACES, Role.DEVICES, Role.RUNTIME, Role.LATENCY_MS, Role.TARGET_CLASS])
    whole = whole.without([Role.CARDS]).put(Role.RATE_HZ, rate * (query.number(Role.DEVICES) or 1.0) * places)
    each = yield from outlay.kind_of(query, query, wants, where=f"in each of {said(query, Role.PLACES)}")
    rents = says_rented(query)
    card = whole.put(Role.TARGET, _RENTED if rents else _OWNED)
    one = yield from outlay.kind_of(card, query, wants, where="in one place", rents=rents)
    return lines(outlay.told_of([each, one], query, wants), _LINE)
