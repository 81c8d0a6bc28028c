"""Several inferences for each thing that happens: five crops of a frame, twelve windows of a recording."""

from __future__ import annotations

from collections.abc import Sequence

from ..quantities import Family, Figure
from .query import Query, Role, Slot
from .words import patterns

_READS = patterns("multiples")
_MOST = 1_000


def with_multiples(query: Query, figures: Sequence[Figure]) -> Query:
    """With as many streams, or pieces of a job, as there are inferences for all of them."""
    each = next((figure for figure in figures if _is_of_each(query.question, figure)), None)
    if each is None or not query.has(Role.MODEL):
        return query
    if len(set(query.all(Role.MODEL))) > 1:
        return _of_one(query, each)
    for role in (Role.DEVICES, Role.RUNS):
        one = next((slot for slot in query.slots if slot.role is role and not slot.inherited), None)
        if one is not None and one.text == each.text:
            return query
        if one is not None:
            words = f"{one.text} times {each.text}"
            return query.put(role, one.number * each.value, text=words)
    slots = tuple(slot for slot in query.slots if slot.text != each.text)
    unread = tuple(text for text in query.unread if text != each.text)
    more = Slot(role=Role.DEVICES, value=each.value, text=each.text)
    return query.model_copy(update={"slots": (*slots, more), "unread": unread})


def _of_one(query: Query, each: Figure) -> Query:
    """Of a cascade the network that is named last before it: the detector runs once a frame."""
    named = sorted(
        (query.question.find(s.text), str(s.value)) for s in query.slots if s.role is Role.MODEL and s.text
    )
    of = next((name for at, name in reversed(named) if at < each.start), named[-1][1] if named else "")
    slots = tuple(slot for slot in query.slots if slot.text != each.text)
    more = Slot(role=Role.PER_EVENT, value=each.value, text=each.text, of=of)
    unread = tuple(text for text in query.unread if text != each.text)
    return query.model_copy(update={"slots": (*slots, more), "unread": unread})


def _is_of_each(text: str, figure: Figure) -> bool:
    counts = figure.family is Family.COUNT and 1 < figure.value <= _MOST and figure.value == int(figure.value)
    return counts and _READS["behind"].match(text, figure.end) is not None
