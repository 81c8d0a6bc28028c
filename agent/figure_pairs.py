"""Two figures that one sentence joins: a part of a memory and all of it, the same thing of two boards."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ..tools.core.records import dataclass, replace
from .figure_units import Family
from .figures import Figure
from .patterns import compiled
from .stop_words import STOP_WORDS

_OF_A = compiled(r"\s*(?:out )?of (?:an?|the|its|my|our|your|those|these)?\s*", re.I)
_OF = compiled(r"\bof (?:an?|the|its|my|our|your)?\s*$", re.I)
_ROOM = compiled(r"(?: of)? (?:flash|rom|s?ram|memory),?(?: (?:some|about|only))? ", re.I)
_LEFT = compiled(
    r"(?: of)?(?: [\w-]+){0,2}? (?:(?:are|is|still) )*(?:left|free|unused|available|spare|remain\w*)\b", re.I
)
_SPARE = compiled(r"\b(?:left|free|spare|remaining) (?:\w+ ){0,2}$", re.I)
_MEMORY = compiled(r"\b(?:(?P<flash>flash|rom)|s?ram|arena)\b", re.I)


@dataclass(frozen=True)
class Part:
    """Places of a part of a memory and of all of it, among the figures."""

    part: int
    whole: int
    room: str
    """flash or ram."""
    left: bool
    """Whether the part is what is left; else it is what others take."""


def parts(text: str, figures: Sequence[Figure]) -> Iterator[Part]:
    """200 K of a 512 K chip; 60 of the 256 KB of RAM are free; of 1 MB flash 700 KB are gone."""
    for i, (first, second) in enumerate(pairwise(figures)):
        turned = _OF.search(text[: first.start]) and _ROOM.fullmatch(text, first.end, second.start)
        part, whole = (second, first) if turned else (first, second)
        of_bytes = all(f.family is Family.BYTES or f.unit.casefold() in ("k", "m") for f in (part, whole))
        if of_bytes and (turned or _OF_A.fullmatch(text, part.end, whole.start)):
            named = _MEMORY.search(text, part.end) or _MEMORY.search(text)
            left = _LEFT.match(text, second.end) or _SPARE.search(text[: part.start])
            room = "flash" if named and named["flash"] else "ram"
            yield Part(i + bool(turned), i + (not turned), room, left is not None)


def is_part(text: str, part: Figure, whole: Figure) -> bool:
    """Whether one figure is said to be of another: 120 of the 192 KB."""
    return _OF_A.fullmatch(text, part.end, whole.start) is not None and whole.family is Family.BYTES


def is_bare(figure: Figure) -> bool:
    """Whether nothing says what a number in digits counts."""
    plain = figure.family is Family.COUNT and not figure.unit and not figure.spoken
    return plain and figure.noun in {"", *STOP_WORDS}


_COSTS = compiled(
    r"\b(?:costs?|costing|priced at|price (?:is|of)|paid|pays?|sells? for)"
    r"(?: (?:me|us|you|it|about|around|only|just|some|roughly)){0,3} $",
    re.IGNORECASE,
)
_OF_A_KWH = 1.0
_ELECTRIC = compiled(r"\b(?:electric\w*|power (?:bills?|costs?))\b", re.I)
_OF_A_TIME = compiled(r"\bcosts?\b.{0,24}\b(?:per|an?|each) (?:day|week|month|year)\b.{0,12}\bat\b", re.I)
"""What runs for a time costs that at a price of a kWh."""
_A_PRICE = 5.0
"""A bare number from which on it can be what hardware costs."""


def as_prices(text: str, figures: Sequence[Figure]) -> Sequence[Figure]:
    """A bare number behind `costs` is money; less than one beside electricity, of a kWh."""
    electric = _ELECTRIC.search(text) or _OF_A_TIME.search(text)
    if electric and not any(one.family is Family.TARIFF for one in figures):
        small = (one.family is Family.MONEY and one.value < _OF_A_KWH for one in figures)
        pairs = zip(figures, small, strict=True)
        figures = [replace(one, family=Family.TARIFF) if of_kwh else one for one, of_kwh in pairs]
    return [
        replace(one, family=Family.MONEY, unit="USD")
        if is_bare(one) and one.value >= _A_PRICE and _COSTS.search(text[: one.start])
        else one
        for one in figures
    ]


_CORRECTS = compiled(r"[^.?!;]{0,24}?\b(?:but|now)\b[^.?!;]{0,24}", re.I)
_DENIES = compiled(r",? (?:and )?(?:not|instead of|rather than) ", re.I)


def as_corrected(text: str, figures: Sequence[Figure]) -> Sequence[Figure]:
    """A bare number in the place of a figure has its unit (15 fps but they want 25); one that is denied is
    none (at 48 MHz, not 80)."""
    found: list[Figure | None] = list(figures)
    for i, (first, second) in enumerate(pairwise(figures)):
        if not is_bare(second) or first.family is Family.COUNT:
            continue
        if _DENIES.fullmatch(text, first.end, second.start):
            found[i + 1] = None
        elif _CORRECTS.fullmatch(text, first.end, second.start):
            found[i + 1] = alike(second, first)
    return [figure for figure in found if figure is not None and not _points(text, figure)]


_POINTS = compiled(r"\b(?:the|those|these) $", re.I)
_ENDS = compiled(r"\s*(?:[?.!,;]|$|of (?:them|those|these)\b)", re.I)
_FEW = 4.0


def _points(text: str, figure: Figure) -> bool:
    """The two that were spoken of, which counts nothing anew."""
    few = figure.family is Family.COUNT and not figure.unit and figure.value <= _FEW
    points = few and _POINTS.search(text[: figure.start]) is not None
    return points and _ENDS.match(text, figure.end) is not None


def alike(figure: Figure, told: Figure) -> Figure:
    """A bare number as what the same thing of another board is: the T4 costs 0.35 $ an hour, the L4 0.70."""
    scale = told.value / told.written
    return replace(figure, value=figure.value * scale, family=told.family, unit=told.unit)
