"""Which fact a printed number is a rounding of."""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from .claims import Claim
from .facts import Fact, Form, Kind
from .families import BARE, Family, Reading
from .figures import Figure, tolerance
from .known_names import EVERY
from .marks import marked, names_another
from .operators import OPERATOR, is_operator
from .quantities import Word, suits_all
from .report import USER
from .subjects import Spoken
from .words import CHANGE_WORDS, LIMIT_WORDS, TECHNIQUE_WORDS

_COUNTS = (
    Family.BARE, Family.OPERATORS, Family.PARAMETERS, Family.MACS, Family.CYCLES, Family.PIECES, Family.RATIO,
)  # fmt: skip
"""What a number without a unit may be; the index of a layer only where the text says so."""
_DIGITS_TO_STAND_ALONE = 3
NAMED = ("target", "runtime", "model", "technique")
_OF_CLOCK = frozenset((Family.TIME, Family.RATE, Family.ENERGY, Family.POWER))
_OF_REGION = frozenset((Family.BYTES, Family.BANDWIDTH, Family.RATIO, Family.BYTES_PER_CYCLE))
_NO_DEMANDS = frozenset(("limits", "limit", "bound", "size", "largest", "capacity"))
"""What nothing takes or needs: what was asked for, and what is there."""
_ASKED_TAGS = frozenset(("limits", "limit", "bound"))
_STARTS_FROM = re.compile(
    r"(?<!\w)(?:from|before|today|now|current\w*|instead|than|baseline|origin\w*|without|unchanged|still|stays?|"
    r"remains?|as (?:it )?is|plain|compared|vs|versus|against|of the original|statt|von|vorher|avant|antes|was|were|"
    r"same|already|keeps?)(?!\w)|→|->|\|",
    re.IGNORECASE,
)
_ALL_OF_THEM = frozenset(
    (
        "comb",
        "toge",
        "both",
        "plus",
        "ever",
        "list",
        "chan",
        "alle",
        "zusa",
        "ense",
        "tout",
        "todo",
        "best",
        "shor",
    )
)
"""First letters of words that speak of several changes at once."""
_SPEEDS = frozenset((Family.RATE, Family.FREQUENCY, Family.THROUGHPUT, Family.BANDWIDTH))
_INVERSE = {Form.REST: Form.FACTOR, Form.FACTOR: Form.REST}
"""Of a rate: what is twice as fast has twice the rate."""
_AMOUNTS = frozenset((Family.TIME, Family.BYTES, Family.ENERGY, Family.POWER))


class Asked(NamedTuple):
    """A printed number with all that its sentence says of it."""

    figure: Figure
    near: Sequence[Reading]
    spoken: Spoken
    claim: Claim
    end: str = ""
    """`low` or `high`: told as this end of an interval."""
    ranged: bool = False
    """Told as an end of some range."""
    words: Sequence[Word] = ()
    """What its part of the clause says that it measures."""
    beside: str = ""
    """The text right around it, of any sentence."""
    around: str = ""
    """The paragraph up to the end of its sentence."""


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
        figure = asked.figure
        for reading in _scaled(figure.readings) or _readings_of_bare(asked):
            fitting = [fact for fact in self._close(figure, reading) if self._allows(asked, fact)]
            if fitting:
                return min(fitting, key=lambda fact: fact.rank)
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
        if fact.end and not asked.ranged:
            return False
        if asked.end and fact.kind is Kind.FIELD and fact.end != asked.end and _has_ends(fact):
            return False
        of_bound = fact.path.endswith("(demand, bound)") and fact.family is Family.RATIO
        if of_bound and asked.claim.direction and asked.spoken.beginnings.isdisjoint(LIMIT_WORDS):
            return False
        if not self._speaks_of(asked.spoken, fact) or not suits(asked.claim, fact):
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
        changed = (said, fact.family) in self._changed
        return changed and fact.family is not Family.RATIO and not _speaks(_STARTS_FROM, asked.around)

    def _told_as_one(self, spoken: Spoken, technique: str) -> bool:
        """Several changes, and not only one of them."""
        said = spoken.named.get("technique", technique)
        return " + " in said or said == EVERY or not spoken.beginnings.isdisjoint(_ALL_OF_THEM)

    def _speaks_of(self, spoken: Spoken, fact: Fact) -> bool:
        if fact.call == USER:
            return True
        named, subject = spoken.named, fact.subject
        for told, own in zip(
            NAMED, (subject.target, subject.runtime, subject.model, subject.technique), strict=True
        ):
            if own and told in named and not same_name(named[told], own):
                return False
        if " + " in subject.technique and not self._told_as_one(spoken, subject.technique):
            return False
        if subject.versus and not same_name(spoken.others.get("target", subject.versus), subject.versus):
            return False
        if not _at_clock(spoken, fact) or not _in_region(named.get("region"), fact):
            return False
        changed = subject.technique and (fact.family is Family.RATIO or ".after." in fact.path)
        if changed and not _about_technique(spoken, subject.technique):
            return False
        if subject.layer is not None and not spoken.of_layers:
            return False
        layer = named.get("layer")
        if layer is None or fact.family is Family.INDEX:
            return True
        if layer.startswith(OPERATOR):
            return not subject.op or is_operator(layer, subject.op)
        if layer == EVERY:
            return True
        if subject.layer is not None:
            return str(subject.layer) == layer
        return not (spoken.first_of_layer and (int(layer), fact.family) in self._layered)


@lru_cache(maxsize=1024)
def _speaks(words: re.Pattern[str], text: str) -> bool:
    return words.search(text) is not None


def _has_ends(fact: Fact) -> bool:
    """Not so a number of a list, which may itself be the least of them."""
    return bool(fact.end) or fact.path.endswith(".value")


def same_name(said: str, own: str) -> bool:
    """What is said may be one of several, and a network may be spoken of without its variant."""
    if said in (own, EVERY):
        return True
    parts = own.split(" + ")
    return own in said.split("|") or own.partition(":")[0] == said or (len(parts) > 1 and said in parts)


def _at_clock(spoken: Spoken, fact: Fact) -> bool:
    """At one of the clocks that are said."""
    own = fact.subject.clock
    if not spoken.clocks or own is None or fact.family not in _OF_CLOCK or fact.kind is Kind.TEXT:
        return True
    if not fact.tags.isdisjoint(_ASKED_TAGS):
        return True
    return any(abs(own - clock) <= allowed for clock, allowed in spoken.clocks)


def _in_region(said: str | None, fact: Fact) -> bool:
    own = fact.subject.region
    if not said or not own or fact.family not in _OF_REGION:
        return True
    return said in own.split(" + ") or own in said.split("|")


def is_of_quantity(asked: Asked, fact: Fact) -> bool:
    """Whether the words beside the number allow that it measures what the fact does."""
    if names_another(fact, asked.around):
        return False
    return suits_all(asked.words, fact) and all(_speaks(needed, asked.around) for needed in marked(fact))


def _about_technique(spoken: Spoken, technique: str) -> bool:
    """Whether the sentence names the change, or at least speaks of one like it."""
    if "technique" in spoken.named:
        return True
    roots = {word[:4].casefold() for word in re.findall(r"[a-z]{4,}|[a-z]+\d+", technique, re.IGNORECASE)}
    return not spoken.beginnings.isdisjoint(
        roots | CHANGE_WORDS | {other for root in roots for other in TECHNIQUE_WORDS.get(root, ())}
    )


def suits(claim: Claim, fact: Fact) -> bool:
    """Whether the words beside a number say of it what the fact is."""
    if claim.is_result and (fact.call == USER or not fact.tags.isdisjoint(_NO_DEMANDS)):
        return False
    if fact.call == USER:
        return True
    if claim.of_limit and fact.subject.technique and fact.family is Family.RATIO:
        return False
    if (claim.remains or claim.differs) and fact.family in _AMOUNTS and not _is_rest(fact):
        return False
    if claim.end and fact.end and claim.end != (_case_of(fact) if claim.by_case else fact.end):
        return fact.family is Family.RATE and not claim.by_case
    if claim.direction and fact.sign and _way(claim, fact) != claim.direction:
        return False
    return fact.family is not Family.RATIO or fact.kind is Kind.TEXT or _related(claim, fact)


def _case_of(fact: Fact) -> str:
    """`low` is the best case of a latency, and the worst of a rate or of a battery's life."""
    more_is_better = fact.family is Family.RATE or "life" in fact.tags or "days" in fact.tags
    return {"low": "high", "high": "low"}[fact.end] if more_is_better else fact.end


def _is_rest(fact: Fact) -> bool:
    return (
        fact.form is Form.DIFFERENCE
        or not fact.tags.isdisjoint(("gap", "change", "added"))
        or (fact.kind is Kind.TEXT and fact.sign != 0)
    )


def _way(claim: Claim, fact: Fact) -> int:
    """A higher rate is what "faster" says."""
    return -fact.sign if claim.speed and (fact.of or fact.family) in _SPEEDS else fact.sign


def _related(claim: Claim, fact: Fact) -> bool:
    if fact.form is Form.SPEED:
        return claim.form is Form.CHANGE and claim.speed
    if claim.form is Form.CHANGE:
        return fact.form is Form.CHANGE
    said = _INVERSE.get(claim.form, claim.form) if claim.speed and fact.of in _SPEEDS else claim.form
    if said is Form.FACTOR:
        return fact.form is Form.FACTOR and (not claim.direction or fact.value >= 1)
    if said is Form.REST:
        return fact.form in (Form.NONE, Form.REST) and (claim.direction <= 0 or fact.value >= 1)
    return True


def _prints(value: float, allowed: float, known: float, exactly: bool) -> bool:
    """What the user wrote is quoted, not rounded."""
    if not math.isfinite(known):
        return False
    return abs(value - known) <= (min(allowed, 1e-6 * abs(known)) if exactly else allowed)


def _significant(figure: Figure) -> int:
    digits = f"{figure.value / figure.step:.0f}" if figure.step else ""
    return len(digits.lstrip("0"))
