"""A cause that the question itself names, is it the clock, the memory: whether it is, by what it makes."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ...pages import sections_of
from ...patterns import compiled
from ..bench import Record
from ..query import Query, Role
from ..words import entries, patterns
from .layers import share_of
from .phrases import joined

_SAYS = patterns("blamed")

_WHOLE, _MOST, _PART, _NONE = 0.9, 0.5, 0.1, 0.02
"""Shares from which on it is all of it, most of it and some of it; below the last none."""
TOLD = compiled(r"\b(?:holds? \w+ back|of the time|makes? [^ ]+ of the)\b")
"""Words of an answer that judges a cause."""
_BOUND_BY = {"memory": "memory", "compute": "compute", "overhead": "overhead"}
_FPU = ("concepts/cortex-m.md", "Does it need an FPU?")


def named(query: Query, *kinds: str) -> str:
    """The cause of a time that is asked about by its name; empty without one.

    Args:
        kinds: `differs` for what tells two apart, `holds` for what holds each back; either for none.
    """
    text, ways = query.question, patterns("blames")
    blames = next((found for kind in kinds or ways if (found := ways[kind].search(text))), None)
    if blames is None:
        return ""
    places = {name: found.start() for name, one in patterns("causes").items() if (found := one.search(text))}
    return min(places, key=lambda name: abs(places[name] - blames.start()), default="")


def asks_between(query: Query, *, several: bool) -> bool:
    """Whether it is of a difference between several, with a network."""
    of_one = ("", "depthwise")
    return several and query.has(Role.MODEL) and named(query) not in of_one


def asks_side(query: Query) -> bool:
    """Whether it is asked which of memory and arithmetic it is."""
    return _SAYS["side"].search(query.question) is not None


def of_factors(query: Query, record: Record, factors: Sequence[Mapping[str, Any]], whole: str) -> str:
    """Of the ratio of two times, what the named cause makes; empty where none is named."""
    if not (cause := named(query, "differs")):
        return ""
    if cause == "fpu":
        page = next(one for one in sections_of(_FPU[0]) if one.heading == _FPU[1])
        return f"{page.summary.partition('. ')[0]} (from {page.place})."
    words, names = str(entries("causes_called").get(cause, cause)), entries("causes_of").get(cause, [cause])
    total = math.log(math.prod(one["factor"] for one in factors))
    own = [at for at, one in enumerate(factors) if set(re.split(r", | and ", one["cause"])) & set(names)]
    share = sum(math.log(factors[at]["factor"]) for at in own) / total if own and total else 0.0
    makes = joined(f"{record.ref(f'causes[#0].factors[#{at}].factor')}x" for at in own)
    if abs(share) < _NONE:
        return f"No, {words} is not what tells them apart."
    if share < 0:
        return f"No, {words} works the other way, with {makes} of the {whole}."
    return f"{_word(query, share)}, {words} makes {makes} of the {whole}."


def of_bound(query: Query, roof: Record) -> str:
    """Of the time on one board, what the named cause takes; empty where none is named or known."""
    cause = named(query)
    if cause == "depthwise":
        ops = [op for op in roof["op_shares"] or {} if "DEPTHWISE" in op]
        word = _word(query, sum(roof["op_shares"][op] for op in ops)) if ops else "No"
        return f"{word}, {cause} layers take {share_of(roof, ops) if ops else 'none'} of the time."
    if cause not in _BOUND_BY or not roof.knows(f"bound_shares.{cause}"):
        return ""
    words = {"memory": "waiting for memory", "compute": "arithmetic"}.get(cause, "overhead")
    share = roof.ref(f"bound_shares.{cause}", "%")
    return f"{_word(query, roof.number(f'bound_shares.{cause}') or 0.0)}, {words} takes {share} of the time."


def of_each(query: Query, roofs: Mapping[str, Record]) -> str:
    """Whether the named cause holds each of several back; empty where none is named or known."""
    share = f"bound_shares.{(cause := named(query, 'holds'))}"
    if cause not in _BOUND_BY or not roofs or not all(roof.knows(share) for roof in roofs.values()):
        return ""
    held = [name for name, roof in roofs.items() if (roof.number(share) or 0.0) >= _MOST]
    shares = joined(f"{roof.ref(share, '%')} on {name}" for name, roof in roofs.items())
    holds = "both" if len(held) == 2 else "all" if len(held) == len(roofs) else f"only {joined(held)}"
    word = f"{cause} holds {holds} back" if held else f"{cause} holds none back"
    return f"{word}: it takes {shares} of the time"


def _word(query: Query, share: float) -> str:
    if share >= _WHOLE:
        return "Yes"
    if _SAYS["alone"].search(query.question):
        return "Mostly, not only" if share >= _MOST else "No, not only"
    return "Mostly" if share >= _MOST else "In part" if share >= _PART else "Hardly"
