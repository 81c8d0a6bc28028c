"""What streams of events and jobs take: how many devices, how long, at what price."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence

from ...asked_unit import Per
from ...figure_units import FACTORS, Family
from ...patterns import compiled
from ..bench import NOT_KNOWN, Answering, Call, Record, call_of, needed
from ..paid import PAID, price_said
from ..places import is_weighed
from ..query import CELLS, Query, Role, Slot
from ..want import Want
from ..words import counts_things, entries, spoken
from . import facts, fleets, in_batches, ways_out
from .choices import recommend
from .deployment import deployment
from .in_batches import batched
from .lots import built, lot
from .phrases import (
    VERDICT_WORDS,
    ask_model,
    joined,
    language_models,
    lines,
    model_shown,
    said,
    sentence,
    subject,
)

_RATE = "inferences_per_second"
_ENOUGH = compiled(r"^(?!.*\bhow many\b).*\b(?:enough|suffic\w+|do (?:i|we) need)\b", re.I | re.S)
"""Asks whether one does it all, not how many such streams it serves."""
_HOW_MANY, _BOARDS = r"\bhow many (?:[\w-]+ )?", r"cards?|gpus?|boards?|devices?|modules?|servers?|machines?"
_WINDOWS = {name: float(hours) for name, hours in entries("windows").items()}
"""Words for a time that a job may take, and its hours."""
_HOUR_MS, _FEW = 3.6e6, 20
_OF_JOBS = frozenset(
    (Want.LATENCY, Want.THROUGHPUT, Want.MEETS, Want.FITS, Want.PRICE, Want.CHEAPEST, Want.HOW_MANY,
     Want.PER_PRICE, Want.ENERGY)
)  # fmt: skip
"""What is asked of a job."""
_OFTEN = r"(?:\b(?:an?|per|each|every)\s|/\s?)(?P<unit>hour|day|week|month)\b"
_OF_MONEY = frozenset((Want.PRICE, Want.CHEAPEST, Want.PER_PRICE))


def how_many(query: Query, wants: Sequence[Want]) -> Answering:
    """How many boards a rate takes, or batteries a life."""
    if not query.has(Role.MODEL):
        return ask_model()
    if not query.has(Role.TARGET):
        return (yield from recommend(fleets.in_one_stream(query), wants))
    counts = counts_things(query.question)
    asks_streams = "streams" in spoken("together", query.question) and not query.has(Role.PLACES)
    wanted = _wanted(query)
    if asks_streams and (counts or not query.says(Role.DEVICES)):
        named = [str(s.value) for s in query.slots if s.role is Role.TARGET and not s.inherited]
        query = query.without([Role.DEVICES]).put(Role.TARGET, (named or query.all(Role.TARGET))[-1])
    rate, many = query.number(Role.RATE_HZ), query.number(Role.DEVICES)
    if many == 0:
        return f"None: {said(query, Role.DEVICES)} at {said(query, Role.RATE_HZ) or 'any rate'} take nothing."
    many = many or 1.0
    if not rate and asks_streams and counts and not query.has(Role.LIFE_MS, *CELLS):
        return (yield from _at_usual_rates(query, wants))
    if not rate or query.has(Role.LIFE_MS) or Want.BATTERY_LIFE in wants:
        lives = query.has(Role.LIFE_MS, *CELLS)
        return (yield from deployment(query, [Want.BATTERY_LIFE if lives else Want.THROUGHPUT]))
    cards = 1 if _offers_more(query) else int(query.number(Role.CARDS) or 1)
    query_of_all = query if query.has(Role.DEVICES) else query.put(Role.DEVICES, many)
    served = yield from batched(query_of_all, counts=counts)
    record = needed((yield in_batches.workload(served, devices=cards)))
    if not record.knows(_RATE):
        return _unknown(query, record)
    passes = record["verdict"] != "FAIL"
    own = query.has(Role.DEVICES, Role.PLACES) or cards > 1
    boards = re.search(
        rf"{_HOW_MANY}(?:{re.escape(said(query, Role.TARGET))}|{_BOARDS})\b", query.question, re.I
    )
    serves = passes and not own and not boards and not _ENOUGH.search(query.question)
    times = f"{said(query, Role.DEVICES)} at {said(query, Role.RATE_HZ)}".removeprefix(" at ")
    if serves:
        return (yield from _streams_served(query, times, wanted))
    does = yield from _does(served, record, int(record.number("devices_needed") or 1))
    count, sure = record.ref("devices_needed", "count"), _to_be_sure(record, "devices_needed", "high")
    all_of_them = yield from fleets.together(query, record)
    if counts:
        return lines(f"{count} of them for {times}{sure}: one {does}.", all_of_them)
    enough = "one is" if cards == 1 else f"{said(query, Role.CARDS)} are"
    each = f", {record.ref('demanded_per_second')} together" if query.has(Role.DEVICES) else ""
    load, mind = record.ref("load", "%"), said(query, Role.CARDS) if _offers_more(query) else ""
    if passes:
        spare = f" and {mind} are not needed" if mind else ""
        one = "" if cards == 1 else "one "
        word = VERDICT_WORDS[str(record["verdict"])]
        return f"{word}, {enough} enough{spare} for {times}{each}, a load of {load}: {one}{does}."
    takes = f"it takes {count} of them{f' where you have {mind} in mind' if mind else ''}"
    least = (record.ends("load") or (record.number("load"),))[0]
    if least is not None and least <= 1:
        load = f"{times}{each}, are a load of {load} of {'one' if cards == 1 else said(query, Role.CARDS)}"
        first = f"Probably not, though not surely: {load}, and {takes}{sure}: one {does}."
    else:
        first = f"No, {enough} not enough, {takes} for {times}{sure}: one {does}."
    together = query.put(Role.RATE_HZ, rate * many).without([Role.DEVICES])
    way_out = (yield from ways_out.out(together, together, ["rate"])) if cards == 1 else ""
    return lines(first, all_of_them, way_out)


def _offers_more(query: Query) -> bool:
    """Whether several are what would be taken if one is not enough: do I need two, one or two."""
    words = re.escape(said(query, Role.CARDS))
    return bool(words) and re.search(rf"\b(?:or|need|buy)\b[^.?!;]*\b{words}\b", query.question) is not None


def _wanted(query: Query) -> Slot | None:
    """So many as are there, where it is asked how many one takes."""
    said_so = next((s for s in query.slots if s.role is Role.DEVICES and s.text and not s.inherited), None)
    bare = [f for f in query.figures if f.text in query.unread and f.family is Family.COUNT and not f.spoken]
    if said_so is not None or len(bare) != 1:
        return said_so
    return Slot(role=Role.DEVICES, value=bare[0].value, text=bare[0].text)


def _against(record: Record, wanted: Slot | None) -> str:
    """Whether one takes as many as are wanted."""
    ends, middle = record.ends("streams_served"), record.number("streams_served")
    if wanted is None or ends is None or middle is None or wanted.number <= 1:
        return ""
    steps = (
        (ends[0], "Yes"),
        (middle, "Probably, though not surely"),
        (ends[1], "Probably not, though not surely"),
    )
    word = next((word for most, word in steps if most >= wanted.number), "No")
    return f"{word}, against {wanted.text}: "


def _at_usual_rates(query: Query, wants: Sequence[Want]) -> Answering:
    """How many streams where nobody said how often they are looked at: at each picture, and less often."""
    told = list[str]()
    for rate in (30.0, 10.0):
        paced = query.put(Role.RATE_HZ, rate, text=f"{rate:g} fps")
        told.append((yield from how_many(paced, wants)).partition("\n")[0])
    return lines(
        told[0],
        f"You named no rate: that is every picture of a usual camera. Looked at less often: {told[1]}",
    )


def _streams_served(query: Query, times: str, wanted: Slot | None = None) -> Answering:
    """By one, in the batch that does most before the next of each stream comes.

    Args:
        wanted: how many there are.
    """
    period = max(1e3 / (query.number(Role.RATE_HZ) or 1.0), _UNSEEN_MS)
    within = min(query.number(Role.LATENCY_MS) or period, period) / _FILLS_AND_COMPUTES
    full = yield from batched(query.without([Role.RATE_HZ]).put(Role.LATENCY_MS, within))
    served = query.put(Role.BATCH, full.number(Role.BATCH) or 1.0)
    record = needed((yield in_batches.workload(served, devices=1)))
    count, sure = record.ref("streams_served", "count"), _to_be_sure(record, "streams_served", "low")
    streams = served.put(Role.DEVICES, max(record.number("streams_served") or 1.0, 1.0))
    does = yield from _does(streams, record, 1)
    if (record.ends("streams_served") or (1.0,))[0] < 1:
        return f"One stream at {times} at most, and not surely: {does}."
    plural = "s" * (record.number("streams_served") != 1)
    return f"{_against(record, wanted)}{count} stream{plural} at {times}{sure}: {does}."


_UNSEEN_MS, _FILLS_AND_COMPUTES = 100.0, 2.0


def _does(query: Query, record: Record, devices: int) -> Generator[Call, Record, str]:
    """How much one does, and of a batch how long a result takes where so many share the rate."""
    each = f"{record.ref('latency_ms')} each{_at_once(record)}"
    if record["deployment"]["batch"] > 1:
        shared = yield in_batches.workload(query, devices=max(record["devices"], devices))
        waits = f"; a result takes up to {shared.ref('longest_wait_ms')}, waiting included"
        each = f"in batches of {record.ref('deployment.batch')} of {record.ref('latency_ms')}"
        each += waits * shared.knows("longest_wait_ms")
    return f"{query.text(Role.TARGET)} does {record.ref(_RATE, 'fps~')} with {model_shown(query)}, {each}"


def _unknown(query: Query, record: Record) -> str:
    """Why no rate is told: it does not fit, or a figure is missing."""
    if record["verdict"] == "FAIL":
        return f"No, {model_shown(query)} on {query.text(Role.TARGET)}: {record.ref('statement')}."
    return sentence(f"{NOT_KNOWN}, {record.ref('missing[#0]')}")


def _at_once(record: Record) -> str:
    """That they run beside each other, where they do."""
    return f", {record.ref('at_once')} at once, one a core" if (record.number("at_once") or 1) > 1 else ""


def _to_be_sure(record: Record, path: str, end: str) -> str:
    """The count by the slow end of the estimate, where that is another."""
    ends = record.ends(path)
    if ends is None or ends[0 if end == "low" else 1] == record.number(path):
        return ""
    return f" ({record.ref(f'{path}.{end}', 'count')} to be sure, by the lower end)"


def is_job(query: Query, wants: Sequence[Want]) -> bool:
    """Whether so many pieces are to be done, on a board and with a network that are named."""
    placed = query.has(Role.MODEL) and len(set(query.all(Role.TARGET))) == 1
    again = query.has(Role.RUNS) and query.says(Role.RENT, Role.TARIFF, Role.TARGET, Role.CARDS, Role.BATCH)
    if not placed or not (query.says(Role.RUNS) or again) or language_models(query):
        return False
    if (query.number(Role.RUNS) or 0.0) < _FEW or query.has(*CELLS, Role.RATE_HZ):
        return False
    free = Want.ENERGY in wants[:1] and price_said(query) is None
    return bool(wants) and set(wants[:1]) <= _OF_JOBS and not free


def job(query: Query, wants: Sequence[Want]) -> Answering:
    """How long it takes, in batches too where that pays, whether that is in time, and what it costs."""
    hours, window = time_of(query)
    records = [needed((yield _call(query, hours)))]
    best = records[0].number("best_batch") or 1
    if best > (query.number(Role.BATCH) or 1):
        records.insert(0, needed((yield _call(query.put(Role.BATCH, best), hours))))
    record, pieces = records[0], _pieces(query)
    if not record.knows("duration_h"):
        return _unknown(query, record)
    does = f"{subject(query, record)}, {record.ref(_RATE, '~')}{_at_once(record)}"
    word = f"{VERDICT_WORDS[str(record['verdict'])]}, " if window else ""
    if window and counts_things(query.question):
        sure = _to_be_sure(record, "devices_needed", "high")
        word = f"{record.ref('devices_needed', 'count')} of them{sure}: on one "
    in_time = f" of {window}" if window else ""
    first = f"{word}{pieces} take {record.ref('duration_h', '~')}{in_time}: {does}."
    more = [_one_at_a_time(one) for one in records[1:]]
    bill = _bill(query, records, wants)
    paid_first = bill if set(wants[:1]) & _OF_MONEY and price_said(query) else []
    told = [*paid_first, first, *more, *(bill if not paid_first else [])]
    return lines(*told)


def _call(query: Query, hours: float | None) -> Call:
    """With what a kWh and an hour cost, as the user said."""
    paid = price_said(query)
    named = {} if paid is None else {PAID[paid.per]: paid.value}
    many = int(query.number(Role.CARDS) or 1)
    return call_of(
        "estimate_workload",
        query,
        items=query.number(Role.RUNS),
        streams=None,
        within_h=hours,
        devices=many,
        **named,
    )


_COST = {Per.ENERGY: "cost_energy", Per.TIME: "cost_rent"}


def time_of(query: Query) -> tuple[float | None, str]:
    """How many hours there are, and the words for them: over a weekend, in two days."""
    for role in (Role.LIFE_MS, Role.LATENCY_MS):
        if query.says(role) and (query.number(role) or 0.0) >= _HOUR_MS:
            return (query.number(role) or 0.0) / _HOUR_MS, said(query, role)
    if query.says(Role.HOURS_A_DAY):
        return query.hours_a_day, said(query, Role.HOURS_A_DAY)
    told = [f for f in query.figures if f.family is Family.TIME and f.value >= _HOUR_MS]
    if left := next((f for f in told if f.text in query.unread), None):
        return left.value / _HOUR_MS, left.text
    pieces = said(query, Role.RUNS)
    often = (
        re.search(rf"{re.escape(pieces)}[^.,;?!]{{0,40}}?{_OFTEN}", query.question, re.I) if pieces else None
    )
    if often is not None:
        unit = often["unit"].casefold()
        return FACTORS[unit][1] / _HOUR_MS, f"a {unit}"
    for name, hours in _WINDOWS.items():
        if found := re.search(rf"\b(?:{name})\b", query.question, re.I):
            return hours, f"{hours:g} h ({found[0]})"
    return None, ""


def _pieces(query: Query) -> str:
    """As the user counts them: 40 million images."""
    number = said(query, Role.RUNS)
    noun = re.search(rf"{re.escape(number)}\s+(?:of\s+)?((?:[a-z-]+ )?[a-z]+s)\b", query.question, re.I)
    return f"{number} {noun[1]}" if noun else number


def _one_at_a_time(record: Record) -> str:
    return f"One at a time it takes {record.ref('duration_h', '~')}, {record.ref(_RATE)}."


def _bill(query: Query, records: Sequence[Record], wants: Sequence[Want]) -> list[str]:
    """What it costs by the price that is said; energy alone where money is asked for without one."""
    paid, first = price_said(query), records[0]
    if paid is None:
        asks = bool(_OF_MONEY & set(wants)) and first.knows("energy_wh")
        return [f"It takes {first.ref('energy_wh', '~')}; {_SAY}."] if asks else []
    path = _COST[paid.per]
    if not first.knows(path):
        return [sentence(f"what that costs is {NOT_KNOWN}, as {first.ref('missing[#0]')} is missing")]
    costs = [paid.shown(f"{one.id}.{path}") for one in records]
    costs[1:] = [f"{cost} one at a time" for cost in costs[1:]]
    energy = f", for {first.ref('energy_wh', '~')}" if paid.per is Per.ENERGY else ""
    return [f"At {paid.words} {_pieces(query)} cost {joined(costs)}{energy}."]


_SAY = "say *0.30 € per kWh* or *1.20 $ per h* for what it costs"


def is_fleet(query: Query, wants: Sequence[Want]) -> bool:
    """Whether the price of many boards is asked for."""
    one = len(set(query.all(Role.TARGET))) == 1 and bool(wants) and set(wants[:1]) <= _OF_MONEY
    alone = one and built(query) is not None and price_said(query) is None
    return alone and not is_weighed(query.question)


def fleet(query: Query, wants: Sequence[Want]) -> Answering:
    """So many boards, each at its price."""
    page = needed((yield call_of("get_target", query)))
    total = lot(query, page)
    return lines(total, _LOTS) if total else (yield from facts.facts(query, wants))


_LOTS = "That is so many times the price of one: I know no discounts for lots."
