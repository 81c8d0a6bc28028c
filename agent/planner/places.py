"""Shops, buses or buildings that have boards of their own, each with so many cameras."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..figures import NUMBER, number_in
from ..patterns import compiled
from ..quantities import Family, Figure
from .query import Query, Role, Slot
from .want import Want
from .words import patterns

_READS = {**patterns("multiples"), **patterns("places")}
_MOST, _MOST_EACH = 10_000, 100
_WITH_ITS_OWN = compiled(rf"(?P<many>{NUMBER})(?P<of>\s+[a-z]+s)\b.*?\b(?P<number>{NUMBER})\s+[a-z]+s$", re.I)
"""40 stores, 4 cameras: read as 160."""
_BOX = r"(?:box(?:es)?|boards?|devices?|computers?|pcs?|jetsons?|units?|modules?|pis?|local(?:ly)?)"
_EACH = r"(?:in|at|per|for|on)\b(?: (?:each|every)(?: of (?:the|our|my))?)?"
_IN_EACH = compiled(rf"\b{_BOX}\b[^.?!;]{{0,16}}?\b{_EACH} (?P<noun>[a-z]{{3,}})", re.I)
"""A board of its own for each place, and what the place is."""
_ONE_FOR_ALL = compiled(
    r"\b(?:one|a|an|single|big|central) (?:[\w-]+ ){0,2}(?:gpu|server|machine|box|card|computer)\b"
    r"[^.?!;]{0,20}\bfor (?:all|every)|\b(?:cloud|server room|data ?cent(?:er|re)s?)\b",
    re.I,
)
_OR = compiled(r"\b(?:or|vs\.?|versus|against|instead of|rather than)\b", re.I)
_STREAMS = ("cam", "stream", "channel", "sensor", "feed", "frame", "image", "picture", "user", "line")
"""What is no place, though a board may stand beside each."""
ALL = compiled(r"\b(?:all|total|whole|entire|altogether|everything)\b", re.I)
"""Of all places together, where there are such."""
_OF_A_BILL = {Want.PRICE, Want.ENERGY, Want.CHEAPEST, Want.PER_PRICE}
_COUNTED = (Role.DEVICES, Role.RATE_HZ, Role.LATENCY_MS, Role.BATCH, Role.CARDS, Role.RUNS)


def with_places(query: Query, figures: Sequence[Figure]) -> tuple[Query, Sequence[Figure]]:
    """The query for one place with how many there are, and the figures without that number.

    Where all goes to one machine nothing is taken apart.
    """
    text = query.question
    weighed = is_weighed(text)
    apart = _READS["of_each"].search(text) is not None and (weighed or not _READS["central"].search(text))
    billed = query.says(Role.TARIFF) and query.says(Role.TARGET)
    rated = apart and (billed or query.says(Role.RATE_HZ))
    found = next(_counted_places(text, figures), None) if rated else None
    if found is None:
        return query, figures
    figure, place, inner = found
    if inner and not query.says(Role.RATE_HZ):
        return query, figures
    taken = {figure.text, inner.text if inner else ""}
    slots = [s for s in query.slots if not (s.text in taken and s.role in _COUNTED)]
    slots = [s for s in slots if not (weighed and s.role is Role.TARGET_CLASS)]
    slots += [Slot(role=Role.DEVICES, value=inner.value, text=inner.text)] if inner else []
    unread = tuple(text for text in query.unread if text not in taken)
    query = query.model_copy(
        update={"slots": (*slots, place), "unread": unread, "notes": (*query.notes, _note(place))}
    )
    return query, [one for one in figures if one.text not in taken]


def is_weighed(text: str) -> bool:
    """Whether a board in each place is weighed against all in one place: a box in every shop or the cloud?"""
    one, all_ = _IN_EACH.search(text), _READS["central"].search(text) or _ONE_FOR_ALL.search(text)
    if one is None or all_ is None:
        return False
    first, second = sorted((one, all_), key=lambda found: found.start())
    return _OR.search(text[first.start() : second.end()]) is not None


def _note(place: Slot) -> str:
    return f"I took each of *{place.text}* to have boards of its own"


def with_places_again(query: Query, earlier: Query) -> Query:
    """Another number of places, or of the first time, what was spoken of being what each has.

    `And if it is 40 shops?`, `10 more shops`, `which one for 30 sites?`
    """
    found = next(_counted_places(query.question, query.figures), None) if earlier.has(Role.RATE_HZ) else None
    if found is None or query.has(Role.PLACES):
        return query
    figure, place, _ = found
    noun, before = place.text.split()[-1].casefold(), earlier.number(Role.PLACES)
    turns = (*earlier.established, earlier) if before is None else ()
    if any(noun in one.question.casefold() for one in turns):
        return query
    if before is not None and "more" in place.text.split():
        place = place.model_copy(
            update={"value": before + place.number, "text": f"{before + place.number:g} {noun}"}
        )
    slots = (s for s in query.slots if not (s.text == figure.text and s.role in _COUNTED))
    unread = tuple(text for text in query.unread if text != figure.text)
    notes = (*query.notes, *([] if place.text in query.question else [_note(place)]))
    return query.model_copy(update={"slots": (*slots, place), "unread": unread, "notes": notes})


def speaks_of_all(query: Query) -> bool:
    """Whether what is asked is for all places together."""
    return query.has(Role.PLACES) and ALL.search(query.question) is not None


def of_all_places(query: Query) -> Query:
    """As many boards as there are places, where a bill is for all of them."""
    places, bill = query.number(Role.PLACES), query.has(Role.TARIFF) and _OF_A_BILL & set(query.wants)
    if places is None or not bill or query.has(Role.CARDS) or not speaks_of_all(query):
        return query
    return query.put(Role.CARDS, places)


def _counted_places(text: str, figures: Sequence[Figure]) -> Iterator[tuple[Figure, Slot, Figure | None]]:
    """Each count of places, as a slot, and the count of what each has."""
    counts = [f for f in figures if f.family is Family.COUNT and f.value > 1]
    for at, figure in enumerate(counts):
        both = _WITH_ITS_OWN.fullmatch(figure.text)
        if figure.value > _MOST * (1 if both is None else _MOST_EACH):
            continue
        if both is not None:
            many, words = number_in(both["many"].lower()), f"{both['many']}{both['of']}"
            inner = replace(figure, value=number_in(both["number"].lower()), text=both["number"])
            if _READS["places"].match(both["of"]):
                yield figure, Slot(role=Role.PLACES, value=many, text=words), inner
        elif named := _READS["places"].match(text, figure.end) or _place(text, figure):
            words = text[figure.start : _plural_end(text, named)]
            has = (f for f in counts[at + 1 : at + 2] if _READS["each_has"].match(text, f.end))
            yield figure, Slot(role=Role.PLACES, value=figure.value, text=words), next(has, None)


def _place(text: str, figure: Figure) -> re.Match[str] | None:
    """What each has a board of its own, whatever it is called: 140 bakeries, a box in every shop."""
    own = _IN_EACH.search(text)
    if own is None or own["noun"].casefold().startswith(_STREAMS):
        return None
    named = _PLURAL.match(text, figure.end)
    return None if named is None or named["noun"].casefold().startswith(_STREAMS) else named


_PLURAL = compiled(r"\s(?:[a-z-]+ )?(?P<noun>[a-z]{3,}s)\b", re.I)


def _plural_end(text: str, named: re.Match[str]) -> int:
    """The end of its noun, where what it is called by only tells which: 60 bus stops."""
    whole = _PLURAL.match(text, named.end()) if named[0].endswith("bus") else None
    return whole.end() if whole else named.end()
