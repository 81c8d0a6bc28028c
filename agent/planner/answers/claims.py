"""Whether what somebody claims or measured can be: their figure against what is estimated there."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ....tools.verdicts.ties import apart
from ..bench import PLAIN, Answering, Record, call_of, needed
from ..query import Query, Role, Slot
from ..want import Want
from ..words import spoken, spoken_in_turn
from . import bounds, peaks
from .own import GOT
from .phrases import figure, joined, lines, said, sentence, subject
from .suspects import besides, suspects

_MOST_KERNELS = 4
_NEARLY = 0.97
"""A size that is stated is rounded."""
_VERSIONS = 1.25
"""Times by which the same network on the same chip differs between two releases of a kernel library.

Of 380 such pairs of one source among the measurements nearly four in five differ by less.
"""
_FAR = 2.0
"""Times the estimate from which on a figure that its interval holds is possible rather than plausible."""
_WELL_ABOVE = 1.33
"""The same of a rate, which beyond that is less likely reached than not."""
_UNITS = {Role.CLAIMED_MS: "ms", Role.CLAIMED_HZ: "fps", Role.CLAIMED_UJ: "uJ", Role.CLAIMED_MW: "mW"}
CLAIMS = {
    Role.CLAIMED_MS: "latency_ms", Role.CLAIMED_HZ: "inferences_per_second", Role.CLAIMED_UJ: "energy_uj",
    Role.CLAIMED_MW: "power_mw",
}  # fmt: skip
_WORDS = {
    "fine": {
        "plausible": "Yes", "possible": "Possibly", "hardly": "Probably not", "near": "Nearly", "off": "No",
    },
    "bad": {"plausible": "No", "possible": "Perhaps", "hardly": "Probably", "near": "Hardly", "off": "Yes"},
}  # fmt: skip
"""Whether it is asked to be right or wrong, and how it stands → the word that the answer begins with."""


def plausible(query: Query) -> Answering:
    """The user's own figure against every kernel library that may be running; what would explain it."""
    role = next((role for role in CLAIMS if query.has(role)), None)
    if role is None:
        return (yield from _other_claim(query))
    path, own = CLAIMS[role], [slot for slot in query.slots if slot.role is role]
    own.sort(key=lambda slot: GOT.search(query.question[: query.question.find(slot.text)]) is None)
    (claim, words), others = (own[0].number, own[0].text or f"{own[0].number:g}"), own[1:2]
    found: list[Record] = []
    named, offered = query.all(Role.RUNTIME), _kernels(query, query.text(Role.TARGET))
    plain = named == (PLAIN,)
    for runtime in dict.fromkeys((*named, *(offered[:1] if plain else () if named else offered))):
        record = yield call_of("estimate_performance", query, runtime=runtime)
        if record.knows(path):
            found.append(record)
    if not found:
        return f"I have no estimate to hold {words} against: no {path.partition('_')[0]} is known there."
    usual, rest = found[0], found[1:]
    standing = _standing(usual, path, claim)
    other = next((one for one in rest if _holds(one, path, claim)), None) if standing == "off" else None
    word = _WORDS.get(_stance(query), {}).get(standing, "")
    faster = (claim > (usual.number(path) or claim)) == (role is Role.CLAIMED_HZ)
    if _stance(query) == "bad" and faster and GOT.search(query.question[: query.question.find(words)]):
        word = "No"
    if other and word and not plain:
        word = f"{word.replace('No', 'Not').replace('Yes', 'Yes,')} with {_library(usual)}, the usual kernels"
    about = subject(query.without([Role.RUNTIME]), usual)
    judged = f"{words} is {_judged(usual, role, claim, standing)}"
    first = f"{f'{word}, ' if word else ''}{judged}: I estimate {_with(usual, path)}, for {about}."
    shown = [f"{each.ref(path, '~')} with {_library(each)}" for each in rest][:2]
    if other and plain:
        explained = f"That is what {_with(other, path)} takes: check whether it is linked after all."
    else:
        explained = yield from _explained(query, usual, rest, role, standing)
    return lines(
        " ".join(filter(None, [_own_pace(query), first])),
        sentence(f"{'optimised' if plain else 'others'}: {joined(shown)}") if shown and not explained else "",
        (yield from peaks.behind(query)) if peaks.asks(query) else "",
        explained,
        (yield from _busy(query, role, claim)),
        *(f"{sentence(_against(usual, slot, path))}" for slot in others),
    )


def _against(usual: Record, slot: Slot, path: str) -> str:
    """Another figure of the same kind beside the user's own."""
    times = f"{{{{{slot.number:.6g}{_UNITS[slot.role]}/{usual.id}.{path}|x}}}}"
    return f"{slot.text} would be {times} what I estimate"


def _explained(query: Query, usual: Record, rest: Sequence[Record], role: Role, standing: str) -> Answering:
    """What would make the estimate that figure; where it is no slower than that, what takes the time."""
    path, claim = CLAIMS[role], query.number(role) or 0.0
    times = claim / (usual.number(path) or claim)
    if _puzzled(query) and Want.WHY_SLOWER in query.wants and role is Role.CLAIMED_MS and times <= _MUCH:
        why = yield from bounds.why(query)
        return f"As estimated, {why}. To check beside the kernels: {besides(query)}."
    if standing in ("plausible", "possible", "hardly") and not (
        _puzzled(query) and not 1 / _MUCH <= times <= _MUCH
    ):
        return ""
    if peaks.asks(query) or query.all(Role.RUNTIME) == (PLAIN,) or claim <= 0:
        return ""
    return (yield from suspects(query, usual, rest, path, claim))


_MUCH = 1.5
"""Times the estimate from which on a figure is far from it where its cause is asked for."""


def _stance(query: Query) -> str:
    """Whether it is asked to be right or wrong, by what is said first; empty where only its cause is."""
    asked = spoken_in_turn(query.question, "judged")
    return asked[0] if asked else "" if _puzzled(query) else "fine"


def _puzzled(query: Query) -> bool:
    return bool(spoken("puzzled", query.question)) or Want.WHY_SLOWER in query.wants[:1]


def _standing(record: Record, path: str, claim: float) -> str:
    low, high = record.ends(path) or (0.0, 0.0)
    own = record.number(path) or claim
    if path == CLAIMS[Role.CLAIMED_HZ] and _WELL_ABOVE * own < claim <= high:
        return "hardly"
    far = not 1 / _FAR <= claim / own <= _FAR
    if low <= claim <= high:
        return "possible" if far else "plausible"
    return "near" if not far and low / _VERSIONS <= claim <= high * _VERSIONS else "off"


def _judged(record: Record, role: Role, claim: float, standing: str) -> str:
    """How it stands to the estimate, and by how much it differs."""
    if standing == "plausible":
        return standing
    own = record.number(CLAIMS[role]) or claim
    field, stated = f"{record.id}.{CLAIMS[role]}", f"{claim:.6g}{_UNITS[role]}"
    of_time = role in (Role.CLAIMED_MS, Role.CLAIMED_HZ)
    slower, much = (claim > own) != (role is Role.CLAIMED_HZ), f"{stated}/{field}"
    if claim < own:
        much = f"{field}/{stated}"
    than = ("slower" if slower else "faster") if of_time else ("more" if claim > own else "less")
    differs = f"{than} than I expect"
    match standing:
        case "near":
            by = f"{{{{{f'1-{stated}/{field}' if claim < own else f'{much}-1'}|%}}}}"
            return f"{by} {differs}, no more than two releases of one kernel library differ by"
        case "possible" | "hardly":
            return f"{{{{{much}|x}}}} {differs}, though inside the interval"
    return differs


def _with(record: Record, path: str) -> str:
    return f"{figure(record, path)} with {_library(record)}"


def _library(record: Record) -> str:
    return record.ref("deployment.runtime")


def _busy(query: Query, role: Role, claim: float) -> Answering:
    """The share of the peak that a rate comes to, beside one that a tool shows."""
    asked = query.has(Role.CLAIMED_PERCENT) or Want.UTILISATION in query.wants
    if role is not Role.CLAIMED_HZ or not asked:
        return ""
    roof = yield call_of("analyze_roofline", query)
    record = yield call_of("estimate_performance", query)
    if not roof.knows("compute_utilization") or not record.knows("inferences_per_second"):
        return ""
    share = f"{{{{{roof.id}.compute_utilization*{claim:.6g}fps/{record.id}.inferences_per_second|%}}}}"
    stated = said(query, Role.CLAIMED_PERCENT)
    beside = f"; a tool that shows *{stated}* may count the time that it is busy instead" if stated else ""
    could = roof.ref("compute_utilization", "%")
    return f"{said(query, role)} come to {share} of the peak, against {could} as estimated{beside}."


def _own_pace(query: Query) -> str:
    """Whether the user's own time is enough for the rate that they name."""
    time, rate = query.number(Role.CLAIMED_MS), query.number(Role.RATE_HZ)
    if not time or not rate:
        return ""
    word = "Yes, {} is short enough for {}." if 1e3 / time >= rate else "No, {} is too long for {}."
    return word.format(said(query, Role.CLAIMED_MS), said(query, Role.RATE_HZ))


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


_METER = re.compile(
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
