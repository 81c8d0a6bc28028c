"""What Zephelin's profiler of networks logs on Zephyr, as CTF or as the JSON that its own converter makes.

Events as antmicro/zephelin docs/source/ctf_to_tef.md (commit 99b0799) lists them: of an operator its index in
its subgraph, its tag and what the arena holds; an inference's begin and end; die temperatures; interrupts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ....hardware_db.errors import InputError
from ...core.sanitize import clean_text
from ..recording import Recording, Span
from ..trace import Event, Trace, Unit
from ..trace_file import number
from .chrome import events as json_events
from .lanes import doing_of

_RUNTIMES = {"tflm": "tflm", "tvm": "microtvm"}
_INTERRUPTED = 0.02
"""Of the time of inferences, from which on interrupts within them are worth a word."""
_MOST_OPEN = 4096
_OWN = ("thread_id", "subgraph_idx", "op_idx", "id")
"""Fields that an event's begin and end have in common."""


class Happened(NamedTuple):
    """One event of a trace."""

    name: str
    ns: float
    fields: Mapping[str, Any]


class _Pair(NamedTuple):
    """What began and ended."""

    name: str
    begin: float
    end: float
    fields: Mapping[str, Any]


def read(lines: Sequence[str]) -> Recording | None:
    """Of the JSON of `west zpl-prepare-trace`; None where no inference of Zephelin is in it."""
    first = next((line.lstrip() for line in lines if line.strip()), "")
    if not first.startswith(("[", "{")) or not any('"zpl_inference"' in line for line in lines):
        return None
    found = [
        each
        for line, event in json_events(lines)
        if event.get("ph") in ("B", "E", "M") and (each := _of_json(event, line)) is not None
    ]
    return recorded("trace of Zephelin", found, ())


def _of_json(event: Mapping[str, Any], line: int) -> Happened | None:
    name, given = str(event.get("name", "")), event.get("args")
    fields = {"thread_id": event.get("tid")} | (given if isinstance(given, dict) else {})
    if event.get("ph") == "M":
        return Happened("zpl_die_temp_event", 0.0, fields) if name == "DIE_TEMP" else None
    end = "exit" if event["ph"] == "E" else "enter"
    if name.startswith("MODEL::"):
        name = "zpl_tvm" if "TVM" in str(fields.get("runtime", "")) else "zpl_tflm"
    return Happened(f"{name}_{end}", 1e3 * number(str(event.get("ts")), line), fields)


def recorded(form: str, found: Sequence[Happened], notes: tuple[str, ...]) -> Recording:
    """Operators where the network was logged; else everything that began and ended."""
    pairs, open_left = _pairs(found)
    warned = (f"{open_left} event{'s' if open_left > 1 else ''} began and never ended: left out",)
    warnings = warned if open_left else ()
    operators = [pair for pair in pairs if pair.name in ("zpl_tflm", "zpl_tvm")]
    facts = dict(_facts(found, operators))
    if not operators:
        spans = tuple(_spans(pairs, _threads(found)))
        if not spans:
            raise InputError(
                f"The {form} holds nothing that begins and ends.",
                hint="Trace with Zephelin's TFLM or microTVM profiler, or with its scopes.",
            )
        return Recording(
            form, Unit.NANOSECONDS, spans, facts=facts, notes=notes, warnings=warnings, lines=len(found)
        )
    runs = [pair for pair in pairs if pair.name == "zpl_inference"]
    trace = _trace(form, operators, runs)
    return Recording(
        form, Unit.NANOSECONDS, trace=trace, written_by=trace.written_by, facts=facts, notes=notes,
        warnings=(*warnings, *_interrupts(pairs, runs)), lines=len(found),
    )  # fmt: skip


def _pairs(found: Iterable[Happened]) -> tuple[list[_Pair], int]:
    """Of NAME_enter and NAME_exit, by thread and operator; and how many never ended."""
    begun: dict[tuple[str, tuple[int, ...]], list[Happened]] = {}
    pairs: list[_Pair] = []
    for event in found:
        name, _, end = event.name.removesuffix("_to_scheduler").rpartition("_")
        if end not in ("enter", "exit"):
            continue
        key = name, tuple([_small(event.fields.get(part)) for part in _OWN])
        if end == "enter" and len(waiting := begun.setdefault(key, [])) < _MOST_OPEN:
            waiting.append(event)
        elif end == "exit" and begun.get(key):
            start = begun[key].pop()
            if event.ns < start.ns:
                raise InputError(
                    f"{clean_text(name)!r} ends before it begins: time goes back.",
                    hint="Take the trace as it was recorded. Nothing of it was imported.",
                )
            pairs.append(_Pair(name, start.ns, event.ns, start.fields))
    pairs.sort(key=lambda pair: (pair.begin, -pair.end))
    return pairs, sum(map(len, begun.values()))


def _trace(form: str, operators: Sequence[_Pair], runs: Sequence[_Pair]) -> Trace:
    """A run ends where an operator comes that is not behind the last, or where an inference does."""
    segments: list[list[Event]] = [[]]
    last = (-1, -1)
    ends = [run.end for run in runs]
    reached = 0
    for pair in operators:
        graph, index = (_small(pair.fields.get(part)) for part in ("subgraph_idx", "op_idx"))
        beyond = reached < len(ends) and pair.begin >= ends[reached]
        while reached < len(ends) and pair.begin >= ends[reached]:
            reached += 1
        if segments[-1] and (beyond or (graph, index) <= last):
            segments.append([])
        last = (graph, index)
        tag = clean_text(str(pair.fields.get("tag", ""))).removeprefix("tvmgen_default_")
        layer = index if graph <= 0 and pair.name == "zpl_tflm" else None
        segments[-1].append(Event(tag, pair.end - pair.begin, layer=layer))
    kept = tuple(map(tuple, filter(None, segments)))
    totals = tuple(run.end - run.begin for run in runs)
    return Trace(
        form, Unit.NANOSECONDS, kept, fuses=operators[0].name == "zpl_tvm",
        totals=totals if len(totals) == len(kept) else (),
        written_by=_RUNTIMES[operators[0].name.removeprefix("zpl_")],
    )  # fmt: skip


def _small(value: Any) -> int:
    """Of what belongs together; 0 where it is missing or no number."""
    return value if isinstance(value, int) and 0 <= value < 1 << 64 else 0


def _interrupts(pairs: Sequence[_Pair], runs: Sequence[_Pair]) -> Iterator[str]:
    """An operator's time holds what interrupted it."""
    whole = sum(run.end - run.begin for run in runs)
    inside = 0.0
    at = 0
    for pair in pairs:
        if pair.name != "isr":
            continue
        while at < len(runs) and runs[at].end <= pair.begin:
            at += 1
        if at < len(runs):
            inside += max(0.0, min(pair.end, runs[at].end) - max(pair.begin, runs[at].begin))
    if whole and inside / whole > _INTERRUPTED:
        yield f"interrupts took {inside / whole:.1%} of the inferences, which is in the operators' times"


def _threads(found: Iterable[Happened]) -> dict[Any, str]:
    names = {}
    for event in found:
        if event.name.startswith("thread_") and isinstance(event.fields.get("thread_id"), int):
            names[event.fields["thread_id"]] = clean_text(str(event.fields.get("name", "")))
    return names


def _spans(pairs: Iterable[_Pair], threads: Mapping[Any, str]) -> Iterator[Span]:
    for pair in pairs:
        thread = pair.fields.get("thread_id")
        lane = threads.get(thread) or (f"thread {clean_text(str(thread), 20)}" if thread else "kernel")
        name = clean_text(str(pair.fields.get("scope_name", ""))) or clean_text(pair.name)
        yield Span(name, pair.begin, pair.end, lane, doing_of(lane, name))


def _facts(found: Iterable[Happened], operators: Iterable[_Pair]) -> Iterator[tuple[str, str]]:
    degrees = [
        float(each)
        for event in found
        if event.name == "zpl_die_temp_event" and isinstance(event.fields.get("die_temp"), list)
        for each in event.fields["die_temp"]
        if isinstance(each, (int, float)) and -60 < each < 200
    ]
    if degrees:
        yield "die temperature", f"{min(degrees):.3g} to {max(degrees):.3g} °C"
    arena = max((_whole(pair.fields.get("arena_used_bytes")) for pair in operators), default=0)
    if arena:
        yield "arena used", f"{arena:,} bytes"


def _whole(value: Any) -> int:
    return value if isinstance(value, int) and 0 <= value < 1 << 40 else 0
