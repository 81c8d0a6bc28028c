"""A board in each place, or all of it in one place: what the second takes."""

from __future__ import annotations

from ..bench import Answering, Record, call_of
from ..places import is_weighed
from ..query import Query, Role
from . import in_batches
from .phrases import model_shown, price, said

_CARD = "l4"
"""Stands for the cards that servers and clouds have for inference."""
_LINE = "What the lines to it carry is not counted: they bring all the video there, where boxes send results."


def instead(query: Query, first: Record) -> Answering:
    """What as many boards as places cost, and how many cards do all of it in one place; empty where these
    are not weighed against each other."""
    places, rate = query.number(Role.PLACES), query.number(Role.RATE_HZ)
    if not places or not rate or not is_weighed(query.question):
        return ""
    each = query.number(Role.DEVICES) or 1.0
    boxes = f"one {first.ref('target')} in each of {said(query, Role.PLACES)}"
    if first.knows("price_usd"):
        boxes += f" comes to {{{{{places:g}*{first.id}.price_usd|USD}}}} ({price(first)})"
    whole = query.without([Role.PLACES, Role.DEVICES, Role.RUNTIME, Role.LATENCY_MS, Role.TARGET_CLASS])
    whole = whole.put(Role.TARGET, _CARD).put(Role.RATE_HZ, rate * each * places)
    served = yield from in_batches.batched(whole, counts=True)
    record = yield in_batches.workload(served, devices=1)
    if not record.knows("devices_needed"):
        return f"{boxes[0].upper()}{boxes[1:]}."
    page = yield call_of("get_target", served)
    count = f"{record.id}.devices_needed"
    costs = f", {{{{{count}*{page.id}.price_usd|USD}}}}" if page.knows("price_usd") else ""
    least, most = record.ends("devices_needed") or (0.0, 0.0)
    sure = f" ({{{{{count}.high|count}}}} to be sure)" if most > least else ""
    cards = f"{record.ref('devices_needed', 'count')} {_CARD}{sure}, for instance"
    central = f"in one place {record.ref('demanded_per_second')} take {cards}"
    does = f"one does {record.ref('inferences_per_second', 'fps~')} with {model_shown(query)}"
    return f"{boxes[0].upper()}{boxes[1:]}; {central}{costs}: {does}. {_LINE}"
