"""A cycle of phases that the user timed: its average draw, how long that lasts, which phase decides."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from ....tools.core.records import dataclass
from ....tools.energy.ageing import AGED_DAYS
from ...figure_units import Family
from ...figures import Figure
from ..bench import Answering, Call, Record, call_of, needed
from ..query import CELLS, Query, Role
from ..want import Want
from ..words import patterns
from .energies import cell_words
from .packs import sized
from .phrases import joined, lines, said, sentence
from .templates import put

_READS = patterns("cycles")
_DRAWN = {Family.CURRENT: "uA", Family.POWER: "mW", Family.ENERGY: "uJ"}
_LONGEST_MS, _DAY_MS, _YEARS_FROM = 6 * 3.6e6, 8.64e7, 730
_OF_CYCLES = frozenset((Want.BATTERY_LIFE, Want.POWER, Want.ENERGY))
_IF_DRAWN = _OF_CYCLES | {Want.COMPARE, Want.CONCEPT, Want.UTILISATION}


@dataclass(frozen=True)
class Phase:
    """What happens once in each round."""

    each: Figure
    """How long."""
    draw: Figure | None
    rests: bool
    """Whether it is the sleep between."""
    beside: bool
    """Whether something beside the chip draws most of it: a radio, a sensor."""
    instead: bool
    """Whether it stands in place of the one before, not behind it."""

    @property
    def words(self) -> str:
        return f"{self.each.text} × {self.draw.text}" if self.draw else self.each.text


def phases(query: Query) -> tuple[Phase, ...]:
    """Each time with what is drawn over it, in order; those of before where another cell is asked about."""
    found = _phases_told(query)
    if found or not query.says(*CELLS, Role.LIFE_MS) or query.says(Role.MODEL, Role.TARGET, Role.RATE_HZ):
        return found
    return next(filter(None, map(_phases_told, reversed(query.established))), ())


def _phases_told(query: Query) -> tuple[Phase, ...]:
    text = query.question
    told = sorted(
        (f for f in query.figures if _is_phase(text, f) or f.family in _DRAWN), key=lambda f: f.start
    )
    times = [f for f in told if f.family is Family.TIME]
    behind = bool(told) and told[0].family is Family.TIME
    found = list[Phase]()
    for i, each in enumerate(times):
        start = times[i - 1].end if i else 0
        end = times[i + 1].start if i + 1 < len(times) else len(text)
        within = (each.end, end) if behind else (start, each.start)
        draws = [f for f in told if f.family in _DRAWN and within[0] <= f.start < within[1]]
        clause = text[max(start, text.rfind(",", 0, each.start)) : _ends(text, each, end)]
        instead = i > 0 and _READS["instead"].search(text[times[i - 1].end : each.start]) is not None
        draw = next(iter(draws if behind else reversed(draws)), None)
        rests, beside = (_READS[name].search(clause) is not None for name in ("rests", "beside"))
        found.append(Phase(each, draw, rests, beside, instead))
    return tuple(found)


def _ends(text: str, each: Figure, end: int) -> int:
    """Where the words on it end: at the next comma or `then`."""
    found = _READS["next"].search(text, each.end, end)
    return found.start() if found else end


def _is_phase(text: str, figure: Figure) -> bool:
    """A time that something takes, no pace and no life."""
    takes = figure.family is Family.TIME and figure.value <= _LONGEST_MS
    return takes and _READS["pace"].search(text[: figure.start]) is None


def asks(query: Query, wants: Sequence[Want]) -> bool:
    """Whether two phases or more are timed, one of them asleep, and their current or life is asked for."""
    found = phases(query) if set(wants[:1]) <= _IF_DRAWN else ()
    if not set(wants[:1]) <= _OF_CYCLES and not all(phase.draw for phase in found):
        return False
    asleep = any(phase.rests for phase in found) or query.has(Role.SLEEP_UA, Role.SLEEP_MW)
    return len(found) > 1 and asleep


def cycle(query: Query, _wants: Sequence[Want]) -> Answering:
    """The average of one round, or of each of two that are set against each other."""
    query = sized(query)[0]
    found, left_out = yield from _of_chip(query, phases(query))
    if not all(phase.draw for phase in found if not phase.rests):
        return (yield from _without_draws(query, found))
    rounds = list[Record]()
    for one in _rounds(found):
        rounds.append((yield from _added_up(query, one)))
    told = [_of_round(query, record, one) for record, one in zip(rounds, _rounds(found), strict=True)]
    notes = joined(str(note) for note in rounds[0]["assumptions"])
    notes = sentence(f"assumed: {notes}") if notes else ""
    return lines(_weighed(rounds, _rounds(found)), *told, left_out, notes)


def _of_chip(
    query: Query, found: tuple[Phase, ...]
) -> Generator[Call, Record, tuple[tuple[Phase, ...], str]]:
    """With what the chip that is named draws where that is not told, and which phases are left out."""
    if all(phase.draw for phase in found) or not (query.has(Role.MODEL) and query.has(Role.TARGET)):
        return found, ""
    rate = query.number(Role.RATE_HZ) or 1e3 / sum(phase.each.value for phase in found)
    budget = needed((yield call_of("estimate_energy_budget", query, rate_hz=rate)))
    if not budget.knows("power.power_mw", "sleep_power_mw"):
        return found, ""
    own = {
        rests: replace(found[0].each, text=budget.ref(path), value=budget.number(path) or 0.0, family=family)
        for rests, path, family in (
            (False, "power.power_mw", Family.POWER), (True, "sleep_power_mw", Family.POWER)
        )
    }  # fmt: skip
    beside = [phase for phase in found if phase.beside and not phase.draw]
    kept = tuple(
        phase if phase.draw else replace(phase, draw=own[phase.rests])
        for phase in found
        if phase not in beside
    )
    words = joined(phase.each.text for phase in beside)
    note = (
        f"{words} are not counted, as the chip does not draw most of them: say what is drawn then"
        if beside
        else ""
    )
    return kept, sentence(note) if note else ""


def _rounds(found: Sequence[Phase]) -> list[list[Phase]]:
    """One, or two that differ in the phases that are set against each other and share the others."""
    pairs = [(one, other) for one, other in pairwise(found) if other.instead and not other.rests]
    if len(pairs) != 1:
        return [list(found)]
    return [[phase for phase in found if phase is not left] for left in reversed(pairs[0])]


def _added_up(query: Query, found: Sequence[Phase]) -> Generator[Call, Record, Record]:
    rate = query.number(Role.RATE_HZ) or 1e3 / sum(phase.each.value for phase in found)
    loads = [f"phase{i}={_figures(phase)},{rate:.10g}/s" for i, phase in enumerate(found) if not phase.rests]
    asleep = next((phase.draw for phase in found if phase.rests and phase.draw), None)
    if asleep is not None:
        loads.append(f"sleep={asleep.value:.10g}{_DRAWN[asleep.family]}")
    elif query.has(Role.SLEEP_UA):
        loads.append(f"sleep={query.number(Role.SLEEP_UA):.10g}uA")
    call = call_of("add_up_loads", query, loads=loads, supply_v=query.number(Role.SUPPLY_V))
    return needed((yield replace(call, used=call.used | set(_USED))))


_USED = (
    Role.CLAIMED_MS, Role.CLAIMED_MW, Role.CLAIMED_UJ, Role.ACTIVE_UA, Role.ACTIVE_MW, Role.SENSOR_UA,
    Role.SENSOR_MW, Role.SLEEP_UA, Role.SLEEP_MW, Role.WAKEUP_US, Role.LATENCY_MS, Role.RATE_HZ,
    Role.TAKEN_MS, Role.SUPPLY_V, Role.LIFE_MS,
)  # fmt: skip


def _figures(phase: Phase) -> str:
    drawn = phase.draw
    return f"{phase.each.value:.10g}ms" + (f",{drawn.value:.10g}{_DRAWN[drawn.family]}" if drawn else "")


def _of_round(query: Query, record: Record, found: Sequence[Phase]) -> str:
    """Its average and life, and each phase's part of the charge, the largest first."""
    average = "average_current_ua" if record.knows("average_current_ua") else "average_power_mw"
    days = record.number("battery.life_days")
    unit = "years" if (days or 0.0) >= _YEARS_FROM else "days" if (days or 0.0) >= 2 else "h"
    lasts = "ten years and more" if (days or 0.0) > AGED_DAYS else f"{{battery.life_days|{unit}~}}"
    life = put(f", {lasts} on {{cell}}", record, cell=cell_words(query)) if days else ""
    parts = sorted(_parts(record, found), reverse=True)
    (_, first), *rest = parts
    others = f", {joined(words for _, words in rest)}" if rest else ""
    verdict = _verdict(query, record)
    return f"{verdict}{record.ref(average)} on average{life}: {first} decides{others}."


def _verdict(query: Query, record: Record) -> str:
    """Whether it lasts as long as is wanted."""
    wanted, ends = query.number(Role.LIFE_MS), record.ends("battery.life_days")
    if not wanted or ends is None:
        return ""
    words, days = said(query, Role.LIFE_MS), wanted / _DAY_MS
    if ends[0] >= days:
        return f"Yes, longer than {words}: "
    return f"No, not {words}: " if ends[1] < days else f"Perhaps {words}, not surely: "


def _parts(record: Record, found: Sequence[Phase]) -> Iterator[tuple[float, str]]:
    """How much of the whole each phase takes."""
    for row in record["loads"]:
        path = f"loads[{row['name']}].share"
        asleep = row["name"] == "sleep"
        phase = (
            next((p for p in found if p.rests), None) if asleep else found[int(row["name"][len("phase") :])]
        )
        words = phase.words if phase else "the sleep"
        yield record.number(path) or 0.0, f"{words} ({record.ref(path, '%')})"


def _weighed(rounds: Sequence[Record], found: Sequence[Sequence[Phase]]) -> str:
    """Which of two rounds takes less, and by how much."""
    path = "average_current_ua" if rounds[0].knows("average_current_ua") else "average_power_mw"
    if len(rounds) < 2 or not all(one.number(path) for one in rounds):
        return ""
    order = sorted(range(2), key=lambda at: rounds[at].number(path) or 0.0)
    own = [next(p for p in found[at] if p not in found[1 - at]).words for at in order]
    ratio = f"{{{{{rounds[order[1]].id}.{path}/{rounds[order[0]].id}.{path}|x}}}}"
    return f"{own[0]} takes less on average: {own[1]} takes {ratio} as much."


def _without_draws(query: Query, found: Sequence[Phase]) -> Answering:
    """The share of the time that each takes, and from which ratio of draws on it outweighs the sleep."""
    asleep = [phase for phase in found if phase.rests]
    awake = [phase for phase in found if not phase.rests]
    loads = [f"phase{i}={phase.each.value:.10g}ms" for i, phase in enumerate(awake)]
    told = list[str]()
    for one in _rounds(found):
        rate = query.number(Role.RATE_HZ) or 1e3 / sum(phase.each.value for phase in one)
        plan = [f"{load},{rate:.10g}/s" for load, phase in zip(loads, awake, strict=True) if phase in one]
        call = call_of("add_up_loads", query, loads=plan)
        record = needed((yield replace(call, used=call.used | set(_USED))))
        share = f"{record.id}.active_share"
        words = joined(phase.words for phase in one if not phase.rests)
        told.append(
            f"{words} of each round {'is' if len(plan) == 1 else 'are'} {{{{{share}|%}}}} of the time: "
            f"it decides where it draws more than {{{{(1-{share})/{share}|x}}}} of what the sleep draws."
        )
    which = f"of {asleep[0].words} asleep" if asleep else "asleep"
    return lines(
        *told, f"Tell what each draws, and the currents {which}: then I compute the average and the life."
    )
