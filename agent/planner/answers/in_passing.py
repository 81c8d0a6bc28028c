"""What moves past a network while it computes, by the speed and the length that a question says."""

from __future__ import annotations

from ....tools.core.dimensions import family_of
from ...patterns import compiled
from ...quantities import Family
from ..bench import Answering
from ..query import Query

_METRES = {**family_of("m"), **dict.fromkeys(("metre", "metres", "meter", "meters"), 1.0)}
_METRES_A_SECOND = {"m/s": 1.0, "km/h": 1 / 3.6, "kmh": 1 / 3.6, "kph": 1 / 3.6, "mph": 0.44704,
                    "knots": 1852 / 3600}  # fmt: skip
"""A mile is 1609.344 m, a knot a nautical mile of 1852 m an hour."""
_BARE = compiled(r"\s?m\b(?!/)")
"""Metres beside a speed; alone they may be millions."""
_LATENCY = compiled(r"\{\{(?P<path>r\d+\.[^{}|/*+()]*latency_ms)(?:\|[^{}]*)?\}\}")


def in_passing(query: Query, answer: str) -> Answering:
    """How often what moves is looked at while it is in view, or how far it moves from look to look."""
    yield from ()
    speed = next((f for f in query.figures if f.unit.casefold() in _METRES_A_SECOND), None)
    found = _LATENCY.search(answer)
    if speed is None or found is None or not speed.value or f"*{speed.text}*" in answer:
        return ""
    metres_per_s = speed.written * _METRES_A_SECOND[speed.unit.casefold()]
    ways = [f for f in query.figures if f.unit.casefold() in _METRES and f.family is Family.FOREIGN]
    bare = [f for f in query.figures if f.text in query.unread and _BARE.match(query.question, f.end)]
    said = [
        *((f.text, f.written * _METRES[f.unit.casefold()]) for f in ways),
        *((f.text, f.value) for f in bare),
    ]
    moves = f"{{{{{metres_per_s:.6g}m*{found['path']}/1s|cm}}}}"
    if len(said) != 1:
        return f"At *{speed.text}* it moves {moves} in one inference."
    way, metres = said[0]
    seconds = metres / metres_per_s
    looks = f"{{{{{seconds:.6g}s/{found['path']}|count}}}}"
    return f"*{way}* at *{speed.text}* leave time for {looks} inferences one after another, {moves} apart."
