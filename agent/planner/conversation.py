"""What a question leaves unsaid because the questions before it, or what is pinned, said it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...hardware_db.index import read_index
from ..names import Kind
from ..quantities import Family, find_figures
from .features import Setting
from .query import LIMITS, Query, Role, Slot
from .reading import read
from .settling import settled, with_runtime
from .want import Want
from .wants import ALONE, ASIDE, QUANTITIES, wanted

_SUBJECT = (Role.MODEL, Role.TARGET, Role.RUNTIME)
_OF_A_TARGET = frozenset(
    (Role.RUNTIME, Role.CLOCK_MHZ, Role.THREADS, Role.ACTIVE_UA, Role.ACTIVE_MW, Role.SLEEP_UA)
)
"""What another target does away with."""
_OF_A_QUESTION = frozenset(
    (
        Role.CLAIMED_MS, Role.CLAIMED_HZ, Role.CLAIMED_UJ, Role.CLAIMED_MW, Role.CLAIMED_BYTES,
        Role.CLAIMED_GOPS, Role.CLAIMED_PERCENT, Role.RUNS, Role.VARIABLE, Role.GOAL, Role.LAYER,
        Role.TRACE, Role.TECHNIQUE, Role.TARGET_CLASS, Role.CLOCK_BEFORE_MHZ, Role.DEVICES, Role.PROMPT,
    )
)  # fmt: skip
"""What no later question has in mind, unless it asks for the same again."""
_KEPT_ASKS = frozenset(("arena", "energy", "flash", "power", "ram", "throughput"))
_CHANGES = frozenset((Role.TECHNIQUE, Role.SIDE, Role.WIDTH, Role.DTYPE))
_JUDGED_AGAIN = frozenset((Want.MEETS, Want.IMPROVE, Want.WHAT_IF, Want.LATENCY, Want.LIMIT))
"""What a new limit alone seems to want, where limits were judged before."""
_MOST_SPOKEN_OF, _MOST_RECOMMENDED = 6, 3
_OF_HARDWARE = QUANTITIES | {
    Want.BOUND,
    Want.LAYERS,
    Want.CHIP_FACTS,
    Want.PRICE,
    Want.UTILISATION,
    Want.PLAUSIBLE,
    Want.WHAT_IF,
    Want.IMPROVE,
    Want.LIMIT,
    Want.PLACEMENT,
    Want.EVIDENCE,
    Want.INTERVAL,
    Want.COMPATIBILITY,
    Want.CODE,
    Want.COST_OF_BATCH,
    Want.BOUND_CHANGE,
    Want.WHY_SLOWER,
    Want.GENERATION,
    Want.HOW_MANY,
}
"""What is wanted of a board; without one it is about the one that was spoken of last."""


def understood(question: str, earlier: Query | None, pinned: Mapping[str, Any]) -> Query:
    """The question completed by the one before it and by what is pinned, its families settled."""
    known = {role for role in (Role.MODEL, Role.TARGET) if pinned.get(role.value)}
    before: tuple[Want, ...] = ()
    if earlier is not None:
        known |= {role for role in (Role.MODEL, Role.TARGET) if earlier.has(role)}
        before = earlier.topic
    at_hand = frozenset(role.value for role in known)
    query = read(question, Setting(at_hand, earlier is not None, tuple(before)))
    if earlier is not None:
        query = _with_earlier(query.model_copy(update={"spoken_of": earlier.spoken_of}), earlier)
    query = _picked(settled(_with_pinned(query, pinned)))
    query = query.model_copy(update={"wants": wanted(query, before)})
    query = with_runtime(_with_company(query, earlier) if earlier else query)
    query = _as_it_is(_with_clock(_with_spoken_of(query)))
    spoken_of = (*query.spoken_of, *query.all(Role.TARGET))
    latest = tuple(dict.fromkeys(reversed(spoken_of)))[:_MOST_SPOKEN_OF]
    aside = bool(query.wants) and query.wants[0] in ASIDE
    topic = (before if aside else ()) or tuple(w for w in query.wants if w not in ASIDE) or before
    return query.model_copy(update={"spoken_of": tuple(reversed(latest)), "topic": topic})


def _picked(query: Query) -> Query:
    """`Take the first one`: of those that were recommended, the best stands last."""
    if "picked" not in query.asks or query.says(Role.TARGET) or not query.spoken_of:
        return query
    place = 3 if "third" in query.asks else 2 if "second" in query.asks else 1
    chosen = query.spoken_of[-min(place, len(query.spoken_of))]
    query = query.put(Role.TARGET, chosen, text=chosen)
    wants = tuple(want for want in query.wants if want is not Want.RECOMMEND)
    return query.model_copy(update={"wants": wants})


def _with_clock(query: Query) -> Query:
    """Half the clock, full speed."""
    if "full_clock" in query.asks and not query.says(Role.CLOCK_MHZ):
        return query.without([Role.CLOCK_MHZ])
    if "half_clock" not in query.asks or query.says(Role.CLOCK_MHZ):
        return query
    found = next((s for s in read_index().targets if s.id == query.text(Role.TARGET)), None)
    if found is None or found.clock_max_mhz is None:
        return query
    return query.put(Role.CLOCK_MHZ, found.clock_max_mhz / 2)


def _as_it_is(query: Query) -> Query:
    """The full clock is no change."""
    found = next((s for s in read_index().targets if s.id == query.text(Role.TARGET)), None)
    changes = {slot.role for slot in query.slots if not slot.inherited} & {
        *_CHANGES,
        Role.BATCH,
        Role.THREADS,
    }
    full = found is not None and query.number(Role.CLOCK_MHZ) == found.clock_max_mhz
    if Want.WHAT_IF not in query.wants or not query.says(Role.CLOCK_MHZ) or not full or changes:
        return query
    wants = tuple(want for want in query.wants if want is not Want.WHAT_IF)
    return query.model_copy(update={"wants": wants or (Want.LATENCY,)})


def recommended(query: Query, records: Iterable[Mapping[str, Any]]) -> Query:
    """With the hardware that an answer named, the best last: later questions may speak of it."""
    rows = [
        row["target"]
        for record in records
        if record["name"] == "recommend_hardware" and record["result"]
        for row in record["result"]["ranking"][:_MOST_RECOMMENDED]
        if row["verdict"] in ("PASS", "MARGINAL")
    ]
    best_last = tuple(reversed(dict.fromkeys(rows)))
    if not rows:
        return query
    spoken_of = (*query.spoken_of, *best_last)
    return query.without([Role.TARGET]).model_copy(update={"spoken_of": spoken_of})


def _with_spoken_of(query: Query) -> Query:
    """What needs a target and has none is about the one that was spoken of last."""
    if query.has(Role.TARGET) or not query.spoken_of or not set(query.wants) & _OF_HARDWARE:
        return query
    if any(name.kind is Kind.TARGET for name in query.unknown):
        return query
    slots = (*query.slots, Slot(role=Role.TARGET, value=query.spoken_of[-1], inherited=True))
    return query.model_copy(update={"slots": slots})


def _with_earlier(query: Query, earlier: Query) -> Query:
    """With the slots of the question before under its own, and its wants where it has none."""
    own = {slot.role for slot in query.slots}
    said = query.wants
    wants = tuple(want for want in said if want is not Want.SAME)
    if wants and wants[0] in ALONE:
        return query
    limits_alone = bool(own & set(LIMITS)) and own <= {*LIMITS, Role.GOAL, Role.VARIABLE}
    if limits_alone and Want.MEETS in earlier.topic and set(wants) <= _JUDGED_AGAIN:
        wants = ()
    if wants == (Want.COMPARE,) and not own:
        wants = () if Want.COMPARE not in earlier.topic else wants
    query = query.model_copy(update={"wants": (*wants, *(w for w in query.wants if w is Want.SAME))})
    again = not wants and (Want.SAME in query.wants or bool(own) or bool(query.unread) or limits_alone)
    again = again or (not wants and Want.COMPARE in said)
    if again:
        query = _with_number(query.model_copy(update={"wants": _again(query, earlier)}), earlier)
        query = query.model_copy(update={"asks": query.asks | (earlier.asks & _KEPT_ASKS)})
        own = {slot.role for slot in query.slots}
    elif Want.SAME in query.wants:
        query = query.model_copy(update={"wants": tuple(dict.fromkeys((*wants, *earlier.topic)))})
    elif Want.WHAT_IF in wants and not set(wants) & QUANTITIES:
        quantities = tuple(want for want in earlier.topic if want in QUANTITIES)
        query = query.model_copy(update={"wants": (*wants, *quantities)})
    fresh = {Role.MODEL, Role.TARGET} <= own
    kept = [
        slot.model_copy(update={"inherited": True})
        for slot in earlier.slots
        if slot.role not in own
        and not (slot.role in _OF_A_QUESTION and not again)
        and not (slot.role in _CHANGES and "without any changes" in query.excluded)
        and not (slot.role in _OF_A_TARGET and Role.TARGET in own)
        and not (slot.role in (Role.DTYPE, Role.SIDE, Role.WIDTH) and Role.MODEL in own)
        and not (slot.role in LIMITS and fresh)
    ]
    excluded = query.excluded | (earlier.excluded if not fresh else frozenset())
    return query.model_copy(update={"slots": (*query.slots, *kept), "excluded": excluded})


def _again(query: Query, earlier: Query) -> tuple[Want, ...]:
    """The same of something else; a technique or type that is new to a file changes the model."""
    changed = query.has(Role.TECHNIQUE) and not query.has(Role.TARGET, Role.RUNTIME)
    if changed and (not query.has(Role.DTYPE) or _is_file(earlier)) and Want.LIMIT not in earlier.topic:
        return (Want.WHAT_IF,)
    if "without any changes" in query.excluded and Want.WHAT_IF in earlier.topic:
        return (Want.FITS,) if earlier.has(*LIMITS) else (Want.LATENCY,)
    return earlier.topic


def _is_file(query: Query) -> bool:
    return "." in query.text(Role.MODEL).rpartition("/")[2].partition(":")[0]


def _with_number(query: Query, earlier: Query) -> Query:
    """`And at 20?` after 10 fps: a number alone takes the place and the unit of the last figure."""
    before = [slot for slot in earlier.slots if slot.text and isinstance(slot.value, float)]
    numbers = [figure for figure in find_figures(" ".join(query.unread)) if figure.family is Family.COUNT]
    if len(query.unread) != 1 or len(numbers) != 1 or not before:
        return query
    last = before[-1]
    written = next(iter(find_figures(last.text)), None)
    if written is None or not written.written:
        return query
    value = numbers[0].value * last.number / written.written
    text = f"{numbers[0].text} {last.text.removeprefix(f'{written.written:g}').strip()}"
    slots = (*query.slots, Slot(role=last.role, value=value, text=text))
    return query.model_copy(update={"slots": slots, "unread": ()})


def _with_company(query: Query, earlier: Query) -> Query:
    """Both of them, or one against the one before."""
    before = earlier.spoken_of
    targets = tuple(
        str(slot.value) for slot in query.slots if slot.role is Role.TARGET and not slot.inherited
    )
    if Want.WHAT_IF in query.wants:
        return query
    if not targets and "the_two" in query.asks and len(before) > 1:
        count = max(2, len(earlier.all(Role.TARGET)))
        return query.put(Role.TARGET, *before[-count:])
    compares = bool({Want.COMPARE, Want.WHY_SLOWER} & set(query.wants))
    if compares and not targets and not query.has(Role.RUNTIME, Role.DTYPE) and len(before) > 1:
        count = max(2, len(earlier.all(Role.TARGET)))
        return query.put(Role.TARGET, *before[-count:])
    if (
        compares
        and len(targets) == 1
        and not query.has(Role.RUNTIME, Role.DTYPE)
        and earlier.has(Role.TARGET)
    ):
        other = earlier.all(Role.TARGET)[-1]
        if other != targets[0] and other not in query.all(Role.TARGET)[1:]:
            slots = (*query.slots, Slot(role=Role.TARGET, value=other, inherited=True))
            return query.model_copy(update={"slots": slots})
    return query


def _with_pinned(query: Query, pinned: Mapping[str, Any]) -> Query:
    added = [
        Slot(role=role, value=str(pinned[role.value]), inherited=True)
        for role in _SUBJECT
        if pinned.get(role.value) and not query.has(role)
    ]
    return query.model_copy(update={"slots": (*query.slots, *added)}) if added else query
