"""What the user measured: added up without a network, or held against an interval that they were told."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ...figure_units import FACTORS
from ...figures import number_in
from ...patterns import compiled
from ...quantities import Family
from ..bench import Answering, Call, Record, call_of, needed
from ..query import CELLS, IN_USE, Query, Role
from ..want import Want
from .packs import sized
from .passages import SURE, in_general, quoted, search
from .phrases import joined, lines, said, sentence
from .standing import stance
from .suspects import besides
from .templates import how_often, put
from .trust import OF_TRUST

if TYPE_CHECKING:
    from ...library import Passage

_OF_OTHERS = frozenset(
    (Want.RECOMMEND, Want.RECOMMEND_MODEL, Want.CODE, Want.CALIBRATE, Want.IMPORT, Want.CHEAPEST, Want.HELP,
     Want.THANKS, Want.SUMMARY, Want.LIST_TARGETS, Want.LIST_MODELS, Want.PRICE)
)  # fmt: skip
_DRAWS = {
    Role.ACTIVE_UA: "uA", Role.ACTIVE_MW: "mW", Role.CLAIMED_MW: "mW", Role.CLAIMED_UJ: "uJ",
}  # fmt: skip
_ASLEEP = {Role.SLEEP_UA: "uA", Role.SLEEP_MW: "mW"}
_TERMS = {Role.SUPPLY_V: "supply_v", Role.POWER_MW: "budget_mw", Role.CURRENT_UA: "budget_ua"}
_BESIDE = {Role.SENSOR_UA: "uA", Role.SENSOR_MW: "mW"}
_DAY_MS, _YEARS_FROM = 8.64e7, 730
_UNITS = {Family.TIME: "ms", Family.ENERGY: "uJ", Family.RATE: "1/s", Family.POWER: "mW"}
_UNIT = "|".join(
    re.escape(name) for name in sorted(FACTORS, key=len, reverse=True) if FACTORS[name][0] in _UNITS
)
_NUMBER = r"\d+(?:[.,]\d+)?"
_STATED = compiled(
    rf"(?<![\w.])(?P<value>{_NUMBER})\s?(?P<unit>{_UNIT})?"
    r"(?:\s*[(\[](?:90 ?%:? )?|,? (?:with|but|and|in|from|between)\b(?: [a-z]+){0,3}:? )"
    rf"(?P<low>{_NUMBER})\s?(?:{_UNIT})?\s*(?:to|and|\.\.+|[-–—,…])\s*(?P<high>{_NUMBER})\s?(?P<inner>{_UNIT})?[)\]]?\s?(?P<outer>{_UNIT})?(?!\w)",
    re.IGNORECASE,
)
"""As people write it: `28 ms (19 to 42)`, `3.1 ms [2.4, 4.0]`, `28 ms with 19-42 behind it`."""
_PROMISED = compiled(
    r"\b(?:promis|guarant|contract|sign\b|commit|offer|specif|in writing|sla\b|data ?sheet|tender|safe\b)",
    re.IGNORECASE,
)
_PROMISE = "Measure once before you sign: it is no worst case, and interrupts and other tasks come on top."
GOT = compiled(r"\b(?:get|got|see|saw|measured?|reads?|have|is|it's|says?|shows?)\s*(?:about )?$", re.I)
_NOT_WRONG = "The estimate is not wrong: the interval is its answer, the single figure only its middle."
_AVERAGE = "[, on average {average_power_mw|~}][, {average_current_ua|~}]"


class _Told(NamedTuple):
    """A figure of the user's, where it is no sum of others, and what they were told; both as written."""

    unit: str
    measured: float | None
    against: float
    low: float
    high: float
    words: tuple[str, str]


def asks(query: Query, wants: Sequence[Want]) -> bool:
    """Whether figures of its own are all that it takes: they draw, or run at a rate, or meet an interval."""
    return _adds_up(query, wants) or _told(query) is not None or bool(_of_an_interval(query))


def _of_an_interval(query: Query) -> Sequence[Passage]:
    """What a page says of a figure with its ends, where these are all that is stated of a network."""
    if not query.has(Role.MODEL) or not _STATED.search(query.question):
        return ()
    found = search(in_general(query, query.question), 1, SURE)
    return [one for one in found if one.page in OF_TRUST]


def _adds_up(query: Query, wants: Sequence[Want]) -> bool:
    if query.has(Role.MODEL) or set(wants[:1]) & _OF_OTHERS:
        return False
    timed, drawn = query.has(Role.CLAIMED_MS), query.has(*_DRAWS)
    stated = (Role.CLAIMED_MS, Role.RATE_HZ, *_DRAWS, *_ASLEEP, *_TERMS, *CELLS, *IN_USE, Role.LIFE_MS)
    here = query.says(*stated)
    paced = timed and query.has(Role.RATE_HZ) and Want.MEETS in wants
    return here and (paced or (drawn and (timed or query.has(*CELLS))))


def own(query: Query, wants: Sequence[Want]) -> Answering:
    if (told := _told(query)) is not None:
        return (yield from _held(query, told))
    if found := _of_an_interval(query):
        return quoted(found[0])
    record = yield from _added_up(query)
    first = next(filter(None, (clause(query, record, wants) for clause in _CLAUSES)), "")
    missing = joined(str(note) for note in record["missing"])
    if not first:
        return f"That is not known yet: tell me {missing}."
    each = _each(query, record, wants)
    if _lacks_time(query):
        first, each = f"were it on all the time, {first}; tell me how long one run takes", ""
    notes = joined(str(note) for note in record["assumptions"]) if record["battery"] else ""
    return lines(
        sentence(first),
        "" if each == first else sentence(each),
        f"To know its energy, tell me {missing}." if Want.ENERGY in wants and not each else "",
        sentence(f"assumed: {notes}") if notes else "",
    )


def _added_up(query: Query) -> Generator[Call, Record, Record]:
    """One load that runs, with its time, draw and rate, and what is drawn between its runs."""
    query = sized(query)[0]
    drawn = next((role for role in _DRAWS if query.has(role)), None)
    asleep = next((role for role in _ASLEEP if query.has(role)), None)
    rate = (query.number(Role.RATE_HZ) or 0.0) * (query.number(Role.DEVICES) or 1.0)
    parts = [f"{query.number(Role.CLAIMED_MS):.10g}ms"] if query.has(Role.CLAIMED_MS) else []
    parts += [f"{query.number(drawn):.10g}{_DRAWS[drawn]}"] if drawn else []
    parts += [f"{rate:.10g}/s"] if rate and not _lacks_time(query) else []
    loads = [f"run={','.join(parts)}"]
    loads += [f"sleep={query.number(asleep):.10g}{_ASLEEP[asleep]}"] if asleep else []
    loads += [f"beside={query.total(role):.10g}{unit}" for role, unit in _BESIDE.items() if query.has(role)]
    terms = {name: query.number(role) for role, name in _TERMS.items() if query.has(role)}
    life = query.number(Role.LIFE_MS)
    terms |= {"life_days": life / _DAY_MS} if life and query.has(*CELLS) else {}
    call = call_of("add_up_loads", query, loads=loads, **terms)
    used = {
        Role.CLAIMED_MS,
        Role.RATE_HZ,
        Role.DEVICES,
        Role.LIFE_MS,
        *_TERMS,
        *_BESIDE,
        *filter(None, (drawn, asleep)),
    }
    return needed((yield replace(call, used=call.used | used)))


def _lacks_time(query: Query) -> bool:
    """Whether it is known what it draws and how often it runs, and not for how long."""
    whole = query.has(Role.CLAIMED_MS, Role.CLAIMED_UJ) or not query.has(*_DRAWS)
    return query.has(Role.RATE_HZ) and not whole


def _life(query: Query, record: Record, _wants: Sequence[Want]) -> str:
    days, wanted = record.number("battery.life_days"), (query.number(Role.LIFE_MS) or 0.0) / _DAY_MS
    if days is None:
        return ""
    low, high = record.ends("battery.life_days") or (days, days)
    verdict = "yes, " if low >= wanted else "no, " if high < wanted else "likely, not surely: "
    unit = "years" if days >= _YEARS_FROM else "days" if days >= 2 else "h"
    about = f"about {{battery.life_days|{unit}~}}[ on {{battery.capacity_mah}}]{_AVERAGE}"
    return f"{verdict if wanted else ''}{put(about, record)}"


def _rate(query: Query, record: Record, _wants: Sequence[Want]) -> str:
    allowed = record.number("allowance.rate_hz")
    if allowed is None:
        return ""
    often = how_often(query.question, allowed, "allowance.rate_hz")
    within = "[, one every {allowance.period_s}], within {allowance.power_mw|~}"
    return put(f"at most {often}{within}", record) if allowed else "not at all: {statement}"


def _busy(_query: Query, record: Record, wants: Sequence[Want]) -> str:
    share = record.number("active_share")
    if not share or Want.MEETS not in wants:
        return ""
    told = "busy {active_share|%} of the time; {highest_rate_hz} can be reached, one after the other"
    return put(f"{'no' if share > 1 else 'yes'}: {told}", record)


def _each(query: Query, record: Record, _wants: Sequence[Want]) -> str:
    roles = (Role.CLAIMED_MS, Role.ACTIVE_UA, Role.ACTIVE_MW, Role.CLAIMED_MW, Role.SUPPLY_V)
    product = " × ".join(filter(None, (said(query, role) for role in roles)))
    return put("{loads[#0].energy_uj} a run[: {product}]", record, product=product)


def _average(_query: Query, record: Record, _wants: Sequence[Want]) -> str:
    return put(_AVERAGE, record).removeprefix(", ")


_CLAUSES = (_life, _rate, _busy, _each, _average)
"""The furthest that they go first."""


def _told(query: Query) -> _Told | None:
    """The interval that was stated, and the figure of its kind beside it."""
    match, figures = _STATED.search(query.question), query.figures
    written = match and (match["unit"] or match["inner"] or match["outer"])
    if not match or not written:
        return None
    family, factor = FACTORS[written.lower()]
    middle, low, high = (number_in(match[name]) * factor for name in ("value", "low", "high"))
    others = [one for one in figures if not match.start() <= one.start < match.end()]
    others = [one for one in others if one.value not in (middle, low, high)]
    mine = [(one.value, one.text) for one in others if one.family is family]
    mine += [
        (one.value * factor, one.text)
        for one in others
        if one.family is Family.COUNT and GOT.search(query.question[: one.start])
    ]
    calculated = family is Family.ENERGY and query.has(Role.CLAIMED_MS) and query.has(*_DRAWS)
    if not 0 < low <= middle <= high or not (mine or calculated):
        return None
    measured, words = mine[0] if mine else (None, "")
    return _Told(_UNITS[family], measured, middle, low, high, (words, match[0]))


def _held(query: Query, told: _Told) -> Answering:
    """Inside or outside, by how much, and what to check."""
    measured, (mine, stated) = told.measured, told.words
    if measured is None:
        record = yield from _added_up(query)
        measured, mine = record.number("loads[#0].energy_uj"), _each(query, record, ())
    given = {"against": told.against, "unit": told.unit, "low": told.low, "high": told.high}
    found = needed((yield call_of("compare_figures", query, measured=measured, **given)))
    if told.measured is not None and _PROMISED.search(query.question):
        return lines(put(_promised(told, told.measured), found, mine=mine, stated=stated), _PROMISE)
    outside = f"{'Yes' if stance(query) == 'bad' else 'No'}, {{mine}} lies outside"
    lies = "They fit together: {mine} lies inside" if found["inside"] else outside
    calibrate = "`edgewright calibrate` takes your measurement, and later estimates of that board go by it."
    return lines(
        put(f"{lies} {{stated}}, {{ratio|x}} its middle.", found, mine=mine, stated=stated),
        _NOT_WRONG if found["inside"] else f"Check {besides(query)}.",
        calibrate if told.unit == "ms" else "",
    )


def _promised(told: _Told, limit: float) -> str:
    """Whether a limit can be promised by an interval: beyond the end that keeps it, inside, or not at all."""
    falls = told.unit == _UNITS[Family.RATE]
    end, kept = ("lower", limit < told.low) if falls else ("upper", limit > told.high)
    if kept:
        beyond = f"{{mine}} lies beyond the {end} end of {{stated}}"
        return f"Likely, not surely: {beyond}, which about nineteen such cases in twenty keep."
    if not told.low <= limit <= told.high:
        return "No, {mine} lies outside {stated}, {ratio|x} its middle, on the wrong side."
    likelier = "kept than missed" if (limit < told.against) == falls else "missed than kept"
    inside = f"No, {{mine}} lies inside {{stated}}: it is likelier {likelier}, and no more"
    return f"{inside}; the {end} end is what to name, as a prediction."
