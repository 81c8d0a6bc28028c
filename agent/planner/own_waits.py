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
    """Takes 40 seconds, needed two minutes, sits there for one: such a first token's is claimed."""
    if query.says(Role.CLAIMED_MS):
        return query
    limits = {slot.text for slot in query.slots if slot.role is Role.LATENCY_MS and not slot.inherited}
    for figure in query.figures:
        if figure.family is not Family.TIME or figure.text not in {*limits, *query.unread}:
            continue
        stated = _stated(query.question[: figure.start])
        if stated is not None and (stated["idle"] or "first_token" in query.asks):
            return _claimed(query, figure.text, figure.value)
    return query


def _claimed(query: Query, text: str, value: float) -> Query:
    slots = (s for s in query.slots if s.inherited or s.role is not Role.LATENCY_MS or s.text != text)
    own = Slot(role=Role.CLAIMED_MS, value=value, text=text)
    unread = tuple(each for each in query.unread if each != text)
    update = {"slots": (*slots, own), "unread": unread, "asks": query.asks | {"first_token"}}
    return query.model_copy(update=update)


def _stated(before: str) -> re.Match[str] | None:
    """What stands before a time and says how long something took, and not how long it may."""
    clause = re.split(_CLAUSE, before)[-1]
    return None if _SAYS["wished"].search(clause) else _SAYS["stated"].search(before)
