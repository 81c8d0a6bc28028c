"""What holds a model back: the roof, and the layers."""

from __future__ import annotations

from collections.abc import Generator

from ....tools.cost_model.performance_estimate import Bound, BoundDetail
from ....tools.roofline.roofline_report import bound_in_words
from ..bench import NOT_KNOWN, Answering, Call, Record, call_of, needed
from ..query import Query
from ..want import Want
from ..words import entries
from . import blamed
from .layers import heaviest, named, shares_of_kinds
from .phrases import joined
from .templates import put

_HEAVIEST, _FAR_FROM, _FULL = 3, 0.3, 0.5
"""Shares of a roof below which it is far, and from which on it is filled."""


def bound(query: Query) -> Answering:
    """The lower roof first, what really takes the time, the heaviest layers, what helps."""
    record = needed((yield call_of("analyze_roofline", query)))
    if record["bound"] == "unknown":
        return "of a bound that is not known"
    asked = bool(query.wants[:1]) and query.wants[0] in (Want.BOUND, Want.BOUND_CHANGE)
    first = judged(record, sides=(sides := blamed.asks_side(query)), times=asked)
    if asked and not sides and (verdict := blamed.of_bound(query, record)):
        first = f"{verdict} It is {first}"
    elif kinds := shares_of_kinds(record, query.question):
        first = f"{kinds}. It is {first}"
    if not asked:
        return first
    most = f"most goes to {joined(named(record, i) for i in heaviest(record)[:2])}"
    change = ""
    if record.knows("changes_at_batch"):
        change = put("; from batch {changes_at_batch} on it is {then}", record,
                     then=bound_in_words(Bound(record["changes_to"])))  # fmt: skip
    elif record["bound_detail"] in ("launch", "occupancy", "kernel efficiency"):
        change = put(
            "; no batch up to {largest_batch.batch} brings it under a roof"
            "[: it fills {largest_batch.memory_utilization|%} of the bandwidth there]", record,
        )  # fmt: skip
    if change and query.wants[0] is Want.BOUND_CHANGE:
        return f"{change.removeprefix('; ')}; at batch {record.ref('deployment.batch')} it is {first}"
    gains = yield from _gains(query)
    return f"{first}; {most}{change}{f'. What helps: {gains}' if gains else ''}"


def judged(record: Record, *, sides: bool = False, roofs: bool = False, times: bool = False) -> str:
    """What takes the time, with its share, what the roofline says of it.

    Args:
        sides: begin with the side of the ridge, which is asked after.
        roofs: say under which roof it lies, beside a page on both.
        times: with the times at both roofs where what binds is the lower of them, too.
    """
    roof = record["side"] or record["bound"]
    above = (record.number("arithmetic_intensity") or 0.0) >= (record.number("ridge_point") or 0.0)
    named = {
        "bound": bound_in(record),
        "takes": entries("takes_time")[str(record["bound_detail"] or record["bound"])],
        "share": record.ref(f"bound_shares.{record['bound']}", "%"), "ways": "above" if above else "below",
        "roof": "memory" if roof == "memory" else "arithmetic",
        "other": "arithmetic" if roof == "memory" else "memory",
        "filled": record.ref("memory_utilization" if roof == "memory" else "compute_utilization", "%"),
        "of": "bandwidth" if roof == "memory" else "peak",
    }  # fmt: skip
    lies = "{arithmetic_intensity} lie {ways} the ridge of {ridge_point}"
    lies += f", under the {'flat' if above else 'slanted'} roof" if roofs else ""
    floors = (
        "at the peaks the arithmetic takes {compute_utilization*latency_ms} and the data "
        "{memory_utilization*latency_ms}"
    )
    used = "it uses {compute_utilization|%} of the peak[ and {memory_utilization|%} of the bandwidth]"
    takes = "{takes} {share} of {latency_ms|~}"
    if record["side"] in (None, record["bound"]):
        floors = f"[; {floors}]" if times else ""
        return put(f"{{bound}}: {takes}[; {lies}][; {used}]{floors}", record, **named)
    if sides and record["bound"] == "overhead":
        first = (
            f"{{roof}} rather than {{other}}, though most of the time it waits for neither: {takes}; {lies}, "
            f"and only {{filled}} of the {{of}} is used[; {floors}]"
        )
        return put(first, record, **named)
    of_each = [record.number(f"{one}_utilization") or 0.0 for one in ("compute", "memory")]
    lower = f"by the roofline alone {{roof}} is the lower limit ({lies})"
    if max(of_each) < _FAR_FROM:
        beside = f"{lower}, but neither is near: {floors}"
    elif of_each[roof == "memory"] >= _FULL:
        beside = f"{lower}, and filled by {{filled}} as well: {floors}"
    else:
        beside = f"{lower}, of which {{filled}} is used: {floors}"
    return put(f"{{bound}}: {takes}[; {beside}]", record, **named)


def _gains(query: Query) -> Generator[Call, Record, str]:
    """The changes that save most of the time, numbered, each as simulated alone; empty without any."""
    record = yield call_of("simulate_optimizations", query, goal="latency", top=None)
    options = [
        option
        for option in record["options"] or ()
        if option["applicable"] and option["gain"].get("latency", 0) < 0
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


def why(query: Query) -> Answering:
    """Why it takes so long: what binds, the heaviest layer, and what runs beside the accelerator."""
    record = needed((yield call_of("analyze_roofline", query)))
    estimate = needed((yield call_of("estimate_performance", query)))
    beside = ""
    if estimate.number("accelerated_layers") and estimate.number("cpu_only_layers"):
        beside = f"; layers that the CPU runs beside the accelerator: {estimate.ref('cpu_only_layers')}"
    most = joined(
        f"{named(record, i)}, {estimate.ref(f'layers[{i}].macs', 'M')} MACs" for i in heaviest(record)
    )
    of = f"; of {{{{sum({estimate.id}.layers[*].macs)|M}}}} MACs most time goes to {most}" if most else ""
    told = judged(record, times=True)
    return f"it is {told}{of}{beside}" if told else f"its bound is {NOT_KNOWN}, as its time is not{beside}"
