"""What as many cost as are to be bought."""

from __future__ import annotations

from ...quantities import Family, Figure, find_figures
from ..bench import Record
from ..query import Query
from ..roles_by_words import SAID
from .phrases import price


def built(query: Query) -> Figure | None:
    """How many boards are to be bought: 500 boards, a run of 2,000 units."""
    counts = (each for each in find_figures(query.question) if each.family is Family.COUNT)
    return next((each for each in counts if each.value > 1 and each.noun.casefold() in SAID["bought"]), None)


def lot(query: Query, priced: Record) -> str:
    """What as many cost as are to be bought, by the price of one; empty where either is not known."""
    many = built(query)
    if many is None or not priced.knows("price_usd"):
        return ""
    name = priced.ref("id" if priced.knows("id") else "target")
    words = f"{many.text} {many.noun}" if many.noun not in many.text else many.text
    all_of_them = f"{{{{{many.value:g}*{priced.id}.price_usd|USD}}}}"
    return f"{all_of_them} for {words}: {price(priced)} of {name}."
