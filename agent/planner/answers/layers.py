"""Which layers take most of the time and of the RAM, alone and by the kind of operator."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ...quantities import Family
from ..bench import Answering, Record, call_of, needed
from ..query import Query, Role
from ..want import Want
from ..words import entries, patterns
from .phrases import joined, model_shown
from .templates import put

_SAYS = patterns("made_of")
_KINDS = entries("operator_kinds")
_HEAVIEST, _MOST = 3, 12
_LISTED = r"\btop {0}\b|\b{0} (?:\w+ )?(?:layer|operator|op|tensor)s\b"


def layers(query: Query) -> Answering:
    """The heaviest layers with their shares; those of one kind together where the question names it.

    Of RAM, the one that makes the peak.
    """
    if is_of_memory(query):
        plan = needed((yield call_of("plan_memory", query)))
        if told := held_at_peak(plan):
            return told
    record = needed((yield call_of("analyze_roofline", query)))
    kinds = shares_of_kinds(record, query.question)
    count = how_many(query)
    heavy = heaviest(record, count or _HEAVIEST)
    if not heavy:
        return f"{model_shown(query)} has no layer that takes time"
    top = f"layers[{heavy[0]}]"
    lead = f"the top {count}: " if count else ""
    first = put(
        f"{lead}layer {heavy[0]} ({{{top}.op}}) takes {{{top}.latency_ms}}, {{{top}.share|%}} of "
        f"{{latency_ms|~}}, bound by {{{top}.bound}}", record,
    )  # fmt: skip
    others = joined(named(record, i) for i in heavy[1:])
    return f"{f'{kinds}; ' if kinds else ''}{first}{', then ' + others if others else ''}"


def how_many(query: Query) -> int:
    """Layers or tensors that are asked for: the top 5, which 3 layers; 0 where no number is said."""
    figures = (f for f in query.figures if f.family is Family.COUNT)
    counted = [int(f.value) for f in figures if re.search(_LISTED.format(f.text), query.question, re.I)]
    return next((count for count in counted if 1 < count <= _MOST), 0)


def peak(plan: Record) -> str:
    return f"layer {plan.ref('peak_layer.index')} ({plan.ref('peak_layer.op')})"


def held_at_peak(plan: Record) -> str:
    """Where the arena peaks, which tensors live at once there, and what no smaller tensor takes away."""
    index = plan.number("peak_layer.index")
    if index is None:
        return ""
    rows = [f"peak_tensors[#{i}]" for i in range(min(len(plan["peak_tensors"] or ()), _LARGEST))]
    each = joined(f"{plan.ref(f'{path}.bytes')} {tensors(plan, path)}" for path in rows)
    live = f"timeline[{index:g}].live_bytes"
    held = f", where {plan.ref(live)} live at once" if plan.knows(live) else ""
    lasting = "arena_persistent_bytes"
    stays = f"; {plan.ref(lasting)} beside them last for the whole run" if plan.number(lasting) else ""
    return f"the peak is {peak(plan)}{held}{f': {each}' if each else ''}{stays}"


_LARGEST = 3


def is_of_memory(query: Query) -> bool:
    """Whether it is the RAM that layers are asked about."""
    wants = [want for want in query.wants if want in (Want.RAM, Want.LATENCY, Want.THROUGHPUT)]
    timed = query.has(Role.LATENCY_MS, Role.RATE_HZ)
    return wants[:1] == [Want.RAM] or (not wants and query.has(Role.RAM_BYTES) and not timed)


def tensors(plan: Record, path: str) -> str:
    """Which layer writes a tensor of the plan, and how long it lives."""
    if not plan.knows(f"{path}.tensor"):
        return "of scratch"
    first, last = plan.ref(f"{path}.first_op"), plan.ref(f"{path}.last_op")
    step = f"timeline[{plan.number(f'{path}.first_op'):g}].op"
    return f"of layer {first}{f' ({plan.ref(step)})' if plan.knows(step) else ''} until layer {last}"


def heaviest(record: Record, most: int = _HEAVIEST) -> Sequence[int]:
    rows = sorted(record["layers"] or (), key=lambda row: -(row["latency_ms"] or 0))
    return [row["index"] for row in rows[:most]]


def named(record: Record, index: int) -> str:
    path = f"layers[{index}]"
    return f"layer {index} ({record.ref(path + '.op')}, {record.ref(path + '.share', '%')})"


def share_of(record: Record, ops: Iterable[str]) -> str:
    """What kinds of operators take of the time together."""
    return f"{{{{{'+'.join(f'{record.id}.op_shares.{op}' for op in ops)}|%}}}}"


def shares_of_kinds(record: Record, question: str) -> str:
    """Of the kinds of operators that a question names, what each takes of the time, the most first.

    Of `non-convolution`, or of all but convolutions, what the others take.
    """
    shares: dict[str, float] = record["op_shares"] or {}
    whole, found = record.ref("latency_ms", "~"), dict[str, list[str]]()
    for word in re.finditer(r"[a-z]+", question.casefold()):
        name = word[0].removesuffix("s")
        ops = [op for op in shares if op in (*_KINDS.get(name, ()), word[0].upper())]
        others = sorted((op for op in shares if op not in ops), key=lambda op: -shares[op])
        if ops and others and _SAYS["others"].search(question[: word.start()]):
            most = joined(f"{op} {share_of(record, [op])}" for op in others[:_HEAVIEST])
            of = f"others than {name} ({joined(ops)})"
            return f"{share_of(record, others)} of {whole} go to {of}, most of it {most}"
        found |= {name: ops} if ops else {}
    if len(found) < 2 and not _SAYS["share"].search(question):
        return ""
    order = sorted(found, key=lambda name: -sum(shares[op] for op in found[name]))
    said = joined(f"{name} takes {share_of(record, found[name])}" for name in order)
    return f"{said} of {whole}" if said else ""
