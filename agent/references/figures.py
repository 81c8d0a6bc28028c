"""The figures of an answer: in digits and in words, each end of a range, with the unit that two share."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from ...hardware_db.user_files import Directories
from ..names import find_names
from ..quantities import Family, Figure, find_figures
from .passages import pieces

_WORDED = re.compile(
    r"\b(?:(?P<two>twice|doubl(?:e[sd]?|ing))(?= (?:as|the|of|its|that))|(?P<half>half|halv(?:e[sd]?|ing))"
    r"(?= (?:as|the|of|its|that))|(?P<third>(?:a|one) third)(?= (?:as|the|of|less|more))"
    r"|(?P<three>triple[sd]?|thrice))\b",
    re.I,
)
_WORDS = {"two": 2.0, "half": 0.5, "third": 1 / 3, "three": 3.0}
_SCALE = re.compile(
    r"\s?(?P<scale>[kMGT])(?=[ -]?(?:MACs?|FLOPs?|OPs?|parameters|params|cycles|operations)\b)"
)
_SCALES = {"k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
TIMES = frozenset({"times", "fold"})
_SHARED_UNIT = re.compile(r"\s(?:and|or|to|against|versus|vs\.?|instead of|rather than)\s")
"""Between two figures of which the second alone has the unit."""


def figures_in(
    text: str, holes: Sequence[tuple[int, int]], own: Directories | None = None
) -> Iterator[Figure]:
    """Every figure but those of names, with multiples in words; a piece of the text at a time."""
    for start, stop in pieces(text):
        piece = text[start:stop]
        taken = [(a - start, b - start) for a, b in holes if a < stop and b > start]
        inside = [(max(0, a), min(len(piece), b)) for a, b in taken]
        names = [(n.start, n.end) for n in find_names(piece, own) if n.known or not n.text[0].isdigit()]
        found = [_scaled(piece, figure) for figure in find_figures(piece, [*inside, *names])]
        for figure, following in zip_longest(found, found[1:]):
            yield from (_moved(each, start) for each in _ends(_in_its_unit(piece, figure, following)))
        for match in _WORDED.finditer(piece):
            factor = _WORDS[match.lastgroup or "two"]
            yield _moved(
                Figure(match.start(), match.end(), match[0], factor, Family.FACTOR, "x", factor, spoken=True),
                start,
            )


def _in_its_unit(text: str, figure: Figure, following: Figure | None) -> Figure:
    """`480 against 120 MHz`: the first of two with the unit of the second."""
    if following is None or figure.unit or figure.family is not Family.COUNT or not following.unit:
        return figure
    if (
        figure.spoken
        or not following.written
        or not _SHARED_UNIT.fullmatch(text, figure.end, following.start)
    ):
        return figure
    factor = following.value / following.written
    return replace(figure, family=following.family, unit=following.unit, value=figure.written * factor)


def _ends(figure: Figure) -> Iterator[Figure]:
    """Of a range both, each as a figure of its own."""
    if figure.upper is None or figure.family is Family.SIDE or not figure.written:
        yield figure
        return
    dash = re.search(r"\d\s?(?:[-–—]|to|and|\.\.)\s?(?=\d)", figure.text)
    if dash is None:
        yield figure
        return
    at = figure.start + dash.start() + 1
    yield replace(figure, end=at, text=figure.text[: dash.start() + 1], upper=None)
    factor = figure.value / figure.written
    yield replace(
        figure, start=figure.start + dash.end(), text=figure.text[dash.end() :], value=figure.upper,
        written=figure.upper / factor, upper=None,
    )  # fmt: skip


def _moved(figure: Figure, by: int) -> Figure:
    return replace(figure, start=figure.start + by, end=figure.end + by) if by else figure


def _scaled(text: str, figure: Figure) -> Figure:
    """4.1 G MACs; three times is a factor."""
    if figure.family is not Family.COUNT or figure.unit:
        return figure
    if figure.noun in TIMES:
        return replace(figure, family=Family.FACTOR)
    scale = _SCALE.match(text, figure.end)
    if scale is None:
        return figure
    factor = _SCALES[scale["scale"]]
    return replace(
        figure,
        end=scale.end(),
        text=text[figure.start : scale.end()],
        value=figure.value * factor,
        unit=scale["scale"],
    )


def amounts(figure: Figure) -> Iterator[tuple[Family, float]]:
    """What a figure states: the ends of a range, and of a rate the time that it leaves."""
    for value in (figure.value, figure.upper):
        if value is None:
            continue
        yield figure.family, value
        if figure.family in (Family.RATE, Family.TIME) and value:
            yield (Family.TIME if figure.family is Family.RATE else Family.RATE), 1e3 / value
