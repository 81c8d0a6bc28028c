"""Why one of two is worse, and by how much: by the figures of their rows."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..bench import Answering, call_of
from ..query import Query, Role
from ..want import Want
from ..words import spoken
from . import causes
from .axes import at_full_clocks
from .decoding_pair import of_targets
from .phrases import joined, language_models, lines
from .side_by_side import side_by_side

_MOST, _SOME = 0.5, 0.15
"""Shares of a ratio, on the scale of its logarithm."""
_OF_BOTH = (Want.LATENCY, Want.ENERGY)


def asks_why(query: Query, wants: Sequence[Want]) -> bool:
    """Whether it is asked what makes one of two worse, or by how much it is."""
    pair = len(set(query.all(Role.TARGET))) == 2 and len(set(query.all(Role.MODEL))) == 1
    why = Want.WHY_SLOWER in wants and ("why" in query.asks or spoken("blamed", query.question))
    named = any(slot.text and not slot.inherited for slot in query.slots)
    by_how_much = Want.COMPARE in wants and "shrink" in query.asks and not named
    return pair and bool(why or by_how_much) and not causes.asks(query)


def told_apart(query: Query, wants: Sequence[Want]) -> Answering:
    """In what the first of two is worse and better, each by how much, and what makes the difference."""
    if language_models(query):
        names = list(dict.fromkeys(query.all(Role.TARGET)))
        named = any(slot.role is Role.TARGET and slot.text for slot in query.slots)
        return (yield from of_targets(query, names if named else names[::-1]))
    usual = _OF_BOTH[:1] if query.text(Role.GOAL) == "latency" else _OF_BOTH
    asked = tuple(dict.fromkeys((*usual, *wants, Want.WHY_SLOWER)))
    blamed = yield from _blamed(at_full_clocks(query))
    return lines(blamed, (yield from side_by_side(query, asked, apart=True)))


def _blamed(query: Query) -> Answering:
    """How much of the difference is what the question suspects: the clock, the memory, the core."""
    suspects = spoken("blamed", query.question)
    places = [query.kernels.get(name, "") for name in query.all(Role.TARGET)]
    if not suspects or any(places) or query.has(Role.CLOCK_MHZ):
        return ""
    record = yield call_of("compare_deployments", query)
    if record.result is None or not record["causes"] or not record["causes"][0]["factors"]:
        return ""
    factors = record["causes"][0]["factors"]
    top = max(range(len(factors)), key=lambda at: factors[at]["factor"] or 0.0)
    whole, found = record.number("causes[#0].slower_by") or 1.0, dict[str, tuple[float, str]]()
    for word in suspects:
        rows = [at for at, each in enumerate(factors) if word in each["cause"]]
        path = f"causes[#0].factors[#{rows[0]}].factor" if rows else ""
        factor = (record.number(path) if path else None) or 1.0
        found[word] = (factor, f"the {word} makes {record.ref(path)}" if path else f"the {word} is alike")
    first = max(suspects, key=lambda word: found[word][0])
    share = math.log(found[first][0]) / math.log(whole) if whole > 1 else 0.0
    word = "Mostly" if share >= _MOST else "In part" if share >= _SOME else "Not"
    told = joined(text for _, text in found.values())
    rest = f"causes[#0].factors[#{top}]"
    most = (
        "" if word == "Mostly" else f"; most is {record.ref(f'{rest}.cause')}, {record.ref(f'{rest}.factor')}"
    )
    return f"{word} the {first}: of {record.ref('causes[#0].slower_by')} times, {told}{most}."


__all__ = ["asks_why", "told_apart"]
