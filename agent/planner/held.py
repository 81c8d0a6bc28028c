"""A figure of the user's held against what was stated: an estimate's interval, a claim, an earlier run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..figure_units import FACTORS
from ..quantities import Family, Figure, number_in
from .intervals_said import FAMILIES, INTERVAL, NUMBER, UNIT
from .own_cues import cue, cue_found
from .own_figures import OwnFigures

_RANGE = re.compile(
    rf"(?<![\w.(\[])(?P<low>{NUMBER})\s?(?:{UNIT})?\s?(?:to|-|–|—|\.\.+)\s?(?P<high>{NUMBER})"
    rf"(?:\s?(?P<unit>{UNIT}))?(?!\w)",
    re.IGNORECASE,
)
_GOT = re.compile(
    r"\b(?:get|got|gets|see|saw|measured?|reads?|have|is|it's|says|shows?|now)\s*(?:only |about )?$", re.I
)
_COMPARES = re.compile(
    r"\b(?:faster|slower|saved?|saving|speed-?up|ratio|per ?cent(?:age)?|gain(?:ed)?|lo(?:se|st)|reduc\w+|"
    r"difference|factor|improve\w*|better|worse|how much (?:more|less)|times (?:as|more|less)|regression|"
    r"went (?:up|down))\b",
    re.IGNORECASE,
)
_EARLIER = re.compile(
    r"\b(?:before|was|were|took|used to|previous\w*|earlier|old|float\w*|baseline|original\w*|from|first)\b",
    re.IGNORECASE,
)
_LATER = re.compile(
    r"\b(?:now|after|new|takes?|quanti[sz]ed|int8|optimi[sz]ed|to|->|→|is)\b|->|→", re.IGNORECASE
)


@dataclass(frozen=True)
class Held:
    """Two figures of one unit; `against` may have an interval, or be one alone."""

    unit: str
    measured: float | None
    """None where it has to be calculated from the other figures."""
    against: float | None = None
    low: float | None = None
    high: float | None = None
    words: tuple[str, ...] = ()
    is_own: bool = False
    """Whether both are the user's own: before and after."""

    @property
    def has_interval(self) -> bool:
        return self.low is not None


def compares(text: str) -> bool:
    """Whether it asks how two figures differ."""
    return bool(_COMPARES.search(text))


def held_in(text: str, figures: Sequence[Figure], told: OwnFigures) -> Held | None:
    """What the text holds against what; None where it does not."""
    if (match := INTERVAL.search(text)) is not None:
        return _against_interval(text, figures, told, match)
    stated = next((range_ for range_ in _RANGE.finditer(text) if _is_stated(text, range_)), None)
    against = _against_interval(text, figures, told, stated) if stated else None
    if len({one.drawn for one in told.consumers if one.whole}) > 1:
        return against
    return against or _against_claim(text, figures) or _of_two(text, figures)


def _against_interval(
    text: str, figures: Sequence[Figure], told: OwnFigures, match: re.Match[str]
) -> Held | None:
    found = match.groupdict()
    written = found.get("unit") or found.get("inner") or found.get("outer")
    against = number_in(found["value"]) if found.get("value") else None
    others = [figure for figure in figures if figure.end <= match.start() or figure.start >= match.end()]
    family, factor = FACTORS[written.lower()] if written else (Family.COUNT, 1.0)
    if family not in FAMILIES:
        return None
    low, high = (number_in(match[name]) * factor for name in ("low", "high"))
    if not 0 < low <= high:
        return None
    claims = {figure.start for at, figure in enumerate(figures) if cue(text, figures, at) == "claim"}
    own = [figure for figure in others if figure.start not in claims]
    measured, words = _measured(text, own, family, factor)
    if measured is None and not (family is Family.ENERGY and any(one.whole for one in told.consumers)):
        return None
    taken = tuple(figure.text for figure in figures if match.start() <= figure.start < match.end())
    middle = against * factor if against is not None else None
    return Held(FAMILIES[family], measured, middle, low, high, (*words, *taken))


def _is_stated(text: str, match: re.Match[str]) -> bool:
    """A range is somebody's statement where such a word stands in its sentence."""
    sentence = re.split(r"[.?!](?=\s)", text[: match.start()])[-1]
    return cue_found("claim", sentence) and (match["unit"] is not None or "promis" in sentence.casefold())


def _measured(
    text: str, figures: Sequence[Figure], family: Family, factor: float
) -> tuple[float | None, tuple[str, ...]]:
    """The figure of that family, else a bare one behind a word such as `get`."""
    for figure in figures:
        if figure.family is family:
            return figure.value, (figure.text,)
    for figure in figures:
        bare = figure.family is Family.COUNT and not figure.spoken
        if bare and _GOT.search(text[max(0, figure.start - 20) : figure.start]):
            return figure.value * factor, (figure.text,)
    return None, ()


def _against_claim(text: str, figures: Sequence[Figure]) -> Held | None:
    """`I measure 212 ms, your tool says 95 ms`, `you estimated 140`."""
    kinds = [(at, figure) for at, figure in enumerate(figures) if figure.family in FAMILIES]
    claims = [figure for at, figure in kinds if cue(text, figures, at) == "claim"]
    own = [figure for at, figure in kinds if cue(text, figures, at) not in ("claim", "limit", "percentile")]
    if not claims:
        bare = [(at, f) for at, f in enumerate(figures) if f.family is Family.COUNT and not f.spoken]
        bare = [(at, f) for at, f in bare if not f.noun and cue(text, figures, at) == "claim"]
        times = [figure for figure in own if figure.family is Family.TIME]
        if not bare or not times:
            return None
        claimed = bare[0][1].value * (times[0].value / times[0].written if times[0].written else 1.0)
        return Held("ms", times[0].value, claimed, words=(times[0].text, bare[0][1].text))
    mine = next((figure for figure in own if figure.family is claims[0].family), None)
    if mine is None:
        return None
    return Held(FAMILIES[mine.family], mine.value, claims[0].value, words=(mine.text, claims[0].text))


_OF_A_RUN = frozenset(("", "life", "period", "store"))
"""What may stand beside a figure of a run: nothing that makes another of it."""


def _of_two(text: str, figures: Sequence[Figure]) -> Held | None:
    """Two figures of the user's own, the earlier one first unless words say otherwise."""
    if not compares(text):
        return None
    for family in (Family.TIME, Family.ENERGY, Family.RATE, Family.POWER, Family.CURRENT):
        of_it = [
            (at, f)
            for at, f in enumerate(figures)
            if f.family is family and cue(text, figures, at) in _OF_A_RUN
        ]
        if len(of_it) == 2:
            (_, first), (_, second) = of_it
            begin = figures[of_it[0][0] - 1].end if of_it[0][0] else 0
            before_first, between = text[begin : first.start], text[first.end : second.start]
            swapped = bool(_EARLIER.search(between) and not _LATER.search(between)) or (
                bool(_LATER.search(before_first)) and bool(_EARLIER.search(between))
            )
            old, new = (second, first) if swapped else (first, second)
            return Held(FAMILIES[family], new.value, old.value, words=(first.text, second.text), is_own=True)
    return None


__all__ = ["Held", "compares", "held_in"]
