"""What a comparison is to keep alike, *at the same clock*: what of it can be, and the words that say so."""

from __future__ import annotations

from collections.abc import Sequence

from ..qualifiers import QualifierKind
from ..query import Query, Role
from ..want import Want
from ..words import spoken
from .phrases import joined

_PER = {"power": Want.PER_WATT, "price": Want.PER_PRICE}
_ONE_EACH = {"threads": (Role.THREADS, "one thread each"), "batch": (Role.BATCH, "batch 1")}


def alike(query: Query, wants: Sequence[Want]) -> tuple[Query, list[Want], str]:
    """The query with what its rows share, what is wanted then, and a sentence on it; empty for nothing."""
    things = [
        thing
        for one in query.qualifiers
        if one.kind is QualifierKind.SAME
        for thing in spoken("alike", one.text)
    ]
    said: list[str] = []
    wanted = list(wants)
    for thing in dict.fromkeys(things):
        if thing in _PER:
            wanted.insert(0, _PER[thing])
            continue
        query, text = _OF[thing](query) if thing in _OF else _one_each(query, thing)
        said += [text] if text else []
    return query, wanted, f"All {joined(said)}." if said else ""


def _one_each(query: Query, thing: str) -> tuple[Query, str]:
    role, words = _ONE_EACH[thing]
    return (query, "") if query.has(role) else (query.put(role, 1.0), f"with {words}")


def _clock(query: Query) -> tuple[Query, str]:
    """The highest that each of them runs at."""
    found = [query.targets.get(target) for target in dict.fromkeys(query.all(Role.TARGET))]
    highest = [one.clock_max_mhz for one in found if one and one.clock_max_mhz]
    if query.has(Role.CLOCK_MHZ) or len(found) < 2 or len(highest) < len(found):
        return query, ""
    shared = min(highest)
    words = f"at the same clock, {shared:g} MHz, the highest that each runs at"
    return query.put(Role.CLOCK_MHZ, shared), words


def _kernels(query: Query) -> tuple[Query, str]:
    """The first that are offered for each of them."""
    found = [query.targets.get(target) for target in dict.fromkeys(query.all(Role.TARGET))]
    if query.says(Role.RUNTIME) or len(found) < 2:
        return query, ""
    offered = [one.runtimes if one else () for one in found]
    shared = next((name for name in offered[0] if all(name in names for names in offered)), "")
    if not shared:
        return query, "with kernels of their own, as none run on each of them"
    return query.put(Role.RUNTIME, shared), f"with the same kernels, {shared}"


_OF = {"clock": _clock, "kernels": _kernels}


__all__ = ["alike"]
