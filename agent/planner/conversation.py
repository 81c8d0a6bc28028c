"""What a question leaves unsaid because the questions before it, or what is pinned, said it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from ...hardware_db.user_files import Directories
from ...tools.model_zoo.language_model import is_language_model
from ..asked_unit import asked_unit
from ..patterns import compiled
from .answers.blamed import named as named_cause
from .answers.changes import GOALS
from .answers.techniques import techniques_of
from .cast import Cast
from .choice import GOES_ON, as_going_on, gone_on, of_a_class
from .decisions import (
    as_settled,
    chosen_in,
    corrects,
    mine_in,
    returned,
    starts_anew,
    without_barred,
    without_networks,
)
from .demands import as_life, as_one, as_quoted, as_reached, usual_side
from .features import Setting
from .following import CHANGES, of_its_kind, with_earlier
from .hosts import as_bare, with_additions
from .jobs import with_jobs
from .language import of_language_models
from .language_places import with_host
from .left_behind import NAMED
from .moves import as_question
from .pointing import described_in, pointed, with_company, with_subject
from .query import Query, Role, Slot
from .reading import read
from .said_again import as_said_before, without_denied, without_replaced
from .settling import as_filmed, settled, with_runtime
from .speech import as_speech
from .steps import completed
from .want import Want
from .wants import ASIDE, QUANTITIES, is_surely_other, wanted
from .words import spoken
from .writers import as_writer

_SUBJECT = (Role.MODEL, Role.TARGET, Role.RUNTIME)
_CHANGEABLE = CHANGES | {Role.CLOCK_MHZ, Role.BATCH, Role.THREADS, Role.RUNTIME, Role.SEQUENCE}
_RECALLED = (Role.TARGET, Role.BATTERY, Role.MODEL)
"""What goes by a part of its name."""
_OF_A_FIGURE = frozenset((Want.INTERVAL, Want.EVIDENCE, Want.ERROR))
_OF_ITS_NAME = (*_SUBJECT, Role.TARGET_CLASS)


_COUNTED_CELLS = compiled(r"(?<=\dx)(?=A{2,4}\b)", 2)
"""Where 2xAA is written apart."""


def understood(
    question: str,
    earlier: Query | None,
    pinned: Mapping[str, Any],
    own: Directories | None = None,
    *,
    written_out: bool = False,
) -> Query:
    """The question completed by the one before it and by what is pinned, its families settled.

    Args:
        own: directories of the user's own hardware; None reads the environment.
        written_out: whether it is a turn that leaned on the answer before, as it stands by itself.
    """
    question = _COUNTED_CELLS.sub(" ", question)
    if earlier is not None and not written_out:
        turn, alone = as_question(question, earlier, own)
        if turn != question:
            written = understood(turn, None if alone else earlier, pinned, own, written_out=True)
            kept = {"cast": earlier.cast, "established": earlier.established} if alone else {}
            return written.model_copy(update={"aside": alone, **kept})
    if earlier is not None:
        earlier = _anew(earlier) if starts_anew(question) else earlier
        earlier = without_barred(earlier, earlier.all(Role.WITHOUT))
        question, earlier = without_denied(question, earlier)
        question = without_replaced(question, earlier, own)
    past = earlier or Query(question="")
    before = past.topic
    at_hand = frozenset(
        role.value for role in (Role.MODEL, Role.TARGET) if pinned.get(role.value) or past.has(role)
    )
    called = tuple(name for role in _RECALLED for name in past.cast.names(role))
    figures = {slot.role for slot in past.slots if isinstance(slot.value, float)}
    figures |= {Role.SIDE} if _of_pictures(past) else set()
    asked = past.wants if past.wants and past.wants[0] in ASIDE else before
    setting = Setting(at_hand, earlier is not None, asked)
    query = as_said_before(read(question, setting, called, figures, own, past.all(Role.MODEL)), past)
    query = as_bare(query, past)
    query = as_speech(_without_asked_unit(_as_called(query, past)), past).model_copy(
        update={"settings_before": past.slots, "written_out": written_out}
    )
    if earlier is not None:
        earlier = returned(query, earlier)
        earlier = of_its_kind(query, earlier)
        query = query.model_copy(update={"cast": earlier.cast, "shown": earlier.shown})
        query = as_going_on(query, earlier)
        query = query if GOES_ON in query.asks else as_settled(pointed(query, earlier), earlier)
        earlier = without_barred(earlier, query.all(Role.WITHOUT))
        query = with_earlier(query, earlier)
        if not query.says(Role.TARGET):
            query = query.model_copy(update={"kernels": earlier.kernels})
    query = as_life(query)
    query = of_language_models(settled(as_one(as_reached(as_quoted(as_filmed(_with_pinned(query, pinned)))))))
    query = with_host(without_networks(as_writer(query, earlier)) if earlier else query)
    query = _with_goal(query.model_copy(update={"wants": wanted(query, before)}), before)
    query = _of_a_cause(query)
    query = _with_change(completed(query), before)
    query = with_runtime(with_jobs(with_company(query, earlier), earlier) if earlier else query)
    query = of_a_class(gone_on(_compared(query, before), earlier) if earlier else query)
    query = with_subject(query)
    asked, query = query.wants, _about_its_figure(_with_clock(_as_rated(with_additions(query))))
    aside = bool(query.wants) and query.wants[0] in ASIDE
    topic = (before if aside else ()) or tuple(w for w in asked if w not in ASIDE) or before
    return query.model_copy(
        update={
            "cast": _cast(query),
            "topic": topic,
            "established": _established(query, past),
            "page_before": past.question if past.wants[:1] == (Want.CONCEPT,) else "",
        }
    )


def _of_pictures(past: Query) -> bool:
    """Whether a bare number is likelier the side of a picture than a clock: on no microcontroller."""
    small = any(found.target_class == "mcu" for t in past.all(Role.TARGET) if (found := past.targets.get(t)))
    return not small and any(usual_side(model) is not None for model in past.all(Role.MODEL))


def _as_called(query: Query, past: Query) -> Query:
    """The file that was spoken of, where its name or its task alone is said again."""
    files = {PurePath(name).stem: name for name in past.cast.names(Role.MODEL) if PurePath(name).suffix}
    slots = (
        slot.model_copy(update={"value": files[str(slot.value)]})
        if slot.role is Role.MODEL and slot.value in files
        else slot
        for slot in query.slots
    )
    return query.model_copy(update={"slots": tuple(slots)})


def _cast(query: Query) -> Cast:
    """With what this question names, and what it is about."""
    slots = [(slot.role, slot.value, slot.inherited) for slot in query.slots if slot.role in NAMED]
    slots += [(Role.TECHNIQUE, name, False) for name in techniques_of(query) if not query.has(Role.TECHNIQUE)]
    return query.cast.with_turn(
        [(role, value) for role, value, inherited in slots if not inherited],
        [(role, value) for role, value, inherited in slots if inherited],
        chosen=chosen_in(query),
        mine=mine_in(query),
        described=described_in(query),
    )


def _established(query: Query, earlier: Query) -> tuple[Query, ...]:
    """What was asked before; what is corrected is replaced, by what says the same kind of thing anew."""
    said = [
        {slot.role for slot in one.slots if not slot.inherited} for one in (query, *earlier.established[-1:])
    ]
    replaced = corrects(query.question) and set.intersection(*said)
    return earlier.established[:-1] if replaced else earlier.established


def _anew(earlier: Query) -> Query:
    """What another topic leaves of the question before: what can be pointed back at."""
    kept = {"slots": (), "topic": (), "wants": (), "asks": frozenset[str]()}
    return earlier.model_copy(update=kept)


def _without_asked_unit(query: Query) -> Query:
    """A day that an answer is to be for is no time of its own."""
    unit = asked_unit(query.question)
    of_input = unit and "token" in unit.words and not any(map(is_language_model, query.all(Role.MODEL)))
    if unit is None or (of_input and query.has(Role.MODEL)):
        return query
    slots = tuple(slot for slot in query.slots if not slot.text or slot.text not in unit.words)
    unread = tuple(text for text in query.unread if text not in unit.words)
    return query.model_copy(update={"slots": slots, "unread": unread})


def _with_goal(query: Query, topic: Sequence[Want]) -> Query:
    """What is to become less, where a change is asked for and it does not say: what was spoken of."""
    if (
        not {Want.IMPROVE, Want.LIMIT} & set(query.wants)
        or set(query.wants) & set(GOALS)
        or query.says(Role.GOAL)
    ):
        return query
    goal = next((GOALS[want] for want in topic if want in GOALS), "")
    return query.put(Role.GOAL, goal) if goal else query


def _of_a_cause(query: Query) -> Query:
    """A cause that is asked about, does memory hold it back, is no goal; it tells two boards apart."""
    if not named_cause(query):
        return query
    query = query.put(Role.GOAL, "latency")
    if len(set(query.all(Role.TARGET))) < 2 or not named_cause(query, "differs"):
        return query
    query = query if query.says(Role.CLOCK_MHZ) else query.without([Role.CLOCK_MHZ])
    return query.model_copy(update={"wants": (Want.WHY_SLOWER,)})


def _with_change(query: Query, topic: Sequence[Want]) -> Query:
    """What changes has to be said: another board is no change, and several are compared."""
    carried = Role.TECHNIQUE if not query.has(Role.DTYPE) else None
    own = {s.role for s in query.slots if not s.inherited and (s.text or s.role is Role.TECHNIQUE)}
    said = own | {s.role for s in query.slots if s.role is carried}
    if Want.WHAT_IF not in query.wants or said & _CHANGEABLE:
        return query
    rest: list[Want] = [want for want in query.wants if want is not Want.WHAT_IF]
    rest = rest or [want for want in topic if want in QUANTITIES] or [Want.FITS, Want.LATENCY]
    several = query.says(Role.TARGET) and not query.picks and len(set(query.all(Role.TARGET))) > 1
    compared = [Want.COMPARE] if several else []
    return query.model_copy(update={"wants": tuple(dict.fromkeys([*compared, *rest]))})


def _about_its_figure(query: Query) -> Query:
    """How sure one is of a number is asked of the one that the answer before began with."""
    cast = query.cast
    named = any(slot.text and not slot.inherited and slot.role in _OF_ITS_NAME for slot in query.slots)
    doubts = bool(_OF_A_FIGURE & set(query.wants)) and set(query.wants) <= _OF_A_FIGURE | {Want.GENERATION}
    if not doubts or named or not cast.figure:
        return query
    if not (query.says(Role.GOAL) and "energy" in query.asks):
        query = query.without([Role.GOAL])
        query = query.put(Role.GOAL, "energy") if cast.figure == "energy_uj" else query
    of_it = spoken("figure", query.question)
    rests = is_surely_other(query, Want.INTERVAL) and query.likely[0][0] is Want.EVIDENCE
    if of_it and query.has(Role.TARGET) and Want.GENERATION not in query.wants and not rests:
        query = query.model_copy(update={"wants": (Want.INTERVAL,)})
    if "figures" in of_it:
        return query
    for role, value in cast.of:
        values = {slot.value for slot in query.slots if slot.role == role}
        if len(values) > 1 and value in values:
            query = query.put(Role(role), value)
    kernels = query.kernels.get(query.text(Role.TARGET), "")
    return query.put(Role.RUNTIME, kernels) if kernels and not query.has(Role.RUNTIME) else query


def _as_rated(query: Query) -> Query:
    """Of a board that is clocked above what it is rated for, what it does at that, and a word on it."""
    found = query.targets.get(query.text(Role.TARGET))
    most = found.clock_max_mhz if found and len(set(query.all(Role.TARGET))) == 1 else None
    above = [slot for slot in query.slots if slot.role is Role.CLOCK_MHZ and most and slot.number > most]
    if most is None or len(above) != 1 or len(query.numbers(Role.CLOCK_MHZ)) > 1:
        return query
    if above[0].number > _OVERCLOCKED * most:
        return query
    rated = f"*{above[0].text}* is above the {most:g} MHz that it is rated for, at which these figures are"
    notes = (
        *query.notes,
        f"{rated}; the time falls at most in proportion, to {most:g}/{above[0].number:g} of it",
    )
    return query.without([Role.CLOCK_MHZ, Role.CLOCK_BEFORE_MHZ]).model_copy(update={"notes": notes})


_OVERCLOCKED = 2.0
"""Times the rated clock that somebody may have in mind."""


def _with_clock(query: Query) -> Query:
    """Full speed; from one clock to another, or this one or the full one, are two rows."""
    found = query.targets.get(query.text(Role.TARGET))
    highest = (found.clock_max_mhz,) if found and found.clock_max_mhz else ()
    before, full = query.numbers(Role.CLOCK_BEFORE_MHZ), "full_clock" in query.asks
    if full and not query.says(Role.CLOCK_MHZ) and not before:
        return query.without([Role.CLOCK_MHZ])
    if before or (full and " or " in query.question.casefold()):
        after = query.numbers(Role.CLOCK_MHZ) or highest
        clocks = (*after, *before) if "instead" in query.asks else (*before, *after)
        clocks += highest if full else ()
        words = next((s.text for s in query.slots if s.role in (Role.CLOCK_BEFORE_MHZ, Role.CLOCK_MHZ)), "")
        both = query.put(Role.CLOCK_MHZ, *dict.fromkeys(clocks), text=words)
        return both.without([Role.CLOCK_BEFORE_MHZ])
    return query


_VARIED_ALONE = (Role.RUNTIME, Role.DTYPE, Role.BATCH, Role.THREADS, Role.CLOCK_MHZ, Role.WEIGHTS, Role.KV)


def _compared(query: Query, topic: Sequence[Want]) -> Query:
    """One of a kind is compared with nothing: what was asked before is asked of it."""
    several = any(len(set(query.all(role))) > 1 for role in (Role.MODEL, Role.TARGET, *_VARIED_ALONE))
    rest: tuple[Want, ...] = tuple(want for want in query.wants if want is not Want.COMPARE)
    rest = rest or tuple(want for want in topic if want in QUANTITIES)
    if several or not rest or Want.COMPARE not in query.wants or query.says(*_VARIED_ALONE):
        return query
    return query.model_copy(update={"wants": rest})


def _with_pinned(query: Query, pinned: Mapping[str, Any]) -> Query:
    added = [
        Slot(role=role, value=str(pinned[role.value]), inherited=True)
        for role in _SUBJECT
        if pinned.get(role.value) and not query.has(role)
    ]
    return query.model_copy(update={"slots": (*query.slots, *added)}) if added else query
