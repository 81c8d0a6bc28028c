"""How many pieces one unit of a currency pays for, and a budget."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence

from ...currencies import DOLLARS, NAMED
from ...patterns import compiled
from ..bench import NOT_KNOWN, Answering, Call, Record, call_of
from ..paid import PAID, price_said, with_owners
from ..query import Query, Role
from ..want import Want
from .axes import kinds_of, several
from .in_batches import batched
from .phrases import language_models, lines, said, subject, table

_PER = compiled(rf"\b(?:per|for (?:an?|one|each)|(?:an?|each))\s?(?:{DOLLARS}|{NAMED})(?![\w/])", re.I)
_MANY = compiled(r"\bhow many (?:[\w.-]+ ){0,3}?(?:images|pictures|photos|frames|inferences)\b", re.I)
_PIECES = compiled(r"\b(images?|pictures?|photos?|frames?|inferences?)\b", re.I)
_ENOUGH = 1e6


def asks(query: Query) -> bool:
    """Whether it is asked what a dollar pays for, or a budget, where an hour or a kWh has a price."""
    if not (query.has(Role.MODEL) and query.has(Role.TARGET)) or language_models(query):
        return False
    if price_said(with_owners(query)) is None and not query.has(Role.RENT, Role.TARIFF):
        return False
    return bool(_PER.search(query.question)) or (_budget(query) > 0 and bool(_MANY.search(query.question)))


def for_money(query: Query, wants: Sequence[Want]) -> Answering:
    """Of each what is named, the most first."""
    query = with_owners(query)
    kinds = kinds_of(query, wants)[0] if several(query) else [("", query)]
    rows: list[tuple[str, Query, Record]] = []
    for name, one in kinds:
        rows.append((name, one, (yield from _paid_for(one))))
    known = sorted(
        (row for row in rows if row[2].knows("per_currency")),
        key=lambda row: -(row[2].number("per_currency") or 0),
    )
    if not known:
        return f"{NOT_KNOWN} without the price of an hour or a kWh."
    name, one, record = known[0]
    paid = price_said(one)
    currency = (paid.currency if paid else "") or "unit of your currency"
    currency = currency[:-1] if currency in ("dollars", "euros", "pounds", "francs") else currency
    pieces = _PIECES.search(query.question)
    what = pieces[0].casefold().rstrip("s") + "s" if pieces else "inferences"
    shown = f"{record.ref('per_currency', 'count~')} {what} per {currency}"
    million = (
        paid.shown(f"{record.id}.cost_per_million") if paid else record.ref("cost_per_million", "count~")
    )
    cost = f"{million} a million"
    budget = _budget(query)
    pays = f"{{{{{budget:g}*{record.id}.per_currency|count~}}}} {what}"
    total = f"{said(query, Role.PRICE_USD, Role.OWN_PRICE_USD)} pay for {pays}; " if budget else ""
    at = f" at {paid.words}" if paid else ""
    first = f"{total}{shown}{at}, {cost}: {subject(one, record)}."
    if len(rows) == 1:
        return lines(first)
    paths = (("per_currency", "count~"), ("cost_per_million", "count~"))
    cells = [(row[0], *(row[2].ref(*path) for path in paths)) for row in known]
    return lines(f"{name} gives most: {first}", table(("", f"{what} per {currency}", "a million"), cells))


def _budget(query: Query) -> float:
    """Money that is there, beside the price of an hour or a kWh."""
    return query.number(Role.PRICE_USD) or query.number(Role.OWN_PRICE_USD) or 0.0


def _paid_for(query: Query) -> Generator[Call, Record, Record]:
    paid = price_said(query)
    named = {} if paid is None else {PAID[paid.per]: paid.value}
    plain = yield from batched(query.without([Role.RATE_HZ, Role.LATENCY_MS]))
    return (yield call_of("estimate_workload", plain, items=_ENOUGH, **named))
