"""What tokens cost or take, of one session and of several at once, and whether it is in its time."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ...asked_unit import AskedUnit, Per, Price, What
from ...patterns import compiled
from ..bench import NOT_KNOWN, Record
from ..paid import price_said
from ..query import Query, Role
from ..rents import all_listed
from ..writing import WORDS_A_TOKEN
from .ceilings import ENDS
from .phrases import joined, said
from .unit_sources import Source, own_power

_DOUBTED = compiled(r"\b(?:realistic|plausible|normal|right|true|too (?:much|high|low)|correct)\b", re.I)
_HOURS = compiled(r"\bhours?\b|\bhow long\b|\bhow many days\b", re.IGNORECASE)
_PRICES = compiled(r"(?:kilo)?watt[- ]?hours?|(?:\bper|\ban?|/)\s*(?:gpu[- ]?)?hour\b", re.IGNORECASE)
_NAMES = ("model", "target", "cards", "weights", "kv")
_USUAL_V = 3.0


class Asked(NamedTuple):
    """The unit that is asked for, and what is paid."""

    unit: AskedUnit
    price: Price | None

    @property
    def head(self) -> str:
        at = f" at {self.price.words}" if self.price is not None and self.unit.what is What.MONEY else ""
        volts = f" at {_USUAL_V:g} V" if self.unit.what is What.CHARGE else ""
        return f"{self.unit.words}{volts}{at}"

    @property
    def pays_time(self) -> bool:
        return self.price is not None and self.price.per is Per.TIME

    def shown(self, text: str) -> str:
        """An expression, in that unit."""
        if self.unit.what is What.COUNT:
            return f"{{{{{text}|count~}}}}"
        if self.unit.what is What.MONEY and self.price is not None:
            return self.price.shown(text)
        plain = "mAh" if self.unit.what is What.CHARGE else "Wh" if self.unit.per is Per.TIME else ""
        shown = self.unit.unit or plain
        if shown == "kWh":
            return f"{{{{({text})/1000Wh|count~}}}} kWh"
        return f"{{{{{text}{f'|{shown}~' if shown else '|~'}}}}}"


def own_is_likely(query: Query, record: Record) -> str:
    """The user's watts against the rating of what computes, where they are doubted."""
    own = own_power(query)
    path = ("energy_uj_per_token", "decode_tokens_per_s")
    if own is None or not record.knows(*path) or not _DOUBTED.search(query.question):
        return ""
    watts = math.prod(record.number(name) or 0.0 for name in path) / 1e6
    rated = f"{{{{{record.id}.{path[0]}*{record.id}.{path[1]}|W}}}}"
    shown = f"{record.ref('target')} itself is rated for {rated}, and memory-bound it stays below"
    if own.value / 1e3 < watts:
        return f"{own.text} is less than the card alone may draw: {shown}"
    return f"{own.text} is plausible for the whole computer: {shown}"


def time_of_job(source: Source, unit: AskedUnit, query: Query) -> str:
    """How long so many tokens take, one after another and as many at once as pay, in the time that is."""
    record, rate = source.record, "decode_tokens_per_s"
    asked = "token" in said(query, Role.RUNS) or _HOURS.search(_PRICES.sub("", query.question))
    if unit.per is not Per.COUNT or not asked or not source.time or not record.knows(rate):
        return ""
    alone = f"{unit.amount:.9g}*{source.time}"
    told = f"It takes {{{{{alone}|h}}}} one after another"
    if record.knows(f"paying.{rate}"):
        many = f"{alone}*{record.id}.{rate}/{record.id}.paying.{rate}"
        told = f"{told}, {{{{{many}|h}}}} with {{{{{record.id}.paying.sessions|count}}}} at once"
    hours = (query.number(Role.LATENCY_MS) or 0.0) / 3.6e6 or query.hours_a_day
    if not hours:
        return told
    tokens = unit.amount / (WORDS_A_TOKEN if source.of_words else 1.0)
    enough = tokens / (record.number(rate) or 1.0) / 3600 <= hours
    word = "enough time" if enough else "not enough time one after another"
    return f"{told}: {word} in {hours:g} h"


def pays(query: Query, unit: AskedUnit) -> bool | None:
    """Whether it is asked what tokens cost, so that it matters how many are written at once."""
    return (price_said(query) is not None and unit.per is Per.COUNT) or None


def more_at_once(source: Source, asked: Asked) -> str:
    """What they cost with as many sessions as pay, and what ends those."""
    record, price = source.record, asked.price
    if price is None or not record["paying"] or not record.knows("paying.decode_tokens_per_s"):
        return ""
    each = f"{{{{{record.id}.paying.sessions|count}}}} at once"
    why = ENDS.get(str(record["paying_bound"]), "I count no further")
    path = f"{record.id}.paying.decode_tokens_per_s" if price.per is Per.TIME else ""
    spent = f"1/({path})" if path else f"{record.id}.paying.energy_uj_per_token"
    per = "1h" if path else "1000Wh"
    cost = asked.shown(f"{price.term}*{asked.unit.amount:.9g}*{spent}/{per}")
    if (record["batch"] or 1) >= (record.number("paying.sessions") or 0):
        return f"Beyond some {each} more do not pay: {why}"
    return f"A batch pays up to {each}, with {record.ref('context')} tokens each: {cost}; {why}"


_NO_PRICE = (
    "That is energy: I know no prices of electricity, and no list price of its rent; "
    "say *0.30 € per kWh* or *1.20 $ per h*"
)
_NO_TARIFF = "That is energy: I know no prices of electricity; say *0.30 € per kWh*"
_IDLE = "What it draws in the other hours, idle, and the computer around it are not counted"


def beside_the_bill(
    rows: Sequence[Source], unit: AskedUnit, asked: Asked, query: Query, per_money: AskedUnit | None
) -> list[str]:
    """How many for one of the currency beside how many for a kWh; what a bill leaves out."""
    notes, price = list[str](), asked.price
    source = rows[0]
    noun = " tokens" if source.record.knows("weights_bytes") else ""
    of_time = per_money is not None and per_money.per is Per.TIME
    spent = f"{per_money.amount:.9g}h/{source.time}" if per_money and of_time and source.time else ""
    if per_money and not of_time and source.each:
        spent = f"{per_money.amount * 1e3:.9g}Wh/{source.each}"
    if per_money and spent and unit != per_money and len(rows) == 1:
        notes.append(f"{{{{{spent}|count~}}}}{noun} {per_money.words}")
    if asked.unit.what is What.MONEY and price is None:
        return [*notes, _NO_TARIFF if all_listed(query) else _NO_PRICE]
    is_bill = asked.unit.per is Per.TIME and not asked.pays_time and asked.unit.what is not What.COUNT
    part = (query.hours_a_day or 24.0) < 24.0 and own_power(query) is None
    return [*notes, _IDLE] if is_bill and part and source.record.knows("weights_bytes") else notes


def throughput_of(source: Source) -> str:
    """What all sessions write together, or the rate of a network in its batch."""
    shown = {"decode_tokens_per_s": "~", "inferences_per_second": "fps~"}
    known = (source.record.ref(rate, how) for rate, how in shown.items() if source.record.knows(rate))
    return next(known, NOT_KNOWN)


def are_alike(sources: Iterable[Source]) -> bool:
    """Whether they differ in how many are written at once alone."""
    return len({tuple(str(one.record[name]) for name in _NAMES) for one in sources}) == 1


def by_crowd(known: Sequence[Source], asked: Asked) -> str:
    """Of one and of several at once, from the fewest on, and what the most of them save."""
    rows = sorted(known, key=lambda row: row.record["batch"] or 1)
    several = len({row.record["context"] for row in rows}) > 1
    each = joined(
        f"{asked.shown(row.told)} with {row.record.ref('batch')} at once"
        + (f" of {row.record.ref('context')} tokens" if several else "")
        for row in rows
    )
    times = f"{{{{({rows[0].told})/({rows[-1].told})|x}}}} less with most at once"
    why = "as one reading of the weights serves them all"
    return f"{each}, {asked.head}: {rows[0].model} on {rows[0].place}; {times}, {why}."
