"""The answer in the unit it is asked in: energy, charge, money or inferences for a time, a count or a kWh."""

from __future__ import annotations

import math
import re
from collections.abc import Generator, Sequence
from dataclasses import replace

from ....tools.verdicts.ties import is_tie
from ...asked_unit import AskedUnit, Per, Price, What, asked_unit, pue_in
from ..bench import NOT_KNOWN, Answering, Call, Record, call_of, needed
from ..paid import price_said, with_owners
from ..query import Query, Role
from ..want import Want
from ..wants import CLAIMS
from ..words import spoken
from . import cases, energies
from .axes import kinds_of, several
from .phrases import assumed, batch_of, joined, language_models, lines, said, sentence, table
from .token_costs import (
    Source,
    are_alike,
    as_shown,
    by_crowd,
    more_at_once,
    of_tokens,
    own_is_likely,
    own_power,
    pays,
    time_of_job,
    what_of,
    where_of,
)  # fmt: skip

_USUAL_V = 3.0
_MOST = 8
_SECOND, _ONE = 1 / 3600, 1.0
_TAKEN = frozenset(
    (Want.RECOMMEND, Want.CONCEPT, Want.PRODUCT, Want.RECOMMEND_MODEL, Want.PIPELINE, Want.LIMIT,
     Want.WHAT_IF, Want.IMPROVE, Want.OUTSIDE, Want.HELP, Want.THANKS, Want.SUMMARY)
)  # fmt: skip
"""What is answered in units of its own."""
_LIMITS = (Role.BATTERY, Role.CHARGE_MAH, Role.POWER_MW, Role.CURRENT_UA, Role.LIFE_MS)
_NONSTOP = "nonstop"
_BILL = re.compile(r"\b(?:electric\w*|power bill|energy (?:bill|costs?)|kwh)\b", re.I)
_A_MONTH = AskedUnit(What.ENERGY, "kWh", Per.TIME, 730.5, "a month")
_A_MILLION = AskedUnit(What.MONEY, "", Per.COUNT, 1e6, "a million")
_A_MILLION_TOKENS = replace(_A_MILLION, words="a million tokens")
_A_YEAR = AskedUnit(What.MONEY, "", Per.TIME, 8766.0, "a year")
_HOUR_MS, _LOOKS_BACK = 3.6e6, 4
_LARGE_WH = 2e3
_IN_WORDS = re.compile(r"\bwords?\b(?=\W+(?:per|an?|each|every|/))", re.IGNORECASE)


def asks(query: Query, wants: Sequence[Want]) -> bool:
    """Whether a deployment is named and a unit per something is what is asked for."""
    unit, implied = _unit(query, wants), asked_unit(query.question) is None
    if unit is None or not (query.has(Role.MODEL) and query.has(Role.TARGET)):
        return False
    if set(wants[:1]) & (_TAKEN if not implied else {Want.SUMMARY}):
        return False
    if Want.PLAUSIBLE in wants and query.says(*CLAIMS):
        return False
    if wants[:1] == (Want.GENERATION,) and "speed" in query.asks and language_models(query):
        return False
    if not language_models(query) and query.has(*_LIMITS) and not (implied and price_said(query)):
        return False
    match unit.what, unit.per:
        case What.COUNT, Per.TIME:
            return unit.amount > _SECOND and not query.has(Role.RATE_HZ)
        case What.ENERGY, Per.COUNT:
            return unit.amount > _ONE
        case What.ENERGY | What.CHARGE, Per.TIME:
            return unit.amount > _SECOND
    return True


_SPENDS = frozenset((Want.PRICE, Want.CHEAPEST, Want.ENERGY, Want.POWER))


def _unit(query: Query, wants: Sequence[Want] = ()) -> AskedUnit | None:
    """As it is asked; where what is paid is said, of the time that is said, so many tokens, or a year."""
    price = price_said(with_owners(query))
    asked = asked_unit(query.question, What.MONEY if price else None)
    if asked and price and asked.what is What.COUNT and asked.per is Per.TIME and asked.amount <= _SECOND:
        asked = None
    paid = query.says(Role.TARIFF, Role.RENT) or bool(_BILL.search(query.question))
    if asked is None and price is not None and (paid or _goes_on(query, wants)):
        asked = _of_a_time(query) if query.says(Role.LIFE_MS) else _of_tokens_said(query) or _before(query)
        many = _A_MILLION_TOKENS if language_models(query) else _A_MILLION
        asked = asked or (_A_YEAR if price.per is Per.ENERGY else many)
    elif asked is None and paid and language_models(query):
        asked = _of_tokens_said(query) or (_A_MONTH if query.has(Role.HOURS_A_DAY) else None)
    if asked is None:
        return None
    if asked.per is not Per.TIME:
        if "token" in asked.words and not language_models(query):
            return None
        tiny = price and asked.per is Per.COUNT and asked.amount <= _ONE and language_models(query)
        return _A_MILLION_TOKENS if tiny else asked
    own = own_power(query)
    if query.has(Role.RATE_HZ) and not language_models(query):
        return asked
    on = query.hours_a_day or 24.0
    hours, part = asked.amount * on / 24, said(query, Role.HOURS_A_DAY) if on < 24.0 else ""
    rated = "its rating" if part and language_models(query) else ""
    words = ", ".join(each for each in (own.text if own else rated, part) if each)
    return replace(asked, amount=hours, words=f"{asked.words} ({words})" if words else asked.words)


def _goes_on(query: Query, wants: Sequence[Want]) -> bool:
    """Whether money is asked about, or was by the question before, and what it is of is all that changes."""
    again = query.says(Role.HOURS_A_DAY) or Want.SAME in [want for want, _ in query.likely[:1]]
    return bool(set(wants[:1]) & _SPENDS) or (again and _before(query) is not None)


def _before(query: Query) -> AskedUnit | None:
    """What money was asked for by the latest of the questions before."""
    paid = (one.question for one in reversed(query.established[-_LOOKS_BACK:]) if price_said(one))
    return next((unit for one in paid if (unit := asked_unit(one, What.MONEY))), None)


def _of_a_time(query: Query) -> AskedUnit:
    hours = (query.number(Role.LIFE_MS) or 0.0) / _HOUR_MS
    return AskedUnit(What.MONEY, "", Per.TIME, hours, f"over {said(query, Role.LIFE_MS)}")


def _of_tokens_said(query: Query) -> AskedUnit | None:
    role = next((role for role in (Role.RUNS, Role.WRITTEN) if query.has(role)), None)
    tokens = query.number(role) if role and language_models(query) else None
    if role is None or not tokens or query.has(Role.HOURS_A_DAY):
        return None
    words = said(query, role)
    words = f"for {words}" if "token" in words else f"for {words} tokens"
    return AskedUnit(What.ENERGY, "kWh", Per.COUNT, tokens, words)


def bill(query: Query, wants: Sequence[Want]) -> Answering:
    """What that costs beside other figures of a language model: of each its money, in a line."""
    if _unit(query, wants) is None:
        return ""
    text = yield from per_unit(query, wants)
    first, _, rest = text.partition("\n")
    return lines(first, *(line for line in rest.split("\n") if not line.startswith("That is energy")))


def per_unit(query: Query, wants: Sequence[Want]) -> Answering:
    """One figure, or a table and the difference of two."""
    query = _of_all(with_owners(query))
    unit, price = _unit(query, wants), price_said(query)
    assert unit is not None
    paid = price is not None and unit.what is What.ENERGY
    energy = unit
    if paid:
        unit = replace(unit, what=What.MONEY, unit="")
    pue = pue_in(query.question)
    if price is not None and pue != 1.0:
        price = replace(price, value=price.value * pue, words=f"{price.words} and a PUE of {pue:g}")
    named = _named(query, wants)
    rows: list[tuple[Source, str]] = []
    words: list[str] = []
    for name, one in named[:_MOST]:
        source = yield from _source(name, one, unit)
        paid_here = price
        if price is not None and price.per is Per.TIME and (paid_here := price_said(one)) is not None:
            paid_here = replace(paid_here, value=paid_here.value * cases.cards_of(one))
            source, words = replace(source, rent=paid_here.value), [*words, paid_here.words]
        known_price = paid_here is not None or price is None
        if paid_here is not None and paid_here.per is Per.TIME and (count := _needed(source, unit, one)):
            shown, many = (
                f"{{{{{count}|count}}}}",
                math.ceil((one.number(Role.RATE_HZ) or 0.0) * _seconds(source)),
            )
            source = replace(source, name=f"{shown} x {name}", cards=shown, rent=many * source.rent)
        rows.append((source, _expression(source, unit, paid_here, one) if known_price else ""))
    if price is not None and words:
        price = replace(price, words=joined(dict.fromkeys(words)))
    watts = max((source.record.number("power_mw") or 0.0 for source, _ in rows), default=0.0) / 1e3
    of_time = unit.what is What.ENERGY and unit.per is Per.TIME and not unit.unit
    if of_time and watts * unit.amount > _LARGE_WH:
        unit = replace(unit, unit="kWh")
    head = _head(unit, price)
    notes = list(dict.fromkeys(note for source, _ in rows for note in source.notes))
    notes += [time for source, _ in rows[:1] if (time := time_of_job(source, unit, query))]
    notes += [more for source, text in rows[-1:] if text and (more := more_at_once(source, unit, price))]
    notes += [likely for source, _ in rows[:1] if (likely := own_is_likely(query, source.record))]
    if paid and price and price.per is Per.ENERGY and len(rows) == 1 and rows[0][1]:
        notes.append(f"That is {as_shown(_expression(rows[0][0], energy, None, query), energy, None)}")
    if unit.what is What.MONEY and price is None:
        notes.append(
            "That is energy: I know no prices of electricity or rent; say *0.30 € per kWh* or *1.20 $ per h*"
        )
    known = [(source, text) for source, text in rows if text]
    note = f"{'. '.join(notes)}." if notes else ""
    if not known:
        if rows[0][0].why:
            return sentence(f"{NOT_KNOWN}: {rows[0][0].why}")
        return lines(
            f"{NOT_KNOWN}, as no source gives the power of {where_of(rows[0][0])}; {energies.TELL}", note
        )
    if len(rows) == 1:
        source, text = known[0]
        return lines(
            f"{as_shown(text, unit, price)} {head}: {what_of(source)} on {where_of(source)}, {source.pace}.",
            note,
            assumed(query, source.record) if source.record["deployment"] else "",
        )
    if language_models(query) and are_alike(source for source, _ in rows):
        return lines(by_crowd(known, unit, price, head), note)
    return lines(_best(known, unit, price, head, query), table(("", head), _cells(rows, unit, price)), note)


def _of_all(query: Query) -> Query:
    """Many of them that run by themselves are as many boards, where no rate tells what one serves."""
    many = next((slot for slot in query.slots if slot.role is Role.DEVICES), None)
    if many is None or query.has(Role.RATE_HZ, Role.CARDS) or language_models(query):
        return query
    return query.without([Role.DEVICES]).put(Role.CARDS, many.value, text=many.text)


def _named(query: Query, wants: Sequence[Want]) -> list[tuple[str, Query]]:
    if language_models(query):
        return cases.kinds(query)
    return kinds_of(query, wants)[0] if several(query) else [("", query)]


def _source(name: str, query: Query, unit: AskedUnit) -> Generator[Call, Record, Source]:
    if language_models(query):
        return of_tokens(
            name,
            needed((yield from cases.estimated(query.without_words(unit.words), crowds=pays(query, unit)))),
            words=_IN_WORDS.search(query.question) is not None,
            own=own_power(query) if unit.per is Per.TIME else None,
        )
    record = needed((yield call_of("estimate_performance", query)))
    i = record.id
    batch = batch_of(record)
    each = f"({i}.energy_uj/{batch})" if record.knows("energy_uj") else ""
    time = f"({i}.latency_ms/{batch})" if record.knows("latency_ms") else ""
    cards = cases.cards_of(query) if unit.per is Per.TIME else 1
    many = f"{cards}*" if cards > 1 else ""
    power = f"{many}{i}.power_mw" if record.knows("power_mw") else ""
    shown = str(cards) if many else ""
    if unit.per is not Per.TIME or not query.has(Role.RATE_HZ):
        pace = _NONSTOP if unit.per is Per.TIME else "one after another"
        return Source(name, record, each, time, power, pace, cards=shown)
    budget = yield call_of("estimate_energy_budget", energies.sized(query)[0])
    pace = f"at {said(query, Role.RATE_HZ)}".replace("at once", "once").replace("at every", "every")
    path = energies.averaged_in(budget)
    if budget.knows(path):
        alone = "" if path == "average_power_mw" else f"At least that, {energies.not_counted(budget)}"
        notes = tuple(note for note in (sentence(energies.hosted_by(budget)).rstrip("."), alone) if note)
        low, high = budget.ends(path) or (0.0, 0.0)
        mean_mw = (cards * (budget.number(path) or 0.0), cards * low, cards * high)
        power = f"{many}{budget.id}.{path}"
        return Source(name, record, each, time, power, pace, notes, cards=shown, mean_mw=mean_mw)
    why = budget.ref("statement") if budget["verdict"] == "FAIL" else ""
    return Source(name, record, each, time, "", pace, why=why)


def _needed(source: Source, unit: AskedUnit, query: Query) -> str:
    """How many of it a rate takes that is said, as an expression; empty where none is."""
    rate = query.number(Role.RATE_HZ)
    if unit.per is not Per.TIME or not rate or not source.time or language_models(query):
        return ""
    return f"ceil({rate:.6f}fps*{source.time})"


def _expression(source: Source, unit: AskedUnit, price: Price | None, query: Query) -> str:
    """What is asked for, as an expression; empty where something in it is not known."""
    many = f"{unit.amount:.9g}"
    hours = f"{many}h"
    if unit.what is What.COUNT:
        if unit.per is Per.TIME:
            return f"{hours}/{source.time}" if source.time else ""
        return f"{unit.amount * 1e3:.9g}Wh/{source.each}" if source.each else ""
    energy = f"{source.power}*{hours}" if unit.per is Per.TIME else f"{many}*{source.each}"
    known = source.power if unit.per is Per.TIME else source.each
    if unit.what is What.MONEY and price is not None and price.per is Per.TIME:
        count = _needed(source, unit, query)
        batch = f"{source.record.id}.{'batch' if source.record.knows('batch') else 'deployment.batch'}"
        count = count or f"({batch}/{batch})"  # an expression has a field in it
        spent = f"{count}*{hours}" if unit.per is Per.TIME else f"{many}*{source.time}"
        return f"{price.value:.9g}*{spent}/1h" if source.time else ""
    if not known:
        return ""
    if unit.what is What.CHARGE:
        return f"{energy}/{query.number(Role.SUPPLY_V) or _USUAL_V:g}V"
    if unit.what is What.MONEY and price is not None:
        return f"{price.value:.9g}*{energy}/1000Wh"
    return energy


def _each_uj(record: Record) -> float:
    return (
        (record.number("energy_uj") or 0.0) / batch_of(record) or record.number("energy_uj_per_token") or 0.0
    )


def _head(unit: AskedUnit, price: Price | None) -> str:
    at = f" at {price.words}" if price is not None and unit.what is What.MONEY else ""
    volts = f" at {_USUAL_V:g} V" if unit.what is What.CHARGE else ""
    return f"{unit.words}{volts}{at}"


def _cells(rows: Sequence[tuple[Source, str]], unit: AskedUnit, price: Price | None) -> list[list[str]]:
    return [[source.name, as_shown(text, unit, price) if text else NOT_KNOWN] for source, text in rows]


def _best(
    known: Sequence[tuple[Source, str]], unit: AskedUnit, price: Price | None, head: str, query: Query
) -> str:
    """Which takes least, or gives most, or the other end of it; of two the difference."""
    counts, ends = unit.what is What.COUNT, set(spoken("worst", query.question))
    turned = "best" not in ends and ("little" if counts else "much") in ends
    by_rank = sorted(known, key=lambda row: _rank(row[0], unit, price), reverse=turned)
    (first_of, text), others = by_rank[0], by_rank[1:]
    most = counts != turned
    verb = f"{'does' if counts else 'takes'} {'most' if most else 'least'}"
    first = f"{first_of.name} {verb}, {as_shown(text, unit, price)} {head}"
    if others and first_of.mean_mw[0] and _is_tie(first_of.mean_mw, others[0][0].mean_mw):
        first = f"{first_of.name} and {others[0][0].name} hardly differ, as their intervals overlap: {first}"
    elif others:
        second, more = others[0]
        larger, smaller = (text, more) if most else (more, text)
        gap = as_shown(f"({larger})-({smaller})", unit, price).replace("~}}", "}}")
        first += f", {gap} {'more' if most else 'less'} than {second.name}"
    return f"{first}: {joined(dict.fromkeys(query.all(Role.MODEL)))}."


def _is_tie(one: tuple[float, float, float], other: tuple[float, float, float]) -> bool:
    return is_tie(one[0], other[0], one[1:], other[1:])


def _seconds(source: Source) -> float:
    """Of one inference or token."""
    record = source.record
    each_ms = (record.number("latency_ms") or 1e-9) / batch_of(record)
    return 1 / (record.number("decode_tokens_per_s") or 1e3 / each_ms)


def _rank(source: Source, unit: AskedUnit, price: Price | None) -> float:
    """Time where time is paid for or counted, energy else; of a time, power, at a rate the mean one."""
    record = source.record
    if price is not None and price.per is Per.TIME:
        return source.rent * (1.0 if unit.per is Per.TIME else _seconds(source))
    if unit.what is What.COUNT and unit.per is Per.TIME:
        return _seconds(source)
    if unit.per is Per.TIME and (source.pace == _NONSTOP or source.mean_mw[0]):
        return source.mean_mw[0] or record.number("power_mw") or 0.0
    each = _each_uj(record) * (int(source.cards) if source.cards.isdigit() else 1)
    nonstop = unit.per is Per.TIME and record.knows("decode_tokens_per_s")
    return each / _seconds(source) if nonstop else each
