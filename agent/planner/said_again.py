"""A number that a conversation has used before is the same figure again: back to 120, those 30 000."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..figure_pairs import is_bare
from .query import Query, Slot

_DENIED = re.compile(r"\b(?:not|no longer|instead of|rather than|from)\W*$", re.IGNORECASE)
_LEAST = 8
"""Smaller numbers count things that have nothing to do with each other."""


def as_said_before(query: Query, past: Query) -> Query:
    """With each bare number that stood for a figure before as that figure; without one that is denied."""
    known, slots, unread = _figures_of(past), list(query.slots), list(query.unread)
    for figure in query.figures:
        before = known.get(figure.written) if is_bare(figure) and not figure.spoken else None
        own = [slot for slot in slots if slot.text == figure.text and isinstance(slot.value, float)]
        if before is None or any(slot.role is before.role for slot in own):
            continue
        slots = [slot for slot in slots if slot not in own]
        unread = [text for text in unread if text != figure.text]
        taken = any(slot.role is before.role for slot in slots)
        if not taken and not _DENIED.search(query.question[: figure.start]):
            whole = before.text if before.text.startswith(figure.text) else figure.text
            slots.append(before.model_copy(update={"text": whole, "inherited": False}))
    return query.model_copy(update={"slots": tuple(slots), "unread": tuple(unread)})


def _figures_of(past: Query) -> Mapping[float, Slot]:
    """Every number that a figure of the conversation was written with, the last figure of each."""
    found: dict[float, Slot] = {}
    for one in (*past.established, past):
        stated = {figure.text: figure for figure in one.figures}
        for slot in one.slots:
            figure = stated.get(slot.text) if isinstance(slot.value, float) and not slot.inherited else None
            if figure is not None and not is_bare(figure) and figure.written >= _LEAST:
                found[figure.written] = slot
    return found
