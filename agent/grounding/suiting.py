"""Whether the words beside a number say of it what a fact is: its quantity, its role, its direction."""

from __future__ import annotations

import re
from functools import lru_cache

from .asked import Asked
from .claims import Claim
from .facts import Fact, Form, Kind
from .families import Family
from .marks import marked, names_another
from .quantities import suits_all
from .report import USER

NO_DEMANDS = frozenset(("limits", "limit", "bound", "size", "largest", "capacity"))
"""What nothing takes or needs: what was asked for, and what is there."""
_SPEEDS = frozenset((Family.RATE, Family.FREQUENCY, Family.THROUGHPUT, Family.BANDWIDTH))
_INVERSE = {Form.REST: Form.FACTOR, Form.FACTOR: Form.REST}
"""Of a rate: what is twice as fast has twice the rate."""
_AMOUNTS = frozenset((Family.TIME, Family.BYTES, Family.ENERGY, Family.POWER))


def is_of_quantity(asked: Asked, fact: Fact) -> bool:
    """Whether the words beside the number allow that it measures what the fact does."""
    if names_another(fact, asked.around):
        return False
    return suits_all(asked.words, fact) and all(speaks(needed, asked.around) for needed in marked(fact))


def suits(claim: Claim, fact: Fact) -> bool:
    """Whether the words beside a number say of it what the fact is."""
    if claim.is_result and (fact.call == USER or not fact.tags.isdisjoint(NO_DEMANDS)):
        return False
    if fact.call == USER:
        return True
    if claim.is_limit and fact.kind is Kind.FIELD and fact.tags.isdisjoint(NO_DEMANDS):
        return False
    if claim.of_limit and fact.subject.technique and fact.family is Family.RATIO:
        return False
    if (claim.remains or claim.differs) and fact.family in _AMOUNTS and not _is_rest(claim, fact):
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


def _is_rest(claim: Claim, fact: Fact) -> bool:
    return (
        fact.form is Form.DIFFERENCE
        or not fact.tags.isdisjoint(("gap", "change", "added"))
        or (claim.remains and not claim.differs and ".after." in fact.path)
        or (fact.kind is Kind.TEXT and fact.sign != 0)
    )


def _way(claim: Claim, fact: Fact) -> int:
    """A higher rate is what "faster" says."""
    return -fact.sign if claim.speed and (fact.of or fact.family) in _SPEEDS else fact.sign


def _related(claim: Claim, fact: Fact) -> bool:
    if claim.times and fact.form in (Form.CHANGE, Form.SPEED):
        return False
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


@lru_cache(maxsize=1024)
def speaks(words: re.Pattern[str], text: str) -> bool:
    return words.search(text) is not None
