"""A number that a conversation has used before is the same figure again: back to 120, those 30 000.

Where another is said in its place it holds no more: `10 fps is more than they need, 2 fps then`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise

from ...hardware_db.user_files import Directories
from ..figure_pairs import is_bare
from ..names import find_names
from ..patterns import compiled
from ..quantities import Family, Figure, find_figures
from .query import Query, Role, Slot

_DENIED = compiled(r"\b(?:not|no longer|instead of|rather than|from)\W*$", re.IGNORECASE)
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


_REPLACES = compiled(r"[,.;:!?–—]\s|\s-\s|\b(?:but|now|rather)\b", re.IGNORECASE)
_SET_AGAINST = compiled(
    r"\b(?:or|vs\.?|versus|both|each|between|compar\w+|difference|than at|and (?:at|for|with)|if)\b", re.I
)
"""Two figures that are looked at beside each other."""
_CORRECTED = compiled(r"^\W*(?:sorry|oops|i meant?|make that|no,? wait|correction)\b[^?!]{0,12}$", re.I)


_NOT_THAT = compiled(r",? (?:and )?(?:not|instead of|rather than) ", re.IGNORECASE)
_NUMBER = compiled(r"[0-9]+(?:\.[0-9]+)?")


def without_denied(question: str, past: Query) -> tuple[str, Query]:
    """`90 KB not 50`: the question, and what was said before, without the figure that holds no more."""
    for one, other in pairwise(find_figures(question)):
        if not _NOT_THAT.fullmatch(question, one.end, other.start) or not _is_before(past, other.written):
            continue
        slots = tuple(slot for slot in past.slots if _number_of(slot) != other.written)
        rest = f"{question[: one.end]}{question[other.end :]}"
        return rest, past.model_copy(update={"slots": slots})
    return question, past


def _is_before(past: Query, number: float) -> bool:
    return any(_number_of(slot) == number for slot in past.slots)


def _number_of(slot: Slot) -> float | None:
    """As it was written, of a figure."""
    found = _NUMBER.match(slot.text) if isinstance(slot.value, float) else None
    return float(found[0]) if found else None


def without_replaced(question: str, past: Query, own: Directories | None = None) -> str:
    """The question without the figure of before that gives way to another of its kind, which it says too."""
    if not past.figures and not past.established:
        return question
    names = [(name.start, name.end) for name in find_names(question, own)]
    figures = find_figures(question, names)
    in_force = {slot.text for slot in past.slots if slot.text}
    known = {
        _kind(f): f.value for one in (*past.established, past) for f in one.figures if f.text in in_force
    }
    for one, other in pairwise(figures):
        if _kind(one) == _kind(other) and _CORRECTED.search(question[one.end : other.start]):
            return f"{question[: one.start]}{question[other.start :]}"
        if (
            _kind(one) != _kind(other)
            or one.value == other.value
            or known.get(_kind(one)) not in (one.value, other.value)
        ):
            continue
        between = question[one.end : other.start]
        if _REPLACES.search(between) and not _SET_AGAINST.search(question):
            old, new = (one, other) if known[_kind(one)] == one.value else (other, one)
            texts = {old.start: "that", new.start: _with_unit(new.text, old.text)}
            return (
                f"{question[: one.start]}{texts[one.start]}{between}"
                f"{texts[other.start]}{question[other.end :]}"
            )
    return question


def _with_unit(new: str, old: str) -> str:
    """25 in place of 15 fps is 25 fps."""
    unit = old.lstrip("0123456789., ")
    return f"{new} {unit}" if new.replace(".", "", 1).isdecimal() else new


def _kind(figure: Figure) -> tuple[Family, str]:
    return figure.family, figure.noun if figure.family is Family.COUNT else ""


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


_COUNTS = (Role.DEVICES, Role.CELLS, Role.CARDS)


def with_count_instead(query: Query, earlier: Query) -> Query:
    """`Not four but six`, `forget four, it is six`: of two counts the one of before gives way."""
    counts = [f for f in query.figures if f.family is Family.COUNT and not f.unit]
    for slot in earlier.slots if len(counts) == 2 else ():
        new = [f for f in counts if slot.role in _COUNTS and f.value not in (slot.number, 1.0)]
        roles = {own.role for own in query.slots for f in new if own.text == f.text}
        if len(new) == 1 and roles <= {slot.role}:
            return query.put(slot.role, new[0].value, text=new[0].text)
    return query
