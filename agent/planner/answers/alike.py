"""What a comparison is to keep alike, *at the same clock*: what of it can be, and the words that say so."""

from __future__ import annotations

from collections.abc import Sequence

from ..query import Query, Role
from ..want import Want
from ..words import spoken
from .phrases import joined

_PER = {"power": Want.PER_WATT, "price": Want.PER_PRICE}
_ROLES = {
    "clock": Role.CLOCK_MHZ, "kernels": Role.RUNTIME, "threads": Role.THREADS, "batch": Role.BATCH,
}  # fmt: skip
_WORDS = {
    "clock": "at the same clock, {:g} MHz, the highest that each runs at", "threads": "with one thread each",
    "kernels": "with the same kernels, {}", "batch": "with batch 1",
}  # fmt: skip
_APART = "with kernels of their own, as none run on each of them"


def alike(query: Query, wants: Sequence[Want]) -> tuple[Query, list[Want], str]:
    """The query with what its rows share, what is wanted then, and a sentence on it; empty for nothing."""
    things = spoken("alike", query.question)
    wanted, said = [*(_PER[thing] for thing in things if thing in _PER), *wants], list[str]()
    for thing in things:
        if thing in _PER or query.says(_ROLES[thing]):
            continue
        shared = _shared(query, thing)
        said += [_WORDS[thing].format(shared)] if shared else [_APART] if thing == "kernels" else []
        query = query.put(_ROLES[thing], shared) if shared else query
    return query, wanted, f"All {joined(said)}." if said else ""


def _shared(query: Query, thing: str) -> float | str:
    """The highest clock, or the first kernels, of all of the targets; one of what is counted."""
    found = [query.targets.get(target) for target in dict.fromkeys(query.all(Role.TARGET))]
    known = [one for one in found if one is not None]
    if thing not in ("clock", "kernels"):
        return 1.0
    if len(known) < max(len(found), 2):
        return ""
    if thing == "clock":
        highest = [one.clock_max_mhz for one in known if one.clock_max_mhz]
        return min(highest) if len(highest) == len(known) else ""
    return next((name for name in known[0].runtimes if all(name in one.runtimes for one in known)), "")


def at_full_clocks(query: Query) -> Query:
    """Without a clock that is the highest of the board that it is named with: each runs at its own then."""
    full = {s.text: query.targets[str(s.value)].clock_max_mhz for s in query.slots if s.role is Role.TARGET}
    slots = (s for s in query.slots if s.role is not Role.CLOCK_MHZ or s.value != full.get(s.of))
    return query.model_copy(update={"slots": tuple(slots)})


__all__ = ["alike", "at_full_clocks"]
