"""How many inferences one thing that happens takes: two cameras on each line, crops of a frame, tiles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from ..figures import number_in
from ..patterns import compiled
from ..quantities import Family, Figure
from .query import Query, Role, Slot
from .words import patterns

_READS = patterns("multiples")
_MOST, _MOST_TILES, _AT_ONCE = 1_000, 100_000, 20_000


def with_multiples(query: Query, figures: Sequence[Figure]) -> Query:
    """With all streams together, and as many inferences of each as there are pieces to look at."""
    counts = [f for f in figures if f.family is Family.COUNT and 1 < f.value <= _MOST and f.value % 1 == 0]
    streams = [f for f in counts if _READS["streams"].match(query.question, f.end)]
    repeats = _repeats(query.question, streams)
    counts, streams = ([f for f in of if f not in repeats] for of in (counts, streams))
    query = _once(query, repeats)
    if not query.has(Role.MODEL):
        return query
    query = _in_tiles(_of_a_job(query))
    if not query.says(Role.RATE_HZ, Role.RUNS):
        return query
    each = _READS["of_each"].search(query.question) is not None
    streams = streams if each else streams[:1]
    found = {f.noun: f for f in reversed(counts) if f not in streams and _is_piece(query.question, f)}
    pieces = sorted(found.values(), key=lambda figure: figure.start)
    taken = {figure.text for figure in (*streams, *pieces)}
    if not pieces and len(streams) < _PAIR:
        return query
    several, runs = len(set(query.all(Role.MODEL))) > 1, query.says(Role.RUNS)
    counted = (Role.DEVICES, Role.RATE_HZ, Role.LATENCY_MS, Role.BATCH)
    slots = [s for s in query.slots if not (s.text in taken and s.role in counted)]
    unread = tuple(text for text in query.unread if text not in taken)
    before = next((s for s in slots if s.role is Role.DEVICES and not s.inherited), None)
    slots = [s for s in slots if s is not before]
    of_streams = [(f.text, f.value) for f in streams] or ([(before.text, before.number)] if before else [])
    of_all = [*of_streams, *((f.text, f.value) for f in pieces if not several)]
    if several and pieces:
        slots.append(_of_one(query, pieces))
    if runs:
        slots = [_times(s, pieces) if s.role is Role.RUNS else s for s in slots]
    elif of_all:
        many = math.prod(value for _, value in of_all)
        slots.append(Slot(role=Role.DEVICES, value=many, text=" times ".join(text for text, _ in of_all)))
    return query.model_copy(update={"slots": tuple(slots), "unread": unread})


def _once(query: Query, repeats: Sequence[Figure]) -> Query:
    """With one slot of what is said twice."""
    again = [f.text for f in repeats]
    slots = list(query.slots)
    for slot in [s for s in slots if s.role is Role.DEVICES and s.text in again][1:]:
        slots.remove(slot)
    return query.model_copy(update={"slots": tuple(slots)})


def _repeats(text: str, streams: Sequence[Figure]) -> list[Figure]:
    """Three lanes, three cameras: the same three."""
    return [
        two
        for one, two in pairwise(streams)
        if one.value == two.value and _BESIDE.fullmatch(text, one.end, two.start)
    ]


_BESIDE = compiled(r"\s*\w+\s?[,(:]\s*")


DELIVERED = "to be what the cameras deliver"


def with_needed_rate(query: Query) -> Query:
    """Not what cameras deliver but what of it is looked at: `25 fps, we only need 10 fps each`."""
    rates = [s for s in query.slots if s.role is Role.RATE_HZ and s.text and not s.inherited]
    if len(rates) != _PAIR or len(set(query.all(Role.MODEL))) > 1 or not query.has(Role.DEVICES):
        return query
    given, needed = sorted(rates, key=lambda slot: query.question.find(slot.text))
    between = query.question[query.question.find(given.text) + len(given.text) :].partition(needed.text)[0]
    if needed.number >= given.number or not _READS["enough"].search(between):
        return query
    note = f"I took *{given.text}* {DELIVERED}"
    slots = tuple(slot for slot in query.slots if slot is not given)
    return query.model_copy(update={"slots": slots, "notes": (*query.notes, note)})


_PAIR = 2


def _of_a_job(query: Query) -> Query:
    """More than can run at once are the pieces of a job."""
    slots = (
        s.model_copy(update={"role": Role.RUNS}) if s.role is Role.DEVICES and s.number > _AT_ONCE else s
        for s in query.slots
    )
    return query if query.has(Role.RATE_HZ) else query.model_copy(update={"slots": tuple(slots)})


def _times(slot: Slot, pieces: Sequence[Figure]) -> Slot:
    words = " times ".join((slot.text, *(figure.text for figure in pieces)))
    value = slot.number * math.prod(figure.value for figure in pieces)
    return slot.model_copy(update={"value": value, "text": words})


def _of_one(query: Query, pieces: Sequence[Figure]) -> Slot:
    """Of a cascade the network that is named last: the one named first finds them, once a frame."""
    named = [(query.question.find(s.text), str(s.value)) for s in query.slots if s.role is Role.MODEL]
    of = max(one for one in named if one[0] >= 0)[1] if any(at >= 0 for at, _ in named) else named[-1][1]
    value = math.prod(figure.value for figure in pieces)
    return Slot(role=Role.PER_EVENT, value=value, text=" times ".join(f.text for f in pieces), of=of)


def _is_piece(text: str, figure: Figure) -> bool:
    """Crops, tiles or views of anything; what else is found counts where it is said to be of each frame."""
    if _READS["behind"].match(text, figure.end) or _READS["pieces"].match(text, figure.end):
        return True
    found = _READS["found"].match(text, figure.end)
    return found is not None and _READS["of_each"].search(text) is not None


def _in_tiles(query: Query) -> Query:
    """A large picture in tiles: as many inferences of each picture as there are, each of a tile's size."""
    match = _READS["tiled"].search(query.question)
    if match is None:
        return query
    sides = [float(match[name]) for name in ("width", "height")]
    tile = float(match["tile"] or match["size"])
    share = _READS["overlap"].search(query.question)
    step = tile * (1 - (number_in(share["share"]) / 100 if share else 0.0))
    if not 0 < tile <= min(sides) or step <= 0:
        return query
    across, down = (math.ceil((side - tile) / step) + 1 for side in sides)
    if across * down > _MOST_TILES:
        return query
    own = match[0]
    slots = [s for s in query.slots if not (s.text and s.text in own and isinstance(s.value, float))]
    slots = [s for s in slots if not (share and s.text and s.text in share[0])]
    before = math.prod(s.number for s in slots if s.role is Role.DEVICES)
    text = f"{across} x {down} tiles of {tile:g} pixels"
    slots = [s for s in slots if s.role is not Role.DEVICES]
    slots.append(Slot(role=Role.SIDE, value=tile, text=""))
    slots.append(Slot(role=Role.DEVICES, value=before * across * down, text=text))
    unread = tuple(one for one in query.unread if one not in own and not (share and one in share[0]))
    return query.model_copy(update={"slots": tuple(slots), "unread": unread})
