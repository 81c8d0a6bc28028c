"""What of a conversation a later question is about, as `tests.evaluation.fit_subject` fitted it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from ...tools.core.records import dataclass
from ...tools.model_zoo.language_model import is_language_model
from ...tools.model_zoo.members import members
from ..patterns import compiled
from ..thesaurus import senses
from .cast import Cast, Mention
from .classifier import classifier, hashed
from .decisions import corrects
from .pointing_words import OF_ALL, counted
from .query import CELLS, IN_USE, Query, Role, Slot
from .settling import settled
from .want import Want
from .wants import OF_HARDWARE

SUBJECTS = (Role.MODEL, Role.TARGET)
HOLDS = "holds"
_LIKELY, _BESIDE, _POSSIBLE, _TOGETHER = 0.5, 0.7, 0.2, 0.1
"""A mention is meant from the first on; beside another that is named from the second on, unless they are
compared; where none is and one is needed, the likeliest from the third on; one of several that were meant
together, of which one is meant again, from the last on: a row too many misleads less than one that is not
there."""
_ADDS = compiled(r"\b(?:add|adding|include|including|plus)\b", re.IGNORECASE)
_BESIDE_IT = compiled(
    r"\b(?:add|adding|also|too|as well|both|together|besides?|next to|alongside|plus|in turn|n?either)\b",
    re.IGNORECASE,
)
_EVERY = compiled(r"\ball (?:of )?(?:them|these|those)\b", re.IGNORECASE)
_OF_ONE = (Role.CLOCK_MHZ, Role.THREADS, Role.CARDS)
"""What the one target before keeps beside another."""
_MARKS = frozenset("!.;:,")
_PARTS = compiled(r"[a-z]+\d*|\d+")
_BILLIONS = compiled(r"(\d+(?:\.\d+)?)b\b")
Named = Collection[tuple[Role, float | str]]


@dataclass(frozen=True)
class _Company:
    """The mentions of one role, and what the question names of it."""

    role: Role
    all: Sequence[Mention]
    """In the order in which they came in."""
    lately: Sequence[Mention]
    """Those that the last turn with such a subject was about."""
    lapse: int
    """Turns since."""
    named: int
    of_the_other: int


def of_the_one_before(query: Query, earlier: Query) -> tuple[Slot, ...]:
    """The clock and threads of the one target before, which stay its own beside another."""
    before = set(earlier.all(Role.TARGET))
    own = [slot for slot in earlier.slots if slot.role in _OF_ONE and not query.has(slot.role)]
    own = [slot for slot in own if not is_supposed(earlier, slot)]
    return tuple(slot.model_copy(update={"of": next(iter(before))}) for slot in own if len(before) == 1)


def is_supposed(earlier: Query, slot: Slot) -> bool:
    """Whether a setting was asked about, what if it were so, and never said to be so."""
    past = reversed(earlier.established)
    said = (one for one in past if any(s.role is slot.role and s.text and not s.inherited for s in one.slots))
    return Want.WHAT_IF in next((one.likely[:1] for one in said if one.likely), ((None, 0.0),))[0]


def subject_slots(query: Query, earlier: Query) -> list[Slot]:
    """The networks and targets of the conversation that are meant, besides those that are named."""
    named = {(slot.role, slot.value) for slot in settled(query).slots if slot.role in SUBJECTS}
    if set(query.wants) == {Want.CHIP_FACTS} and any(role is Role.TARGET for role, _ in named):
        return []
    found = [] if _is_a_fact(query, earlier) else meant(query, named, earlier.cast)
    found = [each for each in found if each[1] not in query.left_out]
    out = set(query.all(Role.WITHOUT))
    slots: list[Slot] = []
    for role in SUBJECTS:
        values = [value for of, value in found if of == role and value not in out]
        if _is_decided(query, named, earlier, role):
            values = []
        own = [slot for slot in earlier.slots if slot.role is role]
        if role is Role.MODEL and not named and len(own) == 1 and not _POINTS.search(query.question):
            values = []
        if not values and all(of != role for of, _ in named):
            slots += [slot for slot in own if slot.value not in query.left_out]
        known = {slot.value: slot for slot in own}
        slots += [known.get(value) or Slot(role=role, value=value) for value in values]
    return slots


_POINTS = compiled(
    r"\b(?:ones?|other|both|each|first|second|third|last|former|latter|two|three|all|them|they|th[eo]se|back|\w+er"
    r"|models?|networks?|nets?|files?|why|which)\b",
    re.IGNORECASE,
)
"""Words by which another network than that of the question before may be meant."""


def _is_a_fact(query: Query, earlier: Query) -> bool:
    """Whether it asks the same again with a figure more, and names nothing that that is of."""
    again = bool(query.likely) and query.likely[0][0] is Want.SAME and not OF_ALL.search(query.question)
    one = all(len(set(earlier.all(role))) == 1 for role in SUBJECTS)
    return again and one and query.says(*_FACTS) and not query.has(*SUBJECTS)


_FACTS = (
    *CELLS, *IN_USE, Role.BATTERY_V, Role.SUPPLY_V, Role.SELF_DISCHARGE, Role.SLEEP_UA, Role.SLEEP_MW,
    Role.ACTIVE_UA, Role.ACTIVE_MW,
)  # fmt: skip
"""What a device is said to have beside the network and the board."""


def _is_decided(query: Query, named: Named, earlier: Query, role: Role) -> bool:
    """Whether all of a role are there: one was picked or is corrected, or the rest is out."""
    if role is not Role.TARGET:
        other = "instead" in query.asks or is_sibling(query, earlier)
        taken = other and any(of is role for of, _ in named) and Want.COMPARE not in query.wants
        return taken or (query.picks and any(slot.role is role and not slot.text for slot in query.slots))
    there = [slot for slot in query.slots if slot.role is Role.TARGET]
    if query.picks or any(slot.inherited for slot in there) or (there and corrects(query.question)):
        return True
    if Want.COMPARE in query.wants or "the_two" in query.asks:
        return False
    targets = {value for role, value in named if role is Role.TARGET}
    narrows = bool(targets) and targets <= set(earlier.all(Role.TARGET))
    narrows = narrows or (bool(targets) and query.wants[:1] == (Want.IMPROVE,))  # what to change there
    return narrows or (earlier.picks and not there)


def is_sibling(query: Query, earlier: Query) -> bool:
    """Whether another size of the network before is named, and not that both are meant."""
    both = _BESIDE_IT.search(query.question) or "the_two" in query.asks or OF_ALL.search(query.question)
    named = [slot.value for slot in query.slots if slot.role is Role.MODEL and slot.text]
    before = set(earlier.all(Role.MODEL))
    return not both and len(named) == 1 and bool(before & {*members(str(named[0]))} - {*named})


def meant(query: Query, named: Named, cast: Cast) -> list[tuple[Role, str]]:
    """What the user named before that the question is about, besides what it names itself.

    Args:
        named: role and value of what it names.
    """
    if {role for role, _ in named} == set(SUBJECTS):
        return []
    model = classifier("subject")
    compared = bool({Want.COMPARE, Want.WHY_SLOWER} & set(query.wants))
    needed = bool(query.wants) and query.wants[0] in OF_HARDWARE
    found: list[tuple[Role, str]] = []
    for role in SUBJECTS:
        chances = {
            str(mention.value): model.chances(hashed(features))[HOLDS]
            for mention, features in mentions(query, named, cast)
            if mention.role == role and (role, mention.value) not in named
        }
        alone = all(of != role for of, _ in named)
        least = _LIKELY if alone or compared else _BESIDE
        holding = [value for value, chance in chances.items() if chance >= least]
        if not holding and chances and needed and alone:
            best = max(chances, key=chances.__getitem__)
            holding = [best] if chances[best] >= _POSSIBLE else []
        together = _lately(role, cast)
        if len(together) > 1 and (_ADDS.search(query.question) or (alone and set(holding) & together)):
            holding = [v for v, c in chances.items() if v in holding or (v in together and c >= _TOGETHER)]
        other = next(one for one in SUBJECTS if one is not role)
        apart = any(of == other for of, _ in named) or (
            len(_lately(other, cast)) < 2 and not _came_first(role, other, cast)
        )
        if alone and apart and OF_ALL.search(query.question):
            every = _EVERY.search(query.question) and not counted(query.question)
            company = _came_together(role, cast) or _last_two(role, cast)
            company = together if len(together) > 1 else company
            company = {str(value) for value in cast.meant(role)} if every else company
            holding = [value for value in chances if value in company] or holding
        found += [(role, value) for value in holding]
    return found


def _lately(role: Role, cast: Cast) -> set[str]:
    """What the last turn with such a subject was about, without what only stood there to compare."""
    known = [mention for mention in cast.mentions if mention.role == role and mention.said]
    last = max((mention.about for mention in known), default=0)
    lately = [mention for mention in known if mention.about == last]
    named = max((mention.said for mention in lately), default=0)
    return {str(mention.value) for mention in lately if mention.said == named}


def _came_together(role: Role, cast: Cast) -> set[str]:
    """What the user named in one turn, the latest such turn."""
    turns = [mention.first for mention in cast.mentions if mention.role == role and mention.said]
    last = max((turn for turn in turns if turns.count(turn) > 1), default=0)
    return {str(m.value) for m in cast.mentions if m.role == role and m.said and m.first == last}


def _came_first(role: Role, other: Role, cast: Cast) -> bool:
    """Whether the latest pair that came in one after the other is of the other role."""
    firsts = {of: [m.first for m in cast.mentions if m.role == of and m.said] for of in (role, other)}
    pairs = len(firsts[role]) > 1 < len(firsts[other])
    return pairs and max(firsts[role]) < max(firsts[other])


def _last_two(role: Role, cast: Cast) -> set[str]:
    """What the user named one after the other, where both are meant."""
    return {str(value) for value in cast.meant(role)[-2:]}


def mentions(query: Query, named: Named, cast: Cast) -> Iterator[tuple[Mention, list[tuple[str, float]]]]:
    """Each network and target that the user named before, with its features."""
    people = "each" in query.words and "the_two" not in query.asks
    words = [word for word in query.words if word not in _MARKS and not (people and word == "each")]
    grams = dict.fromkeys((*words, *(f"{one} {other}" for one, other in pairwise(["^", *words, "$"]))))
    grams |= dict.fromkeys(f"%{sense}" for _, sense in senses(words))
    parts = {part for word in words if "_" not in word for part in _PARTS.findall(word)}
    for role in SUBJECTS:
        known = [mention for mention in cast.mentions if mention.role == role and mention.said]
        last = max((mention.about for mention in known), default=0)
        company = _Company(
            role=role,
            all=known,
            lately=[mention for mention in known if mention.about == last],
            lapse=min(cast.turn - last, 2),
            named=min(len({value for of, value in named if of == role}), 2),
            of_the_other=min(len({value for of, value in named if of != role}), 2),
        )
        for mention in known:
            now = (role, mention.value) in named
            shared = bool(_parts(query, mention) & parts)
            unlike = shared and not any(
                _parts(query, other) & _parts(query, mention) & parts
                for other in known
                if other is not mention
            )
            of_name = f"name {shared} {unlike} {now}"
            yield mention, [(of_name, 1.0), *_features(query, list(grams), mention, company, cast.turn)]


def _features(
    query: Query, grams: Sequence[str], mention: Mention, company: _Company, turn: int
) -> Iterator[tuple[str, float]]:
    lately, number = mention in company.lately, len(company.all)
    here = f"{company.role} {'last' if lately else 'before'} {company.lapse}"
    place = f"{company.role} {_place(company.all, mention)} of {min(number, 3)}"
    among = f"{_place(company.lately, mention) if lately else ''} of {min(len(company.lately), 3)}"
    latest = sorted(company.all, key=lambda each: -each.said).index(mention)
    yield f"{here} {company.named} {company.of_the_other}", 1.0
    yield f"{here} {company.named} {company.of_the_other} {among}", 1.0
    yield f"{place} {here} {company.named}", 1.0
    yield f"latest {latest} {number} {here} {company.named}", 1.0
    yield f"latest {latest == 0} {among} {here} {company.named}", 1.0
    yield f"age {here} {min(turn - mention.said, 4)} {company.named}", 1.0
    yield f"gap {here} {min(turn - mention.about, 4)}", 1.0
    yield f"length {here} {min(len(query.words) // 4, 4)}", 1.0
    for want, _ in query.likely[:2]:
        yield f"{want} {here} {company.named}", 1.0
        yield f"{want} {here} {min(len(company.lately), 2)}", 0.5
    kind, size = _kind(query, mention), _size(query, mention, company.all)
    for gram in grams:
        yield f"{gram}|{here}", 0.5
        yield f"{gram}|{here} {among}", 0.5
        yield f"{gram}|{place}", 0.4
        yield f"{gram}|{here} {company.named}", 0.4
        yield f"{gram}|{latest == 0} {here} {min(len(company.lately), 2)}", 0.4
        yield f"{gram}|latest {min(latest, 2)} of {min(number, 3)}", 0.3
        yield f"{gram}|{kind}", 0.3
        if size:
            yield f"{gram}|{size} {here}", 0.3


def _place(among: Sequence[Mention], mention: Mention) -> str:
    at = among.index(mention)
    if len(among) == 1:
        return "only"
    return "first" if at == 0 else "last" if at == len(among) - 1 else "between"


def _parts(query: Query, mention: Mention) -> set[str]:
    """Words and numbers of its name, of its maker too."""
    target = query.targets.get(str(mention.value))
    name = f"{target.id} {target.name} {target.vendor}" if target else str(mention.value)
    return set(_PARTS.findall(name.casefold()))


def _kind(query: Query, mention: Mention) -> str:
    """The class of a target; whether a network writes."""
    if mention.role == Role.TARGET:
        target = query.targets.get(str(mention.value))
        return str(target.target_class) if target else ""
    return "writes" if is_language_model(str(mention.value)) else "network"


def _size(query: Query, mention: Mention, among: Sequence[Mention]) -> str:
    """Whether it is the largest or the smallest of them: by price and memory, or by its name."""
    sizes = [_measure(query, each) for each in among]
    own = sizes[among.index(mention)]
    if len(sizes) < 2 or sizes.count(own) > 1:
        return ""
    return "largest" if own == max(sizes) else "smallest" if own == min(sizes) else ""


def _measure(query: Query, mention: Mention) -> tuple[float, float]:
    target = query.targets.get(str(mention.value))
    if target:
        return target.price_usd or 0.0, float(target.ram_bytes or 0)
    billions = _BILLIONS.search(str(mention.value))
    return (float(billions[1]) if billions else 0.0), 0.0
