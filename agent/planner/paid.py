"""What the user pays for a kWh or an hour, and for which card."""

from __future__ import annotations

import re

from ..asked_unit import Per, Price, price_in
from ..patterns import compiled
from .query import Query, Role, Slot


def price_said(query: Query) -> Price | None:
    """What a kWh, or else an hour, costs the user, as said last; cents are of the currency that is named."""
    paid = [slot for role in (Role.TARIFF, Role.RENT) for slot in query.slots if slot.role is role]
    slot = next((each for each in paid if each.of in ("", *query.all(Role.TARGET))), None)
    price = price_of(slot) if slot else None
    if slot is None or price is None or slot.field:
        return price
    value, currency = price.value, price.currency
    asked = (query.question, *(one.question for one in reversed(query.established)))
    whole = next((found[0] for text in asked if (found := _WHOLE.search(text))), "")
    if whole and CENTS.fullmatch(currency):
        value, currency = value / 100, whole
    return Price(value, currency, price.per, slot.text)


def price_of(slot: Slot) -> Price:
    """As its own words say it, or by a list."""
    if slot.field:
        return Price(slot.number, "USD", Per.TIME, slot.text, slot.field)
    stated = price_in(slot.text) or price_in(f"electricity {slot.text}")
    per = Per.ENERGY if slot.role is Role.TARIFF else Per.TIME
    return Price(slot.number, stated.currency if stated else "", per, slot.text)


_WHOLE = compiled(r"€|\beuros?\b|\bdollars?\b|\$|£|\bpounds?\b|\bfrancs?\b", re.I)


PAID = {Per.ENERGY: "price_per_kwh", Per.TIME: "price_per_hour"}
"""What a price is called where a workload is asked for."""


def with_owners(query: Query) -> Query:
    """What an hour costs is of the id of a card, as it is named in any way."""
    turns = (*query.established, query)
    ids = {s.text: str(s.value) for one in turns for s in one.slots if s.role is Role.TARGET and s.text}
    slots = (
        s.model_copy(update={"of": ids.get(s.of, s.of)}) if s.role is Role.RENT else s for s in query.slots
    )
    return query.model_copy(update={"slots": tuple(slots)})


CENTS = compiled(r"ct|cents?|p|pence|rappen", re.I)
