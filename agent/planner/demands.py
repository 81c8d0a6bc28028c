"""Figures that no slot took: a bare number has the unit that is asked in, a rate is one to be reached."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from itertools import pairwise
from statistics import median

from ...tools.model_zoo.named import is_architecture, tokens_of
from ...tools.model_zoo.spec import spec_in
from ..figure_pairs import is_bare
from ..figures import DIGITS, number_in
from ..patterns import compiled
from ..quantities import Family, Figure
from .query import CELLS, Query, Role, Slot
from .roles import SURE, UNSURE, listed
from .want import Want
from .words import patterns

_UNITS = {
    Want.THROUGHPUT: Role.RATE_HZ, Want.GENERATION: Role.RATE_HZ, Want.HOW_MANY: Role.RATE_HZ,
    Want.LATENCY: Role.LATENCY_MS,
}  # fmt: skip
"""What a bare number limits where one of these is asked for."""
_LIMIT_ON = {Role.CLAIMED_HZ: Role.RATE_HZ, Role.CLAIMED_MS: Role.LATENCY_MS}
_LEAST, _FAR = 2, 1e3


def with_demands(query: Query, found: Sequence[Figure], networks: Sequence[str] = ()) -> Query:
    """With a slot for each figure left that the question itself tells the role of.

    Args:
        found: the figures of the question.
        networks: those that were spoken of, where it names none.

    A number that is the side of the network's input is that side; else a bare one is a limit in the unit that
    is asked in.
    """
    sides = _sides(query.all(Role.MODEL) or networks)
    sides |= _beside_sides(query.question, found, sides)
    figures = {figure.text: figure for figure in found}
    slots = [_of_a_picture(_of_an_encoder(slot, query), query) for slot in query.slots]
    left: list[str] = []
    for text in query.unread:
        figure = figures.get(text)
        if figure is None or figure.spoken or text.startswith("-"):
            left.append(text)
        elif (slot := _slot(figure, query, slots, sides)) is not None:
            slots.append(slot)
        else:
            left.append(text)
    return query.model_copy(update={"slots": tuple(slots), "unread": tuple(left)})


def as_life(query: Query) -> Query:
    """Hours beside a battery are how long it has to last, not what an inference may take."""
    own = [s for s in query.slots if s.text and not s.inherited]
    long = [s for s in own if s.role is Role.LATENCY_MS and s.number >= _LONG_MS]
    long += [
        s.model_copy(update={"value": s.number * _HOUR_MS})
        for s in own
        if s.role is Role.HOURS_A_DAY and _ONE_SPAN.search(query.question.partition(s.text)[0])
    ]
    if not long or not query.has(*CELLS) or query.has(Role.LIFE_MS):
        return query
    return query.without([long[0].role]).put(Role.LIFE_MS, long[0].value, text=long[0].text)


_LONG_MS, _HOUR_MS = 1.8e6, 3.6e6
"""No inference beside a battery is allowed half an hour."""
_ONE_SPAN = compiled(
    r"\b(?:an?|one|the) (?:\w+ )?(?:night|day|shift|show|session|trip|flight|round) of\W+$", re.I
)


def as_one(query: Query) -> Query:
    """What was measured several times is its median: 21 ms, 22 ms and 21.5 ms."""
    for role in _AGAIN:
        own = [slot for slot in query.slots if slot.role is role and slot.text and not slot.inherited]
        start, end = (query.question.find(slot.text) for slot in (*own[:1], *own[-1:])) if own else (0, 0)
        listed = query.question[start : end + len(own[-1].text)] if own else ""
        numbers = [number_in(number) for number in compiled(DIGITS).findall(listed)]
        between = compiled(r"\b(?:and|then|again)\b|[\s,;/&]").sub("", listed)
        of_interval = "[" in between or "(" in between
        if len(own) < 2 or of_interval or len(between) > sum(len(slot.text) for slot in own):
            continue
        if numbers and 0 < max(numbers) <= _AS_NEAR * min(numbers):
            value = median(numbers) * own[0].number / numbers[0]
            one = own[0].model_copy(update={"value": value, "text": f"the median of {listed}"})
            slots = (one if slot is own[0] else slot for slot in query.slots if slot not in own[1:])
            query = query.model_copy(update={"slots": tuple(slots)})
    return query


_AGAIN, _AS_NEAR = (Role.CLAIMED_MS, Role.CLAIMED_HZ, Role.CLAIMED_UJ, Role.CLAIMED_MW), 1.5
"""Of the same thing, if no more apart than that."""


def as_quoted(query: Query) -> Query:
    """A bare number beside a figure that is claimed is another of its kind; a current is a power."""
    query = _as_told(query)
    drawn = next((s for s in query.slots if s.role is Role.ACTIVE_UA and not s.inherited), None)
    if (
        drawn is not None
        and query.has(Role.SUPPLY_V)
        and query.likely[:1]
        and query.likely[0][0] is Want.PLAUSIBLE
    ):
        milliwatts = drawn.number * (query.number(Role.SUPPLY_V) or 0.0) / 1e3
        return query.without([Role.ACTIVE_UA]).put(Role.CLAIMED_MW, milliwatts, text=drawn.text)
    kinds = {Role.LATENCY_MS: Role.CLAIMED_MS, Role.RATE_HZ: Role.CLAIMED_HZ}
    claimed = next((slot for slot in query.slots if slot.role in kinds.values() and not slot.inherited), None)
    asks = {Want.PLAUSIBLE, Want.WHY_SLOWER} & {want for want, _ in query.likely[:2]}
    if claimed is None or not (asks or query.says(Role.CLAIMED_GOPS)):
        return query
    query = _without_factors(query)
    limits = (s.text for s in query.slots if kinds.get(s.role) is claimed.role and not s.inherited)
    texts = {*query.unread, *limits}
    bare = [one for one in query.figures if one.text in texts and _is_bare(one)]
    near = [one for one in bare if 1 / _FAR <= one.value / (claimed.number or 1.0) <= _FAR]
    quoted = [Slot(role=claimed.role, value=one.value, text=one.text, chance=UNSURE) for one in near]
    of = {slot.text for slot in quoted}
    kept = (slot for slot in query.slots if slot.role not in kinds or slot.text not in of)
    unread = tuple(text for text in query.unread if text not in of)
    return query.model_copy(update={"slots": (*kept, *quoted), "unread": unread})


def as_reached(query: Query) -> Query:
    """Of times beside a change that is wanted, the shorter is what it has to reach: 610 ms now, need 150."""
    if query.wants[:1] != (Want.IMPROVE,) or query.says(Role.LATENCY_MS):
        return query
    claimed = [s for s in query.slots if s.role is Role.CLAIMED_MS and not s.inherited and s.text]
    left = [f for f in query.figures if f.family is Family.TIME and 0 < f.value < _LONG_MS]
    left = [figure for figure in left if figure.text in query.unread]
    times = {**{s.text: s.number for s in claimed}, **{f.text: f.value for f in left}}
    alone = len(times) == 1 and not claimed
    if not alone and (len(times) != 2 or len(set(times.values())) == 1):
        return query
    text = min(times, key=lambda one: times[one])
    if claimed and all(s.text == text for s in claimed):
        return query
    slots = tuple(s for s in query.slots if s.text != text or s.role is not Role.CLAIMED_MS)
    reached = Slot(role=Role.LATENCY_MS, value=times[text], text=text, chance=UNSURE)
    unread = tuple(one for one in query.unread if one != text)
    return query.model_copy(update={"slots": (*slots, reached), "unread": unread})


def _without_factors(query: Query) -> Query:
    """Without how many times as much one of two figures is: it is in the figures themselves."""
    bare = (one for one in query.figures if is_bare(one))
    told = {one.text for one in bare if _FACTOR.search(query.question[: one.start])}
    slots = tuple(slot for slot in query.slots if not told or slot.text not in told)
    unread = tuple(text for text in query.unread if text not in told)
    return query.model_copy(update={"slots": slots, "unread": unread})


_FACTOR = compiled(r"\b(?:factor|ratio)(?: of| is| was|:)?(?: about| nearly| almost)?\s*$", re.I)
"""What stands behind it is how many times as much."""


def _as_told(query: Query) -> Query:
    """`Your estimate is under 100 ms, I measure 182`: what they were told is no limit."""
    kinds = {Role.LATENCY_MS: Role.CLAIMED_MS, Role.RATE_HZ: Role.CLAIMED_HZ}
    slots = tuple(
        slot.model_copy(update={"role": kinds[slot.role]})
        if slot.role in kinds and query.says(kinds[slot.role]) and not slot.inherited
        and _TOLD.search(query.question[: max(0, query.question.find(slot.text))])
        else slot
        for slot in query.slots
    )  # fmt: skip
    return query.model_copy(update={"slots": slots})


_TOLD = patterns("told_before")["by_us"]


def _of_an_encoder(slot: Slot, query: Query) -> Slot:
    """Tokens of a network that takes a sequence at once are that sequence."""
    takes = slot.role in (Role.PROMPT, Role.CONTEXT) and tokens_of(query.text(Role.MODEL))
    return slot.model_copy(update={"role": Role.SEQUENCE}) if takes else slot


def _of_a_picture(slot: Slot, query: Query) -> Slot:
    """A bare number right behind a network is the side of its pictures: yolov8n 640, and no count."""
    networks = (s for s in query.slots if s.role is Role.MODEL and s.text and usual_side(str(s.value)))
    behind = any(
        re.search(rf"{re.escape(s.text)}[ @,(]+{re.escape(slot.text)}\b(?! [a-z]+s\b)", query.question)
        for s in networks
    )
    counted = slot.role in (Role.CARDS, Role.DEVICES, Role.BATCH, Role.RUNS)
    said = slot.chance < SURE and _says_side(query, slot.text)
    side = slot.text.isdigit() and ((counted and behind) or said) and _is_side(slot.number)
    return slot.model_copy(update={"role": Role.SIDE}) if side else slot


def _says_side(query: Query, text: str) -> bool:
    """`If I make the picture 320`: right behind what is put in, of a network that looks at pictures."""
    looks = any(map(usual_side, query.all(Role.MODEL))) or not query.has(Role.MODEL)
    size = rf"\b{_PUT_IN}\b(?: \w+){{0,2}} {re.escape(text)}(?!\w| \w+s\b)"
    return looks and re.search(size, query.question, re.IGNORECASE) is not None


_PUT_IN = r"(?:pictures?|images?|inputs?|frames?|resolution|size)"


def _is_side(number: float) -> bool:
    return number % _STEP == 0 and number >= _LEAST_SIDE


_STEP, _LEAST_SIDE = 16, 96


def _is_bare(figure: Figure) -> bool:
    return is_bare(figure) and figure.value >= _LEAST


def _slot(figure: Figure, query: Query, slots: list[Slot], sides: Container[float]) -> Slot | None:
    if _FACTOR.search(query.question, 0, max(0, query.question.find(figure.text))):
        return None
    taken = {slot.role for slot in slots}
    said = _says_side(query, figure.text) and _is_side(figure.value)
    if _is_bare(figure) and (figure.value in sides or said) and not _has_other_side(slots, sides):
        return Slot(role=Role.SIDE, value=figure.value, text=figure.text)
    if not query.has(Role.MODEL):
        return None
    if figure.noun in ("token", "tokens") and tokens_of(query.text(Role.MODEL)):
        role, value = Role.SEQUENCE, figure.value
    elif figure.family is Family.RATE:
        role, value = Role.RATE_HZ, figure.value
    elif _is_bare(figure) and (asked := _asked_in(query)) is not None:
        role, value = asked, figure.value
    else:
        return None
    if role in taken:
        return None
    return Slot(role=role, value=value, text=figure.text, chance=UNSURE)


def _has_other_side(slots: Sequence[Slot], sides: Container[float]) -> bool:
    return any(slot.role is Role.SIDE and slot.value not in sides for slot in slots)


def _beside_sides(text: str, found: Sequence[Figure], sides: Container[float]) -> set[float]:
    """Of two bare numbers that are set against each other both are sides where one is: 416 and not 640."""
    pairs = [(one, other) for one, other in pairwise(found) if listed(text, one, other)]
    both = [(one.value, other.value) for one, other in pairs if _is_bare(one) and _is_bare(other)]
    return {each for pair in both if any(one in sides for one in pair) for each in pair if _is_side(each)}


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
