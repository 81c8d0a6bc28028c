"""Which fact a printed number is a rounding of."""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from .asked import Asked
from .facts import THRESHOLD, Fact, Kind
from .families import BARE, Family, Reading
from .figures import Figure, tolerance
from .report import USER
from .same_subject import is_of_subject
from .suiting import NO_DEMANDS, is_of_quantity, speaks, suits
from .words import LIMIT_WORDS

_COUNTS = (
    Family.BARE, Family.OPERATORS, Family.PARAMETERS, Family.MACS, Family.CYCLES, Family.PIECES, Family.RATIO,
)  # fmt: skip
"""What a number without a unit may be; the index of a layer only where the text says so."""
_DIGITS_TO_STAND_ALONE = 3
_REMARKS = ("assumptions", "warnings", "result.assumptions", "result.warnings")
_OF_EVERY_REMARK = frozenset(
    ("assu", "warn", "resu", "took", "take", "with", "from", "this", "that", "there")
)
_SHARED = 2
"""Words that a sentence must have in common with a remark whose number it tells."""
_STARTS_FROM = re.compile(
    r"(?<!\w)(?:from|before|today|now|current\w*|instead|than|baseline|origin\w*|without|unchanged|still|stays?|"
    r"remains?|as (?:it )?is|plain|compared|vs|versus|against|of the original|statt|von|vorher|avant|"
    r"antes|was|were|"
    r"same|already|keeps?)(?!\w)|→|->|\|",
    re.IGNORECASE,
)


def _readings_of_bare(asked: Asked) -> Sequence[Reading]:
    """With decimals, a number has the unit that is near by."""
    if asked.near and asked.figure.step != 1.0:
        return asked.near
    return (*asked.near, *(Reading(family, 1.0) for family in _COUNTS))


def _scaled(readings: Sequence[Reading]) -> Sequence[Reading]:
    """2.66 M may be of anything that is counted."""
    if readings and readings[0].family is Family.PIECES:
        return (*readings, BARE)
    if not readings or readings[0].family is not Family.BARE:
        return readings
    return (*readings, *(Reading(family, readings[0].factor) for family in _COUNTS))


class Known:
    """Facts by family and size; of several that fit, the one that stands highest in a result is told."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self.facts = list(facts)
        by_family: dict[Family, list[Fact]] = {}
        for fact in self.facts:
            by_family.setdefault(fact.family, []).append(fact)
        self._sorted = {f: sorted(those, key=lambda fact: fact.value) for f, those in by_family.items()}
        self._values = {f: [fact.value for fact in those] for f, those in self._sorted.items()}
        self._native = sorted(self.facts, key=lambda fact: fact.native)
        self._natives = [fact.native for fact in self._native]
        self._changed = {
            (fact.subject.technique, fact.family) for fact in self.facts if ".after." in fact.path
        }
        self._layered = {
            (fact.subject.layer, fact.family) for fact in self.facts if fact.subject.layer is not None
        }

    def find(self, asked: Asked) -> Fact | None:
        """The fact that it prints: in its own unit, or in one from near by or as a count."""
        if asked.figure.beyond:
            exact = self.find(asked._replace(figure=replace(asked.figure, beyond=0)))
            if exact is not None:
                return exact
        figure = asked.figure
        for reading in _scaled(figure.readings) or _readings_of_bare(asked):
            fitting = [fact for fact in self._close(figure, reading) if self._allows(asked, fact)]
            if fitting:
                return _first(asked, fitting)
        if figure.family is Family.RATE and (fact := self._reciprocal(asked)):
            return fact
        if not figure.readings and not asked.near and _significant(figure) >= _DIGITS_TO_STAND_ALONE:
            fitting = [fact for fact in self._as_it_stands(figure) if self._allows(asked, fact)]
            return min(fitting, key=lambda fact: fact.rank) if fitting else None
        return None

    def _close(self, figure: Figure, reading: Reading) -> Iterator[Fact]:
        facts, values = self._sorted.get(reading.family, []), self._values.get(reading.family, [])
        for value, allowed in figure.meanings():
            low, high = (value - allowed) * reading.factor, (value + allowed) * reading.factor
            for at in range(bisect_left(values, low * (1 - 1e-9)), len(values)):
                if values[at] > high * (1 + 1e-9):
                    break
                if _prints(value, allowed, facts[at].value / reading.factor, facts[at].call == USER):
                    yield facts[at]

    def _reciprocal(self, asked: Asked) -> Fact | None:
        """How often, where a result only tells how long."""
        figure = asked.figure
        facts, values = self._sorted.get(Family.TIME, []), self._values.get(Family.TIME, [])
        scale = figure.readings[0].factor
        for value, allowed in figure.meanings() if not asked.claim.end else ():
            if value <= allowed:
                continue
            low, high = 1 / ((value + allowed) * scale), 1 / ((value - allowed) * scale)
            for fact in facts[bisect_left(values, low) : bisect_right(values, high)]:
                whole = fact.kind is Kind.FIELD and not fact.end and fact.subject.layer is None
                if whole and "latency" in fact.tags and self._allows(asked, fact):
                    return fact
        return None

    def _as_it_stands(self, figure: Figure) -> Iterator[Fact]:
        allowed = tolerance(figure)
        for at in range(bisect_left(self._natives, figure.value - allowed), len(self._natives)):
            if self._natives[at] > figure.value + allowed:
                break
            if self._native[at].family is Family.INDEX:
                continue
            if _prints(figure.value, allowed, self._natives[at], self._native[at].call == USER):
                yield self._native[at]

    def _allows(self, asked: Asked, fact: Fact) -> bool:
        if fact.quote and fact.quote in asked.beside:
            return True
        if fact.call != USER and self._is_unchanged(asked, fact):
            return False
        if fact.kind is Kind.TEXT and fact.quote and not _shares_words(asked, fact):
            return False
        if THRESHOLD in fact.tags:
            return asked.claim.within and is_of_subject(asked.spoken, fact, self._layered)
        if fact.end and not asked.ranged:
            return False
        if asked.end and fact.kind is Kind.FIELD and fact.end != asked.end and _has_ends(fact):
            return False
        of_bound = fact.path.endswith("(demand, bound)") and fact.family is Family.RATIO
        if of_bound and asked.claim.direction and asked.spoken.beginnings.isdisjoint(LIMIT_WORDS):
            return False
        if not is_of_subject(asked.spoken, fact, self._layered) or not suits(asked.claim, fact):
            return False
        return fact.call == USER or is_of_quantity(asked, fact)

    def _is_unchanged(self, asked: Asked, fact: Fact) -> bool:
        """Told of a change, but not changed by it, though the result tells what it would be."""
        said = asked.spoken.named.get("technique")
        if (
            not said
            or fact.subject.technique
            or fact.kind is not Kind.FIELD
            or asked.spoken.carried_technique
        ):
            return False
        if not fact.tags.isdisjoint(NO_DEMANDS):
            return False  # no change moves a limit
        changed = (said, fact.family) in self._changed
        return changed and fact.family is not Family.RATIO and not speaks(_STARTS_FROM, asked.around)


def _first(asked: Asked, fitting: Sequence[Fact]) -> Fact:
    """The one that stands highest; where the sentence repeats what the user demands, the user's own."""
    own = [fact for fact in fitting if fact.call == USER] if asked.claim.repeats else []
    return min(own or fitting, key=lambda fact: fact.rank)


def _shares_words(asked: Asked, fact: Fact) -> bool:
    """Whether the paragraph speaks of what a remark of a tool is about."""
    beginnings = {tag[:4] for tag in fact.tags if len(tag) > 3 and tag.isalpha()} - _OF_EVERY_REMARK
    remark = fact.path.startswith(_REMARKS)
    if asked.words and not remark:
        return True
    shared = _SHARED if remark else 1
    return len(beginnings & asked.spoken.beginnings) >= min(shared, len(beginnings))


def _has_ends(fact: Fact) -> bool:
    """Not so a number of a list, which may itself be the least of them."""
    return bool(fact.end) or fact.path.endswith(".value")


def _prints(value: float, allowed: float, known: float, exactly: bool) -> bool:
    """What the user wrote is quoted, not rounded."""
    if not math.isfinite(known):
        return False
    return abs(value - known) <= (min(allowed, 1e-6 * abs(known)) if exactly else allowed)


def _significant(figure: Figure) -> int:
    digits = f"{figure.value / figure.step:.0f}" if figure.step else ""
    return len(digits.lstrip("0"))
