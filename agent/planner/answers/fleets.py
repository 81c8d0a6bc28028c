"""What all the devices together draw and cost that streams at a rate take."""

from __future__ import annotations

from collections.abc import Generator

from ....hardware_db.hosts import is_hosted
from ..bench import Call, Record, call_of, needed
from ..query import Query, Role
from .phrases import joined, price, said, sentence


def _streams(query: Query) -> bool:
    return query.has(Role.RATE_HZ) and (query.number(Role.DEVICES) or 0.0) > 1


def in_one_stream(query: Query) -> Query:
    """With the rate of all of them together."""
    if not _streams(query):
        return query
    words = f"{said(query, Role.DEVICES)} times {said(query, Role.RATE_HZ)}"
    together = (query.number(Role.DEVICES) or 1.0) * (query.number(Role.RATE_HZ) or 0.0)
    return query.without([Role.DEVICES]).put(Role.RATE_HZ, together, text=words)


def together(query: Query, record: Record) -> Generator[Call, Record, str]:
    """What they draw and cost; empty where one is enough, or neither is known."""
    if (record.number("devices_needed") or 1.0) <= 1.0:
        return ""
    page, count = needed((yield call_of("get_target", query))), f"{record.id}.devices_needed"
    draws = f"draw {{{{{count}*{record.id}.power_mw|W}}}} while computing" * record.knows("power_mw")
    costs = f"cost {{{{{count}*{page.id}.price_usd|USD}}}} at {price(page)}" * page.knows("price_usd")
    hosted = ", without the boards that they sit in" * is_hosted(query.targets.get(query.text(Role.TARGET)))
    told = joined([draws, costs])
    return sentence(f"Together the {{{{{count}|count}}}} {told}{hosted}") if told else ""
