"""The batch in which a card does a rate, where none is said, and how long a result takes then."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any

from ..bench import Call, Record, call_of
from ..query import Query, Role
from .phrases import language_models

_TAKE_BATCHES = ("gpu", "gpu-soc")


def batched(query: Query, *, counts: bool = False) -> Generator[Call, Record, Query]:
    """With the batch that does most of what is demanded; as it is where one at a time does.

    Args:
        counts: whether as many cards as it takes share the rate, not only those that are said.
    """
    target = query.targets.get(query.text(Role.TARGET))
    takes = target is not None and target.target_class in _TAKE_BATCHES and query.has(Role.MODEL)
    if not takes or query.has(Role.BATCH) or language_models(query):
        return query
    reserve = 1 + (query.number(Role.HEADROOM_PERCENT) or 0.0) / 100
    rate = query.number(Role.RATE_HZ)
    demanded = {"rate_hz": reserve * rate} if rate else {"streams": None}
    cards = None if counts or not rate else int(query.number(Role.CARDS) or 1)
    record = yield workload(query, **demanded, devices=cards)
    best = record.number("best_batch") or 1.0
    return query.put(Role.BATCH, best) if best > 1 else query


def at_rate(query: Query, rated: Query, *, counts: bool) -> Generator[Call, Record, tuple[float, str]]:
    """The batch that one of several takes for the rate of all, 0 where none is worth it, and its wait."""
    rate = rated.number(Role.RATE_HZ)
    if not rate or query.has(Role.BATCH):
        return 0.0, ""
    asked = query.put(Role.RATE_HZ, rate)
    served = yield from batched(asked, counts=counts)
    if served is asked:
        return 0.0, ""
    wait = yield from waits(served)
    return served.number(Role.BATCH) or 0.0, wait


def workload(query: Query, **more: Any) -> Call:
    """Of the streams and devices that are said, within the latency that is."""
    taken = {"most_wait_ms": Role.LATENCY_MS, "streams": Role.DEVICES, "devices": Role.CARDS}
    given: dict[str, Any] = {name: query.number(role) for name, role in taken.items()}
    given |= {name: int(given[name]) if given[name] else None for name in ("streams", "devices")}
    call = call_of("estimate_workload", query, **{"items": None, "within_h": None} | given | more)
    return replace(call, used=call.used | {role for role in taken.values() if query.has(role)})


def waits(query: Query) -> Generator[Call, Record, str]:
    """How long a result takes at the rate; empty without a batch, or where it does not keep up."""
    if (query.number(Role.BATCH) or 1.0) <= 1.0 or not query.has(Role.RATE_HZ):
        return ""
    record = yield workload(query, devices=int(query.number(Role.CARDS) or 1))
    return record.ref("longest_wait_ms") if record.knows("longest_wait_ms") else ""
