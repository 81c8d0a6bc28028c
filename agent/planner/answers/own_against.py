"""A measurement against an estimate or a stated interval: inside or outside, by how much, what to check."""

from __future__ import annotations

import math
import re
from collections.abc import Generator, Sequence
from typing import TypeAlias

from ..bench import Answering, Call, Record, ToolFailedError, call_of, needed
from ..held import Held, compares
from ..own_figures import OwnFigures
from ..query import Query, Role
from ..want import Want
from . import own_account
from .phrases import joined, lines, said, subject

_UNITS = {"ms": "ms", "uJ": "uJ", "mW": "mW", "1/s": "1/s", "uA": "uA"}
_NEAR_AN_END = 0.9
_ANOTHER_KERNEL = math.log(1.35)
"""A kernel library explains a measurement that its estimate comes this near to."""
_REFERENCE_FROM, _REFERENCE_TO = 3.0, 40.0
"""How many times optimised kernels' time the reference kernels of TensorFlow Lite Micro take; the published
pairs in docs/concepts/kernel-libraries.md are 7.9 to 19."""
_SUSPECTS = {
    "reference": re.compile(r"\breference (?:kernels?|ops?|implementation)|\bwithout cmsis|\bno cmsis", re.I),
    "debug": re.compile(
        r"\bdebug (?:build|mode)|\b-?O0\b|\bunoptimi[sz]ed|\bdefault (?:settings|flags)|\barduino\b", re.I
    ),
    "clock": re.compile(r"\bclock\b|\b\d+ ?MHz", re.I),
    "cache": re.compile(r"\bcaches?\b|\bwait states?\b", re.I),
    "first": re.compile(r"\bfirst (?:run|inference|call)|\bwarm.?up|\bcold\b", re.I),
    "threads": re.compile(r"\bthreads?\b|\bcores?\b", re.I),
}
_WHY = re.compile(
    r"\bwhy\b|\bwhat.?s (?:going on|wrong)|\bwrong\b|\bbroken\b|\bexplains?\b|\bcould (?:that|it|this) be\b|"
    r"\breason|\bcause",
    re.I,
)
_SAME, _A_CLOCK = 1e-3, 1.25
_ORDER = (
    "which kernels are linked (reference ones instead of optimised), the build (-O2 or -O3, no debug), the "
    "clock as it is set, caches and flash wait states, the first run left out, what else is inside the timer"
)
_OF_TOKENS = (
    "the format of the weights and its size, the length of the context, how many layers the GPU computes, "
    "threads, other load and heat"
)
_OF_ENERGY = (
    "what else the instrument sees (regulator, LED, debugger, sensor), idle current inside the average, the "
    "voltage at the chip, whether the window is one inference"
)


def asks(query: Query, wants: Sequence[Want]) -> bool:
    """Whether the message holds one figure against another."""
    held = query.held
    if held is None:
        return _after_the_last(query) is not None or _puzzles(query) or _suspects_more(query)
    if set(wants[:1]) & {Want.CALIBRATE, Want.IMPORT, Want.CODE} and not held.has_interval:
        return False
    return not held.is_own or query.measured or not query.has(Role.MODEL)


def _puzzles(query: Query) -> bool:
    """Whether a time of a deployment that is known was measured, and why it took so long is asked."""
    one = _measured_alone(query)
    known = len(set(query.all(Role.MODEL))) == len(set(query.all(Role.TARGET))) == 1
    return one > 0 and known and query.measured and bool(_WHY.search(query.question))


def _suspects_more(query: Query) -> bool:
    """Whether a cause is named for what a message before measured."""
    named = any(words.search(query.question) for name, words in _SUSPECTS.items() if name != "clock")
    told = query.told is not None and any(one.each_ms or one.drawn for one in query.told.consumers)
    return named and query.held_before is not None and not told and not query.says(Role.MODEL, Role.TARGET)


def _measured_alone(query: Query) -> float:
    """The one time that this message tells, with nothing drawn; 0 without one."""
    told = query.told.consumers if query.told else ()
    return told[0].each_ms if len(told) == 1 and not told[0].drawn and not told[0].rate_hz else 0.0


def _estimated(query: Query) -> Generator[Call, Record, Held]:
    """The time that was measured against the estimate of what is named."""
    record = needed((yield call_of("estimate_performance", query)))
    ends = record.ends("latency_ms")
    if ends is None:
        raise ToolFailedError(f"no estimate is known for {subject(query, record)}.")
    measured = _measured_alone(query)
    return Held("ms", measured, record.number("latency_ms"), ends[0], ends[1])


def _after_the_last(query: Query) -> Held | None:
    """A new time against the one that was measured before: `now it's 151 ms, how much did I save?`"""
    before, told = query.before, query.told
    if before is None or told is None or not compares(query.question):
        return None
    old, new = (next((one.each_ms for one in f.consumers if one.each_ms), 0.0) for f in (before, told))
    if not old or not new or old == new:
        return None
    return Held("ms", new, old, words=told.words, is_own=True)


def own_against(query: Query, _wants: Sequence[Want]) -> Answering:
    """The two figures, then what follows, then what to check."""
    held = query.held or _after_the_last(query)
    if held is None and _suspects_more(query):
        held = query.held_before
    if held is None:
        held = yield from _estimated(query)
    made = ""
    measured = held.measured
    if measured is None:
        record, _ = yield from own_account.added_up(query, query.figures or OwnFigures())
        measured = record.number("loads[#0].energy_uj")
        if measured is None:
            raise ToolFailedError(f"tell me {joined(str(note) for note in record['missing'])}.")
        made = _product(query, record)
    found = needed(
        (
            yield call_of(
                "compare_figures",
                query,
                measured=measured,
                against=held.against,
                unit=_UNITS[held.unit],
                low=held.low,
                high=held.high,
            )
        )
    )
    if held.is_own:
        return _before_and_after(query, held, found)
    causes = yield from _causes(query, held, found)
    first = "" if query.held is None and causes else _verdict(held, found)
    return lines(first, made, *causes, _next(held))


def _product(query: Query, record: Record) -> str:
    figures = query.figures or OwnFigures()
    words = " × ".join((*figures.consumers[0].words, *(["the voltage"] if figures.supply_v else [])))
    volts = f"{figures.supply_v:g} V" if figures.supply_v else ""
    return f"Measured: {words.replace('the voltage', volts)} = {record.ref('loads[#0].energy_uj')}."


def _verdict(held: Held, found: Record) -> str:
    measured, ratio = found.ref("measured"), found.ref("ratio", "x")
    times = f"{ratio} the {found.ref('against')}" if held.against else f"{ratio} its middle"
    if not held.has_interval:
        return f"{measured} is {times} that was stated."
    ends = f"{found.ref('low')} to {found.ref('high')}"
    if found["inside"]:
        return (
            f"They fit together: {measured} lies inside {ends}{_place(held, found)}, {times}. The "
            "estimate is not wrong: the interval is its answer, the single figure only its middle."
        )
    end = "upper" if (found.number("ratio") or 1.0) > 1 else "lower"
    return f"No, {measured} lies outside {ends}: {found.ref('beyond', 'x')} its {end} end, {times}."


def _place(held: Held, found: Record) -> str:
    measured = found.number("measured") or 0.0
    if held.high and measured > _NEAR_AN_END * held.high:
        return ", near the upper end"
    return ", near the lower end" if held.low and measured < held.low / _NEAR_AN_END else ""


def _before_and_after(query: Query, held: Held, found: Record) -> str:
    """What changed, as a share and as a factor; at one current energy falls as time does."""
    i = found.id
    less = (found.number("change") or 0.0) < 0
    share = f"{{{{({i}.against-{i}.measured)/{i}.against|%}}}}" if less else f"{{{{{i}.change|%}}}}"
    what = {"ms": "time", "uJ": "energy", "mW": "power", "1/s": "rate", "uA": "current"}[held.unit]
    turn = "less" if less else "more"
    first = f"{found.ref('measured')} instead of {found.ref('against')}: {share} {turn} {what}"
    if held.unit == "1/s":
        return f"{first}, {found.ref('ratio', 'x')} as many."
    if held.unit != "ms":
        return f"{first}, {found.ref('ratio', 'x')} as much."
    factor = f"{{{{{i}.against/{i}.measured|x}}}}" if less else found.ref("ratio", "x")
    rates = f"{{{{1/{i}.measured|fps}}}} instead of {{{{1/{i}.against|fps}}}}, one after the other"
    energy = _energy(query, found, less=less)
    return lines(
        f"{first}, {factor} {'as fast' if less else 'as slow'}.", f"{rates[:1].upper()}{rates[1:]}.", energy
    )


def _energy(query: Query, found: Record, *, less: bool) -> str:
    """Saved at the current and voltage that were told, else in words where energy is asked for."""
    figures = query.figures or OwnFigures()
    one = next((each for each in figures.consumers if each.drawn and each.unit != "uJ"), None)
    volts = figures.supply_v
    i, word = found.id, "saves" if less else "costs"
    gap = f"{i}.against-{i}.measured" if less else f"{i}.measured-{i}.against"
    if one is not None and (volts or one.unit == "mW"):
        drawn = f"{one.drawn:.9g}mW" if one.unit == "mW" else f"{one.drawn / 1e3:.9g}mA*{volts:g}V"
        return f"At {one.words[0]} that {word} {{{{({gap})*{drawn}|~}}}} each."
    asked = re.search(r"\benergy|current|battery|joule", query.question, re.I)
    return "At the same current and voltage the energy changes by the same factor." if asked else ""


def _causes(query: Query, held: Held, found: Record) -> Generator[Call, Record, list[str]]:
    """What the user suspects, tested; then what the deployment itself could explain."""
    factor = found.number("ratio") or 1.0
    if held.unit == "1/s":
        factor = 1 / factor
    outside = found["inside"] is not True
    told = [line for name, line in _suspected(query, factor) if line and name]
    computed: list[str] = []
    if (
        held.unit == "ms"
        and query.has(Role.MODEL)
        and query.has(Role.TARGET)
        and (outside or _WHY.search(query.question))
    ):
        computed = yield from _by_deployment(query, found)
    checks = _OF_ENERGY if held.unit in ("uJ", "mW", "uA") else _ORDER
    checks = _OF_TOKENS if held.unit == "1/s" and "tok" in query.question.casefold() else checks
    puzzled = query.held is None or found["inside"] is None
    open_case = found["inside"] is False or (puzzled and bool(_WHY.search(query.question)))
    general = factor > 1 and open_case and not told
    return [*told, *computed, f"Check, in this order: {checks}." if general else ""]


def _suspected(query: Query, factor: float) -> list[tuple[str, str]]:
    """Each cause that the message names, with what the factor says of it."""
    text = query.question
    times = f"{factor:.3g} times"
    found: list[tuple[str, str]] = []
    for name, words in _SUSPECTS.items():
        if not words.search(text):
            continue
        line = {
            "reference": (
                f"Reference kernels fit such a factor ({times}): link the optimised ones."
                if _REFERENCE_FROM <= factor <= _REFERENCE_TO
                else f"Reference kernels are not it: they take about ten times as long, this is {times}."
            ),
            "debug": (
                "A debug build can explain that, it slows all alike: build with -O2 or -O3 and time again."
                if factor > 1
                else "A debug build would be slower, not faster."
            ),
            "clock": "",
            "cache": f"Caches or wait states can cost {times}: switch them on and time again.",
            "first": "A first run loads caches and weights: leave it out, take the median of a hundred.",
            "threads": f"{times}: compare with one thread, which is estimated unless another number is said.",
        }[name]
        found.append((name, line))
    return found


def _by_deployment(query: Query, found: Record) -> Generator[Call, Record, list[str]]:
    """The kernel library, or the clock, at which the estimate would be what was measured."""
    measured = found.number("measured") or 0.0
    summary = query.targets.get(query.text(Role.TARGET))
    records: list[Record] = []
    for runtime in query.all(Role.RUNTIME) or (summary.runtimes[:4] if summary else ()):
        record = yield call_of("estimate_performance", query, runtime=runtime)
        if record.knows("latency_ms"):
            records.append(record)
    if not records or not measured:
        return []
    first = records[0]
    where = "inside" if _inside(first, measured) else "outside"
    told = [
        f"I estimate {first.ref('latency_ms', '~')} with {first.ref('deployment.runtime')}, for "
        f"{subject(query.without([Role.RUNTIME]), first)}: {found.ref('measured')} lies {where} of that, "
        f"{{{{{found.id}.measured/{first.id}.latency_ms|x}}}} the middle."
    ]
    gaps = [
        (abs(math.log(measured / (record.number("latency_ms") or 1.0))), record) for record in records[1:]
    ]
    others = [record for gap, record in sorted(gaps, key=lambda each: each[0]) if gap < _ANOTHER_KERNEL]
    told += [
        f"{other.ref('latency_ms')} is what {other.ref('deployment.runtime')} would take: see which "
        "kernels are linked."
        for other in others[:1]
    ]
    if measured > _A_CLOCK * (first.number("latency_ms") or measured) and not others:
        clock = f"{{{{{first.id}.deployment.clock_mhz*{first.id}.latency_ms/{found.id}.measured|MHz}}}}"
        usual = first.ref("deployment.clock_mhz", "MHz")
        told.append(f"A clock of {clock} in place of {usual} would explain it.")
    return told


def _inside(record: Record, measured: float) -> bool:
    ends = record.ends("latency_ms")
    return ends is not None and ends[0] <= measured <= ends[1]


def _next(held: Held) -> str:
    """What a measurement is good for."""
    if held.unit == "ms":
        return "`edgewright calibrate` takes your measurement, and later estimates of that board go by it."
    return ""


_Estimate: TypeAlias = tuple[str, float]
"""An expression, and its value to decide by."""


def scales(query: Query, wants: Sequence[Want]) -> bool:
    """Whether something changes on the deployment that a time was measured of."""
    measured = query.before and any(one.each_ms for one in query.before.consumers)
    if not (measured and query.measured and query.has(Role.MODEL) and query.has(Role.TARGET)):
        return False
    if len(set(query.all(Role.TARGET))) > 1 or query.says(Role.MODEL, Role.TARGET):
        return False
    new_time = query.told and any(one.each_ms for one in query.told.consumers)
    changes = query.says(Role.SIDE, Role.WIDTH, Role.CLOCK_MHZ, Role.DTYPE, Role.RUNTIME)
    return bool(changes and not new_time and set(wants[:1]) - {Want.CONCEPT, Want.CODE, Want.RECOMMEND})


def scaled(query: Query, _wants: Sequence[Want]) -> Answering:
    """The measured time, times what the estimate says of the change; against the time that there is."""
    assert query.before is not None
    measured = next(one.each_ms for one in query.before.consumers if one.each_ms)
    (before, was), (after, will), what = yield from _change(query)
    ratio = f"{after}/{before}"
    shown = f"{{{{{measured:.6g}ms*{ratio}}}}}"
    verdict = ""
    value = measured * will / was if was else 0.0
    limit = query.number(Role.LATENCY_MS) or (1e3 / rate if (rate := query.number(Role.RATE_HZ)) else None)
    if limit and value:
        word = "Yes" if value <= limit else "No"
        asked = said(query, Role.LATENCY_MS) or said(query, Role.RATE_HZ)
        verdict = f"{word}, for {asked}: "
    if not was or not will or abs(math.log(will / was)) < _SAME:
        return f"{verdict}{what} changes nothing, it is what was estimated: your {measured:g} ms stay."
    return lines(
        f"{verdict}{shown} with {what}, scaled from your {measured:g} ms by the ratio of the estimates, "
        f"{{{{{ratio}|x}}}}.",
        "The ratio is surer than either estimate, as what slows your build slows both; measure it then.",
    )


def _change(query: Query) -> Generator[Call, Record, tuple[_Estimate, _Estimate, str]]:
    """Expressions of the estimates before and after, and the change in words."""
    roles = (Role.SIDE, Role.WIDTH, Role.CLOCK_MHZ, Role.DTYPE, Role.RUNTIME)
    names = [said(query, role) for role in roles if query.says(role)]
    changed = [role for role in roles if query.says(role)]
    back = tuple(slot for slot in query.settings_before if slot.role in changed)
    bare = query.without(changed)
    old = bare.model_copy(update={"slots": (*bare.slots, *back)})
    first = needed((yield call_of("estimate_performance", old)))
    second = needed((yield call_of("estimate_performance", query)))
    before, after = (
        (f"{record.id}.latency_ms", record.number("latency_ms") or 0.0) for record in (first, second)
    )
    return before, after, joined(names)


__all__ = ["asks", "own_against", "scaled", "scales"]
