"""What is wanted, as far as what is named allows."""

from __future__ import annotations

from collections.abc import Sequence

from ...tools.model_zoo.language_model import language_model_names
from ...tools.model_zoo.named import is_architecture
from ..names import Kind
from .intent import Intent
from .query import LIMITS, Query, Role

_ONE_BY_ONE = frozenset((Intent.FIT, Intent.LATENCY, Intent.ENERGY, Intent.MEMORY))
"""Of several targets or networks, compared."""
NEEDS_NO_TARGET = frozenset(
    (
        Intent.EXPLAIN, Intent.THANKS, Intent.HELP, Intent.OUTSIDE, Intent.GENERATION, Intent.MODEL,
        Intent.RECOMMEND, Intent.LIST_TARGETS, Intent.LIST_RUNTIMES, Intent.RUNTIME, Intent.VALIDATE,
    )
)  # fmt: skip
_OF_A_BATTERY = (Role.BATTERY, Role.CHARGE_MAH, Role.LIFE_MS, Role.SLEEP_UA)
_OF_A_DECODER = frozenset(
    (
        Intent.FIT, Intent.LATENCY, Intent.MEMORY, Intent.GENERATION, Intent.MODEL, Intent.LIMIT,
        Intent.BOTTLENECK, Intent.COMPATIBILITY, Intent.WHATIF, Intent.RECOMMEND, Intent.ENERGY,
    )
)  # fmt: skip
_OF_A_BOARD = frozenset((Intent.FIT, Intent.LATENCY, Intent.ENERGY, Intent.BATTERY, Intent.RECOMMEND))


def wanted(query: Query, topic: Sequence[Intent]) -> tuple[Intent, ...]:
    """The intents as far as what is named allows: of several targets one asks which."""
    intents: list[Intent] = [intent for intent in query.intents if intent is not Intent.SAME]
    known, several = query.has(Role.MODEL), _several(query)
    if _writes(query) and set(intents) <= _OF_A_DECODER:
        return (Intent.GENERATION,)
    if Intent.GENERATION in intents and known and not any(n.kind is Kind.MODEL for n in query.unknown):
        intents = [intent for intent in intents if intent is not Intent.GENERATION] or [Intent.FIT]
    if several and known:
        intents = [Intent.COMPARE if intent in _ONE_BY_ONE else intent for intent in intents]
    if Intent.RECOMMEND in intents and "the_two" in query.asks and len(query.spoken_of) > 1:
        intents = [Intent.COMPARE]
    if not intents:
        intents = _from_names(query, several=several)
    intents = [_meant(intent, query, topic) for intent in intents]
    if Intent.OPTIMISE in intents and query.says(Role.CLAIMED_MS, Role.CLAIMED_HZ):
        intents.insert(0, Intent.LATENCY)
    if _wants_hardware(query, intents, topic):
        intents = [Intent.RECOMMEND]
    return _without_what_is_said(query, tuple(dict.fromkeys(intents)))


def _writes(query: Query) -> bool:
    named = [name for name in query.all(Role.MODEL) if not is_architecture(name) and "." not in name[-8:]]
    return any(name in language_model_names() for name in named)


def _several(query: Query) -> bool:
    types = len({str(slot.value) for slot in query.slots if slot.role is Role.DTYPE and not slot.inherited})
    return len(query.all(Role.TARGET)) > 1 or len(query.all(Role.MODEL)) > 1 or types > 1


def _meant(intent: Intent, query: Query, topic: Sequence[Intent]) -> Intent:
    """What an intent comes to with what is named and what was spoken of before."""
    known, target = query.has(Role.MODEL), query.has(Role.TARGET)
    match intent:
        case Intent.FIT if target and query.has(Role.LIFE_MS, Role.BATTERY, Role.CHARGE_MAH):
            return Intent.BATTERY if Intent.BATTERY not in query.intents else intent
        case Intent.FIT | Intent.MEMORY | Intent.LATENCY if target and not known:
            return Intent.HARDWARE if query.says(Role.DTYPE) or intent is Intent.MEMORY else intent
        case Intent.LIST_RUNTIMES if target:
            return Intent.HARDWARE
        case Intent.OPTIMISE if any(s.text == "" and s.role is Role.TECHNIQUE for s in query.slots):
            return Intent.WHATIF if _named_change(query) else intent
        case Intent.BOTTLENECK if "why_not" in query.asks and Intent.FIT in topic:
            return Intent.FIT
        case Intent.LIMIT if query.says(Role.CLOCK_MHZ) and not _varied(query) - {"clock", "rate"}:
            return Intent.FIT
        case Intent.RECOMMEND if (
            target and topic and not _of_other_hardware(query) and Intent.RECOMMEND not in topic
        ):
            return Intent.FIT if query.has(*LIMITS) else Intent.COMPARE
    return intent


def _varied(query: Query) -> set[str]:
    return set(query.all(Role.VARIABLE))


def _named_change(query: Query) -> bool:
    return any(
        s.role is Role.TECHNIQUE and str(s.value).startswith(("input", "prune", "width")) for s in query.slots
    )


def _of_other_hardware(query: Query) -> bool:
    return bool({"hardware", "cheapest", "price", "available", "which"} & query.asks) or query.says(
        Role.TARGET_CLASS
    )


def _without_what_is_said(query: Query, intents: tuple[Intent, ...]) -> tuple[Intent, ...]:
    """What another answer of the same question says already is not said again."""
    left_out: set[Intent] = set()
    if Intent.FIT in intents and query.has(Role.LATENCY_MS, Role.RATE_HZ):
        left_out.add(Intent.LATENCY)
    if Intent.BATTERY in intents and not {"fastest", "throughput"} & query.asks:
        left_out |= {Intent.LATENCY} if query.text(Role.GOAL) != "latency" else set()
    if Intent.BOTTLENECK in intents and "layers" in query.asks:
        left_out.add(Intent.LATENCY)
    if Intent.FIT in intents and query.has(Role.RAM_BYTES, Role.FLASH_BYTES) and not query.has(Role.TARGET):
        left_out.add(Intent.RECOMMEND)
    return tuple(intent for intent in intents if intent not in left_out)


def _from_names(query: Query, *, several: bool) -> list[Intent]:
    """What names alone may ask: something of a model on a target, or what one of the two is."""
    match query.has(Role.MODEL), query.has(Role.TARGET):
        case True, True:
            return [Intent.COMPARE] if several else [Intent.FIT, Intent.LATENCY]
        case True, False:
            if {"ram", "arena", "flash"} & query.asks:
                return [Intent.MEMORY]
            return [Intent.RECOMMEND] if query.has(*LIMITS) else [Intent.MODEL]
        case False, True:
            return [Intent.HARDWARE]
        case _:
            return []


def _wants_hardware(query: Query, intents: Sequence[Intent], topic: Sequence[Intent]) -> bool:
    """Without a board, and with demands on one: which would meet them?"""
    if query.says(Role.TARGET) or not query.has(Role.MODEL) or not intents or not set(intents) <= _OF_A_BOARD:
        return False
    if any(name.kind is Kind.TARGET for name in query.unknown):
        return False
    return (
        (Intent.RECOMMEND in topic and query.says(*LIMITS, *_OF_A_BATTERY))
        or query.says(Role.LIFE_MS, Role.TARGET_CLASS)
        or (query.says(Role.POWER_MW, Role.PRICE_USD) and intents[0] is not Intent.BATTERY)
    )
