"""One model on one target: everything that is wanted of the two, the main thing first."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from functools import wraps

from ...names import Kind
from ...patterns import compiled
from ..bench import Answering, Call, Frame, Record, call_of, needed
from ..query import LIMITS, Query, Role
from ..want import Want
from ..words import patterns, spoken
from . import claims, facts, in_batches, judging, on_chip, on_npu, peaks, suspects
from .clauses import CLAUSES
from .phrases import ask_model, figure, joined, lines, model_shown, sentence, subject
from .templates import put

_JUDGED = frozenset((Want.FITS, Want.MEETS))
_QUICK = frozenset((Want.LATENCY, Want.THROUGHPUT))
"""Said before whether it fits, where that was asked first and it does."""
_OF_TIME = _QUICK | {Want.ENERGY, Want.CYCLES}
_OF_A_RUN = _OF_TIME | {Want.POWER, Want.BATTERY_LIFE}
_ASKED = frozenset((*CLAUSES, *_JUDGED, Want.PLAUSIBLE, Want.BOUND_CHANGE))
_WHY = frozenset(
    (Want.PLACEMENT, Want.BOUND, Want.LAYERS, Want.WHY_SLOWER, Want.EVIDENCE, Want.INTERVAL, Want.INTENSITY)
)
_IN_A_VERDICT = {Want.LATENCY: Role.LATENCY_MS, Want.THROUGHPUT: Role.RATE_HZ, Want.ENERGY: Role.ENERGY_UJ,
                 Want.POWER: Role.POWER_MW}  # fmt: skip
"""What a verdict on such a limit says already."""
_CLAIMED = frozenset((Want.LATENCY, Want.THROUGHPUT, Want.ENERGY, Want.POWER, Want.WHY_SLOWER))
"""What a judged claim says already."""
ON_MICROCONTROLLERS, _FOR_INSTANCE_LARGE = (
    ("nrf52840", "stm32h743zi"),
    ("raspberry-pi-5", "jetson-orin-nano-8gb"),
)
"""Boards to answer for where none is named: what fits a microcontroller, and the rest."""
_SMALL_BYTES = 1 << 20


def deployment(query: Query, wants: Sequence[Want]) -> Answering:
    """A clause for each thing wanted; a yes or no first where one is asked for, or a limit is named."""
    if not query.has(Role.MODEL):
        return (yield from _without_model(query, wants))
    if not query.has(Role.TARGET):
        return (yield from _without_target(query, wants))
    first, *_ = wants = on_npu.first(query, _completed(query, wants))
    query, lacking, against_one = yield from _deployed(query, wants)
    parts, fits, without = list[str](), "", ""
    judged = judging.limits_said(query, wants)
    asks_verdict = bool(_JUDGED & set(wants)) or any(query.says(role) for role in judged)
    if judged and Want.PLAUSIBLE in wants and not query.has(*claims.CLAIMS, Role.CLAIMED_BYTES):
        wants = [want for want in wants if want is not Want.PLAUSIBLE] or [Want.MEETS]
    if Want.PLAUSIBLE in wants:
        query = yield from claims.in_its_framework(query)
        parts += yield from _claimed(query)
    unsaid = not set(query.wants) & _ASKED and not judged and not parts
    if asks_verdict:
        said, without = yield from on_npu.left_out(query, (yield from judging.verdict(query, wants)))
        covered = {want for want, role in _IN_A_VERDICT.items() if role in judged}
        wants = [want for want in wants if want not in covered | {Want.RAM, Want.FLASH} | _JUDGED]
        if wants[:1] and wants[0] in _WHY and said.startswith("Yes") and not _JUDGED & set(query.wants):
            label, clause = CLAUSES[wants.pop(0)]
            parts.append(sentence(label + (yield from clause(query))))
        if first in _QUICK and first in wants and not judged and said.startswith("Yes"):
            fits = f"It fits: {said.partition(': ')[2]}"
        elif _goes_last(said, first):
            fits = said
        else:
            parts.append(said)
        if not covered & {Want.LATENCY, Want.THROUGHPUT} and not wants:
            wants = [Want.LATENCY]
    if query.has(Role.CLAIMED_GOPS) and Want.PLAUSIBLE not in wants:
        parts.append((yield from peaks.behind(query)))
    of_memory = not parts and set(wants) <= {Want.RAM, Want.FLASH, Want.PLACEMENT}
    record = needed((yield call_of("plan_memory" if of_memory else "estimate_performance", query)))
    where, seen = subject(query, record), set[str]()
    felt, wants = judging.felt(query, wants, record, where, parts)
    parts += felt
    for want in wants:
        if want not in CLAUSES:
            continue
        label, clause = CLAUSES[want]
        text = yield from clause(query)
        if not parts:
            head, _, rest = text.partition("; ")
            head = (
                head[:1].upper() + head[1:]
                if head.startswith(("no, ", "none ", "no battery", "yes, ", "probably ", "not sure "))
                else head
            )
            parts += [f"{head}: {where}.", sentence(rest)]
        elif text not in seen:
            parts.append(sentence(f"{label}{text}"))
        seen.add(text)
    fits = fits or (yield from _fit(query, record, whole=unsaid, judged=asks_verdict or bool(judged)))
    parts, fits = yield from _whether(query, parts, fits, asked=first in _QUICK and not judged)
    spill = yield from on_chip.spilled(query, asked=_asks_room(query))
    return lines(
        cached := on_chip.of_cache(query, spill),
        lacking,
        "" if of_memory else (yield from on_npu.nothing_on_it(query, record)),
        *_paragraphs([*(part.replace("Yes, ", "As a whole ") if cached else part for part in parts), fits]),
        against_one,
        without,
        "" if cached else spill,
        "" if query.has(*claims.CLAIMS) else suspects.over_usb_2(query),
        _too_wide(record),
        _of_single_runs(query, record),
        _of_the_rest(query, record) if judged else "",
        (yield from _on_one_core(query, record)) if judged or _QUICK & set(wants) else "",
        "" if of_memory else (yield from _with_other_kernels(query, record)),
    )


def _goes_last(said: str, first: Want) -> bool:
    """Whether a verdict stands behind what was asked: a life that is no refusal, an energy that is met."""
    return said.startswith("Yes") if first is Want.ENERGY else first is Want.BATTERY_LIFE and said[:2] != "No"


def _deployed(query: Query, wants: Sequence[Want]) -> Generator[Call, Record, tuple[Query, str, str]]:
    """On the cores that run it, in the batch that a rate takes, and a word on each."""
    query, against_one = yield from _in_batches(query, wants)
    query, lacking = (yield from on_npu.on_what_runs(query)) if set(wants) <= _OF_A_RUN else (query, "")
    there = f"It does not run there as it is: {lacking}; this is with {query.text(Role.RUNTIME)}."
    return query, there if lacking else "", against_one


def _in_batches(query: Query, wants: Sequence[Want]) -> Generator[Call, Record, tuple[Query, str]]:
    """With the batch that a rate takes, how long a result waits for it, and what one at a time does."""
    rated = Role.RATE_HZ in judging.limits_said(query, wants) and Want.PLAUSIBLE not in wants
    served = (yield from in_batches.batched(query)) if rated else query
    if served is query:
        return query, ""
    query = served
    wait = yield from in_batches.waits(query)
    shared = yield in_batches.workload(query)
    together = f"{shared.ref('devices_needed', 'count')} of them together do it" if not wait else ""
    waits = f"a result takes up to {wait}, filling and computing its batch" if wait else together
    one = yield call_of("estimate_performance", query, batch=1)
    return query, sentence(f"{waits}; one at a time it does {one.ref('inferences_per_second', 'fps~')}")


def _claimed(query: Query) -> Generator[Call, Record, list[str]]:
    """What is claimed against the estimate; first that it does not fit there, if it does not."""
    unfit = (yield from judging.unfit(query)).replace("But it", "As I plan it, it", 1)
    return [unfit] * bool(unfit) + [(yield from claims.plausible(query))]


def _fit(query: Query, record: Record, *, whole: bool, judged: bool) -> Answering:
    """Whether it fits and what it takes, where nothing was asked; that it does not, of a time."""
    if whole:
        told = yield from judging.fit(query)
        return told + put(" Energy {energy_uj|~}.", record) if told else ""
    timed = _OF_TIME & set(query.wants) and record.knows("latency_ms")
    return (yield from judging.unfit(query)) if timed and not judged else ""


def _whether(
    query: Query, parts: list[str], fits: str, *, asked: bool
) -> Generator[Call, Record, tuple[list[str], str]]:
    """With a yes or no before a time, where it is asked whether it goes at all, and what that rests on."""
    if not asked or not parts or not _asks_whether(query):
        return parts, fits
    told = fits or (yield from judging.fit(query.without(LIMITS)))
    if told.startswith("It fits"):
        return [f"Yes: {parts[0]}", *parts[1:]], told
    if not told.startswith("But it"):
        return parts, fits
    timed = [f"Computing alone: {parts[0]}"] if "checks[operators]" not in told else []
    return [told.replace("But it", "No, it", 1), *timed, *parts[1:]], ""


_THINGS = patterns("whether")


def _asks_whether(query: Query) -> bool:
    """Whether it is asked if it goes at all, and not how fast alone."""
    for said in compiled(r"[.?!;,]+(?=\s|$)").split(query.question):
        found = _THINGS["asked"].search(said)
        if found and not _THINGS["how"].search(said, 0, found.start()):
            return True
    return False


def _asks_room(query: Query) -> bool:
    return bool({Want.FITS, Want.MEETS} & set(query.wants)) or "parameters" in query.asks


def _too_wide(record: Record) -> str:
    """That the figure is no estimate, and what would make it one."""
    said = record["warnings"] if record.knows("warnings") else ()
    at = next((at for at, warning in enumerate(said) if "is unknown, between" in warning), None)
    return "" if at is None else f"Mind: {record.ref(f'warnings[#{at}]')}."


def _of_single_runs(query: Query, record: Record) -> str:
    """A percentile is of single runs, and an interval of their mean."""
    if not spoken("percentile", query.question) or not record.knows("latency_ms"):
        return ""
    low, high = (record.ref(f"latency_ms.{end}", "ms") for end in ("low", "high"))
    return (
        "The slowest runs, such as p99, are not known: no source tells how single runs spread. Their mean "
        f"lies between {low} and {high}; time some thousand runs under your load, waiting included."
    )


def _of_the_rest(query: Query, record: Record) -> str:
    """Of several networks at a rate, those that are not known: the time that is left for them."""
    strange = joined(dict.fromkeys(name.text for name in query.unknown if name.kind is Kind.MODEL))
    rate = query.number(Role.RATE_HZ)
    if not strange or not rate or not record.number("at_once_per_second"):
        return ""
    left = f"{{{{({record.id}.at_once_per_second-{rate:.9g}fps)/{record.id}.at_once_per_second|%}}}}"
    alone = f"That is {model_shown(query)} alone. I do not know {strange}"
    if (record.number("at_once_per_second") or 0.0) <= rate:
        return f"{alone}; no time is left for it."
    return f"{alone}; it leaves {left} of the time for the rest."


def _on_one_core(query: Query, record: Record) -> Generator[Call, Record, str]:
    """The same with one thread, where all cores were taken for want of a number."""
    if query.has(Role.THREADS) or (record.number("deployment.threads") or 1) < 2:
        return ""
    one = yield call_of("estimate_performance", query, threads=1)
    if not one.knows("latency_ms"):
        return ""
    return f"With one thread: {one.ref('latency_ms', '~')}, {one.ref('inferences_per_second', 'fps')}."


def _with_other_kernels(query: Query, record: Record) -> Generator[Call, Record, str]:
    """What the target does with other kernels, where the time with those taken is not known."""
    found = query.targets.get(query.text(Role.TARGET))
    if found is None or record.knows("latency_ms") or record.number("latency_ms"):
        return ""
    taken = str(record["deployment"]["runtime"])
    for name in found.runtimes:
        other = yield call_of("estimate_performance", query.without([Role.DTYPE]).put(Role.RUNTIME, name))
        if name != taken and other.result is not None and other.knows("latency_ms"):
            return f"Nearest: {other.ref('latency_ms', '~')} with {name}, {other.ref('dtype')}."
    return ""


def _paragraphs(parts: Sequence[str]) -> list[str]:
    """The first sentence, and the rest behind it."""
    return [parts[0], " ".join(filter(None, parts[1:]))] if parts else []


def _completed(query: Query, wants: Sequence[Want]) -> list[Want]:
    """What is wanted, made definite: nothing said is the time and the fit."""
    own = list(dict.fromkeys(wants))
    doubted = Want.INTERVAL in own
    if query.has(*claims.CLAIMS, Role.CLAIMED_BYTES) and Want.PLAUSIBLE not in own and not doubted:
        own.insert(0, Want.PLAUSIBLE)
    if Want.PLAUSIBLE in own and own[0] is not Want.PLAUSIBLE and query.has(*claims.CLAIMS):
        own.remove(Want.PLAUSIBLE)
        own.insert(0, Want.PLAUSIBLE)
    if Want.PLAUSIBLE in own and (query.has(*claims.CLAIMS) or peaks.asks(query)):
        own = [
            want
            for want in own
            if want not in _CLAIMED and not (want is Want.UTILISATION and peaks.asks(query))
        ]
    if Want.LATENCY in own and Want.THROUGHPUT in own:
        own.remove(Want.LATENCY)
    if Want.INTERVAL in own and Want.EVIDENCE in own:
        own.remove(max(Want.EVIDENCE, Want.INTERVAL, key=own.index))
    if not set(own) & ({Want.PLAUSIBLE} | _JUDGED | set(CLAUSES)):
        return [Want.THROUGHPUT]
    if set(own) == {Want.MEETS} and not judging.limits_said(query, own):
        return [Want.FITS, Want.THROUGHPUT]
    return own


def _without_model(query: Query, wants: Sequence[Want]) -> Answering:
    """What a chip alone tells, and the question for the network."""
    if query.has(Role.TARGET):
        said = yield from facts.chip(query, wants)
        return ask_model(said)
    yield from ()
    return ask_model()


def _without_target(query: Query, wants: Sequence[Want]) -> Answering:
    """RAM and flash against the user's own, else the answer for boards that stand for others."""
    if query.has(Role.RAM_BYTES, Role.FLASH_BYTES):
        return (yield from judging.anywhere(query))
    if wants and not set(wants) - {Want.RAM, Want.FLASH} - {Want.FITS}:
        plain = query.put(Role.TARGET, judging.ANY_TARGET).put(Role.RUNTIME, judging.ANY_RUNTIME)
        plan = needed((yield call_of("plan_memory", plain)))
        return lines(
            f"{figure(plan, 'arena')}, of RAM for the arena, and "
            f"{figure(plan, 'flash', basis=False)} of flash: "
            f"{model_shown(query)} with {plan.ref('deployment.runtime')}, whatever the board. Which "
            f"board do you have?"
        )
    if query.has(Role.CLAIMED_GOPS):
        return (yield from peaks.of_a_peak(query))
    boards = yield from stand_ins(query)
    first = yield from deployment(query.put(Role.TARGET, boards[0]), wants)
    other = ""
    if {Want.LATENCY, Want.THROUGHPUT} & set(wants) or not wants:
        record = yield call_of("estimate_performance", query, target=boards[1])
        found = query.targets.get(boards[1])
        other = f"On {found.name if found else boards[1]} it takes {record.ref('latency_ms', '~')}."
    return lines(first, other, STAND_IN)


STAND_IN = "You named no board, so this one stands for others: which is yours?"


def stand_ins(query: Query) -> Generator[Call, Record, tuple[str, str]]:
    """Two boards to answer for where none is named, as the size of the network suggests."""
    plan = yield call_of("plan_memory", query, target=judging.ANY_TARGET, runtime=judging.ANY_RUNTIME)
    arena, flash = plan.number("arena_bytes"), plan.number("flash_bytes")
    small = arena is not None and arena < _SMALL_BYTES and (flash or 0) < 2 * _SMALL_BYTES
    return ON_MICROCONTROLLERS if small else _FOR_INSTANCE_LARGE


def of_a_case(in_general: str = "") -> Callable[[Frame], Frame]:
    """A frame that asks for the network where none is named, and answers of a stand-in where no board is.

    Args:
        in_general: what can be said without a network.
    """

    def of(frame: Frame) -> Frame:
        @wraps(frame)
        def answered(query: Query, wants: Sequence[Want]) -> Answering:
            if not query.has(Role.MODEL):
                return ask_model(in_general)
            if query.has(Role.TARGET):
                return (yield from frame(query, wants))
            boards = yield from stand_ins(query)
            return lines((yield from frame(query.put(Role.TARGET, boards[0]), wants)), STAND_IN)

        return answered

    return of
