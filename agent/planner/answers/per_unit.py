"""The answer in the unit it is asked in: energy, charge, money or inferences for a time, a count or a kWh."""

from __future__ import annotations

import math
import re
from collections.abc import Generator, Sequence
from dataclasses import replace

from ....hardware_db.schema import TargetClass
from ....tools.verdicts.ties import is_tie
from ...asked_unit import AskedUnit, Per, Price, What, asked_unit, pue_in
from ...patterns import compiled
from ..bench import NOT_KNOWN, Answering, Call, Record, call_of, needed
from ..paid import CENTS, price_said, with_owners
from ..query import Query, Role
from ..rents import LISTED
from ..want import Want
from ..wants import CLAIMS
from ..words import spoken
from . import cases, energies, workloads
from .axes import kinds_of, several
from .in_batches import batched
from .per_what import A_SECOND, ONE, counted_per_money, unit_of
from .phrases import joined, language_models, lines, price, said, sentence, table
from .token_costs import (
    Asked,
    are_alike,
    beside_the_bill,
    by_crowd,
    more_at_once,
    own_is_likely,
    pays,
    throughput_of,
    time_of_job,
)
from .unit_sources import IN_TURN, NONSTOP, Source, in_batches_of, of_network, of_tokens, own_power

_USUAL_V = 3.0
_MOST = 8
_SMALL = "llama-3.2-1b"
"""Fits every card, so that what that is rated for is known."""
_LARGE_WH = 2e3
_IN_WORDS = compiled(r"\bwords?\b(?=\W+(?:per|an?|each|every|/))", re.IGNORECASE)
_EACH_WHO = compiled(
    r"(?:\bper|\b(?:for )?each|\bfor every|/) ?(?P<who>dev(?:eloper)?s?|users?|persons?|heads?|employees?|"
    r"seats?|students?|lawyers?|agents?|members?|colleagues?|customers?|patients?|pupils?|sites?|shops?)\b",
    re.I,
)
"""Whom a sum is shared by."""
_TAKEN = frozenset(
    (Want.RECOMMEND, Want.CONCEPT, Want.PRODUCT, Want.RECOMMEND_MODEL, Want.PIPELINE, Want.LIMIT,
     Want.WHAT_IF, Want.IMPROVE, Want.OUTSIDE, Want.HELP, Want.THANKS, Want.SUMMARY)
)  # fmt: skip
"""What is answered in units of its own."""
_LIMITS = (Role.BATTERY, Role.CHARGE_MAH, Role.POWER_MW, Role.CURRENT_UA, Role.LIFE_MS)


def asks(query: Query, wants: Sequence[Want]) -> bool:
    """Whether a deployment is named and a unit per something is what is asked for."""
    unit, implied = unit_of(query, wants), asked_unit(query.question) is None
    if unit is None or not query.has(Role.TARGET) or not (query.has(Role.MODEL) or _rated(query) is not None):
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
            return unit.amount > A_SECOND and not query.has(Role.RATE_HZ)
        case What.ENERGY, Per.COUNT:
            return unit.amount > ONE
        case What.ENERGY | What.CHARGE, Per.TIME:
            return unit.amount > A_SECOND
    return True


def _rated(query: Query) -> Query | None:
    """Of graphics cards whose electricity is asked for and no network: with one that shows their rating."""
    found = [query.targets.get(name) for name in query.all(Role.TARGET)]
    cards = all(one is not None and one.target_class is TargetClass.GPU for one in found)
    unit = unit_of(query) if query.has(Role.TARIFF) and not query.has(Role.MODEL, Role.RATE_HZ) else None
    of_time = unit is not None and unit.per is Per.TIME and unit.what in (What.MONEY, What.ENERGY)
    return query.put(Role.MODEL, _SMALL) if found and cards and of_time else None


def bill(query: Query, wants: Sequence[Want]) -> Answering:
    """What that costs beside other figures of a language model: of each its money, in a line."""
    if unit_of(query, wants) is None:
        return ""
    told = {"wants": tuple(want for want in query.wants if want is not Want.THROUGHPUT)}
    text = yield from per_unit(query.model_copy(update=told | {"asks": query.asks - {"throughput"}}), wants)
    first, _, rest = text.partition("\n")
    return lines(first, *(line for line in rest.split("\n") if not line.startswith("That is energy")))


def per_unit(query: Query, wants: Sequence[Want]) -> Answering:
    """One figure, or a table and the difference of two; of a board that is filled, what it serves first."""
    if _fills(query, wants):
        served = yield from workloads.how_many(query, [Want.HOW_MANY])
        return lines(served, (yield from per_unit(query.without([Role.RATE_HZ]), wants)))
    of_any = _rated(query)
    query = _of_all(with_owners(of_any or query))
    energy, price = unit_of(query, wants), _price(query)
    assert energy is not None
    paid = price is not None and energy.what is What.ENERGY
    asked = Asked(replace(energy, what=What.MONEY, unit="") if paid else energy, price)
    rows: list[Source] = []
    for name, one in _named(query, wants)[:_MOST]:
        rows.append(_told((yield from _source(name, one, asked)), asked, one))
    rows = [replace(row, notes=()) for row in rows] if of_any else rows
    asked = _as_said(asked, rows)
    notes = _notes(rows, asked, query)
    drawn = _under(asked)
    if drawn and len(rows) == 1 and rows[0].told:
        power, spent = _drawn(rows[0], drawn, query)
        notes.append(f"That is {spent}, at {power} on average")
    elif paid and not asked.pays_time and len(rows) == 1 and rows[0].told:
        shown = Asked(energy, None).shown(_expression(rows[0], Asked(energy, None), query))
        notes.append(f"That is {shown}")
    notes += beside_the_bill(rows, energy, asked, query, counted_per_money(query, price))
    note = f"{'. '.join(notes)}." if notes else ""
    known = [source for source in rows if source.told]
    if rows[0].why and (not known or all(row.why for row in rows)):
        return sentence(f"{NOT_KNOWN}: {rows[0].why}")
    if not known:
        return lines(f"{NOT_KNOWN}, as no source gives the power of {rows[0].place}; {energies.TELL}", note)
    if len(rows) == 1:
        source = rows[0]
        of_what = f"{source.model} on {source.place}, {source.pace}"
        of_what = f"{source.place} at its rating, whatever it runs" if of_any else of_what
        first = f"{asked.shown(source.told)} {asked.head}: {of_what}."
        first = f"{_of_all_places(source, asked, query)}{first}"
        first += _of_each(source, asked, query)
        first = lines(first, (yield from _to_buy(source, asked, query)))
        return lines(first, note)
    if language_models(query) and are_alike(rows):
        return lines(by_crowd(known, asked), note)
    rates = _asks_rate(query, asked)
    rated = [[throughput_of(row)] if rates else [] for row in rows]
    cells = [
        [row.name, _cell(row.told, asked), *_drawn(row, drawn, query), *rate]
        for row, rate in zip(rows, rated, strict=True)
    ]
    heads = ("", asked.head, *(("average power", "energy") if drawn else ()))
    heads = (*heads, *(("throughput",) if rates else ()))
    alike = len({_rank(source, asked) for source in known}) == 1
    shares = _of_each(known[0], asked, query) if alike else ""
    best = _best(known, asked, query)
    best = f"{best.rpartition(':')[0]}, at their rating, whatever they run." if of_any else best
    return lines(f"{best}{shares}", table(heads, cells), note)


def _of_all_places(source: Source, asked: Asked, query: Query) -> str:
    """The sum over all places with a board each; empty where none are spoken of, or it is of all already."""
    places = query.number(Role.PLACES)
    if not places or source.cards or asked.unit.per is not Per.TIME:
        return ""
    return f"{asked.shown(f'{places:g}*({source.told})')} in all {said(query, Role.PLACES)}; in each "


def _to_buy(source: Source, asked: Asked, query: Query) -> Generator[Call, Record, str]:
    """The price of as many as draw it, and the sum of both; empty where none are to be bought."""
    if _under(asked) is None or not spoken("purchase", query.question):
        return ""
    page = yield call_of("get_target", query, target=query.text(Role.TARGET))
    if not page.knows("price_usd"):
        return f"What {page.ref('id')} costs to buy is not known."
    count = math.prod(number for number in (query.number(Role.PLACES), float(source.cards or 1)) if number)
    paid = f"{count:g}*{page.id}.price_usd"
    bought = f"{{{{{paid}|USD}}}} for {count:g}, {price(page)}" if count > 1 else price(page)
    if asked.price is None or asked.price.currency not in ("USD", "$"):
        return f"To buy: {bought}; not added, as what a kWh costs is not in USD."
    places = query.number(Role.PLACES) if not source.cards else None
    return f"To buy: {bought}; in all {{{{{paid}+{places or 1:g}*({source.told})*1USD|USD}}}}."


def _of_each(source: Source, asked: Asked, query: Query) -> str:
    """What that is for each of those that share it, as many as were spoken of last; empty where none are."""
    found = _EACH_WHO.search(query.question)
    if found is None or asked.unit.per is not Per.TIME:
        return ""
    who, before = found["who"].rstrip("s"), (query, *reversed(query.established))
    many = rf"(?<![\w.,])(\d{{1,6}}) (?:[a-z-]+ ){{0,2}}?{re.escape(who)}s?\b"
    counts = (match[1] for one in before if (match := re.search(many, one.question, re.I)))
    count = next(counts, None) or (source.record.ref("batch") if (source.record["batch"] or 1) > 1 else "")
    number = int(count) if count.isdigit() else int(source.record["batch"] or 1)
    return (
        f" For each of {count}: {asked.shown(f'({source.told})/{number}')}." if number > 1 and count else ""
    )


def _under(asked: Asked) -> Asked | None:
    """The energy under what is paid for a time by its kWh; None of anything else."""
    unit, price = asked
    if unit.what is not What.MONEY or unit.per is not Per.TIME or price is None or asked.pays_time:
        return None
    return Asked(replace(unit, what=What.ENERGY, unit="kWh"), None)


def _drawn(source: Source, drawn: Asked | None, query: Query) -> list[str]:
    """Its average power and energy."""
    if drawn is None:
        return []
    power = f"{{{{{source.power}}}}}" if source.power else NOT_KNOWN
    return [power, _cell(_expression(source, drawn, query), drawn)]


def _cell(told: str, asked: Asked) -> str:
    return asked.shown(told) if told else NOT_KNOWN


def _fills(query: Query, wants: Sequence[Want]) -> bool:
    """Whether it asks too how many streams one board serves: then it computes nonstop."""
    one = query.has(Role.RATE_HZ) and not query.has(Role.DEVICES) and len(set(query.all(Role.TARGET))) == 1
    return one and Want.HOW_MANY in wants and price_said(query) is not None and not language_models(query)


def _price(query: Query) -> Price | None:
    """What is said to be paid, with what a data centre adds."""
    price, pue = price_said(query), pue_in(query.question)
    unit = unit_of(query)
    if price and unit and unit.per is Per.TIME and unit.amount > 24 and CENTS.fullmatch(price.currency):
        words = f"{price.words}, in hundreds of {price.currency}"  # of a long time nobody counts cents
        price = replace(price, value=price.value / 100, currency="", words=words)
    if price is None or pue == 1.0:
        return price
    return replace(price.scaled(pue), words=f"{price.words} and a PUE of {pue:g}")


def _as_said(asked: Asked, rows: Sequence[Source]) -> Asked:
    """In the words for what each of them costs, and in kWh where it is much."""
    unit, price = asked
    paid = dict.fromkeys(source.paid for source in rows if source.paid)
    if price is not None and paid:
        listed = len(paid) > 1 and all("{{" in words for words in paid)
        price = replace(price, words=LISTED if listed else joined(paid))
    watts = max((_watts(source) for source in rows), default=0.0)
    of_energy = unit.what is What.ENERGY or (unit.what is What.MONEY and price is None)
    of_time = of_energy and unit.per is Per.TIME and not unit.unit
    large = of_time and watts * unit.amount > _LARGE_WH
    return Asked(replace(unit, unit="kWh") if large else unit, price)


def _watts(source: Source) -> float:
    """While it computes; of a language model on all its cards."""
    cards = int(source.cards) if source.cards.isdigit() else 1
    return (source.record.number("power_mw") or cards * source.energy_uj / source.seconds / 1e3) / 1e3


def _notes(rows: Sequence[Source], asked: Asked, query: Query) -> list[str]:
    """What is assumed, how long it takes, and what more of them at once bring."""
    in_turn = not asked.pays_time and {row.cards for row in rows} <= _IN_ONE
    own = dict.fromkeys(note for row in rows for note in row.notes if in_turn or note != IN_TURN)
    own |= dict.fromkeys(source.why for source in rows if source.why and source.told)
    more = more_at_once(rows[-1], asked) if rows[-1].told else ""
    time, likely = time_of_job(rows[0], asked.unit, query), own_is_likely(query, rows[0].record)
    many = f"Throughput: {throughput_of(rows[0])}" if len(rows) == 1 and _asks_rate(query, asked) else ""
    return [note for note in (many, *own, time, more, likely) if note]


_IN_ONE = frozenset(("", "2", "3", "4"))
"""Cards that share the layers of a model; more of them have it each."""


def _asks_rate(query: Query, asked: Asked) -> bool:
    """Whether beside what so many cost it is asked how many a second there are."""
    return asked.unit.per is Per.COUNT and (Want.THROUGHPUT in query.wants or "throughput" in query.asks)


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


def _source(name: str, query: Query, asked: Asked) -> Generator[Call, Record, Source]:
    """Paid by its time, a card takes the batch that does most."""
    unit = asked.unit
    if not language_models(query):
        served = (yield from batched(query, counts=True)) if asked.pays_time else query
        source = yield from of_network(name, served, of_a_time=unit.per is Per.TIME)
        batched_so = served is not query or (query.number(Role.BATCH) or 1.0) > 1.0
        return in_batches_of(source) if batched_so else source
    given = {"crowds": pays(query, unit)}
    record = needed((yield from cases.estimated(query.without_words(unit.words), **given)))
    own = own_power(query) if unit.per is Per.TIME else None
    rated = None
    if unit.per is Per.TIME and own is None and record["verdict"] == "FAIL":
        alone = query.model_copy(update={"slots": ()}).put(Role.TARGET, query.text(Role.TARGET))
        small = yield from cases.estimated(alone.put(Role.MODEL, _SMALL))
        rated = small if small.result and small.knows("energy_uj_per_token", "decode_tokens_per_s") else None
    return of_tokens(name, record, words=_IN_WORDS.search(query.question) is not None, own=own, rated=rated)


def _told(source: Source, asked: Asked, query: Query) -> Source:
    """With what is asked for, as many of it as a rate takes, and what an hour of those costs."""
    price = asked.price
    if asked.pays_time:
        price = price_said(query)
        if price is None:
            return source
        price = price.scaled(cases.cards_of(query))
        source = replace(source, rent=price.value, paid=price.words)
        if count := _needed(source, asked.unit, query):
            shown = f"{{{{{count}|count}}}}"
            many = math.ceil((query.number(Role.RATE_HZ) or 0.0) * source.seconds)
            source = replace(source, name=f"{shown} x {source.name}", cards=shown, rent=many * source.rent)
    return replace(source, told=_expression(source, Asked(asked.unit, price), query))


def _needed(source: Source, unit: AskedUnit, query: Query) -> str:
    """How many of it a rate takes that is said, as an expression; empty where none is."""
    rate = query.number(Role.RATE_HZ)
    if unit.per is not Per.TIME or not rate or not source.time or language_models(query):
        return ""
    return f"ceil({rate:.6f}fps*{source.time})"


def _expression(source: Source, asked: Asked, query: Query) -> str:
    """What is asked for, as an expression; empty where something in it is not known."""
    (unit, price), record = asked, source.record
    of_time, many = unit.per is Per.TIME, f"{unit.amount:.9g}"
    if unit.what is What.COUNT and of_time:
        return f"{many}h/{source.time}" if source.time else ""
    if unit.what is What.COUNT:
        return f"{unit.amount * 1e3:.9g}Wh/{source.each}" if source.each else ""
    if unit.what is What.MONEY and price is not None and price.per is Per.TIME:
        batch = f"{record.id}.{'batch' if record.knows('batch') else 'deployment.batch'}"
        count = _needed(source, unit, query) or f"({batch}/{batch})"  # an expression has a field in it
        spent = f"{count}*{many}h" if of_time else f"{many}*{source.time}"
        paid = source.time or (of_time and not query.has(Role.RATE_HZ))  # it is paid, whatever it computes
        return f"{price.term}*{spent}/1h" if paid else ""
    if not (source.power if of_time else source.each):
        return ""
    energy = f"{source.power}*{many}h" if of_time else f"{many}*{source.each}"
    if unit.what is What.CHARGE:
        return f"{energy}/{query.number(Role.SUPPLY_V) or _USUAL_V:g}V"
    return f"{price.term}*{energy}/1000Wh" if unit.what is What.MONEY and price is not None else energy


def _best(known: Sequence[Source], asked: Asked, query: Query) -> str:
    """Which takes least, or gives most, or the other end of it; of two the difference."""
    counts, ends = asked.unit.what is What.COUNT, set(spoken("worst", query.question))
    turned = "best" not in ends and ("little" if counts else "much") in ends
    fitting = [row for row in known if not row.why]
    by_rank = sorted(fitting or known, key=lambda row: _rank(row, asked), reverse=turned)
    best, most = by_rank[0], counts != turned
    models = joined(dict.fromkeys(query.all(Role.MODEL)))
    if len(known) == 1:
        return f"Known only of {best.name}, {asked.shown(best.told)} {asked.head}: {models}."
    if len(fitting) == 1 and len({_rank(row, asked) for row in known}) == 1:
        return f"{asked.shown(best.told)} {asked.head}, whichever of them: {models}."
    if len(fitting) == 1:
        others = joined(f"{asked.shown(row.told)} of {row.name}" for row in known if row.why)
        alone = f"{best.name}, the only one of them that holds {models}"
        return f"{alone}, takes {asked.shown(best.told)} {asked.head}, against {others}."
    verb = f"{'does' if counts else 'takes'} {'most' if most else 'least'}"
    first = f"{best.name} {verb}, {asked.shown(best.told)} {asked.head}"
    for other in by_rank[1:2]:
        if _rank(best, asked) == _rank(other, asked):
            first = f"{best.name} and {other.name} take the same, {asked.shown(best.told)} {asked.head}"
        elif best.mean_mw[0] and is_tie(
            best.mean_mw[0], other.mean_mw[0], best.mean_mw[1:], other.mean_mw[1:]
        ):
            first = f"{best.name} and {other.name} hardly differ, as their intervals overlap: {first}"
        else:
            larger, smaller = (best.told, other.told) if most else (other.told, best.told)
            gap = asked.shown(f"({larger})-({smaller})").replace("~}}", "}}")
            first += f", {gap} {'more' if most else 'less'} than {other.name}"
    return f"{first}: {models}."


def _rank(source: Source, asked: Asked) -> float:
    """Time where time is paid for or counted, energy else; of a time, power, at a rate the mean one."""
    of_time = asked.unit.per is Per.TIME
    if asked.pays_time:
        return source.rent * (1.0 if of_time else source.seconds)
    if asked.unit.what is What.COUNT and of_time:
        return source.seconds
    if of_time and (source.pace == NONSTOP or source.mean_mw[0]):
        return source.mean_mw[0] or source.record.number("power_mw") or 0.0
    each = source.energy_uj * (int(source.cards) if source.cards.isdigit() else 1)
    return each / source.seconds if of_time and source.record.knows("decode_tokens_per_s") else each
