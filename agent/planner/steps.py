"""What a question leaves for its reader to complete: a factor in words, another size, a second processor."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...tools.core.dimensions import measure
from ...tools.model_zoo.named import is_architecture
from ..figures import number_in
from ..patterns import compiled
from ..quantities import Family, find_figures
from .alternatives import with_alternatives
from .decisions import target_of
from .query import LIMITS, Query, Role, Slot
from .said_in import units_asked
from .want import Want
from .wants import CLAIMS
from .words import patterns

_FACTORS = {"hal": 0.5, "qua": 0.25, "dou": 2.0, "twi": 2.0, "tri": 3.0, "thi": 1 / 3}
_FOUND, _SCALED = patterns("stepped")["step"], patterns("stepped")["scale"]
_OF_PICTURES = compiled(r"input|image|picture|frame|photo|resolution|side", re.IGNORECASE)
_ROLES = {"batch": Role.BATCH, "threads": Role.THREADS, "cores": Role.THREADS}
_LIMIT_OF = {
    Family.TIME: Role.LATENCY_MS, Family.RATE: Role.RATE_HZ, Family.ENERGY: Role.ENERGY_UJ,
    Family.POWER: Role.POWER_MW,
}  # fmt: skip
_ALSO = r"\W{0,2}(?:,|and|&|with|at)?\W{1,3}(?:(?:below|under|within|at most|less than|max\w*|up to) )?"


SURE = 0.5
"""Chance of its role from which on a number is nothing else."""


def completed(query: Query) -> Query:
    """With all of it."""
    return _by_its_unit(with_alternatives(_with_sizes(_with_limits(stepped(query)))))


_MEASURED_IN = {measure("mWh").dimension: Want.ENERGY, measure("mW").dimension: Want.POWER}


def _by_its_unit(query: Query) -> Query:
    """*How many milliwatt hours does one take?* asks for no time."""
    asked = (_MEASURED_IN.get(measure(unit).dimension) for unit in units_asked(query.question))
    want = next(filter(None, asked), None)
    if want is None:
        return query
    others = (each for each in query.wants if each not in (Want.LATENCY, want))
    return query.model_copy(update={"wants": (want, *others)})


def _with_limits(query: Query) -> Query:
    """*Below 100 ms and 5 mJ*: what stands beside a limit is one of its own kind.

    *And if it is 50 ms?* after a limit of 300 ms takes its place, where limits are judged.
    """
    judges = query.likely[:1] and query.likely[0][0] is Want.MEETS
    claimed = [slot.text for slot in query.slots if slot.role in CLAIMS and not slot.inherited and judges]
    for text in (*query.unread, *claimed):
        figures = find_figures(text)
        role = _LIMIT_OF.get(figures[0].family) if len(figures) == 1 else None
        limits = (slot.text for slot in query.slots if slot.role in LIMITS and slot.text)
        beside = any(re.search(re.escape(one) + _ALSO + re.escape(text), query.question) for one in limits)
        anew = judges and role is not None and query.has(role) and not query.says(role)
        if role is not None and (anew or (beside and not query.has(role))):
            slots = (slot for slot in query.slots if slot.role is not role and slot.text != text)
            slot = Slot(role=role, value=figures[0].value, text=text)
            left = tuple(each for each in query.unread if each != text)
            query = query.model_copy(update={"slots": (*slots, slot), "unread": left})
    return query


def _with_sizes(query: Query) -> Query:
    """*The one with 128 MACs or the 256 one*, *480 MHz or 120*, *width 0.35 or 1.0*: another of its kind."""
    unsure = (slot for slot in query.slots if slot.chance < SURE and not slot.inherited)
    figures = dict.fromkeys(slot.text for slot in unsure if slot.text.isdigit())
    for text in (*query.unread, *figures):
        slot = _another(query, text) if re.fullmatch(r"\d+(?:\.\d+)?", text) else None
        if slot is not None:
            left = tuple(each for each in query.unread if each != text)
            slots = tuple(each for each in query.slots if each.inherited or each.text != text)
            query = query.model_copy(update={"slots": (*slots, slot), "unread": left})
            if slot.role is Role.CLOCK_MHZ and _AN_OR.search(query.question):
                others = (want for want in query.wants if want not in (Want.COMPARE, Want.LIMIT))
                query = query.model_copy(update={"wants": (Want.COMPARE, *others)})
    return query


def _another(query: Query, text: str) -> Slot | None:
    """The target, the width or the clock that a bare number makes of the one that is named."""
    said = {
        role: [s for s in query.slots if s.role is role and s.text and not s.inherited] for role in _SIZED
    }
    one = {role: slots[0] for role, slots in said.items() if len({slot.value for slot in slots}) == 1}
    if (counted := _counted(query, text)) is not None:
        return counted
    if named := one.get(Role.TARGET):
        last = re.findall(r"\d+", named.text)[-1:]
        alike = text.isdigit() and last and len(text) >= len(last[0]) - 1
        counts = re.search(
            rf"\b(?:top|first|best|last|worst|next) {re.escape(text)}\b", query.question, re.IGNORECASE
        )
        target = target_of(re.sub(r"\d+(?!.*\d)", text, named.text)) if alike and not counts else ""
        if target and target != named.value:
            return Slot(role=Role.TARGET, value=target, text=text)
    if (named := one.get(Role.MODEL)) and ":" in str(named.value):
        spec = f"{str(named.value).rpartition(':')[0]}:{text}"
        if is_architecture(spec) and ("." in text or float(text) > 1) and spec != named.value:
            return Slot(role=Role.MODEL, value=spec, text=text)
    chip = query.targets.get(query.text(Role.TARGET))
    listed = re.search(
        rf"\b(?:or|at|to|vs\.?|versus|than|against) (?:just |only )?{re.escape(text)}(?![\w.%])",
        query.question,
    )
    clocked = Role.CLOCK_MHZ in one and chip and chip.clock_max_mhz and 1 < float(text) <= chip.clock_max_mhz
    return Slot(role=Role.CLOCK_MHZ, value=float(text), text=text) if clocked and listed else None


def _counted(query: Query, text: str) -> Slot | None:
    """`4 threads are only twice as fast as 1`: as many threads, or a batch, where these were named last."""
    at = re.search(
        rf"\b(?:than|as|of|or|vs\.?|versus|against) {re.escape(text)}(?![\w%]|\.\d)", query.question
    )
    kinds = (Role.THREADS, Role.BATCH, Role.TARGET, Role.MODEL, Role.CLOCK_MHZ)
    own = [slot for slot in query.slots if slot.role in kinds and slot.text and not slot.inherited]
    places = {slot: query.question.rfind(slot.text, 0, at.start()) for slot in own} if at else {}
    last = max(places, key=lambda slot: places[slot], default=None)
    if last is None or places[last] < 0 or last.role not in kinds[:2] or not text.isdigit():
        return None
    known = {slot.value for slot in own if slot.role is last.role}
    return Slot(role=last.role, value=float(text), text=text) if known == {last.value} else None


_AN_OR = compiled(r"\b(?:or|vs|versus|against)\b", re.IGNORECASE)
_SIZED = (Role.TARGET, Role.MODEL, Role.CLOCK_MHZ)


def stepped(query: Query) -> Query:
    """With what a setting becomes by a factor, behind what it is now; a step that goes nowhere is none."""
    found = _FOUND.search(query.question) or _SCALED.search(query.question)
    if found is None or not query.has(Role.MODEL) or not query.has(Role.TARGET):
        return query
    what = (found["what"] or found["what_first"]).casefold()
    role = _ROLES.get(what, Role.CLOCK_MHZ)
    step = (found["step"] or found["step_last"]).casefold().removeprefix("a ").removeprefix("one ")
    times = re.match(r"([\d.]+|two|three|four) ?(?:x|times)", step)
    factor = number_in(times[1]) if times else _FACTORS[step[:3]]
    if found.re is _SCALED:
        return _scaled(query, "input" if _OF_PICTURES.match(what) else "width", factor, found[0])
    if query.says(role, Role.CLOCK_BEFORE_MHZ):
        return query
    bases = {"": query.number(role) or (0.0 if role is Role.CLOCK_MHZ else 1.0)}
    if not bases[""]:
        chips = (query.targets.get(target) for target in dict.fromkeys(query.all(Role.TARGET)))
        bases = {chip.id: chip.clock_max_mhz for chip in chips if chip and chip.clock_max_mhz}
    steps = [
        (base, base * factor, of)
        for of, base in bases.items()
        if role is Role.CLOCK_MHZ or base * factor >= 1
    ]
    if not steps:
        return query
    steps = [(base, after, of if len(steps) > 1 else "") for base, after, of in steps]
    new = (
        slot
        for base, after, of in steps
        for slot in (
            Slot(role=role, value=base, inherited=True, of=of),
            Slot(role=role, value=after, text=found[0], of=of),
        )
    )
    return _changed(query, query.without([role]).slots, *new)


def _scaled(query: Query, what: str, factor: float, words: str) -> Query:
    """With the pictures, or the channels, so many times as large, as the change that it is."""
    named = [slot for slot in query.slots if slot.role is Role.TECHNIQUE]
    if any(slot.text or slot.value == f"prune-{100 * factor:g}" for slot in named) or factor == 1:
        return query
    kept = [s for s in query.slots if s not in named or not str(s.value).startswith((what, "prune", "width"))]
    return _changed(query, kept, Slot(role=Role.TECHNIQUE, value=f"{what}-{100 * factor:.3g}", text=words))


def _changed(query: Query, kept: Iterable[Slot], *new: Slot) -> Query:
    wants = [Want.WHAT_IF, *(want for want in query.wants if want not in (Want.WHAT_IF, Want.COMPARE))]
    unread = tuple(text for text in query.unread if text not in new[-1].text)
    return query.model_copy(update={"slots": (*kept, *new), "wants": tuple(wants), "unread": unread})
