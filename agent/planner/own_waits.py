"""A wait for the first token that the user states as it is: a measurement, and no limit."""

from __future__ import annotations

import re

from ..patterns import compiled
from ..quantities import Family
from .query import Query, Role, Slot
from .words import patterns

_SAYS = patterns("own_waits")
_CLAUSE = compiled(r"[.;!?](?:\s|$)|,\s")


def with_own_wait(query: Query) -> Query:
    """Takes 40 seconds, needed two minutes: what is stated of a first token is claimed."""
    if "first_token" not in query.asks or query.says(Role.CLAIMED_MS):
        return query
    limits = {slot.text for slot in query.slots if slot.role is Role.LATENCY_MS and not slot.inherited}
    of_time = [f for f in query.figures if f.family is Family.TIME and f.text in {*limits, *query.unread}]
    stated = next((f for f in of_time if _is_stated(query.question[: f.start])), None)
    if stated is None:
        return query
    slots = (s for s in query.slots if s.inherited or s.role is not Role.LATENCY_MS or s.text != stated.text)
    own = Slot(role=Role.CLAIMED_MS, value=stated.value, text=stated.text)
    unread = tuple(text for text in query.unread if text != stated.text)
    return query.model_copy(update={"slots": (*slots, own), "unread": unread})


def _is_stated(before: str) -> bool:
    """Whether what stands before a time says how long something took, and not how long it may."""
    clause = re.split(_CLAUSE, before)[-1]
    return _SAYS["stated"].search(before) is not None and _SAYS["wished"].search(clause) is None
