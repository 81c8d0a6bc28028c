"""Several networks on one board: which of the talk go on beside a new one, and how often each runs."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ...tools.model_zoo.language_model import is_language_model
from ..patterns import compiled
from .pointing_words import OF_ALL
from .query import Query, Role, Slot
from .subject import is_sibling
from .want import Want
from .words import spoken

_ADDS = compiled(
    r"\b(?:add(?:ing|ed)?|plus|both|beside|besides|next to|alongside|on top|in addition|additionally|"
    r"in parallel|concurrently)\b",
    re.IGNORECASE,
)
_ALSO = compiled(r"\b(?:also|too|as well)\b", re.IGNORECASE)
"""With a rate of its own it runs beside what runs at a rate; without one it may be asked about alone."""
_THE_JOBS = compiled(
    r"\b(?:same|all|both|these|those|two|three|four) (?:\w+ )?(?:jobs|tasks|networks|nets|models|load)\b",
    re.IGNORECASE,
)
_COMPARED = compiled(r"\b(?:compar\w+|which|faster|better|versus|vs)\b", re.IGNORECASE)
_EACH, _NEAR = compiled(r"\s*each\b", re.IGNORECASE), 16
_APART = (Want.COMPARE, Want.WHY_SLOWER, Want.RECOMMEND_MODEL, Want.CONCEPT, Want.PRODUCT)


def with_jobs(query: Query, earlier: Query) -> Query:
    """With the networks that run on the board already, where another joins them or all of them move."""
    named = [slot for slot in query.slots if slot.role is Role.MODEL and slot.text and not slot.inherited]
    past = (_running(one) for one in (earlier, *reversed(earlier.established)))
    before = _running(earlier) if named else next((models for models in past if len(models) > 1), ())
    places = dict.fromkeys(query.all(Role.TARGET) or earlier.all(Role.TARGET))
    writes = any(is_language_model(str(slot.value)) for slot in named)
    moved = not named and Want.PIPELINE in earlier.topic and not _COMPARED.search(query.question)
    apart = (set(query.wants) & {*_APART} and not moved) or "instead" in query.asks
    if len(places) != 1 or not before or writes or apart:
        return query
    if not (_joins(query, earlier) if named else _THE_JOBS.search(query.question)):
        return query
    slots = [slot for slot in query.slots if slot.role not in (Role.MODEL, Role.TARGET)]
    models = dict.fromkeys((*before, *(str(slot.value) for slot in named)))
    own = {str(slot.value): slot for slot in named}
    slots += [own.get(name) or Slot(role=Role.MODEL, value=name, inherited=True) for name in models]
    there = [slot for slot in query.slots if slot.role is Role.TARGET]
    slots += there or [Slot(role=Role.TARGET, value=name, inherited=True) for name in places]
    life = [want for want in query.wants if want is Want.BATTERY_LIFE]
    return query.model_copy(
        update={"slots": tuple(slots), "wants": (Want.PIPELINE, *life), "written_out": True}
    )


def _running(query: Query) -> tuple[str, ...]:
    return tuple(name for name in dict.fromkeys(query.all(Role.MODEL)) if not is_language_model(name))


def _joins(query: Query, earlier: Query) -> bool:
    """Whether a network that is new runs beside the others: `add`, `both`, `also` at a rate of its own."""
    new = {slot.value for slot in query.slots if slot.role is Role.MODEL and slot.text} - {*_running(earlier)}
    if not new or is_sibling(query, earlier):
        return False
    paced = query.says(Role.RATE_HZ) and earlier.has(Role.RATE_HZ)
    adds = _ADDS.search(query.question) or "networks" in spoken("together", query.question)
    return bool(adds or (paced and _ALSO.search(query.question)))


def rates_of(query: Query) -> Mapping[str, float]:
    """How often each network runs: as it was said last, of it alone, of each in turn or of all of them."""
    found: dict[str, float] = {}
    for one in (*query.established, query):
        rates = [slot for slot in one.slots if slot.role is Role.RATE_HZ and not slot.inherited]
        said = (s for s in one.slots if s.role is Role.MODEL and s.text and not s.inherited)
        named = list(dict.fromkeys(str(slot.value) for slot in said))
        models = list(dict.fromkeys((*named, *one.all(Role.MODEL))))
        models = named if len(rates) == len(named) else models
        if len(rates) == len(models) > 1:
            found |= {name: rate.number for name, rate in zip(models, rates, strict=True)}
        elif len(rates) == 1:
            of_all = not named or _is_of_all(one.question, rates[0].text)
            found |= dict.fromkeys(one.all(Role.MODEL) if of_all else named, rates[0].number)
    return {name: found[name] for name in dict.fromkeys(query.all(Role.MODEL)) if name in found}


def _is_of_all(question: str, rate: str) -> bool:
    """Both at 20 Hz; 20 times a second each."""
    before, _, behind = question.partition(rate)
    return OF_ALL.search(before[-_NEAR:]) is not None or _EACH.match(behind) is not None
