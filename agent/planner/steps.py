"""A setting that is changed by a factor in words: half the clock, twice the batch."""

from __future__ import annotations

import re

from .query import Query, Role, Slot
from .want import Want

_FACTORS = {"hal": 0.5, "qua": 0.25, "dou": 2.0, "twi": 2.0, "tri": 3.0, "thi": 1 / 3}
_STEP = r"(?:half|halv\w+|(?:a |one )quarter|doubl\w+|twice|tripl\w+|(?:a |one )third)"
_WHAT = r"(?:clock|frequency|mhz|batch|threads|cores)"
_FOUND = re.compile(
    rf"\b(?P<step>{_STEP})\b(?: (?:the|its|my|of|that|this|cpu|core|gpu|number|size)){{0,4}} "
    rf"(?P<what>{_WHAT})\b|"
    rf"\b(?P<what_first>{_WHAT})\b(?: (?!than\b)[\w-]+){{0,4}}? (?:to|by|in|at) (?P<step_last>{_STEP})\b",
    re.IGNORECASE,
)
_ROLES = {"batch": Role.BATCH, "threads": Role.THREADS, "cores": Role.THREADS}


def stepped(query: Query) -> Query:
    """With what the setting becomes, behind what it is now; a step that goes nowhere is none."""
    found = _FOUND.search(query.question)
    if found is None or not query.has(Role.MODEL) or not query.has(Role.TARGET):
        return query
    role = _ROLES.get((found["what"] or found["what_first"]).casefold(), Role.CLOCK_MHZ)
    if query.says(role, Role.CLOCK_BEFORE_MHZ):
        return query
    chip = query.targets.get(query.text(Role.TARGET))
    usual = (chip.clock_max_mhz if chip else None) if role is Role.CLOCK_MHZ else 1.0
    base = query.number(role) or usual
    step = (found["step"] or found["step_last"]).casefold().removeprefix("a ").removeprefix("one ")
    after = (base or 0.0) * _FACTORS[step[:3]]
    if not base or (role is not Role.CLOCK_MHZ and after < 1):
        return query
    slots = (
        *query.without([role]).slots,
        Slot(role=role, value=base, inherited=True),
        Slot(role=role, value=after, text=found[0]),
    )
    wants = [Want.WHAT_IF, *(want for want in query.wants if want not in (Want.WHAT_IF, Want.COMPARE))]
    return query.model_copy(update={"slots": slots, "wants": tuple(wants)})
