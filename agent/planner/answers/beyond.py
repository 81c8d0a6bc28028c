"""What no figure here is of, as heat, protection or delivery: said by name, with figures that bear on it."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from ....tools.model_zoo.language_model import is_language_model
from ...figures import number_in
from ..bench import Answering, Call, Record, call_of
from ..dossier import asks_to_choose, own_words
from ..owners import of_target
from ..query import LIMITS, Query, Role
from ..want import Want
from ..words import entries, patterns, spoken
from .columns import CHIP, ESTIMATE
from .passages import search, shortened
from .phrases import lines, price, said

_MOST = 3
"""Targets that are told of."""
_HEAT = frozenset(("heat", "sags", "sound"))
"""To which the power bears."""
_SURE = 0.6
_BEYOND = frozenset(
    (Want.LATENCY, Want.MEETS, Want.WHAT_IF, Want.SAME, Want.POWER, Want.AVAILABILITY, Want.OUTSIDE,
     Want.THROUGHPUT, Want.FITS, Want.COMPARE, Want.WHY_SLOWER, Want.INTERVAL)
)  # fmt: skip
"""What such a turn is read as; a sure want of another kind is asked beside it."""


def topics_of(query: Query) -> tuple[str, ...]:
    found = spoken("outside_reach", query.question)
    return tuple(topic for topic in found if topic != "heat" or not {"sags", "cold"} & set(found))


def words_of(query: Query) -> str:
    """What of the question such a matter takes up."""
    reads = patterns("outside_reach")
    return " ".join(match[0] for topic in topics_of(query) for match in reads[topic].finditer(query.question))


def alone(query: Query) -> bool:
    """Whether the turn is about such a matter and brings no board, network or limit of its own."""
    topics = topics_of(query)
    placed = query.has(Role.MODEL) and query.has(Role.TARGET)
    if placed and "heat" in topics and patterns("outside_reach_reads")["asks_heat"].search(query.question):
        return True
    sags = "sags" in topics and placed
    if not topics or not (query.established or sags) or asks_to_choose(query):
        return False
    past = query.established[-1] if query.established else query
    named = {Role.MODEL, Role.TARGET}
    new = [s for s in own_words(query) if s.role in named and s.value not in past.all(s.role)]
    limits = [s for s in own_words(query) if s.role in LIMITS]
    main, chance = next(iter(query.likely), (Want.SAME, 0.0))
    asks_more = chance >= _SURE and main not in _BEYOND
    return sags or not (new or limits or asks_more)


def told(query: Query, _wants: Sequence[Want]) -> Answering:
    """What it is that is not calculated, and what of each target bears on it."""
    return lines(*(yield from _said(query)))


def beside(query: Query, answer: str) -> Answering:
    """The same beside what is asked with it, without figures; empty where none is spoken of."""
    yield from ()
    sentences = [entries("outside_reach_says")[topic] for topic in topics_of(query)]
    return " ".join(sentence for sentence in sentences if sentence not in answer)


def _said(query: Query) -> Generator[Call, Record, list[str]]:
    topics = topics_of(query)
    found = [entries("outside_reach_says")[topic] for topic in topics]
    if not _HEAT & set(topics) or any(map(is_language_model, query.all(Role.MODEL))):
        for target in _targets(query) if "supply" in topics else ():
            found.append((yield from _price(query, target)))
        return found
    for target in _targets(query) if query.has(Role.MODEL) else ():
        record = yield call_of(ESTIMATE, of_target(query, target).put(Role.TARGET, target))
        if record.result is not None:
            room = (_fallen if "sags" in topics else _room)(query, record)
            found.append(f"{_draws(record)}{room}.")
    told = (shortened(one, 60) for one in search(query.question, _MOST) if one.section.startswith("Heat"))
    return [*found, next(told, "")]


def _targets(query: Query) -> list[str]:
    return list(dict.fromkeys(query.all(Role.TARGET)))[:_MOST]


def _price(query: Query, target: str) -> Generator[Call, Record, str]:
    chip = yield call_of(CHIP, query.put(Role.TARGET, target))
    known = chip.result is not None and chip.knows("price_usd")
    return f"{target}: {price(chip)}, by its cited price." if known else ""


def _draws(record: Record) -> str:
    name = record.ref("deployment.target")
    if not record.knows("power_mw"):
        return f"{name}: no source gives the power that it turns into heat"
    return f"{name}: {record.ref('power_mw', '~')} while computing becomes heat"


def _room(query: Query, record: Record) -> str:
    """Down to which share of its clock it still keeps what is demanded."""
    rate, most = query.number(Role.RATE_HZ), query.number(Role.LATENCY_MS)
    field = "at_once_per_second" if rate else "latency_ms"
    number = record.number(field)
    if not number or not (rate or most):
        return f"; slowed by heat, its {record.ref('latency_ms')} grow at most as its clock falls"
    share = (rate or 0.0) / number if rate else number / (most or 1.0)
    if share >= 1:
        return ", and it has no room to slow down"
    whole = f"{record.id}.{field}"
    shown = f"{rate:.6f}fps/{whole}" if rate else f"{whole}/{most:.6f}ms"
    of = said(query, Role.RATE_HZ if rate else Role.LATENCY_MS)
    return f"; slowed down by heat, it keeps {of} as long as {{{{{shown}|%}}}} of its clock is left"


def _fallen(query: Query, record: Record) -> str:
    """At which clock the rate would be what it fell to, from what it was at first."""
    match = patterns("outside_reach_reads")["fell"].search(query.question)
    clock = "deployment.clock_mhz"
    if match is None or not record.knows(clock):
        return ""
    before, after = number_in(match["before"]), number_in(match["after"])
    if not 0 < after < before:
        return ""
    fallen = f"{{{{{after:.6f}*{record.id}.{clock}/{before:.6f}|MHz}}}}"
    return f"; {match['after']} in place of {match['before']} is {fallen} in place of {record.ref(clock)}"
