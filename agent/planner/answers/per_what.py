"""Which unit per something an answer is asked in: energy, charge, money or a count, and for what it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ...asked_unit import HOURS, AskedUnit, Per, Price, What, asked_unit
from ...patterns import compiled
from ...quantities import Family
from ..paid import CENTS, price_said, with_owners
from ..query import Query, Role
from ..rents import asks_rent, time_priced
from ..want import Want
from .phrases import joined, language_models, said
from .unit_sources import own_power

A_SECOND, ONE = 1 / 3600, 1.0
_BILL = compiled(r"\b(?:electric\w*|power bill|energy (?:bill|costs?)|kwh)\b", re.I)
_A_MONTH = AskedUnit(What.ENERGY, "kWh", Per.TIME, HOURS["month"], "a month")
_A_MONTH_PAID = replace(_A_MONTH, what=What.MONEY, unit="")
_A_MILLION = AskedUnit(What.MONEY, "", Per.COUNT, 1e6, "a million")
_A_MILLION_TOKENS = replace(_A_MILLION, words="a million tokens")
_A_YEAR = AskedUnit(What.MONEY, "", Per.TIME, HOURS["year"], "a year")
_HOUR_MS, _DAY_H, _LOOKS_BACK = 3.6e6, 24.0, 4


_SPENDS = frozenset((Want.PRICE, Want.CHEAPEST, Want.ENERGY, Want.POWER))


def unit_of(query: Query, wants: Sequence[Want] = ()) -> AskedUnit | None:
    """As it is asked; where what is paid is said, of the time that is said, so many tokens, or a year."""
    price = price_said(with_owners(query))
    asked = asked_unit(query.question, What.MONEY if price else None)
    if asked is None and price is not None and price.field:
        asked = time_priced(query) or (_A_MONTH_PAID if query.says(Role.HOURS_A_DAY) else None)
    if asked is None and (per_money := counted_per_money(query, price)):
        return per_money
    if asked and price and asked.what is What.COUNT and asked.per is Per.TIME and asked.amount <= A_SECOND:
        asked = None
    paid = query.says(Role.TARIFF, Role.RENT) or bool(_BILL.search(query.question))
    if asked is None and price is not None and (paid or _goes_on(query, wants)):
        written = None if query.says(Role.LIFE_MS) else _of_tokens_said(query)
        asked = written or of_time_said(query) or _before(query)
        many = _A_MILLION_TOKENS if language_models(query) else _A_MILLION
        asked = asked or (_A_YEAR if price.per is Per.ENERGY else many)
    elif asked is None and paid and language_models(query):
        asked = _of_tokens_said(query) or (_A_MONTH if query.has(Role.HOURS_A_DAY) else None)
    if asked is None:
        return None
    if asked.per is not Per.TIME:
        if "token" in asked.words and not language_models(query):
            return None
        tiny = price and asked.per is Per.COUNT and asked.amount <= ONE and language_models(query)
        return _A_MILLION_TOKENS if tiny else asked
    own = own_power(query)
    if query.has(Role.RATE_HZ) and not language_models(query):
        return asked
    on = query.hours_a_day or 24.0
    always = "around the clock" if asked.amount >= 24.0 and language_models(query) else ""
    parts = [slot.text for slot in query.slots if slot.role is Role.HOURS_A_DAY and slot.number < 24.0]
    part = joined(dict.fromkeys(parts)) or said(query, Role.HOURS_A_DAY) or always
    hours = asked.amount * on / 24
    rated = "its rating" if language_models(query) else ""
    words = ", ".join(each for each in (own.text if own else rated, part) if each)
    return replace(asked, amount=hours, words=f"{asked.words} ({words})" if words else asked.words)


def counted_per_money(query: Query, price: Price | None) -> AskedUnit | None:
    """So many tokens or inferences for one of the currency that is paid in: its kWh, or its hours."""
    found = PER_MONEY.search(query.question)
    if (
        found is None
        or price is None
        or not price.value
        or not _COUNTED.search(query.question[: found.start()])
    ):
        return None
    value = price.value / 100 if CENTS.fullmatch(price.currency) else price.value
    return AskedUnit(What.COUNT, "", price.per, 1 / value, f"{found[0]} at {price.words}")


PER_MONEY = compiled(
    r"\b(?:per|for (?:an?|one|each|every))\s?(?:€|\$|£|euros?|eur|dollars?|usd|pounds?|francs?)(?!\w)", re.I
)
_COUNTED = compiled(r"\bhow (?:many|much)\b|\b(?:tokens?|words|inferences|images|frames)\s*$", re.I)


def _goes_on(query: Query, wants: Sequence[Want]) -> bool:
    """Whether money is asked about, or was by the question before, and what it is of is all that changes."""
    again = query.says(Role.HOURS_A_DAY) or Want.SAME in [want for want, _ in query.likely[:1]]
    return bool(set(wants[:1]) & _SPENDS) or (again and _before(query) is not None)


def _before(query: Query) -> AskedUnit | None:
    """What money was asked for by the latest of the questions before."""
    before = reversed(query.established[-_LOOKS_BACK:])
    paid = (one.question for one in before if price_said(one) or asks_rent(one))
    return next((unit for one in paid if (unit := asked_unit(one, What.MONEY))), None)


def of_time_said(query: Query) -> AskedUnit | None:
    """Of a life that is said, or of a day or longer that plays no other role: and 3 years of power."""
    if query.says(Role.LIFE_MS):
        hours = (query.number(Role.LIFE_MS) or 0.0) / _HOUR_MS
        return AskedUnit(What.MONEY, "", Per.TIME, hours, f"over {said(query, Role.LIFE_MS)}")
    times = (f for f in query.figures if f.family is Family.TIME and f.text in query.unread)
    found = next((figure for figure in times if figure.value >= _DAY_H * _HOUR_MS), None)
    if found is None:
        return None
    return AskedUnit(What.MONEY, "", Per.TIME, found.value / _HOUR_MS, f"for {found.text}")


def _of_tokens_said(query: Query) -> AskedUnit | None:
    role = next((role for role in (Role.RUNS, Role.WRITTEN) if query.says(role)), None)
    tokens = query.number(role) if role and language_models(query) else None
    if role is None or not tokens or query.has(Role.HOURS_A_DAY):
        return None
    words = said(query, role)
    words = f"for {words}" if "token" in words or "word" in words else f"for {words} tokens"
    return AskedUnit(What.ENERGY, "kWh", Per.COUNT, tokens, words)
