"""A measurement against an estimate or a stated interval: inside or outside, by how much, what to check."""

from __future__ import annotations

import math
import re
from collections.abc import Generator, Iterator, Sequence

from ..bench import Answering, Call, Record, ToolFailedError, call_of, needed
from ..held import Held, compares
from ..own_figures import OwnFigures
from ..query import Query, Role
from ..want import Want
from . import own_account
from .phrases import joined, lines, said, subject
from .templates import put

_NEAR_AN_END = 0.9
_ANOTHER_KERNEL = math.log(1.35)
"""A kernel library explains a measurement that its estimate comes this near to."""
_REFERENCE_FROM, _REFERENCE_TO = 3.0, 40.0
"""How many times optimised kernels' time the reference kernels of TensorFlow Lite Micro take; the published
pairs in docs/concepts/kernel-libraries.md are 7.9 to 19."""
_SUSPECTS: tuple[tuple[str, float, float, str, str], ...] = (
    (r"\breference (?:kernels?|ops?|implementation)|\b(?:without|no) cmsis", _REFERENCE_FROM, _REFERENCE_TO,
     "Reference kernels fit such a factor ({}): link the optimised ones.",
     "Reference kernels are not it: they take about ten times as long, this is {}."),
    (r"\bdebug (?:build|mode)|-?\bO0\b|\bunoptimi[sz]ed|\bdefault (?:settings|flags)|\barduino\b",
     1.0, math.inf,
     "A debug build can explain that, it slows all alike: build with -O2 or -O3 and time again.",
     "A debug build would be slower, not faster."),
    (r"\bcaches?\b|\bwait states?\b", 0.0, math.inf,
     "Caches or wait states can cost {}: switch them on and time again.", ""),
    (r"\bfirst (?:run|inference|call)|\bwarm.?up|\bcold\b", 0.0, math.inf,
     "A first run loads caches and weights: leave it out, take the median of a hundred.", ""),
    (r"\bthreads?\b|\bcores?\b", 0.0, math.inf,
     "{}: compare with one thread, which is estimated unless another number is said.", ""),
)  # fmt: skip
"""Words of a cause; the factors that it explains; what is said where it does, and where it does not."""
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
_NOUN = {"ms": "time", "uJ": "energy", "mW": "power", "1/s": "rate", "uA": "current"}
_CALIBRATE = "`edgewright calibrate` takes your measurement, and later estimates of that board go by it."
_CHANGED = (Role.SIDE, Role.WIDTH, Role.CLOCK_MHZ, Role.DTYPE, Role.RUNTIME)


def asks(query: Query, wants: Sequence[Want]) -> bool:
    """Whether the message holds one figure against another, or asks why what it measured is as it is."""
    held = query.held
    if held is None:
        return any(found(query) for found in (_after_the_last, _puzzling_ms, _suspects_more))
    if set(wants[:1]) & {Want.CALIBRATE, Want.IMPORT, Want.CODE} and held.low is None:
        return False
    return not held.is_own or query.measured or not query.has(Role.MODEL)


def _times(figures: OwnFigures | None) -> list[float]:
    return [one.each_ms for one in figures.consumers if one.each_ms] if figures else []


def _puzzling_ms(query: Query) -> float:
    """The one time that was measured of a deployment that is known, where it is asked why; 0 without one."""
    told = query.told.consumers if query.told else ()
    known = len(set(query.all(Role.MODEL))) == len(set(query.all(Role.TARGET))) == 1
    if not (known and query.measured and len(told) == 1 and _WHY.search(query.question)):
        return 0.0
    return 0.0 if told[0].drawn or told[0].rate_hz else told[0].each_ms


def _suspects_more(query: Query) -> Held | None:
    """What a message before held against what, where this one names a cause."""
    told = query.told is not None and any(one.each_ms or one.drawn for one in query.told.consumers)
    if told or query.says(Role.MODEL, Role.TARGET) or not any(_suspected(query, 1.0)):
        return None
    return query.held_before


def _after_the_last(query: Query) -> Held | None:
    """A new time against the one that was measured before: `now it's 151 ms, how much did I save?`"""
    old, new = _times(query.before)[:1], _times(query.told)[:1]
    if not old or not new or old == new or not compares(query.question):
        return None
    return Held("ms", new[0], old[0], words=query.told.words if query.told else (), is_own=True)


def own_against(query: Query, _wants: Sequence[Want]) -> Answering:
    """The two figures, then what follows, then what to check."""
    held = query.held or _after_the_last(query) or _suspects_more(query) or (yield from _estimated(query))
    measured, made = held.measured, ""
    if measured is None:
        record, _ = yield from own_account.added_up(query, query.figures or OwnFigures())
        measured = record.number("loads[#0].energy_uj")
        if measured is None:
            raise ToolFailedError(f"tell me {joined(str(note) for note in record['missing'])}.")
        figures = query.figures or OwnFigures()
        volts = [f"{figures.supply_v:g} V"] if figures.supply_v else []
        product = " × ".join((*figures.consumers[0].words, *volts))
        made = put("Measured: {product} = {loads[#0].energy_uj}.", record, product=product)
    against = {"against": held.against, "unit": held.unit, "low": held.low, "high": held.high}
    found = needed((yield call_of("compare_figures", query, measured=measured, **against)))
    if held.is_own:
        return _before_and_after(query, held, found)
    causes = yield from _causes(query, held, found)
    first = "" if query.held is None and causes else _verdict(held, found)
    return lines(first, made, *causes, _CALIBRATE if held.unit == "ms" else "")


def _estimated(query: Query) -> Generator[Call, Record, Held]:
    """The time that was measured against the estimate of what is named."""
    record = needed((yield call_of("estimate_performance", query)))
    ends = record.ends("latency_ms")
    if ends is None:
        raise ToolFailedError(f"no estimate is known for {subject(query, record)}.")
    return Held("ms", _puzzling_ms(query), record.number("latency_ms"), *ends)


def _verdict(held: Held, found: Record) -> str:
    times = "{ratio|x} " + ("the {against}" if held.against else "its middle")
    if held.low is None or held.high is None:
        return put(f"{{measured}} is {times} that was stated.", found)
    measured = found.number("measured") or 0.0
    if not found["inside"]:
        end = "upper" if measured > held.high else "lower"
        outside = "No, {measured} lies outside {low} to {high}: {beyond|x} its {end} end, "
        return put(f"{outside}{times}.", found, end=end)
    near = "upper" if measured > _NEAR_AN_END * held.high else ""
    near = near or ("lower" if measured < held.low / _NEAR_AN_END else "")
    inside = "They fit together: {measured} lies inside {low} to {high}[, near the {near} end], "
    estimate = "The estimate is not wrong: the interval is its answer, the single figure only its middle."
    return put(f"{inside}{times}. {estimate}", found, near=near)


def _before_and_after(query: Query, held: Held, found: Record) -> str:
    """What changed, as a share and as a factor; at one current energy falls as time does."""
    less = (found.number("change") or 0.0) < 0
    share = "{(against-measured)/against|%} less" if less else "{change|%} more"
    first = f"{{measured}} instead of {{against}}: {share} {_NOUN[held.unit]}, "
    if held.unit != "ms":
        return put(f"{first}{{ratio|x}} as {'many' if held.unit == '1/s' else 'much'}.", found)
    factor = "{against/measured|x} as fast" if less else "{ratio|x} as slow"
    rates = "{1/measured|fps} instead of {1/against|fps}, one after the other."
    return lines(put(f"{first}{factor}.", found), put(rates, found), _energy(query, found, less=less))


def _energy(query: Query, found: Record, *, less: bool) -> str:
    """Saved at the current and voltage that were told, else in words where energy is asked for."""
    figures = query.figures or OwnFigures()
    one = next((each for each in figures.consumers if each.drawn and each.unit != "uJ"), None)
    if one is not None and (figures.supply_v or one.unit == "mW"):
        drawn = f"{one.drawn:.9g}mW" if one.unit == "mW" else f"{one.drawn:.9g}uA*{figures.supply_v:g}V"
        gap, word = ("against-measured", "saves") if less else ("measured-against", "costs")
        return put(f"At {{words}} that {word} {{({gap})*{drawn}|~}} each.", found, words=one.words[0])
    asked = re.search(r"\benergy|current|battery|joule", query.question, re.I)
    return "At the same current and voltage the energy changes by the same factor." if asked else ""


def _causes(query: Query, held: Held, found: Record) -> Generator[Call, Record, list[str]]:
    """What the user suspects, tested; then what the deployment itself could explain."""
    factor = found.number("ratio") or 1.0
    factor = 1 / factor if held.unit == "1/s" else factor
    told, why = list(_suspected(query, factor)), bool(_WHY.search(query.question))
    deployed = held.unit == "ms" and query.has(Role.MODEL) and query.has(Role.TARGET)
    computed = (yield from _by_deployment(query, found)) if deployed and (why or not found["inside"]) else []
    puzzled = query.held is None or found["inside"] is None
    if factor <= 1 or told or not (found["inside"] is False or (puzzled and why)):
        return [*told, *computed]
    checks = _OF_ENERGY if held.unit in ("uJ", "mW", "uA") else _ORDER
    checks = _OF_TOKENS if held.unit == "1/s" and "tok" in query.question.casefold() else checks
    return [*computed, f"Check, in this order: {checks}."]


def _suspected(query: Query, factor: float) -> Iterator[str]:
    """Each cause that the message names, with what the factor says of it."""
    for words, low, high, explains, does_not in _SUSPECTS:
        if re.search(words, query.question, re.I):
            yield (explains if low < factor <= high else does_not).format(f"{factor:.3g} times")


def _by_deployment(query: Query, found: Record) -> Generator[Call, Record, list[str]]:
    """The kernel library, or the clock, at which the estimate would be what was measured."""
    measured = found.number("measured") or 0.0
    summary = query.targets.get(query.text(Role.TARGET))
    records: list[Record] = []
    for runtime in query.all(Role.RUNTIME) or (summary.runtimes[:4] if summary else ()):
        record = yield call_of("estimate_performance", query, runtime=runtime)
        records += [record] if record.knows("latency_ms") else []
    if not records:
        return []
    first, low_high = records[0], records[0].ends("latency_ms") or (0.0, 0.0)
    told = put(
        "I estimate {latency_ms|~} with {deployment.runtime}, for {subject}: {found.measured} lies {where} "
        "of that, {found.measured/latency_ms|x} the middle.",
        first, found=found, subject=subject(query.without([Role.RUNTIME]), first),
        where="inside" if low_high[0] <= measured <= low_high[1] else "outside",
    )  # fmt: skip
    gaps = [(abs(math.log(measured / (one.number("latency_ms") or 1.0))), one) for one in records[1:]]
    gap, other = min(gaps, key=lambda each: each[0], default=(math.inf, first))
    if gap < _ANOTHER_KERNEL:
        linked = "{latency_ms} is what {deployment.runtime} would take: see which kernels are linked."
        return [told, put(linked, other)]
    if measured <= _A_CLOCK * (first.number("latency_ms") or measured):
        return [told]
    clock = "{deployment.clock_mhz*latency_ms/found.measured|MHz} in place of {deployment.clock_mhz|MHz}"
    return [told, put(f"A clock of {clock} would explain it.", first, found=found)]


def scales(query: Query, wants: Sequence[Want]) -> bool:
    """Whether something changes on the deployment that a time was measured of."""
    if not (_times(query.before) and query.measured and query.has(Role.MODEL) and query.has(Role.TARGET)):
        return False
    if len(set(query.all(Role.TARGET))) > 1 or query.says(Role.MODEL, Role.TARGET) or _times(query.told):
        return False
    return query.says(*_CHANGED) and bool(set(wants[:1]) - {Want.CONCEPT, Want.CODE, Want.RECOMMEND})


def scaled(query: Query, _wants: Sequence[Want]) -> Answering:
    """The measured time, times what the estimate says of the change; against the time that there is."""
    measured = _times(query.before)[0]
    changed = [role for role in _CHANGED if query.says(role)]
    what = joined(said(query, role) for role in changed)
    back = tuple(slot for slot in query.settings_before if slot.role in changed)
    old = query.without(changed)
    old = old.model_copy(update={"slots": (*old.slots, *back)})
    before = needed((yield call_of("estimate_performance", old)))
    after = needed((yield call_of("estimate_performance", query)))
    was, will = (record.number("latency_ms") or math.nan for record in (before, after))
    limit = query.number(Role.LATENCY_MS) or 1e3 / (query.number(Role.RATE_HZ) or math.nan)
    verdict = ""
    if math.isfinite(limit * will / was):
        verdict = f"{'Yes' if measured * will / was <= limit else 'No'}, for "
        verdict += f"{said(query, Role.LATENCY_MS) or said(query, Role.RATE_HZ)}: "
    if not abs(math.log(will / was)) >= _SAME:
        return f"{verdict}{what} changes nothing, it is what was estimated: your {measured:g} ms stay."
    return put(
        f"[{{verdict}}]{{{measured:.6g}ms*after.latency_ms/latency_ms}} with {{what}}, scaled from your "
        f"{measured:g} ms by the ratio of the estimates, {{after.latency_ms/latency_ms|x}}.\n"
        "The ratio is surer than either estimate, as what slows your build slows both; measure it then.",
        before, after=after, what=what, verdict=verdict,
    )  # fmt: skip


__all__ = ["asks", "own_against", "scaled", "scales"]
