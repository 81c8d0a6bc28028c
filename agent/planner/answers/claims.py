"""Whether what somebody claims or measured can be: their figure against what is estimated there."""

from __future__ import annotations

from collections.abc import Sequence

from ..bench import PLAIN, Answering, Record, call_of, needed
from ..query import Query, Role
from ..want import Want
from ..words import spoken
from . import peaks
from .phrases import apart, figure, joined, lines, said, sentence, subject

_MOST_KERNELS = 4
_WELL_ABOVE = 1.33
"""Times the estimate: a rate beyond that is less likely reached than not."""
_NEARLY = 0.97
"""A size that is stated is rounded."""
CLAIMS = {
    Role.CLAIMED_MS: "latency_ms", Role.CLAIMED_HZ: "inferences_per_second", Role.CLAIMED_UJ: "energy_uj",
    Role.CLAIMED_MW: "power_mw",
}  # fmt: skip
CHECK = (
    "Check the kernels that are linked (reference ones instead of optimised), the clock as it is set, "
    "caches, the build (-O2 or higher, no debug), the first run left out and what else is timed."
)
_CHECK_FAST = (
    "So fast, check that file, input size and type are the same, the clock as set, that the timer spans "
    "the whole inference in the unit that you think, and that the outputs are right."
)


def plausible(query: Query) -> Answering:
    """The user's own figure against the interval of every kernel library that may be running."""
    role = next((role for role in CLAIMS if query.has(role)), None)
    if role is None:
        return (yield from _other_claim(query))
    path, claim, words = CLAIMS[role], query.number(role) or 0.0, said(query, role)
    found: list[Record] = []
    named, offered = query.all(Role.RUNTIME), _kernels(query, query.text(Role.TARGET))
    plain = named == (PLAIN,)
    for runtime in dict.fromkeys((*named, *(offered[:1] if plain else () if named else offered))):
        record = yield call_of("estimate_performance", query, runtime=runtime)
        if record.knows(path):
            found.append(record)
    if not found:
        return f"I have no estimate to hold {words} against: no {path.partition('_')[0]} is known there."
    inside = [record for record in found[: 1 if plain else None] if _holds(record, path, claim)]
    best = next(iter(inside), found[0])
    above, usual = claim > (best.number(path) or 0.0), found[0]
    word = "Yes" if inside else "No"
    than = "plausible" if inside else f"{'more' if above else 'less'} than I expect"
    if role is Role.CLAIMED_HZ and inside and claim > _WELL_ABOVE * (best.number(path) or 0.0):
        word, than = "Probably not", "more than I expect, though inside the interval"
    if role is Role.CLAIMED_MS and not inside:
        than = f"{'slower' if above else 'faster'} than I expect"
    shown = f"{figure(best, path)} with {best.ref('deployment.runtime')}"
    rest = [r for r in found if r is not best and not (inside and r is usual)]
    others = [f"{r.ref(path, '~')} with {r.ref('deployment.runtime')}" for r in rest][:2]
    about = subject(query.without([Role.RUNTIME]), best)
    first = f"{word}, {words} is {than}: I estimate {shown}, for {about}."
    if inside and best is not usual:
        than = f"{'more' if claim > (usual.number(path) or 0.0) else 'less'} than I expect"
        first = (
            f"{words} is {than} with {usual.ref('deployment.runtime')}, the usual one there: "
            f"{figure(usual, path)}; with {best.ref('deployment.runtime')} it is plausible: "
            f"{figure(best, path)}, for {about}."
        )
    slower = above == (role is not Role.CLAIMED_HZ)
    far = not 1 / _FAR <= claim / (usual.number(path) or claim) <= _FAR
    puzzled = spoken("puzzled", query.question) or Want.WHY_SLOWER in query.wants
    doubted = (not inside or (far and puzzled)) and not peaks.asks(query)
    fast = _CHECK_FAST if role in (Role.CLAIMED_MS, Role.CLAIMED_HZ) else _TOO_LITTLE
    check = CHECK if slower or inside else fast
    if plain and not inside and any(_holds(record, path, claim) for record in rest):
        check = (
            f"That is what {rest[0].ref('deployment.runtime')} takes: check whether it is linked after all."
        )
    return lines(
        " ".join(filter(None, [_own_pace(query), first])),
        (yield from peaks.behind(query)) if peaks.asks(query) else "",
        sentence(f"{'optimised' if plain else 'others'}: {joined(others)}") if others else "",
        check if doubted else "",
    )


_TOO_LITTLE = (
    "Check whether the figure is of one whole inference, what else it leaves out (memory, "
    "supply, sensor), at which voltage and clock it was taken, and on which network."
)
_FAR = 1.5
"""Times the estimate from which on a figure inside the interval is doubtful where its cause is asked for."""


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
            return (
                f"I estimate {roof.ref('compute_utilization', '%')} of the peak, against {words}: "
                f"{subject(query, roof)}, "
                f"at {figure(roof, 'latency_ms')}."
            )
    estimate = needed((yield call_of("estimate_performance", query)))
    if peaks.asks(query):
        first = f"Not by the peak alone: {figure(estimate, 'latency_ms')}: {subject(query, estimate)}."
        return lines(first, (yield from peaks.behind(query)))
    near = estimate.ref("measured.note") if estimate["measured"] else estimate.ref("stands_on[#0]")
    return lines(f"{figure(estimate, 'latency_ms')}: {subject(query, estimate)}.", f"Behind it: {near}.")


def _of_a_size(query: Query, plan: Record) -> str:
    """Bytes of the arena or, where flash is spoken of, of the program with its weights."""
    claim, words = query.number(Role.CLAIMED_BYTES) or 0.0, said(query, Role.CLAIMED_BYTES)
    of = "flash" if query.text(Role.GOAL) == "flash" else "arena"
    low, high = plan.ends(of) or (0.0, 0.0)
    word, than = "Yes", "plausible"
    if not low * _NEARLY <= claim <= high / _NEARLY:
        word, than = "No", f"{'more' if claim > high else 'less'} than I compute"
    weights = f", {plan.ref('parameter_bytes', 'KiB')} of it weights"
    return lines(
        f"{word}, {words} of {of} is {than}: {figure(plan, of, 'KiB')}{weights if of == 'flash' else ''}: "
        f"{subject(query, plan)}.",
        "What is reserved may be larger than what is used." if claim > high and of == "arena" else "",
    )
