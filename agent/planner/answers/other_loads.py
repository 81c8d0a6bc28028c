"""What else takes a power for a time, a kettle or a lamp, beside the energy that an answer begins with."""

from __future__ import annotations

from ...patterns import compiled
from ...quantities import Family
from ..bench import Answering
from ..query import Query

_ENERGY = compiled(
    r"\{\{(?P<energy>[^{}|]*energy_uj[^{}|]*?)"
    r"(?:(?:\|(?:[mk]?Wh|[um]?J)?~?)?\}\}(?! (?:an?|per) (?!inf))|/1000Wh\|count~?\}\} k?Wh)"
)
_COMPARED = compiled(r"\b(?:compared?|comparison|versus|vs\.?|than|against|relative to|next to)\b", 2)
_LEAST_MW = 1e3


def other_load(query: Query, answer: str) -> Answering:
    """How many times as much it takes, where one power and one time are said to compare with."""
    yield from ()
    told = _ENERGY.search(answer.split("\n", maxsplit=1)[0])
    powers = [f for f in query.figures if f.family is Family.POWER and f.value >= _LEAST_MW]
    times = [f for f in query.figures if f.family is Family.TIME]
    if told is None or (len(powers), len(times)) != (1, 1) or not _COMPARED.search(query.question):
        return ""
    (power,), (time,) = powers, times
    if power.text in answer or time.text in answer:
        return ""
    joules = power.value * time.value / 1e6
    ratio = f"{{{{{joules:.3f}J/({told['energy']})|x}}}}"
    return f"*{power.text}* for *{time.text}* take {ratio} as much."
