"""What a conversation has settled: what is chosen, what is out, whose is what, what is corrected."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..names import Kind, find_names
from ..quantities import Family, find_figures
from .owners import place_of
from .query import Query, Role, Slot
from .shown import targets_of
from .want import Want
from .wants import QUANTITIES
from .words import patterns

_SAID = patterns("settles")


def as_settled(query: Query, earlier: Query) -> Query:
    """By what the conversation settled: names that stand for its targets, what is out, what is corrected."""
    query = _without_what_is_out(_with_number(query, earlier), earlier)
    if corrects(query.question) and query.says(Role.TARGET):
        query = query.model_copy(update={"cast": query.cast.without(earlier.all(Role.TARGET))})
    return query.model_copy(update={"picks": True}) if chosen_in(query) else query


def starts_anew(question: str) -> bool:
    """Whether it says that it is about something else."""
    return _SAID["new_topic"].search(question[:80]) is not None


def returned(query: Query, earlier: Query) -> Query:
    """The question that it comes back to: one of the names that it gives, else one of other names."""
    if _SAID["returns"].search(query.question) is None:
        return earlier
    named = {part for slot in query.slots if slot.role in _SUBJECT and slot.text for part in _parts(slot)}
    now, past = _subject(earlier), [one for one in reversed(earlier.established) if one.has(Role.MODEL)]
    others = [one for one in past if not _subject(one) & now]
    found = max(past, key=lambda one: len(_subject(one) & named), default=None) if named else None
    found = found or (None if named or not others else others[0])
    if found is None or len(_subject(found) & named) < len(now & named) + bool(named):
        return earlier
    shown = earlier.shown if set(targets_of(earlier.shown)) <= _subject(found) else ()
    kept = {"established": earlier.established, "cast": earlier.cast.back_at(found.cast), "shown": shown}
    return found.model_copy(update=kept)


_SUBJECT = (Role.MODEL, Role.TARGET)


def _subject(query: Query) -> set[str]:
    return {str(slot.value) for slot in query.slots if slot.role in _SUBJECT}


def _parts(slot: Slot) -> list[str]:
    return str(slot.value).split("|")


def takes_back(question: str) -> bool:
    """Whether it begins with taking something back: `without the mic?` asks the same again."""
    return re.match(rf"\W*(?:{_SAID['lifts'].pattern})", question, re.IGNORECASE) is not None


def corrects(question: str) -> bool:
    """Whether it takes back something that the question before said."""
    return _SAID["corrects"].search(question) is not None


def of_what_it_corrects(query: Query, earlier: Query) -> Query:
    """A correction that names no target is of those of the question before; it asks the same."""
    if query.has(Role.TARGET) or not corrects(query.question):
        return query
    same = (s.model_copy(update={"inherited": True}) for s in earlier.slots if s.role is Role.TARGET)
    surely = any(chance >= _SURELY for want, chance in query.likely if want is not Want.SAME)
    wants = query.wants if surely or "?" in query.question else (Want.SAME,)
    return query.model_copy(update={"slots": (*query.slots, *same), "wants": wants})


_SURELY = 0.6
"""Chance from which on a correction asks for something else as well."""


def without_barred(earlier: Query, out: Iterable[str]) -> Query:
    """The question before without the targets that are out by now."""
    out = earlier.barred(out)
    slots = tuple(slot for slot in earlier.slots if slot.role is not Role.TARGET or slot.value not in out)
    return earlier.model_copy(
        update={
            "slots": slots,
            "cast": earlier.cast.without(out),
            "shown": tuple(row for row in earlier.shown if row.text(Role.TARGET) not in out),
        }
    )


def _without_what_is_out(query: Query, earlier: Query) -> Query:
    """`The 4090 is out`: what is left of what was compared, asked the same again."""
    named = [slot for slot in query.slots if slot.role is Role.TARGET and slot.text]
    out = {str(slot.value): slot for slot in named if _is_out(query, slot)}
    denied = {value for value in query.all(Role.WITHOUT) if value in query.targets}
    barred = [name for value in (*out, *denied) for name in value.split("|")]
    if not barred:
        return query
    kept = tuple(slot for slot in query.slots if slot not in out.values())
    kept = tuple(slot.model_copy(update={"text": ""}) if slot.role is Role.WITHOUT else slot for slot in kept)
    new = tuple(Slot(role=Role.WITHOUT, value=name) for name in barred if name not in denied)
    query = query.model_copy(
        update={
            "slots": (*kept, *new),
            "asks": query.asks - {"price", "cheapest"},
            "cast": query.cast.without(barred),
        }
    )
    before = tuple(dict.fromkeys(earlier.all(Role.TARGET)))
    before = before if len(before) > 1 else targets_of(earlier.shown) or before
    left = [name for name in before if name not in barred]
    if len(left) < 2 and "the_two" in query.asks:
        before = earlier.cast.in_order(Role.TARGET)
        left = [name for name in before if name not in barred]
    if query.says(Role.TARGET):
        beside = left if len(before) > 1 and _swapped_at(query.question) >= 0 else ()
        slots = tuple(Slot(role=Role.TARGET, value=name, inherited=True) for name in beside)
        return query.model_copy(update={"picks": True, "slots": (*query.slots, *slots)})
    if not left or len(left) == len(before):
        return query
    slots = tuple(Slot(role=Role.TARGET, value=name, inherited=True) for name in left)
    wants: tuple[Want, ...] = tuple(want for want in query.wants if want in QUANTITIES) or (Want.SAME,)
    return query.model_copy(update={"slots": (*query.slots, *slots), "wants": wants})


def without_networks(query: Query) -> Query:
    """`Forget the 32B`: a network that is spoken of no more."""
    out = [slot for slot in query.slots if slot.role is Role.MODEL and slot.text and _is_out(query, slot)]
    if not out:
        return query
    names = frozenset(str(slot.value) for slot in out)
    slots = tuple(slot for slot in query.slots if slot not in out)
    left, cast = query.left_out | names, query.cast.without(names)
    return query.model_copy(update={"slots": slots, "left_out": left, "cast": cast})


def _is_out(query: Query, slot: Slot) -> bool:
    """By the words behind its name or before it."""
    question, place = query.question, place_of(query, slot)
    if place is None:
        return False
    at, length = place
    if _swapped_at(question) == at:
        return True
    behind = _SAID["out_behind"].match(question[at + length :]) is not None
    return behind or _SAID["out_before"].search(question[:at]) is not None


def _with_number(query: Query, earlier: Query) -> Query:
    """`The 5, not the 4` after a Raspberry Pi 4; `the 16 GB one`."""
    before = next((slot for slot in earlier.slots if slot.role is Role.TARGET and slot.text), None)
    if before is None or query.has(Role.TARGET):
        return query
    numbers = list(_SAID["numbered"].finditer(query.question))
    for match in numbers:
        if match["not"]:
            continue
        text = re.sub(r"\d+\w*(?!.*\d)", match["number"], before.text)
        name = target_of(text)
        if name and name != before.value:
            said = {each["number"] for each in numbers}
            slots = tuple(slot for slot in query.slots if slot.text not in said)
            slot = Slot(role=Role.TARGET, value=name, text=text)
            unread = tuple(text for text in query.unread if text not in said)
            return query.model_copy(
                update={"slots": (*slots, slot), "unread": unread, "wants": _again(query)}
            )
    return _with_room(query, before)


def _with_room(query: Query, before: Slot) -> Query:
    """Another size of memory: a variant that goes by it, else the same with so much."""
    found = _SAID["roomy"].search(query.question)
    if found is None:
        return query
    size = found["size"] or found["has"]
    name = target_of(re.sub(r"\s*\d+\s?gi?b\b", "", before.text, flags=re.I) + f" {size}")
    figure = next(iter(find_figures(size)), None)
    if figure is None or figure.family is not Family.BYTES:
        return query
    role, value = (Role.TARGET, name) if name else (Role.RAM_BYTES, figure.value)
    slots = tuple(slot for slot in query.slots if slot.text != figure.text and slot.role is not role)
    unread = tuple(text for text in query.unread if text != figure.text)
    new = Slot(role=role, value=value, text=size)
    goals = {slot for slot in slots if slot.role in (Role.GOAL, Role.VARIABLE)}
    slots = (*(slot for slot in slots if slot not in goals), new)
    return query.model_copy(update={"slots": slots, "unread": unread, "wants": _again(query)})


def target_of(text: str) -> str:
    """The id of the one target that the whole text names; empty for none."""
    found = [name for name in find_names(text) if name.kind is Kind.TARGET and name.known]
    whole = [name for name in found if name.end - name.start >= len(text.strip()) - 1]
    return whole[0].ids[0] if len(whole) == 1 and len(whole[0].ids) == 1 else ""


def _again(query: Query) -> tuple[Want, ...]:
    """A correction asks the same again, whatever else it seems to want."""
    return (Want.SAME,) if corrects(query.question) else query.wants


def _swapped_at(question: str) -> int:
    """Where the name begins that gives way: swap the H100 for an L40S; -1 for none."""
    found = _SAID["swaps"].match(question)
    return found.end() if found else -1


def chosen_in(query: Query) -> tuple[str, ...]:
    """The targets that the question settles on; empty where it settles nothing."""
    found = _SAID["chooses"].search(query.question)
    if found is None or _SAID["asks_first"].search(query.question[: found.start()]):
        return ()
    said = tuple(str(s.value) for s in query.slots if s.role is Role.TARGET and not s.inherited)
    return tuple(dict.fromkeys(said))[:1] if len(set(said)) == 1 else ()


def mine_in(query: Query) -> tuple[str, ...]:
    """The targets that the user calls their own."""
    found = []
    for slot in query.slots:
        if slot.role is Role.TARGET and slot.text and not slot.inherited:
            before, _, behind = query.question.partition(slot.text)
            own = _SAID["mine"].search(before) or _SAID["mine_behind"].search(behind)
            found += [str(slot.value)] if own else []
    return tuple(found)
