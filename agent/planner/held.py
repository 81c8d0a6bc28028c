"""A figure of the user's held against what was stated: an estimate's interval, a claim, an earlier run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..figure_units import FACTORS
from ..quantities import Family, Figure, number_in
from .own_cues import cue, cue_found
from .own_figures import OwnFigures

_UNIT_OF = {
    Family.TIME: "ms", Family.ENERGY: "uJ", Family.RATE: "1/s", Family.POWER: "mW", Family.CURRENT: "uA",
}  # fmt: skip
_UNIT = "|".join(
    re.escape(name)
    for name in sorted(FACTORS, key=len, reverse=True)
    if FACTORS[name][0] in _UNIT_OF and len(name) < 16
)
_NUMBER = r"\d+(?:[.,]\d+)?"
INTERVAL = re.compile(
    rf"(?<![\w.])(?P<value>{_NUMBER})\s?(?P<unit>{_UNIT})?\s*[(\[](?:90 ?%:? )?"
    rf"(?P<low>{_NUMBER})\s?(?:{_UNIT})?\s*(?:to|and|\.\.+|[-–—,…])\s*(?P<high>{_NUMBER})\s?(?P<inner>{_UNIT})?[)\]]\s?(?P<outer>{_UNIT})?(?!\w)",
    re.IGNORECASE,
)
"""As people write it: `28 ms (19 to 42)`, `3.1 ms [2.4, 4.0]`."""
_RANGE = re.compile(
    rf"(?<![\w.(\[])(?P<low>{_NUMBER})\s?(?:{_UNIT})?\s?(?:to|-|–|—|\.\.+)\s?(?P<high>{_NUMBER})"
    rf"\s?(?P<unit>{_UNIT})(?!\w)",
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
_NOT_MEASURED = ("claim", "limit", "percentile")
_OF_A_RUN = ("", "life", "period", "store")
"""What may stand beside a figure of a run: nothing that makes another of it."""


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


def compares(text: str) -> bool:
    """Whether it asks how two figures differ."""
    return bool(_COMPARES.search(text))


def held_in(text: str, figures: Sequence[Figure], told: OwnFigures) -> Held | None:
    """What the text holds against what; None where it does not."""
    roles = [(figure, cue(text, figures, at)) for at, figure in enumerate(figures)]
    promised = (match for match in _RANGE.finditer(text) if _is_stated(text, match))
    if stated := INTERVAL.search(text) or next(promised, None):
        found = _against_interval(text, roles, told, stated)
        if found or stated.re is INTERVAL:
            return found
    if len({one.drawn for one in told.consumers if one.whole}) > 1:
        return None
    return _against_claim(roles) or (_of_two(text, roles) if compares(text) else None)


def _is_stated(text: str, match: re.Match[str]) -> bool:
    """A range is somebody's statement where such a word stands in its sentence."""
    return cue_found("claim", re.split(r"[.?!](?=\s)", text[: match.start()])[-1])


def _against_interval(
    text: str, roles: Sequence[tuple[Figure, str]], told: OwnFigures, match: re.Match[str]
) -> Held | None:
    groups = match.groupdict()
    written = groups["unit"] or groups.get("inner") or groups.get("outer")
    family, factor = FACTORS[written.lower()] if written else (Family.COUNT, 1.0)
    low, high = (number_in(match[name]) * factor for name in ("low", "high"))
    if family not in _UNIT_OF or not 0 < low <= high:
        return None
    within = [f for f, _ in roles if match.start() <= f.start < match.end()]
    own = [f for f, role in roles if f not in within and role != "claim"]
    got = (f for f in own if _GOT.search(text[max(0, f.start - 20) : f.start]))
    measured = next((f for f in own if f.family is family), None)
    value = measured.value if measured else None
    if measured is None and (measured := next((f for f in got if _is_bare(f)), None)) is not None:
        value = measured.value * factor
    if measured is None and not (family is Family.ENERGY and any(one.whole for one in told.consumers)):
        return None
    words = (*([measured.text] if measured else []), *(figure.text for figure in within))
    middle = number_in(match["value"]) * factor if "value" in groups else None
    return Held(_UNIT_OF[family], value, middle, low, high, words)


def _is_bare(figure: Figure) -> bool:
    return figure.family is Family.COUNT and not figure.spoken


def _against_claim(roles: Sequence[tuple[Figure, str]]) -> Held | None:
    """`I measure 212 ms, your tool says 95 ms`; the unit of a bare figure is that of the one measured."""
    claims = [f for f, role in roles if role == "claim"]
    for mine in (f for f, role in roles if f.family in _UNIT_OF and role not in _NOT_MEASURED):
        for claim in claims:
            bare = _is_bare(claim) and not claim.noun
            if claim.family is mine.family or (bare and mine.family is Family.TIME):
                scale = mine.value / mine.written if bare and mine.written else 1.0
                words = (mine.text, claim.text)
                return Held(_UNIT_OF[mine.family], mine.value, claim.value * scale, words=words)
    return None


def _of_two(text: str, roles: Sequence[tuple[Figure, str]]) -> Held | None:
    """Two figures of the user's own, the earlier one first unless words say otherwise."""
    for family, unit in _UNIT_OF.items():
        pair = [f for f, role in roles if f.family is family and role in _OF_A_RUN]
        if len(pair) != 2:
            continue
        first, second = pair
        begin = max((f.end for f, _ in roles if f.end <= first.start), default=0)
        between = text[first.end : second.start]
        later_first = _LATER.search(text[begin : first.start]) or not _LATER.search(between)
        old, new = (second, first) if _EARLIER.search(between) and later_first else (first, second)
        return Held(unit, new.value, old.value, words=(first.text, second.text), is_own=True)
    return None


__all__ = ["INTERVAL", "Held", "compares", "held_in"]
