"""The unit that an answer is asked in: kWh a day, mAh per day, cents per million images, tokens per kWh."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from itertools import accumulate

from ..tools.core.records import dataclass
from .currencies import DOLLARS, NAMED
from .figure_units import FACTORS
from .figures import number_in
from .patterns import compiled
from .quantities import Family, Figure, find_figures


class What(StrEnum):
    ENERGY = "energy"
    CHARGE = "charge"
    MONEY = "money"
    COUNT = "count"


class Per(StrEnum):
    TIME = "time"
    COUNT = "count"
    ENERGY = "energy"


@dataclass(frozen=True)
class AskedUnit:
    """`unit` of `what` for so many, `amount`, of `per`: a day is 24 hours, a million a million inferences."""

    what: What
    unit: str
    per: Per
    amount: float
    """Hours, pieces or kWh."""
    words: str


@dataclass(frozen=True)
class Price:
    """What a kWh or an hour costs the user, in their own currency."""

    value: float
    currency: str
    per: Per
    """Of energy, or of time."""
    words: str
    field: str = ""
    """Path of a list price in a record; empty where the user says it."""
    times: float = 1.0
    """How many are paid, that `value` is of together."""

    @property
    def term(self) -> str:
        """It in an expression."""
        return f"({self.times:.9g}*{self.field}/1USD)" if self.field else f"{self.value:.9g}"

    def shown(self, expression: str, ends: str = "~") -> str:
        """An expression in this currency, with its interval."""
        if self.currency == "USD":
            return f"{{{{({expression})*1USD|USD{ends}}}}}"
        return f"{{{{{expression}|count{ends}}}}} {self.currency}".strip()

    def scaled(self, times: float) -> Price:
        """Of as many."""
        return replace(self, value=self.value * times, times=self.times * times)


_MANY_OF = "images|inferences|frames|requests|tokens|queries|pictures|classifications|words"
_COUNTED = f"{_MANY_OF.replace('s|', 's?|')}s?|runs?"
_UNITS: dict[What, dict[str, str]] = {
    What.ENERGY: {
        "kWh": "kwhs?|kilowatt[- ]?hours?", "Wh": "wh|watt[- ]?hours?", "mWh": "mwh", "mJ": "mj|millijoules?",
        "J": "j|joules?", "": "energy|electricity|power consumption|consumption|power|co2|carbon|"
        "emissions?",
    },
    What.CHARGE: {"mAh": "mah|milliamp[- ]?hours?", "Ah": "ah|amp[- ]?hours?"},
    What.MONEY: {
        "": rf"{DOLLARS}|{NAMED}|cents?|ct|"
        r"costs?(?! (?:\w+ ){0,3}?(?:energy|power|joules?|battery|charge|m?ah|time|memory|ram)\b)|money|"
        "cheapest(?: way)?|bill",
    },
    What.COUNT: {"": _MANY_OF},
}  # fmt: skip
HOURS = {n: factor / 3.6e6 for n, (family, factor) in FACTORS.items() if family is Family.TIME and n[2:]}
_KWH = {n: factor / 3.6e12 for n, (family, factor) in FACTORS.items() if family is Family.ENERGY and n[1:]}
"""Not by one or two letters: "ad" is no "a d"."""
_ADVERBS = {"daily": "day", "annual": "year"} | {f"{u}ly": u for u in ("hour", "week", "month", "year")}
_MANY = {"hundred": 100.0, "thousand": 1e3, "1k": 1e3, "million": 1e6, "1m": 1e6, "billion": 1e9}
_DIGITS = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?"
_PERIODS, _ENERGIES = (sorted(names, key=len, reverse=True) for names in (HOURS, _KWH))
_PER = compiled(
    rf"(?:\bper|(?<![A-Z])/|\ban?|\beach|\bevery|\bover|\bfor|\bof)\s*(?P<number>{_DIGITS}|one)?\s*(?P<unit>{'|'.join(_PERIODS)}|"
    rf"{'|'.join(_ENERGIES)}|"
    rf"{'|'.join(_MANY)}|{_COUNTED})\b(?:\s(?:output |generated |input )?(?:{_COUNTED})\b)?|"
    rf"\b(?P<adverb>{'|'.join(_ADVERBS)})\b",
    re.IGNORECASE,
)
_PUE = compiled(rf"\bPUE\b\D{{0,8}}(?P<number>{_DIGITS})", re.IGNORECASE)
_NEAR, _DAY_H = 40, 24.0
"""Characters between what is asked and what it is per."""


def price_in(text: str) -> Price | None:
    """What the user pays for a kWh or for an hour: 38 ct per kWh, $1.20 an hour, electricity is 0.30 €."""
    figures = (each for each in find_figures(text) if each.family in (Family.TARIFF, Family.RENT))
    return next((price_of(each) for each in figures), None)


def price_of(figure: Figure) -> Price:
    per = Per.ENERGY if figure.family is Family.TARIFF else Per.TIME
    return Price(figure.value, figure.unit, per, figure.text)


def pue_in(text: str) -> float:
    """What a data centre draws over what its computers draw; 1 where it is not said."""
    match = _PUE.search(text)
    return number_in(match["number"]) if match else 1.0


def asked_unit(text: str, otherwise: What | None = None) -> AskedUnit | None:
    """The first unit per something that no figure of the question states; None without one.

    Args:
        otherwise: what is asked for of a day or longer, where nothing beside it says.
    """
    price = price_in(text)
    if price is not None:
        text = text.replace(price.words, " " * len(price.words))
    figures = find_figures(text)
    stated_in = (Family.DUTY, Family.RATE)
    duties = [range(f.start, f.end) for f in figures if f.family in stated_in]
    taken = sorted((f.start - (f.family is Family.RATE), f.end) for f in figures)
    unstated = _blanked(text, taken)
    starts, reach = [start for start, _ in taken], list(accumulate((end for _, end in taken), max))
    for match in _PER.finditer(text):
        of_energy = match["number"] and (match["unit"] or "").casefold() in _KWH
        stated = of_energy and not match[0].startswith(("per", "/"))  # a 100 Wh battery
        start = match.start("unit")
        of_duty = any(start in duty for duty in duties)  # for 3 hours a day, for 400 requests/s
        if stated or of_duty or _is_taken(match.start(), starts, reach):
            continue
        per, amount = _per(match)
        found = _what(unstated, match, per)
        if found is None and otherwise and per is Per.TIME and amount >= _DAY_H:
            found = otherwise, ""
        if found is not None and amount > 0:
            what, unit = found
            return AskedUnit(what, unit, per, amount, match[0].strip(" /"))
    return None


def _blanked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text without its figures: a cell of 220 mAh asks for no charge."""
    for start, end in spans:
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text


def _is_taken(at: int, starts: Sequence[int], reach: Sequence[int]) -> bool:
    """Whether a figure reaches in from before: `once a day`, `30 frames per second` state a rate.

    `reach` is how far any of the figures goes that start there or before.
    """
    before = bisect_left(starts, at)
    return before > 0 and reach[before - 1] > at


def _per(match: re.Match[str]) -> tuple[Per, float]:
    unit = _ADVERBS.get((match["adverb"] or "").casefold()) or (match["unit"] or "").casefold()
    times = number_in((match["number"] or "1").casefold())
    if unit in HOURS:
        return Per.TIME, times * HOURS[unit]
    return (Per.ENERGY, times * _KWH[unit]) if unit in _KWH else (Per.COUNT, times * _MANY.get(unit, 1.0))


def _what(text: str, match: re.Match[str], per: Per) -> tuple[What, str] | None:
    """What stands before it, nearest first; behind an adverb too."""
    before = text[max(0, match.start() - _NEAR) : match.start()]
    behind = text[match.end() : match.end() + _NEAR]
    for stretch, last in ((before, True), (behind, False)):
        found = [
            (place.start(), what, unit)
            for what, units in _UNITS.items()
            for unit, words in units.items()
            for place in re.finditer(rf"(?<![\w$€£])(?:{words})(?!\w)", stretch, re.IGNORECASE)
            if _goes(what, per) and (per is Per.TIME or place[0].casefold() != "power")
        ]
        money = [each for each in found if each[1] is What.MONEY]
        if found:
            in_units = [each for each in found if each[1] in (What.ENERGY, What.CHARGE) and each[2]]
            _, what, unit = (max if last else min)(in_units or money or found)
            return what, unit
    return (What.COUNT, "") if per is Per.ENERGY else None


def _goes(what: What, per: Per) -> bool:
    """No energy for an energy; of a second and of one inference others tell."""
    return (what.value, per.value) not in (("count", "count"), ("energy", "energy"), ("charge", "energy"))
