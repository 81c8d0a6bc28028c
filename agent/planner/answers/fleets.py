"""What all the devices together draw and cost that streams at a rate take."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from ....hardware_db.hosts import is_hosted
from ..bench import Answering, Call, Record, call_of, needed
from ..query import CELLS, Query, Role
from ..want import Want
from . import in_batches
from .deployment import deployment
from .facts import facts
from .in_batches import batched
from .phrases import joined, language_models, lines, model_shown, price, said, sentence

_TOLD = frozenset((Want.POWER, Want.ENERGY, Want.PRICE, Want.HOW_MANY))
_OF_MONEY, _OF_POWER = (Want.PRICE,), (Want.POWER, Want.ENERGY)


def asks(query: Query, wants: Sequence[Want]) -> bool:
    """Whether it is what devices draw or cost that carry several streams at a rate."""
    placed = query.has(Role.MODEL) and len(set(query.all(Role.TARGET))) == 1
    streams = placed and (" times " in said(query, Role.RATE_HZ) or _streams(query))
    about = bool(set(wants[:1]) & {*_OF_MONEY, *_OF_POWER}) and set(wants) <= _TOLD
    return streams and about and not query.has(*CELLS, Role.TARIFF, Role.RENT) and not language_models(query)


def _streams(query: Query) -> bool:
    return query.has(Role.RATE_HZ) and (query.number(Role.DEVICES) or 0.0) > 1


def all_of_them(query: Query, wants: Sequence[Want]) -> Answering:
    """As many as it takes; where one does it all, what that one draws or costs."""
    served = yield from batched(query, counts=True)
    record = needed((yield in_batches.workload(served, devices=1)))
    if (record.number("devices_needed") or 1.0) <= 1.0 and not query.has(Role.PLACES):
        rest = [want for want in wants if want in _OF_POWER]
        rate = said(in_one_stream(query), Role.RATE_HZ)
        does = f"it does {record.ref('inferences_per_second', 'fps~')}, for {rate}"
        told = [f"One is enough: {does}."] if Want.HOW_MANY in wants else []
        at_once = (served.number(Role.BATCH) or 1.0) > 1.0
        alone = served.without([Role.RATE_HZ, Role.DEVICES]) if at_once else in_one_stream(served)
        told += [(yield from deployment(alone, rest))] if rest else []
        told += [(yield from facts(query, _OF_MONEY))] if Want.PRICE in wants else []
        return lines(*told)
    shown = yield from together(query, record, wants)
    count, where = many(query, record), query.text(Role.TARGET)
    times = f"{said(query, Role.DEVICES)} at {said(query, Role.RATE_HZ)}".removeprefix(" at ")
    times += f" in each of {said(query, Role.PLACES)}" * query.has(Role.PLACES)
    does = f"one does {record.ref('inferences_per_second', 'fps~')} with {model_shown(query)}"
    taken = f"{count} of {where} carry {times}: {does}."
    return lines(
        shown or f"What they draw and cost is not known: {taken}",
        taken if shown else "",
    )


def in_one_stream(query: Query) -> Query:
    """With the rate of all of them together."""
    if not _streams(query):
        return query
    words = f"{said(query, Role.DEVICES)} times {said(query, Role.RATE_HZ)}"
    together = (query.number(Role.DEVICES) or 1.0) * (query.number(Role.RATE_HZ) or 0.0)
    return query.without([Role.DEVICES]).put(Role.RATE_HZ, together, text=words)


def many(query: Query, record: Record) -> str:
    """How many devices it takes, in all places."""
    return f"{{{{{_each(query)}{record.id}.devices_needed|count}}}}"


def _each(query: Query) -> str:
    places = query.number(Role.PLACES)
    return f"{places:g}*" if places else ""


def together(query: Query, record: Record, wants: Sequence[Want] = ()) -> Generator[Call, Record, str]:
    """What they draw and cost, what is asked for first; empty where one is enough, or neither is known."""
    if (record.number("devices_needed") or 1.0) <= 1.0 and not query.has(Role.PLACES):
        return ""
    page = needed((yield call_of("get_target", query)))
    all_of = f"{_each(query)}{record.id}.devices_needed"
    draws = f"draw {{{{{all_of}*{record.id}.power_mw|W}}}} while computing" * record.knows("power_mw")
    costs = f"cost {{{{{all_of}*{page.id}.price_usd|USD}}}} at {price(page)}" * page.knows("price_usd")
    clauses = [costs, draws] if set(wants[:1]) & set(_OF_MONEY) else [draws, costs]
    hosted = ", without the boards that they sit in" * is_hosted(query.targets.get(query.text(Role.TARGET)))
    told = joined(clauses)
    return sentence(f"Together the {many(query, record)} {told}{hosted}") if told else ""
