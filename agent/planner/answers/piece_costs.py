"""What several boards cost together, at the price that an answer or a data sheet gives for one."""

from __future__ import annotations

from ...patterns import compiled
from ..bench import Answering, call_of
from ..query import Query, Role
from ..want import Want
from .phrases import language_models, price

_PRICED = compiled(r"\{\{(?P<path>r\d+\.[^{}|/*+()]*price_usd)(?:\|[^{}]*)?\}\}")
_ASKED = frozenset((Want.PRICE, Want.CHEAPEST, Want.RECOMMEND, Want.PER_PRICE))


def cost_of_pieces(query: Query, answer: str) -> Answering:
    """Of as many as are wanted: of the first that the answer names a price of, else of the one target."""
    many = query.number(Role.PIECES) or (query.number(Role.CARDS) if Want.PRICE in query.wants else None)
    told = any(words in answer for words in (f"{many or 0:g} of them", f"{many or 0:g}*r", ".devices_in_all"))
    if not many or language_models(query) or told:
        return ""
    found = _PRICED.search(answer.split("\n", maxsplit=1)[0])
    targets = list(dict.fromkeys(query.all(Role.TARGET)))
    if found is not None and query.has(Role.PIECES) and len(targets) <= 1:
        return f"{many:,.0f} of them cost {{{{{many:.0f}*{found['path']}|USD}}}} at that price."
    if len(targets) != 1 or not _ASKED & set(query.wants):
        return ""
    page = yield call_of("get_target", query, target=targets[0])
    if not page.knows("price_usd"):
        return f"What {many:,.0f} of {targets[0]} cost is not known: no source of a price was read."
    return f"{many:,.0f} of {targets[0]} cost {{{{{many:.0f}*{page.id}.price_usd|USD}}}}, at {price(page)}."
