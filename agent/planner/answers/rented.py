"""What clouds ask for an hour of a card, and on which of those that they rent out a network costs least."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...asked_unit import HOURS, Per, What, asked_unit
from ..bench import NOT_KNOWN, Answering, Record
from ..owners import of_target
from ..query import Query, Role
from ..rents import USUAL, is_listed, lacks, listed_targets, offer, page_of, says_rented, taken_of
from ..want import Want
from . import cases
from .in_batches import batched, workload
from .phrases import joined, language_models, lines, table

_MOST, _MONTH = 6, HOURS["month"]


def asks(query: Query) -> bool:
    """Whether the rent of a card is asked for by itself, of no network."""
    return says_rented(query) and not query.has(Role.MODEL) and bool(listed_targets(query))


def chooses(query: Query) -> bool:
    """Whether the usual cards of clouds were put in, as none is named."""
    slots = [slot for slot in query.slots if slot.role is Role.TARGET]
    listed = any(slot.role is Role.RENT and is_listed(slot) for slot in query.slots)
    return listed and query.all(Role.TARGET) == USUAL and not any(slot.text for slot in slots)


def offers(query: Query, _wants: Sequence[Want]) -> Answering:
    """Of one card all that is listed, the usual one first; of several the usual one of each, by its price."""
    pages: list[Record] = []
    for name in listed_targets(query)[:_MOST]:
        pages.append((yield page_of(name)))
    unknown = [name for name in dict.fromkeys(query.all(Role.TARGET)) if name not in listed_targets(query)]
    unlisted = f"No list price of {joined(unknown)} was read." if unknown else ""
    lacking = " ".join(f"N{note[1:]}." for page in pages if (note := lacks(query, page)))
    hours, words = _time(query)
    each = [(page, taken_of(query, page)) for page in pages]
    if len(pages) == 1:
        page, first_at = each[0]
        each += [(page, at) for at in range(len(page["rents"])) if at != first_at]
    else:
        each.sort(key=lambda one: one[0]["rents"][one[1]]["hour_usd"])
    rows = [
        (page.ref("id"), page.ref(f"rents[#{at}].hour_usd"), _cost(page, at, hours), offer(page, at))
        for page, at in each
    ]
    name, hour, cost, whose = rows[0]
    first = f"{name}: {hour} an hour, {cost} {words} without a pause, by {whose}."
    shown = table(("", "an hour", words, "list price on demand"), rows) if len(rows) > 1 else ""
    return lines(first, lacking, shown, unlisted, _LEFT_OUT)


_LEFT_OUT = "Taxes, disks, traffic, discounts for a term and spot offers are not in them."


def _time(query: Query) -> tuple[float, str]:
    unit = asked_unit(query.question, What.MONEY)
    long = unit is not None and unit.per is Per.TIME and unit.amount > 1
    return (unit.amount, unit.words) if unit is not None and long else (_MONTH, "a month")


def _cost(page: Record, at: int, hours: float) -> str:
    return f"{{{{{hours:.9g}*{page.id}.rents[#{at}].hour_usd|USD}}}}"


class _Card(NamedTuple):
    page: Record
    record: Record
    at: int
    """Which of its offers is taken."""
    month: str
    """What it costs, or as many of it as a rate takes, as an expression."""
    million: str
    usd: tuple[float, float]
    """The same as figures, to decide by."""

    @property
    def hour(self) -> str:
        return self.page.ref(f"rents[#{self.at}].hour_usd")

    def speed(self, path: str) -> str:
        """With the batch, where it takes several inputs at once."""
        many = (self.record.number("deployment.batch") or 1) > 1
        return self.record.ref(path, "~") + f", batch {self.record.ref('deployment.batch')}" * many

    @property
    def name(self) -> str:
        """With how many of it a rate takes."""
        several = (self.record.number("devices_needed") or 1) > 1
        return (
            f"{self.record.ref('devices_needed', 'count')} x {self.page.ref('id')}"
            if several
            else self.page.ref("id")
        )


def chosen(query: Query, _wants: Sequence[Want]) -> Answering:
    """Of the cards that clouds rent out those that it fits on, the cheapest of a month first."""
    speaks = bool(language_models(query))
    cards: list[_Card] = []
    for name in listed_targets(query):
        page = yield page_of(name)
        one = of_target(query.put(Role.TARGET, name), name)
        if speaks:
            record = yield from cases.estimated(one, crowds=True)
        else:
            record = yield workload((yield from batched(one, counts=True)), rents=True, devices=None)
        at = taken_of(query, page)
        if record.result is not None and (card := _card(page, record, at, speaks=speaks)):
            cards.append(card)
    if not cards:
        return f"{NOT_KNOWN}: it fits on none of {joined(USUAL)}, or how fast it is there is not known."
    cards.sort(key=lambda card: card.usd)
    best, least = cards[0], min(cards, key=lambda card: card.usd[1])
    rate, piece = _SPEEDS[speaks]
    first = (
        f"{best.name}, {_usd(best.month)} a month without a pause, costs least to rent for "
        f"{_model(best.record)}: "
        f"{best.hour} an hour by {offer(best.page, best.at)}; {best.speed(rate)}."
    )
    busy = f"{_usd(least.million)} a million {piece}"
    other = f"Busy all the time, {least.page.ref('id')} costs least for its work: {busy}."
    rows = [(one.name, one.speed(rate), one.hour, _usd(one.month), _usd(one.million)) for one in cards]
    heads = ("", "speed", "an hour", "a month", f"a million {piece}")
    alone = "Several sessions at once cost less a token. " if speaks else ""
    return lines(first, other, table(heads, rows), f"{alone}{_LEFT_OUT}")


def _model(record: Record) -> str:
    weights = f" in {record.ref('weights')}" if record.knows("weights") else ""
    return f"{str(record['model']).rpartition('/')[2].partition(':')[0]}{weights}"


_SPEEDS = {
    True: ("decode_tokens_per_s", "tokens one after another"), False: ("inferences_per_second", "inferences"),
}  # fmt: skip


def _usd(expression: str) -> str:
    return f"{{{{{expression}|USD}}}}"


def _card(page: Record, record: Record, at: int, *, speaks: bool) -> _Card | None:
    """None where it does not fit, or its speed is not known."""
    path = _SPEEDS[speaks][0]
    price = f"{page.id}.rents[#{at}].hour_usd"
    speed, hour = record.number(path), page["rents"][at]["hour_usd"]
    if not speed or (speaks and record["verdict"] == "FAIL"):
        return None
    many = record.number("devices_needed") or 1.0
    count = f"*{record.id}.devices_needed" if record.knows("devices_needed") else ""
    month = f"{_MONTH:.9g}*{price}{count}"
    million = f"{1e6 / 3600:.9g}*{price}/({record.id}.{path}*1s)"
    return _Card(page, record, at, month, million, (hour * many, hour / speed))
