"""What as many cost as are to be bought."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...patterns import compiled
from ...quantities import Family, Figure
from ..bench import Answering, Record
from ..places import speaks_of_all
from ..query import Query, Role
from ..roles_by_words import SAID
from .columns import CHIP
from .phrases import price, said
from .rows import Row

_A_SERIES = 50
"""So many are built; fewer may hang on one board."""


def built(query: Query) -> tuple[float, str] | None:
    """How many boards are to be bought: 500 boards, a run of 2,000 units, one in each shop."""
    if speaks_of_all(query) or query.says(Role.PLACES):
        return query.number(Role.PLACES) or 0.0, f"one in each of {said(query, Role.PLACES)}"
    counts = [each for each in query.figures if each.family is Family.COUNT]
    many = next((s for s in query.slots if s.role is Role.DEVICES and not query.has(Role.RATE_HZ)), None)
    series = many.text if many is not None and many.number >= _A_SERIES else ""
    bought = (f for f in counts if f.value > 1 and (_is_bought(f) or f.text == series))
    found = next(bought, None)
    if found is None:
        return None
    return found.value, f"{found.text} {found.noun}" if found.noun not in found.text else found.text


def _is_bought(figure: Figure) -> bool:
    noun = figure.noun.casefold()
    return noun in SAID["bought"] or bool(noun and noun in figure.text.casefold())


def lots(query: Query, rows: Sequence[Row]) -> str:
    """What as many of each cost, where their price is compared."""
    pages = [row.records[CHIP] for row in rows if CHIP in row.records]
    return " ".join(filter(None, (lot(query, page) for page in pages)))


def lot(query: Query, priced: Record) -> str:
    """What as many cost as are to be bought, by the price of one; empty where either is not known."""
    many = built(query)
    if many is None or not priced.knows("price_usd"):
        return ""
    name = priced.ref("id" if priced.knows("id") else "target")
    value, words = many
    all_of_them = f"{{{{{value:g}*{priced.id}.price_usd|USD}}}}"
    return f"{all_of_them} for {words}: {price(priced)} of {name}."


def of_used(query: Query, answer: str) -> Answering:
    """That prices are of new ones, where used ones are spoken of and no price of the user's own is taken."""
    yield from ()
    told = "price_usd" in answer and not query.has(Role.OWN_PRICE_USD)
    return _OF_USED if told and _USED.search(query.question) else ""


_OF_USED = (
    "Those are prices of new ones at launch: I know none of used ones; say what you would pay for each."
)
_USED = compiled(
    r"\bsecond[- ]?hand\b|\brefurb\w*|\bpre-?owned\b|\be-?bay\b|"
    r"\bused (?:\S+ ){0,2}?(?:cards?|gpus?|market|prices?|ones?|hardware|boards?|rtx|\d{4}s?)\b",
    re.I,
)
