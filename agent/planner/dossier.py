"""What a conversation came to before a choice: what is chosen from, what is demanded, what it aims at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from ...tools.core.records import dataclass
from ...tools.model_zoo.language_model import is_language_model
from .no_goals import denied
from .owners import of_target
from .pointing_words import counted
from .query import CELLS, IN_USE, LIMITS, Query, Role, Slot
from .shown import kernels_of, targets_of
from .want import Want
from .wants import CLAIMS, QUANTITIES
from .words import patterns, spoken, spoken_in_turn

_DEMANDED = (*LIMITS, *CELLS, Role.BATTERY_V, Role.SERIES, Role.CELLS, Role.LIFE_MS, Role.PIECES, *IN_USE)
_OF_ITS_OWN = (Role.RUNTIME, Role.ENGINE, Role.DTYPE, Role.CLOCK_MHZ, Role.THREADS)
"""What each was asked about with; the size of the network is that of the conversation by now."""
_AIMS = (
    Want.BATTERY_LIFE, Want.ENERGY, Want.POWER, Want.PRICE, Want.PER_WATT, Want.PER_PRICE,
)  # fmt: skip
_OF_TIME = (Want.LATENCY, Want.THROUGHPUT)
_SAME_AIM = {Want.CHEAPEST: Want.PRICE}
_GOALS = {"latency": Want.LATENCY, "energy": Want.ENERGY, "ram": Want.RAM, "flash": Want.FLASH,
          "price": Want.PRICE}  # fmt: skip
_SAYS = patterns("choosing")
_MOST, _MOST_NETWORKS, _PAIR = 6, 3, 2
_CHOOSE = (Want.RECOMMEND, Want.RECOMMEND_MODEL)
_ASKED = 0.35
"""Chance from which on it asks to choose whose likeliest want that is."""


@dataclass(frozen=True)
class Dossier:
    """What is to be chosen from, each with a query a network, and by what."""

    query: Query
    """With all that is demanded of each."""
    role: Role
    """What they are: targets, or networks of one target."""
    contenders: Mapping[str, tuple[Query, ...]]
    aim: Want | None
    """What the conversation is after besides its limits."""
    stated: bool
    """Whether the user said so, rather than asked about it."""
    past: tuple[Query, ...]

    @property
    def networks(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.text(Role.MODEL) for of in self.contenders.values() for one in of))

    @property
    def writes(self) -> bool:
        return is_language_model(self.networks[0])


def asks_to_choose(query: Query) -> bool:
    """Whether one of those that a conversation spoke of is to be chosen."""
    if (
        query.has(Role.TARGET_CLASS)
        or query.among
        or query.says(Role.WITHIN)
        or _SAYS["new"].search(query.question)
    ):
        return False
    chance = sum(chance for want, chance in query.likely if want in _CHOOSE)
    of_those = _SAYS["of_those"].search(query.question) is not None
    chance += sum(chance for want, chance in query.likely if of_those and want is Want.CHEAPEST)
    first = bool(query.likely) and query.likely[0][0] in _CHOOSE
    chooses = first or (set(query.wants) & {*_CHOOSE} and not query.says(Role.TARGET))
    which = {"which", "the_two"} <= query.asks and {Want.RECOMMEND, Want.BATTERY_LIFE} <= set(query.wants)
    chooses = ((chooses and chance >= _ASKED) or which) and len(query.established) > 0
    compared = len(set(query.all(Role.TARGET))) > 1 and not query.says(Role.TARGET)
    of_them = not query.says(*LIMITS) or compared or bool({"the_two", "both"} & query.asks)
    of_them = of_those or (of_them and not _SAYS["superlative"].search(query.question))
    return bool(spoken("decides", query.question) or (chooses and of_them))


def dossier_of(query: Query, *, of_all: bool = False, among: Sequence[str] = ()) -> Dossier | None:
    """What the conversation came to; None where it spoke of nothing to choose from.

    Args:
        of_all: of all networks that were spoken of, whatever the question is about.
        among: the targets that were compared; else those that the conversation spoke of.
    """
    networks = _networks(query, of_all=of_all) or (_of_pairs(query) and _said(query, Role.MODEL, _MOST))
    if not networks:
        return None
    past = [one for one in query.established if set(one.all(Role.MODEL)) & set(networks)]
    targets = tuple(among) or _targets(query, past)
    writes = is_language_model(networks[0])
    if query.number(Role.CARDS) == len(targets) or not writes:
        own = (slot for slot in query.slots if slot.role is not Role.CARDS or (slot.of and writes))
        query = query.model_copy(update={"slots": tuple(own)})
    query = _with_demands(query, past)
    aim, stated = _aim(query, past)
    found: dict[str, tuple[Query, ...]]
    if pairs := _pairs(query, targets):
        found = {
            f"{network.rpartition('/')[2]} on {target}": (_case(query, past, target, network),)
            for network, target in pairs
        }
        return Dossier(query, Role.MODEL, found, aim, stated, tuple(past))
    chosen = _SAYS["networks"].search(query.question) and not _about_both(query) and not of_all
    if len(targets) < _PAIR or (chosen and len({*networks, *_said(query, Role.MODEL, _MOST)}) > 1):
        networks = networks if len(networks) > 1 else _said(query, Role.MODEL, _MOST)
        target = query.text(Role.TARGET) or next(iter(targets), "")
        if len(networks) < _PAIR or not target:
            return None
        found = {name.rpartition("/")[2]: (_case(query, past, target, name),) for name in networks}
        return Dossier(query, Role.MODEL, found, aim, stated, tuple(past))
    found = {}
    for target in targets:
        cases = tuple(_case(query, past, target, network) for network in networks)
        found[_called(target, cases[0])] = cases
    return Dossier(query, Role.TARGET, found, aim, stated, tuple(past))


def _of_pairs(query: Query) -> bool:
    both = _SAYS["networks"].search(query.question) and _SAYS["hardware"].search(query.question)
    return bool(both) and not _about_both(query)


def _pairs(query: Query, targets: Sequence[str]) -> list[tuple[str, str]]:
    """Each network on each target, where one of both is to be chosen."""
    networks = _said(query, Role.MODEL, _MOST_NETWORKS) if _of_pairs(query) else ()
    return list(product(networks, targets[-_MOST_NETWORKS:])) if min(len(networks), len(targets)) > 1 else []


def _about_both(query: Query) -> bool:
    return _SAYS["both_networks"].search(query.question.casefold()) is not None


def _networks(query: Query, *, of_all: bool) -> tuple[str, ...]:
    anew = () if query.says(*LIMITS) else _said(query, Role.MODEL, _MOST)[-1:]
    now = tuple(dict.fromkeys(query.all(Role.MODEL))) or anew
    if not (of_all or _about_both(query)) or not now:
        return now
    writes = is_language_model(now[0])
    all_ = (name for name in _said(query, Role.MODEL, _MOST_NETWORKS) if is_language_model(name) is writes)
    return tuple(dict.fromkeys((*all_, *now)))[:_MOST_NETWORKS]


def _targets(query: Query, past: Sequence[Query]) -> tuple[str, ...]:
    """Those that the user spoke of with these networks, or with one that was dropped; else what was shown."""
    asked = {name for one in (*past, query) for name in one.all(Role.TARGET)}
    out = _out(query)
    spoken_of = [name for name in _said(query, Role.TARGET, _MOST) if name not in out]
    said = [name for name in spoken_of if name in asked]
    drops = any(one.left_out for one in (*query.established, query))
    said = spoken_of if drops and len(said) < _PAIR else said
    if len(said) < _PAIR:
        listed = [name for name in targets_of(query.shown) if name not in out]
        said = list(dict.fromkeys((*said, *listed)))[:_MOST]
    count = counted(query.question)
    if 1 < count < len(said) and not _about_both(query):
        latest = query.cast.by_meaning(Role.TARGET)[:count]
        said = [name for name in said if name in latest]
    return tuple(said)


def _out(query: Query) -> set[str]:
    """What was ruled out and not named again."""
    out: set[str] = set()
    for one in (*query.established, query):
        out -= {str(slot.value) for slot in own_words(one) if slot.role is Role.TARGET}
        out |= set(one.all(Role.WITHOUT)) | one.left_out
    return query.barred(out)


def _said(query: Query, role: Role, most: int) -> tuple[str, ...]:
    """What the user named, in the order in which it came in; the latest of many."""
    named = {
        slot.value for one in (*query.established, query) for slot in own_words(one) if slot.role is role
    }
    found = [m for m in query.cast.mentions if m.role == role and m.said and m.value in named]
    kept = sorted(found, key=lambda m: -m.said)[:most]
    return tuple(str(m.value) for m in found if m in kept)


def own_words(query: Query) -> list[Slot]:
    """What stands in the question itself."""
    said = query.question.casefold()
    return [slot for slot in query.slots if slot.text and slot.text.casefold() in said]


def _with_demands(query: Query, past: Iterable[Query]) -> Query:
    """With what was demanded of these networks before and never taken back."""
    found: dict[Role, list[Slot]] = {}
    for one in (*past, query):
        anew = one.says(Role.MODEL) and one.says(Role.TARGET)
        for role in _DEMANDED:
            own = [slot for slot in one.slots if slot.role is role]
            if own:
                found[role] = own
            elif not anew:
                found.pop(role, None)
    kept = [slot for role, slots in found.items() if not query.has(role) for slot in slots]
    return query.model_copy(update={"slots": (*query.slots, *kept)})


def _aim(query: Query, past: Sequence[Query]) -> tuple[Want | None, bool]:
    """What this question says to go by, what is most important, a battery's life, what was compared last."""
    against = denied(query.no_goals)
    here = next((goal for goal in (*_spoken_goals(query), *_of_its_own(query)) if goal not in against), None)
    before = (one for one in reversed(past) if spoken("priority", one.question))
    stated = here or next((goal for one in before for goal in _spoken_goals(one)), None)
    if stated is None and query.has(*CELLS):
        stated = Want.BATTERY_LIFE
    if stated is not None:
        return stated, True
    compared = (one for one in reversed(past) if _compares(one))
    asked = (_SAME_AIM.get(want, want) for one in compared for want in one.wants[:2])
    aim = next((want for want in asked if want in _AIMS and want not in against), None)
    return (Want.ENERGY if aim in (Want.BATTERY_LIFE, Want.POWER) else aim), False


def _compares(query: Query) -> bool:
    return len(set(query.all(Role.TARGET))) > 1 or len(set(query.all(Role.MODEL))) > 1


def _spoken_goals(query: Query) -> list[Want]:
    limited = query.says(Role.LATENCY_MS, Role.RATE_HZ, *CLAIMS)
    goals = [_GOALS[goal] for goal in spoken_in_turn(query.question, "goal", "money") if goal in _GOALS]
    return [goal for goal in goals if goal is not Want.LATENCY or not limited]


def _of_its_own(query: Query) -> Iterator[Want]:
    chances = dict(query.likely)
    for want in query.wants if not query.says(*CLAIMS) else ():
        if want in QUANTITIES and chances.get(want, 0.0) >= _ASKED and want in (*_AIMS, *_OF_TIME):
            yield want


def _case(query: Query, past: Sequence[Query], target: str, network: str) -> Query:
    """A target with a network as it was answered last, under what is demanded now."""
    of = [one for one in past if target in one.all(Role.TARGET)]
    base = next((one for one in reversed(of) if network in one.all(Role.MODEL)), of[-1] if of else query)
    base = of_target(base, target)
    left_out = {Role.CLOCK_MHZ} if _was_tried(Role.CLOCK_MHZ, past) else set()
    own = [slot for role in _OF_ITS_OWN if role not in left_out for slot in _one_of(base, query, role)]
    counted = Role.CARDS if is_language_model(network) and not query.says(Role.CARDS) else None
    own += [slot for slot in base.slots if slot.role is counted] or _cards_shown(query, target, counted)
    kept = tuple(slot for slot in query.slots if slot.role not in (*_OF_ITS_OWN, counted))
    one = query.model_copy(update={"slots": (*kept, *own)}).put(Role.TARGET, target).put(Role.MODEL, network)
    kernels = base.kernels.get(target) or kernels_of(query.shown).get(target, "")
    found = query.targets.get(target)
    if one.has(Role.RUNTIME) and found and one.text(Role.RUNTIME) not in found.runtimes:
        one = one.without([Role.RUNTIME])
    return one.put(Role.RUNTIME, kernels) if kernels and not one.has(Role.RUNTIME) else one


def _cards_shown(query: Query, target: str, role: Role | None) -> list[Slot]:
    """How many of it the last table was of."""
    rows = [row.slots for row in query.shown if row.text(Role.TARGET) == target]
    return [slot for slots in rows[:1] for slot in slots if slot.role is role]


def _was_tried(role: Role, past: Sequence[Query]) -> bool:
    """Whether a setting came in as a what-if alone."""
    said = next((one for one in reversed(past) if one.says(role)), None)
    return said is not None and bool(_SAYS["tried"].search(said.question))


def _one_of(base: Query, query: Query, role: Role) -> list[Slot]:
    """What it was asked with; of several what the conversation stayed with, else the first."""
    own = [slot for slot in base.slots if slot.role is role]
    now = {slot.value for slot in query.slots if slot.role is role}
    if len({slot.value for slot in own}) > 1:
        return ([slot for slot in own if now == {slot.value}] or own)[:1]
    return own[:1]


def _called(target: str, case: Query) -> str:
    clock, own = case.number(Role.CLOCK_MHZ), (s for s in case.slots if s.role is Role.CARDS)
    many = next((f"{slot.number:g} x " for slot in own if slot.of in ("", target)), "")
    return f"{many}{target} at {clock:g} MHz" if clock else f"{many}{target}"
