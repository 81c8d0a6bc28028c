"""A question over the one before: what it takes over from it, takes back, or asks again of something else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import islice

from ...tools.model_zoo.language_model import is_language_model
from ..names import Kind
from ..patterns import compiled
from .bare_numbers import with_number
from .decisions import of_what_it_corrects, without_networks
from .demands import usual_side
from .factors import factor_in
from .hosts import with_what_it_carries
from .language import speaks_of_language_models
from .no_goals import DENIABLE
from .places import with_places_again
from .query import CELLS, LIMITS, Query, Role, Slot
from .said_again import with_count_instead
from .streams import how_many_asked, with_streams
from .subject import SUBJECTS, is_supposed, of_the_one_before, subject_slots
from .want import Want
from .wants import ALONE, QUANTITIES
from .words import patterns, spoken
from .writing import with_size

CHANGES = frozenset((Role.TECHNIQUE, Role.SIDE, Role.WIDTH, Role.DTYPE))
_OF_A_TARGET = frozenset(
    (Role.RUNTIME, Role.CLOCK_MHZ, Role.THREADS, Role.ACTIVE_UA, Role.ACTIVE_MW, Role.SLEEP_UA, Role.CARDS,
     Role.RENT)
)  # fmt: skip
"""What another target does away with."""
_OF_A_QUESTION = frozenset(
    (
        Role.CLAIMED_MS, Role.CLAIMED_HZ, Role.CLAIMED_UJ, Role.CLAIMED_MW, Role.CLAIMED_BYTES,
        Role.CLAIMED_GOPS, Role.CLAIMED_PERCENT, Role.RUNS, Role.VARIABLE, Role.GOAL, Role.LAYER,
        Role.TRACE, Role.TECHNIQUE, Role.TARGET_CLASS, Role.CLOCK_BEFORE_MHZ,
    )
)  # fmt: skip
"""What no later question has in mind, unless it asks for the same again."""
_OF_A_KIND = {
    Role.MODEL, Role.RUNTIME, Role.DTYPE, Role.SIDE, Role.WIDTH, Role.BATCH, Role.THREADS, Role.RATE_HZ,
    Role.LATENCY_MS, Role.DEVICES, Role.SEQUENCE, Role.WEIGHTS, Role.KV, Role.CONTEXT, Role.PROMPT,
    Role.ENGINE, Role.WRITTEN,
}  # fmt: skip
"""What is asked of networks, or of language models, and not of both."""
_LIFTS = {
    "battery": (*CELLS, Role.BATTERY_V, Role.CELLS, Role.SERIES, Role.LIFE_MS),
    "sensor": (Role.SENSOR_UA, Role.SENSOR_MW),
    "price": (Role.PRICE_USD,), "latency": (Role.LATENCY_MS,), "rate": (Role.RATE_HZ,),
    "ram": (Role.RAM_BYTES, Role.TAKEN_BYTES), "flash": (Role.FLASH_BYTES, Role.TAKEN_FLASH_BYTES),
    "power": (Role.POWER_MW, Role.CURRENT_UA, Role.ENERGY_UJ), "clock": (Role.CLOCK_MHZ,),
    "batch": (Role.BATCH,), "change": tuple(CHANGES), "all": (*LIMITS, *CHANGES),
}  # fmt: skip
"""What is taken back by such words: `forget the battery`, `undo all that`."""
_ALIKE_AS = compiled(r"\b(?:the )?same\b|\bas (?:before|above)\b", re.IGNORECASE)
"""Beside another network and board: the demands stay."""
_THE_SAME = compiled(
    r"(?:\W*(?:and|ok|okay|now|then|so|or|what about)\b)*\W*(?:the )?same\b(?! (?:\w+ )?than)", re.I
)
"""It begins with asking the same again."""
_SETTINGS = CHANGES | {Role.CLOCK_MHZ, Role.BATCH, Role.THREADS, Role.WEIGHTS, Role.KV}
_ALIKE = {
    "clock": Role.CLOCK_MHZ, "kernels": Role.RUNTIME, "threads": Role.THREADS, "batch": Role.BATCH,
}  # fmt: skip
"""What another target keeps where it is asked to be the same."""
_FOR_ONCE = frozenset(("without any changes", "original"))
"""What a question leaves as it is, and none of those after it."""
_KEPT_ASKS = frozenset(("arena", "energy", "flash", "power", "ram", "throughput"))
_CHOICES = frozenset((Want.RECOMMEND, Want.CHEAPEST, Want.COMPARE))


def of_its_kind(query: Query, earlier: Query) -> Query:
    """What a language model is asked takes nothing over from a network, and a network nothing from one."""
    before, now = earlier.text(Role.MODEL), query.text(Role.MODEL)
    writes = is_language_model(now) if now else speaks_of_language_models(query.question)
    if not before or writes is is_language_model(before) or not (writes or now):
        return earlier
    return earlier.without(_OF_A_KIND).model_copy(update={"topic": (), "shown": (), "picked": ()})


def with_earlier(query: Query, earlier: Query) -> Query:
    """With the slots of the question before under its own, and its wants where it has none."""
    query = without_networks(with_size(query, earlier.cast.by_meaning(Role.MODEL)))
    if len(caches := earlier.all(Role.KV)) > 1:
        earlier = earlier.put(Role.KV, *(caches[1:] if len(caches) == _TWO else ()))
    query, earlier = _without_lifted(query, earlier)
    query = _in_its_memory(_singly(query, earlier), earlier)
    if query.wants and query.wants[0] in ALONE:
        return query.model_copy(update={"slots": _inherited(earlier.slots)})
    query = with_places_again(with_count_instead(query, earlier), earlier)
    earlier = earlier.without([Role.DEVICES]) if how_many_asked(query) else earlier
    query = with_number(with_streams(query, earlier), earlier)
    query, again = _with_wants(_as_suggested(of_what_it_corrects(query, earlier), earlier), earlier)
    ended, named = _ended(query, earlier, again=again), query.says(Role.TARGET)
    kept = tuple(
        slot
        for slot in earlier.slots
        if (slot.role not in ended or _of_another_card(slot, query, earlier))
        and slot.role not in SUBJECTS
        and slot.value not in query.left_out
        and not (slot.role is Role.WEIGHTS and slot.inherited and earlier.says(slot.role))
        and not (slot.role is Role.WEIGHTS and slot.chance < 1.0 and Role.MODEL in ended)
        and not (slot.role is Role.WITHIN and slot.chance < 1.0 and not again)
        and not (named and len(set(earlier.all(slot.role))) > 1 and is_supposed(earlier, slot))
        and not (slot.role is Role.WITHOUT and named and slot.value in query.all(Role.TARGET))
        and not (slot.role is Role.WITHOUT and slot.value in query.all(Role.WITHOUT))
    )
    excluded = frozenset[str]()
    if not set(LIMITS) <= ended:
        excluded = earlier.excluded - {*_FOR_ONCE, *spoken("allowed", query.question)}
    subject = [] if _is_open(query) else subject_slots(query, earlier)
    beside = named and any(s.role is Role.TARGET for s in subject)
    own = of_the_one_before(query, earlier) if beside else ()
    query, rents = _of_each(query, earlier, beside=beside)
    slots = (*query.slots, *_inherited((*subject, *kept, *own, *rents)))
    notes = (*query.notes, *_of_a_stand_in(query, earlier))
    query = query.model_copy(update={"slots": slots, "excluded": query.excluded | excluded, "notes": notes})
    return with_what_it_carries(query, earlier)


def _of_another_card(slot: Slot, query: Query, earlier: Query) -> bool:
    """How many there are of a card that is not named now, for a language model."""
    writes = any(map(is_language_model, (*query.all(Role.MODEL), *earlier.all(Role.MODEL))))
    counts = writes and slot.role is Role.CARDS and slot.of in query.targets
    return counts and slot.of not in query.all(Role.TARGET)


def _of_each(query: Query, earlier: Query, *, beside: bool) -> tuple[Query, list[Slot]]:
    """What an hour costs is of the card that it was said of, a clock and memory of the board that joins."""
    now = {s.value: s.text for s in query.slots if s.role is Role.TARGET}
    if len(now) != 1 or not query.says(Role.TARGET):
        return query, []
    both = (Role.RENT, Role.RAM_BYTES) if beside and query.says(Role.RAM_BYTES) else (Role.RENT,)
    own = (*both, Role.CLOCK_MHZ, Role.THREADS) if beside else both
    of, before = next(iter(now.values())), earlier.text(Role.TARGET)
    mine = [s.model_copy(update={"of": s.of or of}) if s.role in own else s for s in query.slots]
    rents = [s.model_copy(update={"of": s.of or before}) for s in earlier.slots if s.role in both]
    rents = [s for s in rents if s.of not in (of, *now)]
    return query.model_copy(update={"slots": tuple(mine)}), rents


def _is_open(query: Query) -> bool:
    """Whether hardware is looked for by a question that is whole by itself: what for, with what demands."""
    whole = query.says(Role.MODEL) and query.says(*LIMITS) and not query.says(Role.TARGET)
    return whole and Want.RECOMMEND in query.wants and "the_two" not in query.asks


_STRANGE = " is not known here: this is for "


def _of_a_stand_in(query: Query, earlier: Query) -> list[str]:
    """That another board stands for the one that was asked about and is not known, until one is named."""
    if query.says(Role.TARGET) or query.unknown or not earlier.has(Role.TARGET):
        return []
    strange = [one.text for one in earlier.unknown if one.kind is Kind.TARGET]
    notes = [f"{text}{_STRANGE}{earlier.text(Role.TARGET)}" for text in strange]
    return notes or [note for note in earlier.notes if _STRANGE in note]


def _of_the_job(query: Query, earlier: Query) -> bool:
    """Whether a price, or other hardware, is of the job before."""
    job = earlier.has(Role.RUNS) and not earlier.has(Role.RATE_HZ) and not query.says(Role.RATE_HZ)
    writes = any(map(is_language_model, earlier.all(Role.MODEL)))
    return job and not writes and query.says(Role.RENT, Role.TARIFF, Role.TARGET, Role.CARDS)


def _ended(query: Query, earlier: Query, *, again: bool) -> set[Role]:
    """Whose figures of before hold no longer: those of one question, another board or another network."""
    own = {slot.role for slot in query.slots}
    ended = own - {Role.WITHOUT}
    if not again:
        ended |= _OF_A_QUESTION - ({Role.GOAL} if Want.IMPROVE in query.wants else set())
        ended -= set() if Role.RUNS in own or not _of_the_job(query, earlier) else {Role.RUNS}
    if not query.has(Role.MODEL) and not earlier.has(Role.MODEL):
        ended -= {Role.CLAIMED_MS, Role.CLAIMED_UJ, Role.CLAIMED_MW} - own
    if query.excluded & _FOR_ONCE:
        ended |= CHANGES
    if Role.TARGET in own and not set(query.all(Role.TARGET)) <= set(earlier.all(Role.TARGET)):
        same = {Role.SLEEP_UA, Role.ACTIVE_MW, Role.ACTIVE_UA} if Want.COMPARE in query.wants else set()
        ended |= _OF_A_TARGET - same
    if Role.DEVICES in own:
        ended.add(Role.PLACES)
    if Role.BATTERY in own:
        ended |= {Role.BATTERY_V, Role.CELLS, Role.SERIES}
    together = (earlier.number(Role.RATE_HZ) or 0.0) * (earlier.number(Role.DEVICES) or 0.0)
    if together and query.number(Role.RATE_HZ) == together:
        ended.add(Role.DEVICES)
    if Role.MODEL in own:
        ended |= {Role.WIDTH} if _is_alike(query, earlier) else {Role.DTYPE, Role.SIDE, Role.WIDTH}
    goes_on = query.written_out or "instead" in query.asks or _ALIKE_AS.search(query.question) is not None
    named = {slot.role for slot in query.slots if slot.text}
    if named >= {Role.MODEL, Role.TARGET} and not goes_on:
        ended |= set(LIMITS)
    alike = {_ALIKE[name] for name in spoken("alike", query.question) if name in _ALIKE}
    return ended - (alike - own)


def _is_alike(query: Query, earlier: Query) -> bool:
    """Whether another network is built as the one before: by its name, for inputs of the usual size of it."""
    sides = {usual_side(name) for name in (*query.all(Role.MODEL), *earlier.all(Role.MODEL))}
    return len(sides) == 1 and None not in sides


def _singly(query: Query, earlier: Query) -> Query:
    """`And one image at a time?` after a batch."""
    found = patterns("settles")["singly"].search(query.question)
    if found is None or query.says(Role.BATCH) or not earlier.has(Role.BATCH):
        return query
    return query.without([Role.VARIABLE]).put(Role.BATCH, 1.0, text=found[0])


_ROOM_OF = {Want.FLASH: (Role.RAM_BYTES, Role.FLASH_BYTES), Want.RAM: (Role.FLASH_BYTES, Role.RAM_BYTES)}
_THERE = compiled(r"\b(?:only |just )?(?:have|has|got|there (?:is|are)|of)\W+(?:only |just )?$", re.I)


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


def _inherited(slots: tuple[Slot, ...]) -> tuple[Slot, ...]:
    return tuple(slot.model_copy(update={"inherited": True}) for slot in slots)


def _as_suggested(query: Query, earlier: Query) -> Query:
    """At the clock that an answer found, with the change that it suggests or that was asked about last."""
    own = {slot.role for slot in query.slots}
    if query.excluded & _FOR_ONCE:
        left: list[Want] = [want for want in query.wants if want is not Want.WHAT_IF]
        return query.without([Role.VARIABLE]).model_copy(update={"wants": tuple(left) or (Want.SAME,)})
    found = [(role, value) for role, value in earlier.cast.suggested(_FOUND) if role not in own]
    if found and "there" in spoken("refers", query.question):
        slots = tuple(Slot(role=Role(role), value=value) for role, value in found)
        wants = tuple(want for want in query.wants if want is not Want.LIMIT)
        return query.model_copy(update={"slots": (*query.slots, *slots), "wants": wants})
    suggested = [str(value) for _, value in earlier.cast.suggested((Role.TECHNIQUE,))]
    last = list(earlier.all(Role.TECHNIQUE)) if Want.WHAT_IF in earlier.topic else []
    refers = spoken("refers", query.question)
    new = {slot.role for slot in query.slots if not refers or slot.value not in earlier.all(slot.role)}
    if new & {*(CHANGES - {Role.TECHNIQUE}), *SUBJECTS}:
        return query
    if spoken("combined", query.question):
        meant = (*earlier.cast.meant(Role.TECHNIQUE), *query.all(Role.TECHNIQUE))
        known = list(map(str, dict.fromkeys(meant)))[-2:]
        changes = (
            known
            if len(known) > 1
            else _best_two([each for each in suggested if not each.startswith("runtime-")])
        )
    elif spoken("fix", query.question) and not query.has(Role.TECHNIQUE):
        changes = last or suggested[:1]
    else:
        still = (
            query.wants and set(query.wants) <= _OF_A_CHANGE and set(query.all(Role.TECHNIQUE)) <= set(last)
        )
        still = still and not new - {Role.TECHNIQUE, Role.GOAL, Role.VARIABLE, *LIMITS}
        each = "the_two" in query.asks and len(earlier.cast.meant(Role.TARGET)) > 1
        changes = last if (still and not each) or "after" in refers else []
    if not changes:
        return query
    claimed: list[Want] = [Want.PLAUSIBLE] if factor_in(query.question) else []
    quantities: list[Want] = [] if claimed else [want for want in query.wants if want in QUANTITIES]
    asked: tuple[Want, ...] = (*claimed, Want.WHAT_IF, *quantities)
    plain = query.without([Role.GOAL, Role.VARIABLE]).put(Role.TECHNIQUE, *changes)
    return plain.model_copy(update={"wants": asked})


_OF_A_CHANGE = QUANTITIES | {Want.WHAT_IF, Want.PLAUSIBLE, Want.WHY_SLOWER}
"""What is asked of a network as it was changed."""


def _best_two(changes: Sequence[str]) -> list[str]:
    """The first, and the next that is of another kind: two sizes of the input do not go together."""
    of_another_kind = (name for name in changes if not name.startswith(changes[0].partition("-")[0]))
    return [*changes[:1], *islice(of_another_kind, 1)]


_FOUND = (Role.CLOCK_MHZ, Role.BATCH, Role.SIDE)
"""What an answer may have found the end of."""


def _with_wants(query: Query, earlier: Query) -> tuple[Query, bool]:
    """What is wanted, and whether that is the same again."""
    wants = tuple(want for want in query.wants if want is not Want.SAME)
    if _goes_on_with_errors(query, earlier):
        of = (want for want, chance in query.likely if want in QUANTITIES and chance >= _OF_ANOTHER)
        kinds = () if query.says(Role.TARGET_CLASS) else earlier.all(Role.TARGET_CLASS)
        query = query.put(Role.TARGET_CLASS, *kinds) if kinds else query
        return query.model_copy(update={"wants": (Want.ERROR, *islice(of, 1))}), False
    if _goes_on_with_accuracy(query, earlier):
        return query.model_copy(update={"wants": (Want.ACCURACY,)}), False
    judged = tuple(want for want in earlier.topic if want in (Want.FITS, Want.MEETS))
    if "why_not" in query.asks and judged:
        return query.model_copy(update={"wants": (*judged, Want.PLACEMENT)}), False
    if _fits_beside(query, earlier, wants):
        return query.model_copy(update={"wants": (Want.FITS, *wants)}), False
    allowed = Want.IMPROVE in earlier.topic and spoken("allowed", query.question) and not query.excluded
    the_same = query.says(Role.TARGET) and _THE_SAME.match(query.question) is not None
    wants = () if allowed or the_same else wants
    refers = allowed or Want.SAME in query.wants or query.slots or query.unread or query.left_out
    if wants or not refers:
        return query.model_copy(update={"wants": wants}), False
    choices = _CHOICES if query.picks else _CHOICES - {Want.COMPARE} if query.says(Role.TARGET) else ()
    asked = tuple(want for want in earlier.topic if want not in choices) or (Want.FITS, Want.LATENCY)
    if asked == (Want.BOUND,) and query.says(Role.TARGET) and earlier.has(*LIMITS):
        asked = (Want.MEETS, *asked)
    asks = query.asks | (earlier.asks & _KEPT_ASKS)
    return query.model_copy(update={"wants": asked, "asks": asks}), True


def _fits_beside(query: Query, earlier: Query, wants: Sequence[Want]) -> bool:
    """Whether another board or network is named where it was asked what fits beside a reserve."""
    reserved = earlier.has(Role.TAKEN_BYTES, Role.TAKEN_FLASH_BYTES) and Want.FITS in earlier.topic
    likely = dict(query.likely)
    surely = any(likely.get(want, 0.0) >= _SURE_OF_ANOTHER for want in wants)
    plain = set(wants) <= {Want.LATENCY, Want.THROUGHPUT, Want.RAM, Want.FLASH} and not surely
    return reserved and plain and query.says(Role.MODEL, Role.TARGET)


_OF_ANOTHER, _UNSURE, _SHORT, _SURE_OF_ANOTHER = 0.15, 0.3, 8, 0.6


def _goes_on_with_errors(query: Query, earlier: Query) -> bool:
    """Whether how far off figures are is asked again, of another quantity or class: `and for latency?`"""
    if earlier.wants[:1] != (Want.ERROR,) or query.has(Role.MODEL) or earlier.has(Role.MODEL):
        return False
    likely = {want for want, chance in query.likely if chance >= _OF_ANOTHER}
    other = query.says(Role.TARGET_CLASS) or likely & QUANTITIES
    main, chance = next(iter(query.likely), (Want.SAME, 1.0))
    plain = main in QUANTITIES | {Want.SAME} or chance < _UNSURE
    return bool(other and plain) and len(query.question.split()) <= _SHORT


def _goes_on_with_accuracy(query: Query, earlier: Query) -> bool:
    """Whether the accuracy is asked again, of another network, size or type: `and efficientnet_lite0?`"""
    if earlier.wants[:1] != (Want.ACCURACY,) or query.says(Role.TARGET):
        return False
    main, chance = next(iter(query.likely), (Want.SAME, 1.0))
    plain = main in (Want.SAME, Want.COMPARE, Want.DIFF, Want.WHAT_IF, Want.ACCURACY) or chance < _UNSURE
    other = query.says(Role.MODEL, Role.SIDE, Role.WIDTH, Role.DTYPE)
    return other and plain and len(query.question.split()) <= _SHORT


def _without_lifted(query: Query, earlier: Query) -> tuple[Query, Query]:
    """Without what the user takes back; `scrap that` is what was said last, alone it asks the same again."""
    reads = patterns("settles")
    if reads["undone"].search(query.question):
        return query, _as_it_was(earlier)
    found = reads["lifts"].search(query.question) or reads["softened"].search(query.question)
    if found is None:
        return query, earlier
    what = found["what"].casefold()
    named = spoken("lifted", what)
    roles: AbstractSet[Role] = {role for name in named for role in _LIFTS[name]}
    if not named and what.split()[0] in ("both", "these", "those", "them"):
        roles = _SETTINGS & {slot.role for slot in earlier.slots}
    elif not named and what.split()[0] in ("that", "this", "it"):
        roles = {slot.role for slot in earlier.slots if not slot.inherited} - {Role.MODEL, Role.TARGET}
    if not roles:
        return query, earlier
    topic = tuple(want for want in earlier.topic if "battery" not in named or want is not Want.BATTERY_LIFE)
    earlier = earlier.without(roles).model_copy(update={"topic": topic})
    goals = {"energy" if name == "power" else name for name in named} & DENIABLE
    slots = (s for s in query.slots if not (s.role is Role.GOAL and s.value in goals))
    slots = (s for s in slots if not s.text or s.text not in found["what"])
    query = query.model_copy(update={"slots": tuple(slots), "no_goals": query.no_goals | goals})
    if not query.question[: found.start()].split() and not query.question[found.end() :].strip(" .!"):
        query = query.model_copy(update={"wants": (Want.SAME,)})
    return query, earlier


def _as_it_was(earlier: Query) -> Query:
    """Without the settings that the question before brought, with those that it changed."""
    new = {slot.role for slot in earlier.slots if not slot.inherited} & (_SETTINGS | {Role.RUNTIME})
    past = earlier.established[-2].slots if len(earlier.established) > 1 else ()
    kept = earlier.without(new)
    return kept.model_copy(update={"slots": (*kept.slots, *(slot for slot in past if slot.role in new))})


_TWO = 2
