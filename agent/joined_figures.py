"""Figures that take their unit from another: `340 ms, I want below 100`, `kws 10x per second, vww 2x`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from .figure_units import Family
from .figures import LOOKS, MANY_OF, OFTEN, Figure, number_in, patterns_of_figures
from .patterns import compiled

_MEASURED = frozenset((Family.TIME, Family.ENERGY, Family.POWER, Family.BYTES, Family.RATE, Family.MONEY))
_NEAR = 16
_JOINED = compiled(rf" (?:\w+ )?(?P<noun>{MANY_OF})(?:,| and| plus)\b[^?!;]{{0,40}}$", re.I)
_JOINED_NAMES = compiled(r" (?P<noun>\S+)(?: \w+)? (?:and|plus) $")
_SO_OFTEN = compiled(
    r"[ :]+(?:at |only |just )?(?P<number>once|twice|thrice|\d+(?=\s?x\b|\stimes\b))(?:\s?x|\stimes)?"
    r"(?=\s*(?:[,;.?!)]|(?:and|too|as|on)\b|$))",
    re.I,
)
_ENDS = compiled(r"[.?!;]\s")
_READ = patterns_of_figures()
_BOUND, _AND, _LATER, _IN_VIEW = _READ["bound"], _READ["and"], _READ["later"], _READ["in_view"]
_COUNTS = compiled(r"\bhow many (?!(?:fps|frames|images|pictures|inferences|times)\b)", re.I)
"""What is asked of them; a bare number is so many of these, and no rate."""
_VIEW, _LONGEST_VIEW = 60, 60e3


def at_the_same_pace(text: str, figures: Sequence[Figure], names: Sequence[int]) -> Sequence[Figure]:
    """`10 frames and 4 sound windows a second`, `20 kws and 5 vww a second`: what is counted before a rate,
    joined to it, is one too.

    Args:
        names: where names begin.
    """
    said = list(figures)
    for last in range(len(said) - 1, 0, -1):
        one, rate = said[last - 1], said[last]
        counted = one.family is Family.COUNT and rate.family is Family.RATE and rate.written and rate.noun
        of_names = one.end + 1 in names and any(rate.start < name < rate.end for name in names)
        named = _JOINED_NAMES.match(text, one.end, rate.start) if of_names else None
        if counted and (joined := named or _JOINED.match(text, one.end, rate.start)):
            value, end = one.value * rate.value / rate.written, joined.end("noun")
            said[last - 1] = replace(
                one, value=value, family=Family.RATE, unit=rate.unit, end=end, text=text[one.start : end]
            )
    return said


def as_often(text: str, figures: Sequence[Figure], names: Sequence[tuple[int, int]]) -> Sequence[Figure]:
    """`Kws 10x per second, vww 2x, ad once`: so often of another that is named are of the same time."""
    paced = next((f for f in figures if f.family is Family.RATE and f.written), None)
    said = [_SO_OFTEN.match(text, end) for _, end in names]
    found = [one for one in said if paced and one and not _ENDS.search(text, paced.end, one.start())]
    if not paced or not found:
        return figures
    rates = []
    for one in found:
        number = OFTEN.get(one["number"].lower()) or number_in(one["number"])
        start, end, value = one.start("number"), one.end(), number * paced.value / paced.written
        rates.append(
            Figure(start, end, text[start:end], value, Family.RATE, paced.unit, number, noun="times")
        )
    return [*(f for f in figures if all(f.end <= r.start or r.end <= f.start for r in rates)), *rates]


def while_in_view(text: str, figures: Sequence[Figure]) -> Sequence[Figure]:
    """`In view for 0.4 s only, on three pictures at least`: so many in that time are a rate."""
    seen = (
        one for one in figures
        if one.family is Family.TIME and 0 < one.value <= _LONGEST_VIEW
        and _IN_VIEW.search(text, max(0, one.start - _VIEW), one.start)
    )  # fmt: skip
    view = next(seen, None)
    looks = (one for one in figures if one.family is Family.COUNT and LOOKS.fullmatch(one.noun))
    if view is None or (many := next(looks, None)) is None or many.value < 1:
        return figures
    said = f"{text[many.start : many.end]} {many.noun} in {view.text}"
    rate = replace(
        many, text=said, value=many.value * 1e3 / view.value, family=Family.RATE, unit="/s", written=0.0
    )
    return [rate if one is many else one for one in figures if one is not view]


def in_the_same_unit(text: str, figures: Sequence[Figure]) -> tuple[Figure, ...]:
    """It takes 340 ms, I want below 100; 55 a second now and 90 next year: the unit of the figure before."""
    said: list[Figure] = []
    before: Figure | None = None
    for figure in figures:
        if before is not None and _goes_on_from(text, before, figure):
            value = figure.value * before.value / before.written
            said.append(replace(figure, value=value, family=before.family, unit=before.unit))
            continue
        plain = figure.family is not Family.RATE or figure.value == figure.written
        if figure.family in _MEASURED and figure.written and plain:
            before = figure
        said.append(figure)
    return tuple(said)


def _goes_on_from(text: str, before: Figure, figure: Figure) -> bool:
    """Whether a number without a unit is a bound, or what a rate will be later."""
    if figure.family is not Family.COUNT or figure.unit or not figure.text[0].isdigit():
        return False
    if before.family is Family.RATE and _COUNTS.search(text):
        return False
    if not figure.noun and _BOUND.search(text, max(0, figure.start - _NEAR), figure.start):
        return True
    joined = before.family is Family.RATE and _AND.fullmatch(text, before.end, figure.start)
    return bool(joined and _LATER.match(text, figure.end))
