"""Whether what somebody claims or measured can be: their figure against what is estimated there."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence

from ....tools.verdicts.ties import apart
from ...pages import sections_of
from ...patterns import compiled
from ..bench import PLAIN, Answering, Call, Record, call_of, needed
from ..first_runs import first_run
from ..query import Query, Role
from ..want import Want
from ..words import patterns, spoken
from . import bounds, peaks, standing
from .passages import quoted
from .phrases import figure, joined, lines, said, sentence, subject
from .standing import Held, held, puzzled
from .suspects import Cause, besides, suspects, told_of

_MOST_KERNELS = 4
_EAGER, _CARDS = "pytorch", ("gpu", "gpu-soc")
_OF_CORES = ("mpu", "cpu", *_CARDS)
_NEARLY = 0.97
"""A size that is stated is rounded."""
_UNOPTIMISED = patterns("outside_reach")["unoptimised"]
CLAIMS = {
    Role.CLAIMED_MS: "latency_ms", Role.CLAIMED_HZ: "inferences_per_second", Role.CLAIMED_UJ: "energy_uj",
    Role.CLAIMED_MW: "power_mw",
}  # fmt: skip


def plausible(query: Query) -> Answering:
    """The user's own figure against every kernel library that may be running; what would explain it."""
    role = next((role for role in CLAIMS if query.has(role)), None)
    if role is None:
        return (yield from _other_claim(query))
    query, begins = _after_the_first(query)
    path, words = CLAIMS[role], said(query, role)
    found: list[Record] = []
    named, offered = query.all(Role.RUNTIME), _kernels(query, query.text(Role.TARGET))
    plain = named == (PLAIN,)
    eager = named == (_EAGER,) and _on_cores(query)
    if not named or eager:
        others = offered
    else:
        others = (
            offered[:1] if plain else [PLAIN] if named[0].startswith("tflm-") and PLAIN in offered else []
        )
    for runtime in dict.fromkeys((*named, *others)):
        record = yield call_of("estimate_performance", query, runtime=runtime)
        if record.knows(path):
            found.append(record)
    if not found:
        return f"I have no estimate to hold {words} against: no {path.partition('_')[0]} is known there."
    usual, rest = found[0], found[1:]
    path = _of_all_cores(usual, path, query.number(role) or 0.0)
    claims = held(query, usual, role, path)
    if role is Role.CLAIMED_MS and _UNOPTIMISED.search(query.question):
        return sentence(_when_optimised(query, usual, claims[0].claim))
    one, word = claims[0], standing.word(query, claims[0])
    other = (
        next((each for each in rest if _holds(each, path, one.claim)), None)
        if one.standing == "off"
        else None
    )
    causes = [] if plain else (yield from suspects(query, usual, () if eager else rest, path, one.claim))
    explains = (
        bool(causes) and not one.own and one.standing in ("near", "off") and word in ("No", "Probably not")
    )
    if explains and _holds(causes[0][1], path, one.claim):
        word = f"Only with {causes[0][0]}, {causes[0][1].ref(path, '~')}"
    elif other and not plain and not (one.own and one.better) and word in ("No", "Yes"):
        word = word.replace("No", "Not").replace("Yes", "Yes,")
        word = f"{word} with {usual.ref('deployment.runtime')}, the usual kernels"
    about = subject(query.without([Role.RUNTIME]), usual)
    word = "Of those after it" if begins else word
    first = f"{standing.judged(query, claims, word)}: I estimate {_with(usual, path)}, for {about}."
    shown = [f"{each.ref(path, '~')} with {each.ref('deployment.runtime')}" for each in rest][:2]
    if other and plain:
        explained = f"That is what {_with(other, path)} takes: check whether it is linked after all."
    else:
        explained = yield from _explained(query, one, causes)
    return lines(
        begins,
        " ".join(filter(None, [(yield from _own_pace(query, one)), first])),
        sentence(f"{'exported' if eager else 'optimised' if plain else 'others'}: {joined(shown)}")
        if shown and (eager or not explained)
        else "",
        (yield from peaks.behind(query)) if peaks.asks(query) else "",
        peaks.metered(query) if _METER.search(query.question) else "",
        explained,
    )


def far_below(query: Query) -> Answering:
    """What explains a time that was measured and is far above the estimate; empty where it is none.

    Such a cause is to be found before anything is changed.
    """
    role = next((role for role in (Role.CLAIMED_MS, Role.CLAIMED_HZ) if query.says(role)), None)
    if role is None or _UNOPTIMISED.search(query.question):
        return ""
    record = yield call_of("estimate_performance", query)
    one = next(iter(held(query, record, role, CLAIMS[role])), None) if record.knows(CLAIMS[role]) else None
    if one is None or one.better or one.standing != "off":
        return ""
    return (yield from plausible(query))


def _when_optimised(query: Query, record: Record, measured_ms: float) -> str:
    """What a build without optimisation took bounds what one with it takes."""
    words, about = said(query, Role.CLAIMED_MS), subject(query.without([Role.RUNTIME]), record)
    estimate, (low, high) = _with(record, "latency_ms"), record.ends("latency_ms") or (0.0, 0.0)
    if measured_ms > high:
        return f"{estimate}, for {about}; *{words}* are of a build without optimisation, which takes longer"
    slower = "optimising makes no code slower, though I estimate" if measured_ms >= low else "I estimate"
    doubt = ", which speaks for another network, clock or timer" if measured_ms < low else ""
    return f"Less than *{words}*: {slower} {estimate}{doubt}, for {about}"


def _after_the_first(query: Query) -> tuple[Query, str]:
    """Without the time of a first run, and what a page says of it; as it is where none is told."""
    if not (first := first_run(query)):
        return query, ""
    page = next(one for one in sections_of(_OF_FIRST[0]) if one.heading == _OF_FIRST[1])
    told = f"{joined(slot.text for slot in first)} for the first run: {_lowered(quoted(page))}"
    slots = tuple(slot for slot in query.slots if slot not in first)
    return query.model_copy(update={"slots": slots}), told


_OF_FIRST = ("concepts/measuring.md", "The first inference is slow")


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]


def in_its_framework(query: Query) -> Generator[Call, Record, Query]:
    """With the framework as its kernels, where a network runs as it was trained, not exported.

    On a card a figure that is better than it allows was taken otherwise.
    """
    trained = _on_cores(query) and not query.has(Role.RUNTIME) and spoken("eager", query.question)
    if not trained:
        return query
    found, eager = query.targets.get(query.text(Role.TARGET)), query.put(Role.RUNTIME, _EAGER)
    role = next((one for one in CLAIMS if query.has(one)), None)
    if found is None or found.target_class not in _CARDS or role is None:
        return eager
    record = yield call_of("estimate_performance", eager)
    own = held(query, record, role, CLAIMS[role])[0] if record.knows(CLAIMS[role]) else None
    return query if own is None or (own.better and own.standing == "off") else eager


def _on_cores(query: Query) -> bool:
    found = query.targets.get(query.text(Role.TARGET))
    return found is not None and found.target_class in _OF_CORES and _EAGER in found.runtimes


def _of_all_cores(record: Record, path: str, claim: float) -> str:
    """The rate of all cores of an accelerator, where one of them does not reach what is claimed."""
    ends = record.ends(path)
    several = path == CLAIMS[Role.CLAIMED_HZ] and (record.number("at_once") or 1) > 1
    return "at_once_per_second" if several and ends and claim > ends[1] else path


def _explained(query: Query, one: Held, causes: Sequence[Cause]) -> Answering:
    """What would make the estimate that figure; where it is no slower than that, what takes the time."""
    time, off = one.slot.role is Role.CLAIMED_MS, one.standing in ("near", "off")
    far = not 1 / _MUCH <= one.times <= _MUCH and (off or not one.better)
    if puzzled(query) and Want.WHY_SLOWER in query.wants and time and not far:
        why = yield from bounds.why(query)
        return f"As estimated, {why}. To check beside the kernels: {besides(query)}."
    if not off and not (puzzled(query) and far):
        return ""
    if peaks.asks(query) or query.all(Role.RUNTIME) == (PLAIN,) or one.claim <= 0:
        return ""
    return (yield from told_of(query, one.record, causes, one.path, one.claim))


_MUCH = 1.5
"""Times the estimate from which on a figure is far from it where its cause is asked for."""


def _with(record: Record, path: str) -> str:
    return f"{figure(record, path)} with {record.ref('deployment.runtime')}"


def _own_pace(query: Query, one: Held) -> Generator[Call, Record, str]:
    """Whether the user's own time, which can be, is enough for the rate that they name."""
    time, rate = query.number(Role.CLAIMED_MS), query.number(Role.RATE_HZ)
    if not time or not rate or not query.says(Role.RATE_HZ):
        return ""
    if one.standing == "off" and one.better:
        roof = yield call_of("analyze_roofline", query)
        if (roof.number("compute_utilization") or 0.0) * (roof.number("latency_ms") or 0.0) > time:
            return ""
    word = f"Yes, {{}} {_PACE[0]} {{}}." if 1e3 / time >= rate else f"No, {{}} {_PACE[1]} {{}}."
    return word.format(said(query, Role.CLAIMED_MS), said(query, Role.RATE_HZ))


_PACE = ("is short enough for", "is too long for")
PACED = compiled("|".join(_PACE))
"""In an answer that judges a rate by the time that was measured."""


def _holds(record: Record, path: str, claim: float) -> bool:
    ends = record.ends(path)
    return ends is not None and not apart(ends, (claim, claim))


def _kernels(query: Query, target: str) -> Sequence[str]:
    found = query.targets.get(target)
    return found.runtimes[:_MOST_KERNELS] if found else ()


def _other_claim(query: Query) -> Answering:
    """A size, or a share of the peak; without a figure, the estimate and what it stands on."""
    if query.number(Role.CLAIMED_BYTES):
        return _of_a_size(query, needed((yield call_of("plan_memory", query))))
    if query.has(Role.CLAIMED_PERCENT):
        roof = needed((yield call_of("analyze_roofline", query)))
        share, words = roof.number("compute_utilization"), said(query, Role.CLAIMED_PERCENT)
        if share is not None:
            against = (
                f": no contradiction to {words}" if _METER.search(query.question) else f", against {words}"
            )
            return lines(
                f"I estimate {roof.ref('compute_utilization', '%')} of the peak{against}: "
                f"{subject(query, roof)}, at {figure(roof, 'latency_ms')}.",
                peaks.metered(query) if _METER.search(query.question) else "",
            )
    estimate = needed((yield call_of("estimate_performance", query)))
    if peaks.asks(query):
        first = f"Not by the peak alone: {figure(estimate, 'latency_ms')}: {subject(query, estimate)}."
        return lines(first, (yield from peaks.behind(query)))
    near = estimate.ref("measured.note") if estimate["measured"] else estimate.ref("stands_on[#0]")
    return lines(f"{figure(estimate, 'latency_ms')}: {subject(query, estimate)}.", f"Behind it: {near}.")


_METER = compiled(
    r"\b(?:nvidia-smi|tegrastats|h?top|task manager|monitor|meter|load|busy|when i look)\b", re.I
)
"""Shows the share of the time in which something runs."""


def _of_a_size(query: Query, plan: Record) -> str:
    """Bytes of the arena or, where flash is spoken of, of the program: its model, its code, and the rest."""
    of = "flash" if query.text(Role.GOAL) == "flash" else "arena"
    slots = [slot for slot in query.slots if slot.role is Role.CLAIMED_BYTES]
    slot = max(slots, key=lambda slot: slot.number * (of == "flash"))
    claim, words = slot.number, slot.text
    low, high = plan.ends(of) or (0.0, 0.0)
    word, than = "Yes", "plausible"
    if not low * _NEARLY <= claim <= high / _NEARLY:
        word, than = "No", f"{'more' if claim > high else 'less'} than I compute"
    parts, rest = "", "What is reserved may be larger than what is used." if claim > high else ""
    if of == "flash" and plan.knows("model_bytes", "code_bytes"):
        parts = f" ({plan.ref('model_bytes')} model and {plan.ref('code_bytes')} kernels and runtime)"
        rest = f"The other {{{{{claim:.0f}B-{plan.id}.flash|KiB}}}} are no part of it: {_REST}."
    return lines(
        f"{word}, {words} of {of} is {than}: {figure(plan, of, 'KiB')}{parts}: {subject(query, plan)}.",
        rest if claim > high else "",
    )


_REST = "the application, drivers, an operating system, the C library and bootloader"
