"""What holds a model back: the roof, and the layers."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence

from ....tools.cost_model.performance_estimate import Bound, BoundDetail
from ....tools.roofline.roofline_report import bound_in_words
from ...quantities import Family, find_figures
from ..bench import Answering, Call, Record, call_of, needed
from ..query import Query
from ..want import Want
from ..words import entries
from . import blamed
from .peak_ram import peak, tensors
from .phrases import allowed, joined, model_shown
from .templates import put

_HEAVIEST = 3
_MOST_TENSORS = 12
_KINDS = entries("operator_kinds")
_KINDS_COMPARED = 2
_REMEDIES = {
    "memory": "a smaller type, fused layers, a larger batch, weights and arena in faster memory",
    "compute": "int8 and faster kernels, fewer MACs (width, input size, pruning), a higher clock",
    "overhead": "fewer and larger operators, a larger batch, kernels with less to set up",
}


def bound(query: Query) -> Answering:
    """The lower roof first, what really takes the time, the heaviest layers, what helps."""
    record = needed((yield call_of("analyze_roofline", query)))
    if record["bound"] not in _REMEDIES:
        return "of a bound that is not known"
    first = judged(record)
    asked = query.wants[:1] and query.wants[0] in (Want.BOUND, Want.BOUND_CHANGE)
    if asked and (verdict := blamed.of_bound(query, record)):
        first = f"{verdict} It is {first}"
    elif kinds := shares_of_kinds(record, query.question):
        first = f"{kinds}. It is {first}"
    if not asked:
        return first
    most = f"most goes to {joined(named(record, i) for i in heaviest(record)[:2])}"
    change = ""
    if record.knows("changes_at_batch"):
        then = bound_in_words(Bound(record["changes_to"]))
        change = f"; from batch {record.ref('changes_at_batch')} on it is {then}"
    elif record["largest_batch"] and record["bound_detail"] in ("launch", "occupancy", "kernel efficiency"):
        change = f"; no batch up to {record.ref('largest_batch.batch')} brings it under a roof"
        if record.knows("largest_batch.memory_utilization"):
            change += (
                f": it fills {record.ref('largest_batch.memory_utilization', '%')} of the bandwidth there"
            )
    if change and query.wants[0] is Want.BOUND_CHANGE:
        return f"{change.removeprefix('; ')}; now it is {first}; {most}"
    gains = yield from _gains(query)
    helps = gains or _REMEDIES[record["bound"]]
    return f"{first}; {most}{change}. What helps: {helps}"


def judged(record: Record) -> str:
    """What takes the time, and how that is known: its share, its intensity beside the ridge, what is used."""
    share = record.ref("bound_shares." + record["bound"], "%")
    first = f"{bound_in(record)}: {share} of {record.ref('latency_ms', '~')} go there"
    if record["side"] and record["side"] != record["bound"]:
        first = f"{record['side']}-bound by the roofline, but in fact {first}"
    above = (record.number("arithmetic_intensity") or 0.0) >= (record.number("ridge_point") or 0.0)
    roof = f"; {{arithmetic_intensity}} lie {'above' if above else 'below'} the ridge of {{ridge_point}}"
    used = "; it uses {compute_utilization|%} of the peak[ and {memory_utilization|%} of the bandwidth]"
    return first + put(roof, record) + put(used, record)


def _gains(query: Query) -> Generator[Call, Record, str]:
    """The changes that save most of the time, numbered, each as simulated alone; empty without any."""
    record = yield call_of("simulate_optimizations", query, goal="latency", top=None)
    options = [
        option
        for option in record["options"] or ()
        if option["applicable"] and option["gain"].get("latency", 0) < 0 and allowed(query, option["effort"])
    ]
    options.sort(key=lambda option: option["gain"]["latency"])
    return ", ".join(
        f"({place}) {option['technique']} ({option['effort']}) "
        f"{record.ref('options[' + option['technique'] + '].after.latency_ms')}"
        for place, option in enumerate(options[:_HEAVIEST], start=1)
    )


def bound_in(record: Record) -> str:
    detail = record["bound_detail"]
    return bound_in_words(Bound(record["bound"]), None if detail is None else BoundDetail(detail))


def shares_of_kinds(record: Record, question: str) -> str:
    """Of the kinds of operators that a question compares, what each takes of the time, the most first."""
    shares: dict[str, float] = record["op_shares"] or {}
    found: dict[str, list[str]] = {}
    for word in dict.fromkeys(re.findall(r"[a-z]+", question.casefold())):
        named = (*_KINDS.get(word.removesuffix("s"), ()), word.upper())
        if ops := [op for op in shares if op in named]:
            found[word] = ops
    if len(found) < _KINDS_COMPARED:
        return ""
    order = sorted(found, key=lambda word: -sum(shares[op] for op in found[word]))
    said = [
        f"{word} takes {{{{{'+'.join(f'{record.id}.op_shares.{op}' for op in found[word])}|%}}}}"
        for word in order
    ]
    return f"{joined(said)} of {record.ref('latency_ms', '~')}"


def heaviest(record: Record, op: str = "") -> Sequence[int]:
    rows = [row for row in record["layers"] if op in row["op"].lower()]
    return [row["index"] for row in sorted(rows, key=lambda row: -(row["latency_ms"] or 0))[:_HEAVIEST]]


def named(record: Record, index: int) -> str:
    path = f"layers[{index}]"
    return f"layer {index} ({record.ref(path + '.op')}, {record.ref(path + '.share', '%')})"


def layers(query: Query) -> Answering:
    """The heaviest layers with their shares; those of one kind together where the question names it.

    Where the RAM is asked for and the time is not, the layer at its peak, and what is alive there.
    """
    if Want.RAM in query.wants and not {Want.LATENCY, Want.BOUND} & set(query.wants[:2]):
        plan = needed((yield call_of("plan_memory", query)))
        if plan["peak_layer"]:
            makes = f"{peak(plan)} makes the peak of RAM, {plan.ref('arena')} of arena"
            counted = [int(f.value) for f in find_figures(query.question) if f.family is Family.COUNT]
            wanted = next((count for count in counted if 1 < count <= _MOST_TENSORS), _HEAVIEST)
            return f"{makes}; the largest tensors: {tensors(plan, 'tensors', wanted)}"
    record = needed((yield call_of("analyze_roofline", query)))
    if kinds := shares_of_kinds(record, query.question):
        return kinds
    op = "depthwise" if "depthwise" in query.asks else "conv" if "convolution" in query.asks else ""
    heavy = heaviest(record, op)
    if not heavy:
        return f"{model_shown(query)} has no {op} layer"
    top = f"layers[{heavy[0]}]"
    first = (
        f"layer {heavy[0]} ({record.ref(top + '.op')}) takes {record.ref(top + '.latency_ms')}, "
        f"{record.ref(top + '.share', '%')} of {record.ref('latency_ms', '~')}, "
        f"bound by {record.ref(top + '.bound')}"
    )
    if op:
        numbers = ",".join(str(row["index"]) for row in record["layers"] if op in row["op"].lower())
        share = f"{{{{sum({record.id}.layers[{numbers}].share)|%}}}}"
        kind = {"conv": "convolutional"}.get(op, op)
        blames = blamed.of_bound(query, record).rstrip(".") if op == "depthwise" else ""
        first = f"{blames or f'its {kind} layers take {share} of the time together'}; {first}"
    kinds = joined(named(record, i) for i in heavy[1:])
    return f"{first}{', then ' + kinds if kinds else ''}"


def why(query: Query) -> Answering:
    """Why it takes so long: what binds, the heaviest layer, and what runs beside the accelerator."""
    record = needed((yield call_of("analyze_roofline", query)))
    estimate = needed((yield call_of("estimate_performance", query)))
    heavy = heaviest(record)
    beside = ""
    if estimate.number("accelerated_layers") and estimate.number("cpu_only_layers"):
        beside = f"; layers that the CPU runs beside the accelerator: {estimate.ref('cpu_only_layers')}"
    most = joined(f"{named(record, i)}, {estimate.ref(f'layers[{i}].macs', 'M')} MACs" for i in heavy)
    told = f": of {{{{sum({estimate.id}.layers[*].macs)|M}}}} MACs most time goes to {most}" if most else ""
    reached = ""
    if record.knows("compute_utilization", "peak_gops"):
        share = record.ref("compute_utilization", "%")
        reached = f"; these kernels reach {share} of the {record.ref('peak_gops')} that it could compute"
    return f"it is {bound_in(record)}{told}{reached}{beside}"
