"""A steady load on a card: how much of it so many requests take, what that costs, and when a card pays."""

from __future__ import annotations

from ....hardware_db.schema import TargetClass
from ...asked_unit import HOURS, Per, Price, What, asked_unit, price_in
from ...quantities import Family, Figure
from ..bench import Answering, Record, call_of, needed
from ..paid import price_of, price_said, with_owners
from ..query import Query, Role
from ..words import patterns
from . import cases
from .phrases import language_models, lines, said
from .tokens import on_cards, where

_SAYS = patterns("of_serving")
_TOGETHER, _BUSY = 16, 0.7
"""Requests at once, and the share of the time from which on they are taken together."""
_PROMPT, _ANSWER = 512, 256
_MONTH, _DAY_S = HOURS["month"], 86_400


def asks_requests(query: Query) -> bool:
    """Whether so many requests come in a time, of a language model on a target."""
    counted = query.has(Role.PROMPT, Role.WRITTEN) and language_models(query) and query.has(Role.TARGET)
    return bool(counted and _rate(query)[0])


def _rate(query: Query) -> tuple[str, float]:
    """How many come in a second, in their words: of whatever, where it is said what one reads and writes."""
    words = said(query, Role.RATE_HZ)
    if _SAYS["requests"].search(words):
        return words, query.number(Role.RATE_HZ) or 0.0
    both = query.says(Role.PROMPT) and query.says(Role.WRITTEN)
    every = query.figures if both else ()
    rates = (
        f for f in every if f.family is Family.RATE and f.noun not in ("", "token", "tokens", "word", "words")
    )
    found = next(rates, None)
    return (found.text, found.value) if found else ("", 0.0)


def requests(query: Query, _wants: object) -> Answering:
    """Cards by what reading and writing take of one: several requests together where one by one is slow."""
    rated, rate = _rate(query)
    read, written = query.number(Role.PROMPT) or _PROMPT, query.number(Role.WRITTEN) or _ANSWER
    asked = cases.asked(query)
    lengths = {"prompt_tokens": int(read), "context": asked["context"] or int(read + written)}
    for batch in (1, _TOGETHER):
        record = needed((yield call_of("estimate_generation", query, **asked | lengths | {"batch": batch})))
        writes, reads = (record.number(f"{name}_tokens_per_s") for name in ("decode", "prefill"))
        if record["verdict"] == "FAIL" or not writes or not reads:
            why = "it does not fit" if record["verdict"] == "FAIL" else "its speed is not known"
            return f"It cannot be told: {why}, {where(record)}."
        if rate * (written / writes + read / reads) < _BUSY:
            break
    i = record.id
    busy = (
        f"({rate * written:.9g}*1/(1s*{i}.decode_tokens_per_s)"
        f"+{rate * read:.9g}*1/(1s*{i}.prefill_tokens_per_s))"
    )
    load = f"{rated} of {read:g} tokens read and {written:g} written"
    pace = f"With {record.ref('batch')} at once it writes" if record["batch"] > 1 else "It writes"
    return lines(
        _cost(query, record, busy, rate * written, rate * read, load),
        f"{{{{ceil({busy})|count}}}} of {record.ref('target')}: {load} keep one busy "
        f"{{{{{busy}|%}}}} of the time.",
        f"{pace} {record.ref('decode_tokens_per_s', '~')} and reads {record.ref('prefill_tokens_per_s')}: "
        f"{where(record)}. Above some 70 % requests wait: leave room.",
    )


def _cost(query: Query, record: Record, busy: str, written: float, read: float, load: str) -> str:
    """Of a month, or the time that is asked, where a price is said."""
    price, unit = price_said(query) or price_in(query.question), asked_unit(query.question, What.MONEY)
    if price is None:
        return ""
    hours, words = (unit.amount, unit.words) if unit and unit.per is Per.TIME else (_MONTH, "a month")
    at = f"{words} at {price.words}: {load}"
    if price.per is Per.TIME:
        paid = price.shown(f"{price.term}*{hours:.9g}*ceil({busy})")
        return f"{paid} {at}; a rented hour is paid whether it computes or not."
    if not record.knows("energy_uj_per_token"):
        return f"What it costs is not known, as no source gives the power of {record.ref('target')}."
    i, seconds = record.id, 3600 * hours
    each = f"{i}.energy_uj_per_token"
    reading = f"{each}*{i}.decode_tokens_per_s/{i}.prefill_tokens_per_s"
    energy = f"({seconds * written:.9g}*{each}+{seconds * read:.9g}*{reading})"
    return (
        f"{price.shown(f'{price.term}*{energy}/1000Wh')} {at}. That is what "
        f"{record.ref('target')} takes while it computes; its idling and the computer around it come on top."
    )


def asks_break_even(query: Query) -> bool:
    """Whether a card is bought or rented, for a language model or anything, with what an hour costs."""
    named = [query.targets.get(name) for name in query.all(Role.TARGET)]
    cards = all(one is not None and one.target_class is TargetClass.GPU for one in named)
    whatever = _of_anything(query) and cards and query.has(Role.OWN_PRICE_USD)
    rented = bool(named) and query.has(Role.RENT) and (language_models(query) or whatever)
    return bool(rented and _SAYS["breaks_even"].search(query.question))


def _of_anything(query: Query) -> bool:
    """Whether a card is spoken of and nothing that runs on it: its rating is what it draws."""
    return not query.has(Role.MODEL, Role.RATE_HZ)


def broken_even(query: Query, _wants: object) -> Answering:
    """Hours of use after which the price is what their rent would have been, less the electricity."""
    rent, power = (_price_of(query, role) for role in (Role.RENT, Role.TARIFF))
    query, anything = with_owners(query), _of_anything(query)
    places = list(dict.fromkeys(query.all(Role.TARGET)))
    of = next((slot.of for slot in query.slots if slot.role is Role.RENT), "")
    bought = next((place for place in places if place != of), places[0])
    alone = query.put(Role.MODEL, _SMALL) if anything else query
    record = needed((yield from cases.estimated(alone.put(Role.TARGET, bought))))
    both = [record]
    for other in () if anything else [place for place in places if place != bought][:1]:
        both.append(needed((yield from cases.estimated(alone.put(Role.TARGET, other)))))
    cards, i = cases.cards_of(query), record.id
    own = _own_price(query, rent)
    costs, words = f"{cards * own.value:.9g}" if own else "", f"{own.text}" if own else ""
    if own is None:
        chip = needed((yield call_of("get_target", query, target=bought)))
        if not chip.knows("price_usd"):
            return f"It cannot be told: no price of {record.ref('target')} is known; say what you pay."
        costs, words = f"{cards}*{chip.id}.price_usd/1USD", f"{chip.ref('price_usd')}, its price at launch"
    assert rent is not None
    draws, watts = f"{cards}*{i}.energy_uj_per_token*{i}.decode_tokens_per_s", cards * _watts(record)
    spent = f"{power.term}*{draws}*1h/1000Wh" if power and watts else f"0*{i}.batch"
    if power and rent.value * cards <= power.value * watts / 1e3:
        return (
            f"Never: the electricity of an hour costs more than its rent, {rent.words}: {on_cards(record)}."
        )
    hours, when = query.hours_a_day or 24.0, said(query, Role.HOURS_A_DAY) or "24 h a day"
    share, after = f"{24 / hours:.9g}", f"{costs}/({rent.scaled(cards).term}-{spent})"
    of_power = "electricity, which is not counted: say what a kWh costs"
    if power and watts:
        of_power = f"{{{{{spent}|count}}}} {power.currency} of electricity at {power.words}"
        of_power = f"{of_power}, at its rated {{{{{draws}|W}}}}"
    return lines(
        f"Buying {record.ref('target')} breaks even after {{{{{after}|count}}}} hours of use, "
        f"{{{{({after})*{share}*1h|days}}}} at {when}: {words} against {rent.words}, less {of_power}.",
        "With fewer hours rent it. The computer around a card and what it sells for later are not counted.",
        ""
        if anything
        else "; ".join(f"{where(one)}, {one.ref('decode_tokens_per_s', '~')}" for one in both) + ".",
    )


_SMALL = "llama-3.2-1b"
"""Fits every card, so that what that is rated for is known."""


def _watts(record: Record) -> float:
    """Of one card while it computes; 0 where that is not known."""
    each, rate = (record.number(name) for name in ("energy_uj_per_token", "decode_tokens_per_s"))
    return (each or 0.0) * (rate or 0.0) / 1e6 / (record["cards"] or 1)


def _own_price(query: Query, rent: Price | None) -> Figure | None:
    """What the user pays for one: money that is of no time, or too much to be of an hour."""
    far = _NO_RENT * (rent.value if rent else 0.0)
    money = (each for each in query.figures if each.family in (Family.MONEY, Family.RENT))
    return next((each for each in money if each.family is Family.MONEY or each.value > far), None)


_NO_RENT = 100.0


def _price_of(query: Query, role: Role) -> Price | None:
    """The least that is said."""
    slots = [slot for slot in query.slots if slot.role is role]
    return price_of(min(slots, key=lambda slot: slot.number)) if slots else None
