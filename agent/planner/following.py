"""A question over the one before: what it takes over from it, takes back, or asks again of something else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from ...tools.model_zoo.language_model import is_language_model
from ..names import Kind
from ..quantities import Family, find_figures
from .asked_unit import price_in
from .demands import usual_side
from .factors import factor_in
from .language import speaks_of_language_models
from .query import LIMITS, Query, Role, Slot
from .subject import SUBJECTS, of_the_one_before, subject_slots
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
        Role.TRACE, Role.TECHNIQUE, Role.TARGET_CLASS, Role.CLOCK_BEFORE_MHZ, Role.WRITTEN,
    )
)  # fmt: skip
"""What no later question has in mind, unless it asks for the same again."""
_OF_A_KIND = {
    Role.MODEL, Role.RUNTIME, Role.DTYPE, Role.SIDE, Role.WIDTH, Role.BATCH, Role.THREADS, Role.RATE_HZ,
    Role.LATENCY_MS, Role.DEVICES, Role.SEQUENCE, Role.WEIGHTS, Role.KV, Role.CONTEXT, Role.PROMPT,
    Role.ENGINE,
}  # fmt: skip
"""What is asked of networks, or of language models, and not of both."""
_LIFTED = re.compile(
    r"\b(?:forget|drop|ignore|scrap|skip|never ?mind|remove|lift|undo|leave out)\b(?: about)?"
    r"(?! (?:[\w-]+ ){0,3}(?:to|from|by)\b)(?P<what>(?: [\w-]+){1,3})",
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
_BESIDE_A_RATE = frozenset((Role.GOAL, Role.VARIABLE, Role.CLAIMED_MS))
_FACTS = frozenset((Want.PRICE, Want.AVAILABILITY, Want.CHIP_FACTS, Want.MODEL_FACTS))
_VERDICTS = frozenset((Want.FITS, Want.MEETS))
_OF_MEMORY = frozenset(
    (Want.FITS, Want.MEETS, Want.RAM, Want.FLASH, Want.LATENCY, Want.ENERGY, Want.THROUGHPUT, Want.WHAT_IF)
)
"""What can be asked of a model after a change."""


def of_its_kind(query: Query, earlier: Query) -> Query:
    """What a language model is asked takes nothing over from a network, and a network nothing from one."""
    before, now = earlier.text(Role.MODEL), query.text(Role.MODEL)
    writes = is_language_model(now) if now else speaks_of_language_models(query.question)
    if not before or writes is is_language_model(before) or not (writes or now):
        return earlier
    return earlier.without(_OF_A_KIND).model_copy(update={"topic": (), "shown": (), "picked": ()})


def with_earlier(query: Query, earlier: Query) -> Query:
    """With the slots of the question before under its own, and its wants where it has none."""
    query, earlier = _without_lifted(with_size(query, earlier.cast.by_meaning(Role.MODEL)), earlier)
    query = _as_setting(_in_its_memory(query, earlier), earlier)
    if query.wants and query.wants[0] in ALONE:
        return query.model_copy(update={"slots": _inherited(earlier.slots)})
    query, again = _with_wants(_with_number(query, earlier), earlier)
    query = _with_changes(query, earlier)
    if {Want.COMPARE, Want.WHY_SLOWER} & set(query.wants) and query.has(Role.DTYPE):
        query = _beside_type(query, earlier)
    ended, named = _ended(query, earlier, again=again), query.says(Role.TARGET)
    kept = tuple(
        slot
        for slot in earlier.slots
        if slot.role not in ended
        and slot.role not in SUBJECTS
        and slot.value not in query.left_out
        and not (slot.chance < 1.0 and (slot.role is Role.WEIGHTS and Role.MODEL in ended))
        and not (slot.role is Role.WITHIN and slot.chance < 1.0 and not again)
        and not (slot.role is Role.WITHOUT and named and slot.value in query.all(Role.TARGET))
        and not (slot.role is Role.WITHOUT and slot.value in query.all(Role.WITHOUT))
    )
    excluded = frozenset[str]()
    if not set(LIMITS) <= ended:
        excluded = earlier.excluded - frozenset(spoken("allowed", query.question))
    subject = subject_slots(query, earlier)
    own = of_the_one_before(query, earlier) if named and any(s.role is Role.TARGET for s in subject) else ()
    slots = (*query.slots, *_inherited((*subject, *kept, *own)))
    notes = (*query.notes, *_of_a_stand_in(query, earlier))
    return query.model_copy(update={"slots": slots, "excluded": query.excluded | excluded, "notes": notes})


_STRANGE = " is not known here: this is for "


def _of_a_stand_in(query: Query, earlier: Query) -> list[str]:
    """That another board stands for the one that was asked about and is not known, until one is named."""
    if query.says(Role.TARGET) or query.unknown or not earlier.has(Role.TARGET):
        return []
    strange = [one.text for one in earlier.unknown if one.kind is Kind.TARGET]
    notes = [f"{text}{_STRANGE}{earlier.text(Role.TARGET)}" for text in strange]
    return notes or [note for note in earlier.notes if _STRANGE in note]


def _ended(query: Query, earlier: Query, *, again: bool) -> set[Role]:
    """Whose figures of before hold no longer: those of one question, another board or another network."""
    own = {slot.role for slot in query.slots}
    ended = own - {Role.WITHOUT}
    if not again:
        ended |= _OF_A_QUESTION - ({Role.GOAL} if Want.IMPROVE in query.wants else set())
    if "without any changes" in query.excluded:
        ended |= CHANGES
    if Role.TARGET in own and not set(query.all(Role.TARGET)) <= set(earlier.all(Role.TARGET)):
        same = {Role.SLEEP_UA, Role.ACTIVE_MW, Role.ACTIVE_UA} if Want.COMPARE in query.wants else set()
        ended |= _OF_A_TARGET - same
    if Role.RATE_HZ in own:
        ended.add(Role.DEVICES)
    if Role.MODEL in own:
        ended |= {Role.WIDTH} if _is_alike(query, earlier) else {Role.DTYPE, Role.SIDE, Role.WIDTH}
    if own >= {Role.MODEL, Role.TARGET}:
        ended |= set(LIMITS)
    return ended


def _is_alike(query: Query, earlier: Query) -> bool:
    """Whether another network is built as the one before: by its name, for inputs of the usual size of it."""
    sides = {usual_side(name) for name in (*query.all(Role.MODEL), *earlier.all(Role.MODEL))}
    return len(sides) == 1 and None not in sides


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
    typed = own == {Role.DTYPE} and {Want.SAME, Want.WHAT_IF} & set(dict(query.likely[:2]))
    if typed and not spoken("weighed", query.question):
        return query.model_copy(update={"slots": plain, "wants": (Want.SAME,)})
    return query


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
    allowed = bool(spoken("allowed", query.question))
    if allowed and Want.IMPROVE in earlier.topic:
        wants = ()
    limits_alone = bool(own & set(LIMITS)) and own <= {*LIMITS, Role.GOAL, Role.VARIABLE}
    if limits_alone and Want.MEETS in earlier.topic and set(wants) <= _JUDGED_AGAIN:
        wants = ()
    told = {slot.role for slot in query.slots if not slot.inherited} - _BESIDE_A_RATE
    asked = set(wants) <= {Want.BATTERY_LIFE, Want.POWER, Want.PLAUSIBLE, *_JUDGED_AGAIN}
    if told == {Role.RATE_HZ} and earlier.topic[:1] == (Want.BATTERY_LIFE,) and asked:
        rest = tuple(each for each in query.likely if each[0] not in _JUDGED_AGAIN)
        query = query.without(_BESIDE_A_RATE)
        return query.model_copy(update={"wants": (Want.BATTERY_LIFE,), "likely": rest}), True
    if wants == (Want.COMPARE,) and not own and Want.COMPARE not in earlier.topic:
        wants = ()
    short = len(query.question.split()) <= _BARE and query.asks <= {"shrink"} and Want.SAME not in said
    bare = short and not query.unread and Want.COMPARE in earlier.topic and _is_doubtful(query)
    judged = set(earlier.topic) & {*_VERDICTS, Want.PLAUSIBLE} and spoken("brief", query.question)
    if not own and (bare or judged):
        return query.model_copy(update={"wants": earlier.topic}), True
    quantities = earlier.topic and not set(earlier.topic) & _CHOICES
    if own & _SUBJECT and own <= _OF_ANOTHER and quantities and _is_doubtful(query):
        wants = ()
    same = {Want.SAME, Want.COMPARE} & set(said) or own or query.left_out or query.unread or allowed
    known = {(slot.role, slot.value) for slot in earlier.slots}
    nothing_new = {(slot.role, slot.value) for slot in query.slots} <= known
    if own & _SUBJECT and nothing_new and Want.SAME not in said:
        wants = wants or tuple(want for want, _ in query.likely[:1])
    if not wants and (same or limits_alone):
        asks = query.asks | (earlier.asks & _KEPT_ASKS)
        return query.model_copy(update={"wants": _again(query, earlier), "asks": asks}), True
    if Want.SAME in said:
        left_out = _FACTS if wants else frozenset[Want]()
        left_out |= _left_behind(query)
        wants = (*wants, *(want for want in earlier.topic if want not in left_out))
    elif {Want.WHAT_IF, Want.COMPARE} & set(wants) and not set(wants) & QUANTITIES:
        wants = (*wants, *(want for want in earlier.topic if want in QUANTITIES - {Want.FITS}))
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
    asked = tuple(want for want in earlier.topic if want not in _left_behind(query))
    return asked or (Want.FITS, Want.LATENCY)


def _left_behind(query: Query) -> frozenset[Want]:
    """Where one is taken, or a board is named, none is to be chosen any more."""
    return _CHOICES if query.picks else _CHOICES - {Want.COMPARE} if query.says(Role.TARGET) else frozenset()


_BARE = 4
"""Words of a question that names nothing: it is about the difference that was just told."""
_FOUND = (Role.CLOCK_MHZ, Role.BATCH, Role.SIDE)
"""What an answer may have found the end of."""


def _with_changes(query: Query, earlier: Query) -> Query:
    """At the clock that was found, both of the changes that were spoken of, what holds after the last one."""
    own = {slot.role for slot in query.slots}
    found = [
        Slot(role=role, value=value) for role, value in earlier.cast.suggested(_FOUND) if role not in own
    ]
    if found and "there" in spoken("refers", query.question) and not own & set(CHANGES):
        wants: tuple[Want, ...] = tuple(want for want in query.wants if want is not Want.LIMIT)
        return query.model_copy(update={"slots": (*query.slots, *found), "wants": wants})
    suggested = [str(value) for _, value in earlier.cast.suggested((Role.TECHNIQUE,))]
    plain = query.without([Role.GOAL, Role.VARIABLE])
    last = earlier.all(Role.TECHNIQUE) if Want.WHAT_IF in earlier.topic else ()
    if (last or suggested) and spoken("fix", query.question) and not query.has(Role.TECHNIQUE):
        return _changed(plain.put(Role.TECHNIQUE, *(last or suggested[:1])))
    if own & {*(CHANGES - {Role.TECHNIQUE}), Role.TARGET, Role.MODEL}:
        return query
    meant = (*earlier.cast.meant(Role.TECHNIQUE), *query.all(Role.TECHNIQUE))
    known = list(map(str, dict.fromkeys(meant)))[-2:]
    both = spoken("combined", query.question) or ("both" in query.asks and Want.WHAT_IF in earlier.topic)
    if both and (not query.wants or Want.WHAT_IF in query.wants or spoken("combined", query.question)):
        several = known if len(known) > 1 else _best_two(suggested[-_LISTED:])
        return _changed(plain.put(Role.TECHNIQUE, *several)) if len(several) > 1 else query
    again = query.all(Role.TECHNIQUE)
    alone = set(again) <= set(last) and not own - {Role.TECHNIQUE, Role.GOAL, Role.VARIABLE, *LIMITS}
    if not last or not alone or not query.wants:
        return query
    doubted = {Want.PLAUSIBLE, Want.WHY_SLOWER} & set(query.wants) or "why" in query.asks
    if doubted and factor_in(query.question):
        query = query.put(Role.TECHNIQUE, *(again or last))
        return query.model_copy(update={"wants": (Want.PLAUSIBLE, Want.WHAT_IF)})
    if set(query.wants) <= _OF_MEMORY:
        query = query.model_copy(update={"wants": (*query.wants, Want.LATENCY)})
        return _changed(query.put(Role.TECHNIQUE, *(again or last)))
    return query


_LISTED = 4
"""Changes that an answer lists, the best first."""


def _best_two(changes: Sequence[str]) -> list[str]:
    """The first, and the next that is of another kind: two sizes of the input do not go together."""
    of_another_kind = (name for name in changes if not name.startswith(changes[0].partition("-")[0]))
    return [*changes[:1], *islice(of_another_kind, 1)]


def _changed(query: Query) -> Query:
    wants = (Want.WHAT_IF, *(want for want in query.wants if want in QUANTITIES))
    return query.model_copy(update={"wants": tuple(dict.fromkeys(wants))})


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
