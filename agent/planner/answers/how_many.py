"""How many boards a rate takes, and how many streams one serves."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..bench import Answering, call_of, needed
from ..query import Query, Role
from ..want import Want
from ..words import spoken
from .choices import recommend
from .deployment import deployment
from .phrases import ask_model, model_shown, said

_RATE = "inferences_per_second"
_ENOUGH = re.compile(r"^(?!.*\bhow many\b).*\b(?:enough|suffic\w+|do (?:i|we) need)\b", re.I | re.S)
"""Asks whether one does it all, not how many such streams it serves."""


def how_many(query: Query, wants: Sequence[Want]) -> Answering:
    """How many boards a rate takes, or batteries a life."""
    if not query.has(Role.MODEL):
        return ask_model()
    if not query.has(Role.TARGET):
        return (yield from recommend(query, wants))
    if "streams" in spoken("together", query.question):
        query = query.without([Role.DEVICES]).put(Role.TARGET, query.all(Role.TARGET)[-1])
    rate = (query.number(Role.RATE_HZ) or 0.0) * (query.number(Role.DEVICES) or 1.0)
    if not rate or query.has(Role.LIFE_MS) or Want.BATTERY_LIFE in wants:
        lives = query.has(Role.LIFE_MS, Role.BATTERY, Role.CHARGE_MAH)
        return (yield from deployment(query, [Want.BATTERY_LIFE if lives else Want.THROUGHPUT]))
    record = needed((yield call_of("estimate_performance", query)))
    low, can = (record.ends(_RATE) or (0.0,))[0], record.number(_RATE) or 0.0
    serves = not query.has(Role.DEVICES) and rate <= can and not _ENOUGH.search(query.question)
    form = f"floor({{}}/{rate:.6f}fps)" if serves else f"ceil({rate:.6f}fps/{{}})"
    count, least = (f"{{{{{form.format(f'{record.id}.{path}')}|count}}}}" for path in (_RATE, f"{_RATE}.low"))
    sure = f" ({least} to be sure, by the lower end)" if low and low != can else ""
    asked, shown = said(query, Role.RATE_HZ), record.ref(_RATE, "fps~")
    does = (
        f"{query.text(Role.TARGET)} does {shown} with {model_shown(query)}, {record.ref('latency_ms')} each"
    )
    if serves:
        return f"{count} streams at {asked}{sure}: {does}."
    times = f"{said(query, Role.DEVICES)} at {asked}" if query.has(Role.DEVICES) else asked
    if "how many" in query.question.casefold():
        return f"{count} of them for {times}{sure}: one {does}."
    if rate <= can:
        word = "Yes" if rate <= low else "Probably, though not surely"
        each = f", {rate:g} /s together" if query.has(Role.DEVICES) else ""
        load = f"{{{{{rate:.6f}fps/{record.id}.{_RATE}|%}}}}"
        return f"{word}, one is enough for {times}{each}, a load of {load}: {does}."
    return f"No, one is not enough, it takes {count} of them for {times}{sure}: one {does}."
