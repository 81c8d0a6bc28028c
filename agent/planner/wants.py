"""What is wanted, as far as what is named allows."""

from __future__ import annotations

from collections.abc import Sequence

from ..names import Kind
from .intent import Intent
from .query import LIMITS, Query, Role

_ONE_BY_ONE = frozenset((Intent.FIT, Intent.LATENCY, Intent.ENERGY))
"""Of several targets or networks, compared."""
NEEDS_NO_TARGET = frozenset(
    (
        Intent.EXPLAIN, Intent.THANKS, Intent.HELP, Intent.OUTSIDE, Intent.GENERATION, Intent.MODEL,
        Intent.RECOMMEND, Intent.LIST_TARGETS, Intent.LIST_RUNTIMES, Intent.RUNTIME, Intent.VALIDATE,
    )
)  # fmt: skip
_OF_A_BOARD = frozenset((Intent.FIT, Intent.LATENCY, Intent.ENERGY, Intent.BATTERY, Intent.RECOMMEND))


def wanted(query: Query, topic: Sequence[Intent]) -> tuple[Intent, ...]:
    """The intents as far as what is named allows: of several targets one asks which."""
    intents: list[Intent] = [intent for intent in query.intents if intent is not Intent.SAME]
    known = query.has(Role.MODEL)
    if Intent.GENERATION in intents and known and not any(n.kind is Kind.MODEL for n in query.unknown):
        intents = [intent for intent in intents if intent is not Intent.GENERATION] or [Intent.FIT]
    several = len(query.all(Role.TARGET)) > 1 or len(query.all(Role.MODEL)) > 1
    if several and known:
        intents = [Intent.COMPARE if intent in _ONE_BY_ONE else intent for intent in intents]
    if Intent.RECOMMEND in intents and "the_two" in query.asks and len(query.spoken_of) > 1:
        intents = [Intent.COMPARE]
    if not intents:
        intents = _from_names(query, several=several)
    if _wants_hardware(query, intents, topic):
        intents = [Intent.RECOMMEND]
    on_battery = query.has(Role.LIFE_MS, Role.BATTERY, Role.CHARGE_MAH) and query.has(Role.TARGET)
    if on_battery and Intent.BATTERY not in intents:
        intents = [Intent.BATTERY if intent is Intent.FIT else intent for intent in intents]
    if Intent.FIT in intents and query.has(Role.LATENCY_MS, Role.RATE_HZ):
        intents = [intent for intent in intents if intent is not Intent.LATENCY]
    return tuple(dict.fromkeys(intents))


def _from_names(query: Query, *, several: bool) -> list[Intent]:
    """What names alone may ask: something of a model on a target, or what one of the two is."""
    match query.has(Role.MODEL), query.has(Role.TARGET):
        case True, True:
            return [Intent.COMPARE] if several else [Intent.FIT, Intent.LATENCY]
        case True, False:
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
        Intent.RECOMMEND in topic
        or query.has(Role.LIFE_MS, Role.TARGET_CLASS)
        or (query.has(Role.POWER_MW, Role.PRICE_USD) and intents[0] is not Intent.BATTERY)
    )
