"""A question over the one before: what it takes over from it, takes back, or asks again of something else."""

from __future__ import annotations

import re

from ...tools.model_zoo.language_model import is_language_model
from ..quantities import Family, find_figures
from .asked_unit import price_in
from .factors import factor_in
from .query import LIMITS, Query, Role, Slot
from .want import Want
from .wants import ALONE, QUANTITIES, SURE_OF_WANT
from .words import spoken
from .writing import counts_text, with_size

CHANGES = frozenset((Role.TECHNIQUE, Role.SIDE, Role.WIDTH, Role.DTYPE))
_OF_A_TARGET = frozenset(
    (Role.RUNTIME, Role.CLOCK_MHZ, Role.THREADS, Role.ACTIVE_UA, Role.ACTIVE_MW, Role.SLEEP_UA, Role.CARDS)
)
"""What another target does away with."""
_OF_A_QUESTION = frozenset(
    (
        Role.CLAIMED_MS, Role.CLAIMED_HZ, Role.CLAIMED_UJ, Role.CLAIMED_MW, Role.CLAIMED_BYTES,
        Role.CLAIMED_GOPS, Role.CLAIMED_PERCENT, Role.RUNS, Role.VARIABLE, Role.GOAL, Role.LAYER,
        Role.TRACE, Role.TECHNIQUE, Role.TARGET_CLASS, Role.CLOCK_BEFORE_MHZ, Role.DEVICES, Role.WRITTEN,
    )
)  # fmt: skip
"""What no later question has in mind, unless it asks for the same again."""
_LIFTED = re.compile(
    r"\b(?:forget|drop|ignore|scrap|skip|never ?mind|remove|lift|undo|leave out)\b(?: about)?"
    r"(?P<what>(?: [\w-]+){1,3})",
    re.I,
)
_LIFTS = {
    "battery": (Role.BATTERY, Role.CHARGE_MAH, Role.BATTERY_MWH, Role.BATTERY_V, Role.CELLS, Role.SERIES,
                Role.LIFE_MS),
    "price": (Role.PRICE_USD,), "latency": (Role.LATENCY_MS,), "rate": (Role.RATE_HZ,),
    "ram": (Role.RAM_BYTES, Role.TAKEN_BYTES), "flash": (Role.FLASH_BYTES, Role.TAKEN_FLASH_BYTES),
    "power": (Role.POWER_MW, Role.CURRENT_UA, Role.ENERGY_UJ), "clock": (Role.CLOCK_MHZ,),
    "batch": (Role.BATCH,), "change": tuple(CHANGES), "all": (*LIMITS, *CHANGES),
}  # fmt: skip
"""What is taken back by such words: `forget the battery`, `undo all that`."""
_SUBJECT = frozenset((Role.MODEL, Role.TARGET, Role.RUNTIME))
_OF_ANOTHER = _SUBJECT | {Role.DTYPE, Role.CLOCK_MHZ, Role.BATCH, Role.THREADS, Role.VARIABLE, Role.GOAL}
_KEPT_ASKS = frozenset(("arena", "energy", "flash", "power", "ram", "throughput"))
_JUDGED_AGAIN = frozenset((Want.MEETS, Want.IMPROVE, Want.WHAT_IF, Want.LATENCY, Want.LIMIT))
"""What a new limit alone seems to want, where limits were judged before."""
_CHOICES = frozenset((Want.RECOMMEND, Want.CHEAPEST, Want.COMPARE))
_FACTS = frozenset((Want.PRICE, Want.AVAILABILITY, Want.CHIP_FACTS, Want.MODEL_FACTS))
_VERDICTS = frozenset((Want.FITS, Want.MEETS))
_OF_MEMORY = frozenset((Want.FITS, Want.MEETS, Want.RAM, Want.FLASH, Want.LATENCY, Want.ENERGY))
"""What can be asked of a model after a change."""


def with_earlier(query: Query, earlier: Query) -> Query:
    """With the slots of the question before under its own, and its wants where it has none."""
    query, earlier = _without_lifted(_of_its_size(query, earlier), earlier)
    query = _as_setting(_in_its_memory(query, earlier), earlier)
    if query.wants and query.wants[0] in ALONE:
        return query.model_copy(update={"slots": _inherited(earlier.slots)})
    query, again = _with_wants(_with_number(query, earlier), earlier)
    query = _with_changes(query, earlier)
    own = {slot.role for slot in query.slots}
    continued = {Role.GOAL} if Want.IMPROVE in query.wants else set()
    same_conditions = (
        {Role.SLEEP_UA, Role.ACTIVE_MW, Role.ACTIVE_UA} if Want.COMPARE in query.wants else set()
    )
    fresh = {Role.MODEL, Role.TARGET} <= own
    again_there = set(query.all(Role.TARGET)) <= {*earlier.all(Role.TARGET)}
    kept = tuple(
        slot
        for slot in earlier.slots
        if slot.role not in own
        and slot.value not in query.left_out
        and not (slot.role in _OF_A_QUESTION and not again and slot.role not in continued)
        and not (slot.role in CHANGES and "without any changes" in query.excluded)
        and not (slot.role in _OF_A_TARGET - same_conditions and Role.TARGET in own and not again_there)
        and not (slot.role in (Role.DTYPE, Role.SIDE, Role.WIDTH) and Role.MODEL in own)
        and not (slot.role in LIMITS and fresh)
        and not (slot.role is Role.WEIGHTS and slot.chance < 1.0 and Role.MODEL in own)
    )
    if set(query.all(Role.DTYPE)) and {Want.COMPARE, Want.WHY_SLOWER} & set(query.wants):
        query = _beside_type(query, earlier)
    excluded = earlier.excluded - frozenset(spoken("allowed", query.question)) if not fresh else frozenset()
    named = set(query.all(Role.TARGET)) if query.says(Role.TARGET) else set[str]()
    kept = tuple(slot for slot in kept if slot.role is not Role.WITHOUT or slot.value not in named)
    slots = (*query.slots, *_inherited(kept))
    return query.model_copy(update={"slots": slots, "excluded": query.excluded | excluded})


_ROOM_OF = {Want.FLASH: (Role.RAM_BYTES, Role.FLASH_BYTES), Want.RAM: (Role.FLASH_BYTES, Role.RAM_BYTES)}
_THERE = re.compile(r"\b(?:only |just )?(?:have|has|got|there (?:is|are)|of)\W+(?:only |just )?$", re.I)


def _in_its_memory(query: Query, earlier: Query) -> Query:
    """Bytes whose memory is not named are of the one that was asked about before."""
    of = _ROOM_OF.get(earlier.topic[0]) if earlier.topic else None
    if of is None or {"ram", "flash"} & query.asks:
        return query
    taken = {Role.TAKEN_BYTES, Role.TAKEN_FLASH_BYTES}
    slots = []
    for slot in query.slots:
        before = query.question[: query.question.find(slot.text)] if slot.text else ""
        there = slot.role in taken and _THERE.search(before)
        slots.append(slot.model_copy(update={"role": of[1]}) if there or slot.role is of[0] else slot)
    return query.model_copy(update={"slots": tuple(slots)})


def _of_its_size(query: Query, earlier: Query) -> Query:
    """And the 14B: of the family of the language model that was spoken of."""
    known = earlier.text(Role.MODEL)
    return with_size(query, known) if known and is_language_model(known) else query


def _beside_type(query: Query, earlier: Query) -> Query:
    """`Why is that not twice as fast as float32?` after float16: the two types side by side."""
    types = dict.fromkeys((*earlier.all(Role.DTYPE), *query.all(Role.DTYPE)))
    if len(types) < 2 or not earlier.has(Role.DTYPE) or query.says(Role.TARGET, Role.MODEL):
        return query
    quantities = tuple(want for want in earlier.topic if want in QUANTITIES)
    return query.put(Role.DTYPE, *types).model_copy(update={"wants": (Want.COMPARE, *quantities)})


_SETTINGS = frozenset((Role.SIDE, Role.WIDTH, Role.DTYPE, Role.CLOCK_MHZ, Role.BATCH, Role.THREADS))
_SPOKEN_ALONG = frozenset((Role.GOAL, Role.VARIABLE, Role.TECHNIQUE))
"""What words beside a setting seem to say."""


def _as_setting(query: Query, earlier: Query) -> Query:
    """`With int8` sets the type, and `is 640 ok then?` judges with it; neither asks for a change."""
    own = {slot.role for slot in query.slots} - _SPOKEN_ALONG
    if not own & _SETTINGS or not own <= _SETTINGS | set(LIMITS) or _is_file(earlier):
        return query
    plain = tuple(slot for slot in query.slots if slot.role not in _SPOKEN_ALONG)
    if spoken("judged", query.question) and not spoken("weighed", query.question):
        limits = bool(own & set(LIMITS)) or earlier.has(*LIMITS)
        wants = (Want.MEETS, Want.LATENCY) if limits else (Want.FITS, Want.LATENCY)
        return query.model_copy(update={"slots": plain, "wants": wants})
    typed = own == {Role.DTYPE} and Want.SAME in _likeliest(query)
    if typed and not spoken("weighed", query.question):
        return query.model_copy(update={"slots": plain, "wants": (Want.SAME,)})
    return query


def _likeliest(query: Query) -> tuple[Want, ...]:
    return tuple(want for want, _ in query.likely[:2])


def _inherited(slots: tuple[Slot, ...]) -> tuple[Slot, ...]:
    return tuple(slot.model_copy(update={"inherited": True}) for slot in slots)


def _with_wants(query: Query, earlier: Query) -> tuple[Query, bool]:
    """What is wanted, and whether that is the same again."""
    own = {slot.role for slot in query.slots}
    said = tuple(want for want in query.wants if not (query.picks and want in _CHOICES))
    wants: tuple[Want, ...] = tuple(want for want in said if want is not Want.SAME)
    verdicts = tuple(want for want in earlier.topic if want in _VERDICTS)
    if "why_not" in query.asks and verdicts:
        return query.model_copy(update={"wants": (*verdicts, Want.PLACEMENT)}), False
    limits_alone = bool(own & set(LIMITS)) and own <= {*LIMITS, Role.GOAL, Role.VARIABLE}
    if limits_alone and Want.MEETS in earlier.topic and set(wants) <= _JUDGED_AGAIN:
        wants = ()
    told = {slot.role for slot in query.slots if not slot.inherited} - {Role.WITHOUT}
    of_life = Role.RATE_HZ in told and told <= {Role.RATE_HZ, Role.GOAL, Role.VARIABLE}
    if (
        of_life
        and earlier.topic[:1] == (Want.BATTERY_LIFE,)
        and set(wants) <= {Want.BATTERY_LIFE, *_JUDGED_AGAIN}
    ):
        rest = tuple(each for each in query.likely if each[0] not in _JUDGED_AGAIN)
        return query.model_copy(update={"wants": (Want.BATTERY_LIFE,), "likely": rest}), True
    if wants == (Want.COMPARE,) and not own and Want.COMPARE not in earlier.topic:
        wants = ()
    short = len(query.question.split()) <= _BARE and query.asks <= {"shrink"} and Want.SAME not in said
    if short and not own and not query.unread and Want.COMPARE in earlier.topic and _is_doubtful(query):
        return query.model_copy(update={"wants": earlier.topic}), True
    if (
        spoken("brief", query.question)
        and not own
        and set(earlier.topic) & {*_VERDICTS, Want.PLAUSIBLE}
        and not query.says(*LIMITS)
    ):
        return query.model_copy(update={"wants": earlier.topic}), True
    allowed = bool(spoken("allowed", query.question))
    quantities = earlier.topic and not set(earlier.topic) & _CHOICES
    if own & _SUBJECT and own <= _OF_ANOTHER and quantities and _is_doubtful(query):
        wants = ()
    same = (
        Want.SAME in said
        or bool(own | query.left_out)
        or bool(query.unread)
        or Want.COMPARE in said
        or allowed
    )
    if not wants and (same or limits_alone):
        asks = query.asks | (earlier.asks & _KEPT_ASKS)
        return query.model_copy(update={"wants": _again(query, earlier), "asks": asks}), True
    if Want.SAME in said:
        left_out = _FACTS if wants else frozenset[Want]()
        left_out |= _CHOICES if query.picks else frozenset()
        wants = (*wants, *(want for want in earlier.topic if want not in left_out))
    elif Want.WHAT_IF in wants and not set(wants) & QUANTITIES:
        wants = (*wants, *(want for want in earlier.topic if want in QUANTITIES))
    return query.model_copy(update={"wants": tuple(dict.fromkeys(wants))}), False


def _is_doubtful(query: Query) -> bool:
    """Whether what is wanted is not sure: another board alone asks the same of it."""
    return bool(query.likely) and query.likely[0][1] < SURE_OF_WANT


def _again(query: Query, earlier: Query) -> tuple[Want, ...]:
    """The same of something else; a technique or type that is new to a file changes the model."""
    changed = query.has(Role.TECHNIQUE) and not query.has(Role.TARGET, Role.RUNTIME)
    if changed and (not query.has(Role.DTYPE) or _is_file(earlier)) and Want.LIMIT not in earlier.topic:
        return (Want.WHAT_IF,)
    if "without any changes" in query.excluded and Want.WHAT_IF in earlier.topic:
        return (Want.FITS,) if earlier.has(*LIMITS) else (Want.LATENCY,)
    if query.picks:
        return tuple(want for want in earlier.topic if want not in _CHOICES) or (Want.FITS, Want.LATENCY)
    return earlier.topic


_BARE = 4
"""Words of a question that names nothing: it is about the difference that was just told."""
_FOUND = (Role.CLOCK_MHZ, Role.BATCH, Role.SIDE)
"""What an answer may have found the end of."""


def _with_changes(query: Query, earlier: Query) -> Query:
    """At the clock that was found, both of the changes that were spoken of, what holds after the last one."""
    own = {slot.role for slot in query.slots}
    changed = Want.WHAT_IF in earlier.topic and not own & {*(CHANGES - {Role.TECHNIQUE}), Role.TARGET}
    known = tuple(map(str, dict.fromkeys((*earlier.cast.meant(Role.TECHNIQUE), *query.all(Role.TECHNIQUE)))))
    found = [
        Slot(role=role, value=value) for role, value in earlier.cast.suggested(_FOUND) if role not in own
    ]
    if found and "there" in spoken("refers", query.question) and not own & set(CHANGES):
        wants: tuple[Want, ...] = tuple(want for want in query.wants if want is not Want.LIMIT)
        return query.model_copy(update={"slots": (*query.slots, *found), "wants": wants})
    suggested = [str(value) for _, value in earlier.cast.suggested((Role.TECHNIQUE,))]
    if suggested and spoken("fix", query.question) and not query.has(Role.TECHNIQUE):
        wants = (Want.WHAT_IF, *(want for want in query.wants if want in QUANTITIES))
        query = query.without([Role.GOAL, Role.VARIABLE]).put(Role.TECHNIQUE, suggested[0])
        return query.model_copy(update={"wants": tuple(dict.fromkeys(wants))})
    if not changed or not known:
        return query
    if "both" in query.asks and len(known) > 1 and (not query.wants or Want.WHAT_IF in query.wants):
        return query.put(Role.TECHNIQUE, *known[-2:]).model_copy(update={"wants": (Want.WHAT_IF,)})
    if "after" in spoken("refers", query.question) and set(query.wants) <= _OF_MEMORY:
        wants = (Want.WHAT_IF, *query.wants)
        last = earlier.all(Role.TECHNIQUE) or known[-1:]
        return query.put(Role.TECHNIQUE, *last).model_copy(update={"wants": wants})
    return query


def _without_lifted(query: Query, earlier: Query) -> tuple[Query, Query]:
    """Without what the user takes back; `scrap that` is what was said last, alone it asks the same again."""
    found = _LIFTED.search(query.question)
    if found is None:
        return query, earlier
    what = found["what"].casefold()
    named = spoken("lifted", what)
    roles = {role for name in named for role in _LIFTS[name]}
    if not named and what.split()[0] in ("that", "this", "it", "those"):
        roles = {slot.role for slot in earlier.slots if not slot.inherited} - {Role.MODEL, Role.TARGET}
    if not roles:
        return query, earlier
    topic = tuple(want for want in earlier.topic if "battery" not in named or want is not Want.BATTERY_LIFE)
    earlier = earlier.without(roles).model_copy(update={"topic": topic})
    query = query.model_copy(
        update={
            "slots": tuple(slot for slot in query.slots if not slot.text or slot.text not in found["what"])
        }
    )
    if not query.question[: found.start()].split() and not query.question[found.end() :].strip(" .!"):
        query = query.model_copy(update={"wants": (Want.SAME,)})
    return query, earlier


def _is_file(query: Query) -> bool:
    return "." in query.text(Role.MODEL).rpartition("/")[2].partition(":")[0]


def _with_number(query: Query, earlier: Query) -> Query:
    """`And at 20?` after 10 fps: a number alone takes the place and the unit of the last figure."""
    before = [slot for slot in earlier.slots if slot.text[:1].isdigit() and isinstance(slot.value, float)]
    own = [slot for slot in before if not slot.inherited]
    numbers = [figure for figure in find_figures(" ".join(query.unread)) if figure.family is Family.COUNT]
    if len(query.unread) != 1 or len(numbers) != 1 or not before or query.says(*_SUBJECT):
        return query
    if factor_in(query.question) or counts_text(query.question) or price_in(query.question):
        return query
    last = own[-1] if own else before[0]
    written = next(iter(find_figures(last.text)), None)
    if written is None or not written.written:
        return query
    value = numbers[0].value * last.number / written.written
    text = f"{numbers[0].text} {last.text.removeprefix(f'{written.written:g}').strip()}"
    slots = (*query.slots, Slot(role=last.role, value=value, text=text))
    return query.model_copy(update={"slots": slots, "unread": ()})
