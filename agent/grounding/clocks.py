"""At which clock a number of a text holds: a sentence may name one, several, or mean the one named before."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from .families import Family, Reading
from .figures import Figure, tolerance
from .sentences import sentences
from .subjects import Spoken

Clock = tuple[float, float]
"""In Hz, and how far the true one may lie from it."""
_TWO = 2
_SLOWEST_HZ = 1e6
"""What is slower is no clock of a core."""
_STAYS = re.compile(
    r"(?<!\w)(?:there|then|that (?:clock|speed|frequency)|this (?:clock|speed|frequency))(?!\w)", re.I
)
_PART_ENDS = re.compile(r"[,;()|\n]|:\s|(?<!\w)(?:and|but|while|whereas|against|versus|vs)(?!\w)")
_FULL = re.compile(
    r"(?<!\w)(?:halv|lower|reduc|drop|cut|slow|clocking down)\w* (?:of )?(?:the |its )?(?:clock|frequency)|"
    r"(?<!\w)(?:full|maximum|max|top|highest) (?:speed|clock|frequency)(?!\w)",
    re.IGNORECASE,
)
_FROM = re.compile(r"(?<!\w)(?:from|than|instead of|rather than|against|vs\.?)[\s*_`~]*$")
_HEAD = re.compile(r"[ \t]*#|.*:[\s*_`]*$|[ \t]*\*\*[^*]+\*\*[\s:]*$")
_ITEM = re.compile(r"[ \t]*(?:(?:[-*•]|\d+[.)])[ \t]|\|)")


def tell_clocks(
    text: str, figures: Sequence[Figure], near: Sequence[Sequence[Reading]], told: Mapping[int, Spoken]
) -> None:
    """Note at each number the clocks that its sentence names for it, or the one before."""
    every = {f.start: clock for f, beside in zip(figures, near, strict=True) if (clock := _clock(f, beside))}
    if not every:
        return
    families = {
        f.start: next((reading.family for reading in f.readings or beside), None)
        for f, beside in zip(figures, near, strict=True)
    }
    heading: tuple[Clock, ...] = ()
    before: tuple[Clock, ...] = ()
    for start, stop in sentences(text):
        line = text[start:stop]
        if not line.strip():
            continue
        inside = [figure for figure in figures if start <= figure.start < stop]
        clocks = {figure.start: every[figure.start] for figure in inside if figure.start in every}
        others = [figure for figure in inside if figure.start not in every]
        is_head = _HEAD.match(line.rstrip()) is not None and not _ITEM.match(line)
        distinct = tuple(dict.fromkeys(clocks.values()))
        if clocks:
            for figure in others:
                told[figure.start].both_clocks = _both(distinct, line)
                told[figure.start].clocks = _of(text, figure, others, clocks, told, families)
        else:
            goes_on = text[max(0, start - 2) : start].rstrip().endswith(";") or _STAYS.search(line)
            carried = heading or (before if goes_on else ())
            for figure in others:
                told[figure.start].clocks = carried
                told[figure.start].both_clocks = _both(carried, line)
        values = tuple(dict.fromkeys(clocks.values()))
        before = values[:1] if len(values) == 1 else before if not values and _STAYS.search(line) else ()
        if is_head:
            heading = values if len(values) == 1 else ()


def _both(clocks: Sequence[Clock], sentence: str) -> tuple[float, ...]:
    """The one and the other, which may be the highest that there is."""
    if len(clocks) == 1 and _FULL.search(sentence):
        return clocks[0][0], math.inf
    return tuple(clock for clock, _ in clocks) if len(clocks) == _TWO else ()


def _clock(figure: Figure, near: Sequence[Reading]) -> Clock | None:
    reading = next(iter(figure.readings or near), None)
    if reading is None or reading.family is not Family.FREQUENCY:
        return None
    clock = figure.value * reading.factor
    return (clock, tolerance(figure) * reading.factor) if clock >= _SLOWEST_HZ else None


def _of(
    text: str,
    figure: Figure,
    others: Sequence[Figure],
    clocks: Mapping[int, Clock],
    told: Mapping[int, Spoken],
    families: Mapping[int, Family | None],
) -> tuple[Clock, ...]:
    """Those in its part of the sentence; else the one in the same place of a list; else any of them."""
    if len(set(clocks.values())) == 1 and _FROM.search(text[max(0, figure.start - 20) : figure.start]):
        return ()
    target = told[figure.start].named.get("target")
    mine = {
        at: clock
        for at, clock in clocks.items()
        if told[at].named.get("target", target) == target or not target
    }
    distinct = tuple(dict.fromkeys(mine.values()))
    if len(distinct) < 2:
        return distinct
    alike = [other for other in others if families[other.start] is families[figure.start]]
    listed = len(alike) == len(mine)
    if listed and alike[0].start > max(mine):
        return (list(mine.values())[alike.index(figure)],)
    start, stop = _part(text, figure)
    beside = tuple(dict.fromkeys(clock for at, clock in mine.items() if start <= at < stop))
    if len(beside) == 1:
        return beside
    if listed:
        return (list(mine.values())[alike.index(figure)],)
    return distinct


def _part(text: str, figure: Figure) -> tuple[int, int]:
    starts = [match.end() for match in _PART_ENDS.finditer(text, max(0, figure.start - 80), figure.start)]
    end = _PART_ENDS.search(text, figure.end, figure.end + 80)
    return (starts[-1] if starts else max(0, figure.start - 80), end.start() if end else figure.end + 80)
