"""What a computer that writes costs to run: the user's own watts, hours and price of a kWh."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ...quantities import Family, Figure, find_figures, number_in
from ..asked_unit import AskedUnit, Per, Price, What, asked_unit, price_in
from ..bench import Answering, Record, call_of, needed
from ..query import Query, Role
from ..want import Want
from . import cases
from .phrases import language_models, lines, said
from .tokens import where

_A_DAY = re.compile(
    r"\b(?P<hours>\d{1,2}(?:[.,]\d+)?)\s?h(?:ours?|rs?)?\s?(?:a|per|each|every|/)\s?(?:work(?:ing)? ?)?day\b|"
    r"\b24/7\b",
    re.I,
)
_DAYS = re.compile(
    r"\b(?P<days>\d{1,3})\s?(?:work(?:ing)? ?)?days?\s?(?:a|per|each|every|/)\s?(?P<of>week|month|year)\b",
    re.I,
)
_BILL = re.compile(r"\b(?:electric\w*|power bill|energy (?:bill|costs?)|kwh)\b", re.I)
_A_MONTH = AskedUnit(What.ENERGY, "kWh", Per.TIME, 730.5, "a month")
_HOURS_OF = {"week": 168.0, "month": 730.5, "year": 8766.0}
_DOUBTED = re.compile(r"\b(?:realistic|plausible|normal|right|true|too (?:much|high|low)|correct)\b", re.I)


@dataclass(frozen=True)
class _Run:
    """Hours in the period that is asked for, and the user's words for them."""

    hours: float
    words: tuple[str, ...]


def asks(query: Query, wants: Sequence[Want]) -> bool:
    """Whether money for a time is asked of a language model whose watts or hours the user states."""
    price, unit = price_in(query.question), asked_unit(query.question)
    if not language_models(query) or not query.has(Role.TARGET) or Want.SUMMARY in wants:
        return False
    if price is None and _BILL.search(query.question) and _A_DAY.search(query.question):
        return True
    if price is None or price.per is not Per.ENERGY:
        return False
    if unit is None and (query.has(Role.RUNS, Role.WRITTEN) or _A_DAY.search(query.question)):
        return True
    if unit is None or unit.per is not Per.TIME:
        return False
    return _own_power(query) is not None or bool(_run(query, unit).words)


def _own_power(query: Query) -> Figure | None:
    return next((each for each in find_figures(query.question) if each.family is Family.POWER), None)


def _run(query: Query, unit: AskedUnit) -> _Run:
    day, days = _A_DAY.search(query.question), _DAYS.search(query.question)
    share = number_in(day["hours"]) / 24 if day and day["hours"] else 1.0
    hours = unit.amount * share
    if days:
        hours = number_in(days["days"]) * 24 * share * unit.amount / _HOURS_OF[days["of"].casefold()]
    return _Run(hours, tuple(match[0] for match in (day, days) if match))


def running_cost(query: Query, _wants: Sequence[Want]) -> Answering:
    """Money first, then what it is made of; whether the watts are likely, where that is asked too."""
    price, unit, own = price_in(query.question), asked_unit(query.question), _own_power(query)
    if unit is None and price is not None and query.has(Role.RUNS, Role.WRITTEN):
        return (yield from _of_tokens(query, price))
    unit = unit or _A_MONTH
    query = query.put(Role.TARGET, query.text(Role.TARGET))
    record = needed((yield call_of("estimate_generation", query, **cases.asked(query))))
    rated = f"{record.id}.energy_uj_per_token*{record.id}.decode_tokens_per_s"
    known = record.knows("energy_uj_per_token", "decode_tokens_per_s")
    if own is None and not known:
        return (
            f"I cannot tell: no source gives the power of {record.ref('target')}; say what it draws in watts."
        )
    run = _run(query, unit)
    one = f"{record.id}.batch/{record.id}.batch"  # an expression has a field in it
    power = f"{own.value / 1e3:.9g}W*{one}" if own else rated
    energy = f"{power}*{run.hours:.9g}h/1000Wh"
    taken = ", ".join((own.text if own else f"{{{{{rated}|W}}}}, its rating", *run.words))
    used = f"{{{{{energy}|count}}}} kWh"
    first = f"{used} {unit.words} ({taken}); times what a kWh costs you, which you did not say."
    if price is not None:
        cost = f"{{{{{price.value:.9g}*{energy}|count}}}} {price.currency}".strip()
        first = f"{cost} {unit.words} at {price.words}: {used} ({taken})."
    return lines(
        first,
        _likely(query, record, own, rated) if own and known else "",
        f"{where(record)}: {record.ref('decode_tokens_per_s', '~')}, the same hours whatever it writes.",
    )


def _of_tokens(query: Query, price: Price) -> Answering:
    """So many tokens, one after another."""
    query = query.put(Role.TARGET, query.text(Role.TARGET))
    record = needed((yield call_of("estimate_generation", query, **cases.asked(query))))
    if not record.knows("energy_uj_per_token"):
        return f"I cannot tell: no source gives the power of {record.ref('target')}."
    role = Role.RUNS if query.has(Role.RUNS) else Role.WRITTEN
    energy = f"{query.number(role):.9g}*{record.id}.energy_uj_per_token/1000Wh"
    return lines(
        f"{{{{{price.value:.9g}*{energy}|count~}}}} {price.currency} for {said(query, role)} tokens at "
        f"{price.words}: {{{{{energy}|count~}}}} kWh, at the power that the target is rated for.",
        f"{where(record)}: {record.ref('decode_tokens_per_s', '~')} for one alone; many at once share it.",
    )


def _likely(query: Query, record: Record, own: Figure, rated: str) -> str:
    """The user's watts against the rating of what computes."""
    if not _DOUBTED.search(query.question):
        return ""
    watts = (
        (record.number("energy_uj_per_token") or 0.0) * (record.number("decode_tokens_per_s") or 0.0) / 1e6
    )
    shown = f"{record.ref('target')} itself is rated for {{{{{rated}|W}}}}"
    if own.value / 1e3 < watts:
        return f"{own.text} is less than the card alone may draw: {shown}; memory-bound it stays below."
    return f"{own.text} is plausible for the whole computer: {shown}, and memory-bound it stays below."


__all__ = ["asks", "running_cost"]
