"""What tokens cost or take: of one session and of several at once, in money, energy or a count."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...asked_unit import AskedUnit, Per, Price, What
from ...quantities import Family, Figure
from ..bench import Record
from ..paid import price_said
from ..query import Query, Role
from ..writing import WORDS_A_TOKEN
from .phrases import joined, language_models, said

_DOUBTED = re.compile(r"\b(?:realistic|plausible|normal|right|true|too (?:much|high|low)|correct)\b", re.I)


@dataclass(frozen=True)
class Source:
    """Expressions of what one inference or token takes, and of the mean power at the rate that is said."""

    name: str
    record: Record
    each: str
    time: str
    power: str
    pace: str
    notes: tuple[str, ...] = ()
    rent: float = 0.0
    """An hour of it, and of all its cards."""
    cards: str = ""
    """How many of it, where that is not one."""
    why: str = ""
    """Why the mean power is not known, where that is no missing source."""
    of_words: bool = False
    """Whether what is counted are words, of which a token is but a part."""
    mean_mw: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """The mean power at the rate that is said, of all its cards, and its ends; 0 where none is."""


def own_power(query: Query) -> Figure | None:
    found = (each for each in query.figures if each.family is Family.POWER)
    return next(found, None) if language_models(query) else None


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


def what_of(source: Source) -> str:
    """The network that the figure is of, whichever else the question names."""
    model, record = str(source.record["model"]).rpartition("/")[2], source.record
    if record.knows("weights_bytes"):
        return f"{model} in {record.ref('weights')} with {record.ref('runtime')}"
    return model.removesuffix(f":{record['dtype']}") if record.knows("dtype") else model


def where_of(source: Source) -> str:
    path = "deployment.target" if source.record["deployment"] else "target"
    return f"{f'{source.cards} x ' if source.cards else ''}{source.record.ref(path)}"


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


_HOURS = re.compile(r"\bhours?\b|\bhow long\b|\bhow many days\b", re.IGNORECASE)
_PRICES = re.compile(r"(?:kilo)?watt[- ]?hours?|(?:\bper|\ban?|/)\s*(?:gpu[- ]?)?hour\b", re.IGNORECASE)


def of_tokens(name: str, record: Record, *, words: bool, own: Figure | None) -> Source:
    i, cards = record.id, int(record["cards"] or 1)
    many = f"{cards}*" if cards > 1 else ""
    each = f"({many}{i}.energy_uj_per_token)" if record.knows("energy_uj_per_token") else ""
    rate = f"{i}.decode_tokens_per_s" if record.knows("decode_tokens_per_s") else ""
    power = f"{each}*{rate}" if each and rate else ""
    if own is not None:
        power = f"{own.value / 1e3:.9g}W*{i}.batch/{i}.batch"  # an expression has a field in it
    notes = (
        *((f"A token is taken as {WORDS_A_TOKEN:g} words",) if words else ()),
        *((_IN_TURN,) if many and own is None else ()),
    )
    each, rate = (
        (f"({each}/{WORDS_A_TOKEN:g})" if words and each else each),
        (f"{WORDS_A_TOKEN:g}*{rate}" if words and rate else rate),
    )
    pace = f"{record.ref('batch')} at once" if (record["batch"] or 1) > 1 else "one after another"
    return Source(
        name,
        record,
        each,
        f"(1/({rate}))" if rate else "",
        power,
        pace,
        notes,
        cards=str(cards) if many else "",
        of_words=words,
    )


def pays(query: Query, unit: AskedUnit) -> bool | None:
    """Whether it is asked what tokens cost, so that it matters how many are written at once."""
    return (price_said(query) is not None and unit.per is Per.COUNT) or None


def more_at_once(source: Source, unit: AskedUnit, price: Price | None) -> str:
    """What they cost with as many sessions as pay, and what ends those."""
    record = source.record
    if price is None or not record["paying"] or not record.knows("paying.decode_tokens_per_s"):
        return ""
    each = f"{{{{{record.id}.paying.sessions|count}}}} at once"
    ends = {"memory": "more do not fit", "speed": "beyond, twice as many bring less than a quarter more"}
    why = ends.get(str(record["paying_bound"]), "I count no further")
    path = f"{record.id}.paying.decode_tokens_per_s" if price.per is Per.TIME else ""
    spent = f"1/({path})" if path else f"{record.id}.paying.energy_uj_per_token"
    per = "1h" if path else "1000Wh"
    cost = as_shown(f"{price.value:.9g}*{unit.amount:.9g}*{spent}/{per}", unit, price)
    if (record["batch"] or 1) >= (record.number("paying.sessions") or 0):
        return f"Beyond some {each} more do not pay: {why}"
    return f"A batch pays up to {each}, with {record.ref('context')} tokens each: {cost}; {why}"


_IN_TURN = "All cards at their rating: split by layers they compute in turn, so it may be less"


def as_shown(text: str, unit: AskedUnit, price: Price | None) -> str:
    if unit.what is What.COUNT:
        return f"{{{{{text}|count~}}}}"
    if unit.what is What.MONEY and price is not None:
        return f"{{{{{text}|count~}}}} {price.currency}".strip()
    plain = "mAh" if unit.what is What.CHARGE else "Wh" if unit.per is Per.TIME else ""
    shown = unit.unit or plain
    if shown == "kWh":
        return f"{{{{({text})/1000Wh|count~}}}} kWh"
    return f"{{{{{text}{f'|{shown}~' if shown else '|~'}}}}}"


_NAMES = ("model", "target", "cards", "weights", "kv")


def are_alike(sources: Iterable[Source]) -> bool:
    """Whether they differ in how many are written at once alone."""
    return len({tuple(str(one.record[name]) for name in _NAMES) for one in sources}) == 1


def by_crowd(known: Sequence[tuple[Source, str]], unit: AskedUnit, price: Price | None, head: str) -> str:
    """Of one and of several at once, from the fewest on, and what the most of them save."""
    rows = sorted(known, key=lambda row: row[0].record["batch"] or 1)
    lengths = {row[0].record["context"] for row in rows}
    each = joined(
        f"{as_shown(text, unit, price)} with {source.record.ref('batch')} at once"
        + (f" of {source.record.ref('context')} tokens" if len(lengths) > 1 else "")
        for source, text in rows
    )
    times = f"{{{{({rows[0][1]})/({rows[-1][1]})|x}}}} less with most at once"
    why = "as one reading of the weights serves them all"
    return f"{each}, {head}: {what_of(rows[0][0])} on {where_of(rows[0][0])}; {times}, {why}."
