"""A first run told beside later ones: it loads and compiles, and its time is none of an inference."""

from __future__ import annotations

from ..patterns import compiled
from .query import Query, Role, Slot
from .want import Want
from .words import patterns

_SAYS = patterns("runs")
_SENTENCES = compiled(r"[.;!?](?:\s|$)")
_NEAR = compiled(r"\s+(?:(?:on|in|for|at|with|of|the|its|a)\s+)*")
_TIMES = (Role.CLAIMED_MS, Role.LATENCY_MS)
_SLOWER = 2.0
"""Times as long as the later ones from which on a first run is told apart."""


def first_run(query: Query) -> tuple[Slot, ...]:
    """The times of a first run, each at least twice as long as those of later ones, which are told too."""
    times = [slot for slot in query.slots if slot.role in _TIMES and slot.text and not slot.inherited]
    which = [_which(query.question, slot) for slot in times]
    first, later = (
        [slot for slot, of in zip(times, which, strict=True) if of == name] for name in ("first", "later")
    )
    later = later or [slot for slot in times if slot not in first]
    measured = any(slot.role is Role.CLAIMED_MS for slot in (*first, *later))
    if not first or not later or not measured:
        return ()
    longest = max(slot.number for slot in later)
    return tuple(first) if min(slot.number for slot in first) >= _SLOWER * longest else ()


def with_later_runs(query: Query) -> Query:
    """With the times of later runs as what was measured, and no other: a start of five seconds is none."""
    if not (first := first_run(query)):
        return query
    times = [slot for slot in query.slots if slot.role in _TIMES and slot not in first]
    later = [slot for slot in times if _which(query.question, slot) == "later"] or times
    kept = [slot for slot in query.slots if slot not in times or slot in later]
    slots = tuple(
        slot.model_copy(update={"role": Role.CLAIMED_MS, "chance": 1.0}) if slot in (*first, *later) else slot
        for slot in kept
    )
    wants = (Want.PLAUSIBLE, *(one for one in query.wants if one not in (Want.PLAUSIBLE, Want.MEETS)))
    return query.model_copy(update={"slots": slots, "wants": wants})


def _which(question: str, slot: Slot) -> str:
    """Of the `first` run or of `later` ones, by the words beside it; empty where none says."""
    start = question.find(slot.text)
    before, behind = _SENTENCES.split(question[: max(start, 0)])[-1], question[start + len(slot.text) :]
    near = behind[match.end() :] if (match := _NEAR.match(behind)) else ""
    for name, words in _SAYS.items():
        if words.match(near):
            return name
    ends = {
        name: max((one.end() for one in words.finditer(before)), default=-1) for name, words in _SAYS.items()
    }
    last = max(ends, key=ends.__getitem__)
    return last if ends[last] >= 0 else ""
