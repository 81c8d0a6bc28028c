"""How many boards a rate takes, and how many streams one serves."""

from __future__ import annotations

from collections.abc import Sequence

from ..bench import Answering, Record, call_of, needed
from ..query import Query, Role
from ..want import Want
from ..words import spoken
from .choices import recommend
from .deployment import deployment
from .phrases import ask_model, model_shown, said


def _counted(record: Record, form: str) -> tuple[str, str]:
    """A count by the estimate, and what it is by the lower end of its interval."""
    path = f"{record.id}.inferences_per_second"
    low, number = (record.ends("inferences_per_second") or (0.0,))[0], record.number("inferences_per_second")
    worse = low and low != number
    return f"{{{{{form.format(path)}|count}}}}", (
        f" ({{{{{form.format(path + '.low')}|count}}}} to be sure, by the lower end)" if worse else ""
    )


def how_many(query: Query, wants: Sequence[Want]) -> Answering:
    """How many boards a rate takes, or batteries a life."""
    if not query.has(Role.MODEL):
        return ask_model()
    if not query.has(Role.TARGET):
        return (yield from recommend(query, wants))
    if "streams" in spoken("together", query.question):
        query = query.without([Role.DEVICES]).put(Role.TARGET, query.all(Role.TARGET)[-1])
    rate = (query.number(Role.RATE_HZ) or 0.0) * (query.number(Role.DEVICES) or 1.0)
    record = needed((yield call_of("estimate_performance", query)))
    if not rate or query.has(Role.LIFE_MS) or Want.BATTERY_LIFE in wants:
        lives = query.has(Role.LIFE_MS, Role.BATTERY, Role.CHARGE_MAH)
        return (yield from deployment(query, [Want.BATTERY_LIFE if lives else Want.THROUGHPUT]))
    asked, can = said(query, Role.RATE_HZ), record.ref("inferences_per_second", "fps~")
    where = f"{query.text(Role.TARGET)} does {can} with {model_shown(query)}, {record.ref('latency_ms')} each"
    low, _ = record.ends("inferences_per_second") or (0.0, 0.0)
    if not query.has(Role.DEVICES) and rate <= (record.number("inferences_per_second") or 0.0):
        streams, sure = _counted(record, f"floor({{0}}/{rate:.6f}fps)")
        return f"{streams} streams at {asked}{sure}: {where}."
    times = f"{said(query, Role.DEVICES)} at {asked}" if query.has(Role.DEVICES) else asked
    boards, sure = _counted(record, f"ceil({rate:.6f}fps/{{0}})")
    if "how many" in query.question.casefold():
        return f"{boards} of them for {times}{sure}: one {where}."
    if rate <= (record.number("inferences_per_second") or 0.0):
        word = "Yes" if rate <= low else "Probably, though not surely"
        return f"{word}, one is enough for {times}, {rate:g} /s together: {where}."
    return f"No, one is not enough, it takes {boards} of them for {times}{sure}: one {where}."


__all__ = ["how_many"]
