"""The unit that stands after a number."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .families import Family, Reading
from .spellings import UNITS

_BY_CASE = {unit.casefold(): readings for unit, readings in reversed(UNITS.items()) if len(unit) > 2}
_BY_CASE |= {unit.casefold(): UNITS[unit] for unit in ("mJ", "uJ", "nJ", "mW", "uW", "uA", "mA")}

SCALES: dict[str, float] = {
    "k": 1e3,
    "K": 1e3,
    "M": 1e6,
    "G": 1e9,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
}
"""A scale may stand between the number and its unit, or alone."""

_LOOSE_BYTES = {"k": 1024.0, "K": 1024.0, "M": 1024.0**2, "G": 1024.0**3}
_LONGEST = max(unit.count(" ") for unit in UNITS) + 1
_WORDS = re.compile(r"[^\s\d,;:()\[\]|*`\"'<>=–—?!]+(?:[ \u00a0\u202f]+[^\s\d,;:()\[\]|*`\"'<>=–—?!]+){0,3}")


@dataclass(frozen=True)
class UnitText:
    """A unit as it stands in a text, with what it can mean; no readings where none was found."""

    text: str
    end: int
    readings: tuple[Reading, ...]


def readings_of(unit: str) -> tuple[Reading, ...]:
    """How a unit can be understood; empty where it is none."""
    return UNITS.get(unit) or _BY_CASE.get(unit.casefold(), ())


_SPACE = re.compile(r"[ \u00a0\u202f]+")
_EACH = re.compile(r"/(?:frame|image|inference|run|sample|window|pass)$")
_EACH_SECOND = re.compile(r" ?(?:/|per |a |each |every )(?:s|second)(?!\w)")
_GAP = re.compile(r"[ \u00a0\u202f-]?")


def unit_at(text: str, start: int) -> UnitText:
    """The unit that stands at `start`, after at most a space or a hyphen."""
    gap = _GAP.match(text, start)
    begin = gap.end() if gap else start
    found = _WORDS.match(text, begin)
    if found is None:
        return UnitText("", start, ())
    words = [(word.group(), word.end()) for word in re.finditer(r"[^ \u00a0\u202f]+", found[0])]
    if (scale := words[0][0].rstrip(".!?…")) in SCALES:
        return _after_scale(text, begin, scale)
    for count in range(min(len(words), _LONGEST), 0, -1):
        spelt = found[0][: words[count - 1][1]]
        named = _EACH.sub("", spelt.rstrip(".!?…"))
        if readings := readings_of(_SPACE.sub(" ", named)):
            each = _EACH_SECOND.match(text, begin + len(named))
            if each and readings[0].family is Family.ENERGY:
                power = tuple(Reading(Family.POWER, r.factor) for r in readings)
                return UnitText(text[begin : each.end()], each.end(), power)
            return UnitText(named, begin + len(named), readings)
    return UnitText("", start, ())


def _after_scale(text: str, begin: int, scale: str) -> UnitText:
    after = unit_at(text, begin + len(scale))
    if after.readings:
        scaled = tuple(Reading(r.family, r.factor * SCALES[scale]) for r in after.readings)
        return UnitText(text[begin : after.end], after.end, scaled)
    loose = (Reading(Family.BYTES, _LOOSE_BYTES[scale]),) if scale in _LOOSE_BYTES else ()
    return UnitText(scale, begin + len(scale), (Reading(Family.BARE, SCALES[scale]), *loose))
