"""Figures that no slot took: a bare number has the unit that is asked in, a rate is one to be reached."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import replace

from ...tools.model_zoo.named import is_architecture
from ...tools.model_zoo.spec import spec_in
from ..quantities import Family, Figure, find_figures
from ..stop_words import STOP_WORDS
from .query import LIMITS, Query, Role, Slot
from .roles import UNSURE
from .want import Want

_UNITS = {
    Want.THROUGHPUT: Role.RATE_HZ, Want.GENERATION: Role.RATE_HZ, Want.HOW_MANY: Role.RATE_HZ,
    Want.LATENCY: Role.LATENCY_MS,
}  # fmt: skip
"""What a bare number limits where one of these is asked for."""
_LIMIT_ON = {Role.CLAIMED_HZ: Role.RATE_HZ, Role.CLAIMED_MS: Role.LATENCY_MS}
_LEAST, _DOUBTED = 2, 0.3


def with_demands(query: Query, found: Sequence[Figure], networks: Sequence[str] = ()) -> Query:
    """With a slot for each figure left that the question itself tells the role of.

    Args:
        found: the figures of the question.
        networks: those that were spoken of, where it names none.

    A number that restates a limit is none of its own; one that is the side of the network's input is that
    side; else a bare one is a limit in the unit that is asked in. Of money is none, where nothing else is.
    """
    sides = _sides(query.all(Role.MODEL) or networks)
    figures = {figure.text: _with_rate(figure, query.question) for figure in found}
    slots = [slot for slot in query.slots if not _is_no_price(slot, query, figures)]
    unread = [*query.unread, *(slot.text for slot in query.slots if slot not in slots)]
    left: list[str] = []
    for text in unread:
        figure = figures.get(text)
        if figure is None or figure.spoken or text.startswith("-"):
            left.append(text)
        elif _restates(figure, slots):
            continue
        elif (slot := _slot(figure, query, slots, sides)) is not None:
            slots.append(slot)
        else:
            left.append(text)
    return query.model_copy(update={"slots": tuple(slots), "unread": tuple(left)})


def claims_as_demands(query: Query) -> Query:
    """What reads like a claim is demanded, where several are compared and no figure is doubted."""
    doubted = dict(query.likely).get(Want.PLAUSIBLE, 0.0) >= _DOUBTED
    if doubted or len(set(query.all(Role.TARGET))) < _LEAST or query.has(*_LIMIT_ON.values()):
        return query
    slots = tuple(
        slot.model_copy(update={"role": _LIMIT_ON[slot.role]}) if slot.role in _LIMIT_ON else slot
        for slot in query.slots
    )
    return query.model_copy(update={"slots": slots})


_COUNTED_BEHIND = re.compile(
    r"\s*(?:[\w.:-]*[\d_][\w.:-]*\s+){0,2}(?:images?|frames?|inferences?|requests?|pictures?|runs?)?\s*"
    r"(?:per|an?|each|/)\s*(?:seconds?|secs?|s)\b",
    re.IGNORECASE,
)
"""A network between a number and what it is per: 20000 mobilenet_v2 images a second."""


def _with_rate(figure: Figure, text: str) -> Figure:
    if figure.family is not Family.COUNT or not _COUNTED_BEHIND.match(text, figure.end):
        return figure
    return replace(figure, family=Family.RATE)


def _is_bare(figure: Figure) -> bool:
    bare = figure.family is Family.COUNT and not figure.unit and figure.value >= _LEAST
    return bare and (not figure.noun or figure.noun.casefold() in STOP_WORDS)


def _is_no_price(slot: Slot, query: Query, figures: dict[str, Figure]) -> bool:
    """A bare number read as a price where nothing speaks of money and another unit is asked in."""
    figure = figures.get(slot.text)
    if slot.role is not Role.PRICE_USD or figure is None or not _is_bare(figure):
        return False
    return "price" not in query.asks and "cheapest" not in query.asks and _asked_in(query) is not None


def _restates(figure: Figure, slots: list[Slot]) -> bool:
    """`Within 30 ms … does it meet the 30?`"""
    said = (*LIMITS, Role.CLAIMED_MS, Role.CLAIMED_HZ)
    numbers = (find_figures(slot.text) for slot in slots if slot.role in said and slot.text)
    return _is_bare(figure) and any(found and found[0].written == figure.value for found in numbers)


def _slot(figure: Figure, query: Query, slots: list[Slot], sides: Container[float]) -> Slot | None:
    taken = {slot.role for slot in slots}
    if _is_bare(figure) and figure.value in sides and Role.SIDE not in taken:
        return Slot(role=Role.SIDE, value=figure.value, text=figure.text)
    if not query.has(Role.MODEL):
        return None
    if figure.family is Family.RATE:
        role, value = Role.RATE_HZ, figure.value
    elif _is_bare(figure) and (asked := _asked_in(query)) is not None:
        role, value = asked, figure.value
    else:
        return None
    if role in taken:
        return None
    return Slot(role=role, value=value, text=figure.text, chance=UNSURE)


def _asked_in(query: Query) -> Role | None:
    asked = next((_UNITS[want] for want in query.wants if want in _UNITS), None)
    return asked or next((limit for claim, limit in _LIMIT_ON.items() if query.has(claim)), None)


def _sides(networks: Sequence[str]) -> set[float]:
    """Usual sides of the inputs of networks."""
    return {side for name in networks if (side := usual_side(name)) is not None}


def usual_side(network: str) -> float | None:
    """The side of the input that a network by its name is mostly built for; None for others."""
    found = spec_in(network) if is_architecture(network) else None
    return float(found[0].side) if found is not None and found[0].side else None


__all__ = ["claims_as_demands", "usual_side", "with_demands"]
