"""The wants of a query whose intents and aspects are known."""

from __future__ import annotations

from collections.abc import Iterator

from .intent import Intent
from .query import LIMITS, Query, Role
from .want import Want

_OF = {
    Intent.FIT: (Want.FITS,), Intent.LATENCY: (Want.LATENCY,), Intent.ENERGY: (Want.ENERGY,),
    Intent.BATTERY: (Want.BATTERY_LIFE,), Intent.BOTTLENECK: (Want.BOUND,),
    Intent.COMPATIBILITY: (Want.COMPATIBILITY,), Intent.OPTIMISE: (Want.IMPROVE,),
    Intent.WHATIF: (Want.WHAT_IF,), Intent.LIMIT: (Want.LIMIT,), Intent.CLOCK: (Want.LIMIT,),
    Intent.RECOMMEND: (Want.RECOMMEND,), Intent.COMPARE: (Want.COMPARE,), Intent.DIFF: (Want.DIFF,),
    Intent.MODEL: (Want.MODEL_FACTS,), Intent.HARDWARE: (Want.CHIP_FACTS,),
    Intent.RUNTIME: (Want.RUNTIME_FACTS,), Intent.EVIDENCE: (Want.EVIDENCE,),
    Intent.VALIDATE: (Want.ERROR,), Intent.CODE: (Want.CODE,), Intent.TIMELINE: (Want.PLACEMENT,),
    Intent.ORDER: (Want.ORDER,), Intent.IMPORT: (Want.IMPORT,), Intent.ACCURACY: (Want.ACCURACY,),
    Intent.GENERATION: (Want.GENERATION,), Intent.EXPLAIN: (Want.CONCEPT,),
    Intent.LIST_TARGETS: (Want.LIST_TARGETS,), Intent.LIST_RUNTIMES: (Want.LIST_RUNTIMES,),
    Intent.SUMMARY: (Want.SUMMARY,), Intent.HELP: (Want.HELP,), Intent.THANKS: (Want.THANKS,),
    Intent.SAME: (Want.SAME,), Intent.OUTSIDE: (Want.OUTSIDE,),
}  # fmt: skip
_ASPECTS = {
    "throughput": Want.THROUGHPUT, "energy": Want.ENERGY, "power": Want.POWER, "ram": Want.RAM,
    "flash": Want.FLASH, "layers": Want.LAYERS, "price": Want.PRICE, "cheapest": Want.CHEAPEST,
    "available": Want.AVAILABILITY, "placement": Want.PLACEMENT, "intensity": Want.INTENSITY,
    "ridge": Want.INTENSITY, "wide": Want.INTERVAL, "measured": Want.EVIDENCE, "normal": Want.PLAUSIBLE,
    "fits": Want.FITS, "realtime": Want.MEETS, "batch": Want.COST_OF_BATCH,
}  # fmt: skip


def wants_of(query: Query) -> tuple[Want, ...]:
    return tuple(dict.fromkeys(_each(query)))


def _each(query: Query) -> Iterator[Want]:
    for intent in query.intents:
        if intent is Intent.MEMORY:
            yield from (
                want for ask, want in _ASPECTS.items() if ask in ("ram", "flash") and ask in query.asks
            )
            if not {"ram", "flash"} & query.asks:
                yield Want.RAM
        yield from _OF.get(intent, ())
        if intent is Intent.FIT and query.has(*LIMITS):
            yield Want.MEETS
    yield from (want for ask, want in _ASPECTS.items() if ask in query.asks)
    if query.has(Role.CLAIMED_MS, Role.CLAIMED_HZ, Role.CLAIMED_UJ, Role.CLAIMED_MW, Role.CLAIMED_BYTES):
        yield Want.PLAUSIBLE
