"""What is known of one model on one target: a clause for each thing that can be wanted."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ..bench import NOT_KNOWN, Answering, Record, call_of, needed
from ..query import Query, Role
from ..want import Want
from . import bounds, energies, trust
from .phrases import batch_of, calculated, figure, joined, said

Clause: TypeAlias = Callable[[Query], Answering]


def latency(query: Query) -> Answering:
    record = needed((yield call_of("estimate_performance", query)))
    batch = query.number(Role.BATCH) or 1
    parts = [figure(record, "latency_ms")]
    if batch > 1:
        parts = [f"{figure(record, 'latency_ms')}, a batch", f"{record.ref('per_image_ms', '~')} an image"]
    if (runs := query.number(Role.RUNS)) and runs > 1 and record.knows("latency_ms"):
        parts.append(f"{{{{{runs:g}*{record.id}.latency_ms}}}} for {said(query, Role.RUNS)}")
    return ", ".join(parts) + _with_share(query, record)


def throughput(query: Query) -> Answering:
    record = needed((yield call_of("estimate_performance", query)))
    unit = "images/s" if (query.number(Role.BATCH) or 1) > 1 else "fps"
    shown = f"{figure(record, 'inferences_per_second', unit)}"
    hours = (
        f", {calculated('{}*1h', 'count', record, 'inferences_per_second')} an hour"
        if query.has(Role.RUNS)
        else ""
    )
    together = ""
    if (cards := query.number(Role.CARDS)) and cards > 1:
        total = calculated(f"{cards:g}*{{}}", unit, record, "inferences_per_second")
        together = f", {total} with {cards:g} of them"
    return f"{shown}, {record.ref('latency_ms')} each run{together}{hours}{_with_share(query, record)}"


def _with_share(query: Query, record: Record) -> str:
    """The same in the share of the processor that is left."""
    share = query.number(Role.SHARE_PERCENT)
    if not share or not record.knows("latency_ms"):
        return ""
    rate = calculated(f"{share / 100:.6f}*{{}}", "fps", record, "inferences_per_second")
    each = f"{{{{{100 / share:.6f}*{record.id}.latency_ms}}}}"
    return f"; in {share:g} % of it {rate}, {each} each"


def cycles(query: Query) -> Answering:
    record = needed((yield call_of("estimate_performance", query)))
    if not record.knows("latency_ms"):
        return NOT_KNOWN
    shown = record.ref("cycles", "M") if (record.number("cycles") or 0) >= 1e6 else record.ref("cycles")
    return f"{shown} clock cycles, {record.ref('latency_ms')} at {record.ref('deployment.clock_mhz', 'MHz')}"


def ram(query: Query) -> Answering:
    """The arena, of what there is, and what others leave of it."""
    plan = needed((yield call_of("plan_memory", query)))
    parts = [f"{figure(plan, 'arena', basis=False)} of arena"]
    region = next((row for row in plan["regions"] if "arena" in row["holds"]), None)
    if region is not None:
        path = f"regions[{region['region']}].size_bytes"
        taken = query.total(Role.TAKEN_BYTES)
        own = query.number(Role.RAM_BYTES)
        room = f"{own:.0f}bytes" if own else f"{plan.id}.{path}"
        left = f"{{{{{room}-{plan.id}.arena_bytes{f'-{taken:.0f}bytes' if taken else ''}|KiB}}}}"
        there = said(query, Role.RAM_BYTES) if own else f"the {plan.ref(path)} of {region['region']}"
        parts[0] += f" in {there}"
        beside = f" beside {said(query, Role.TAKEN_BYTES)}" if taken else ""
        parts.append(f"{left} left{beside}")
        if (plan.number("arena_set_up_bytes") or 0) > (plan.number("arena_bytes") or 0):
            parts.append(f"but {plan.ref('arena_set_up_bytes')} while it sets up")
    elif plan["why_not"]:
        parts = [f"it does not go in: {plan.ref('why_not')}"]
    return ", ".join(parts)


def flash(query: Query) -> Answering:
    plan = needed((yield call_of("plan_memory", query)))
    code = f" and {plan.ref('code_bytes')} code" if plan.number("code_bytes") else ""
    region = next((row for row in plan["regions"] if row["kind"] == "flash"), None)
    of = f" of {plan.ref('regions[' + region['region'] + '].size_bytes')}" if region else ""
    known = figure(plan, "flash")
    return known if known == NOT_KNOWN else f"{known}{of} ({plan.ref('model_bytes')} model{code})"


def utilisation(query: Query) -> Answering:
    """The load of the processor at a rate; else the share of the peak."""
    rate = query.number(Role.RATE_HZ)
    if rate:
        record = needed((yield call_of("estimate_performance", query)))
        load = calculated(f"{{}}/{1e3 / rate:.3f}ms", "%~", record, "latency_ms")
        left = calculated(f"1-{{}}/{1e3 / rate:.3f}ms", "%", record, "latency_ms")
        free = (
            f", {left} left" if 1e3 / rate > (record.number("latency_ms") or 0.0) else ", more than there is"
        )
        paced = f"{load} of the time computing at {said(query, Role.RATE_HZ)}"
        return f"{paced}{free}, {record.ref('latency_ms')} each"
    roof = needed((yield call_of("analyze_roofline", query)))
    if not roof.knows("compute_utilization"):
        return f"share of the peak {NOT_KNOWN}"
    memory = (
        f", {roof.ref('memory_utilization', '%')} of the bandwidth"
        if roof.knows("memory_utilization")
        else ""
    )
    peak = f" of {roof.ref('peak_gops')}" if roof.knows("peak_gops") else ""
    return f"{roof.ref('compute_utilization', '%')} of the peak{peak}{memory}"


def compatibility(query: Query) -> Answering:
    """Which operators do not run as they should, and why."""
    record = needed((yield call_of("score_compatibility", query)))
    total = record.ref("ops")
    if record["unsupported_ops"]:
        bad = [op for op in record["ops"] if not op["supported"]]
        first = f"{record.ref('unsupported_ops')} of {total} operators do not run"
    elif record["fallback_ops"]:
        bad = [
            op
            for op in record["ops"]
            if not op["supported"] or op["runs"] not in ("accelerated", "optimized")
        ]
        first = f"{record.ref('fallback_ops')} of {total} operators fall back to the CPU"
    else:
        where = f" on {record.ref('segments[#0].processor')}" if record["segments"] else ""
        return f"none falls back: all {total} operators run{where}"
    kinds = list(dict.fromkeys((op["op"], op["reason"]) for op in bad))[:1]
    at = [next(op["index"] for op in bad if (op["op"], op["reason"]) == kind) for kind in kinds]
    why = [
        f"layer {i}, {record.ref(f'ops[{i}].op')}: {record.ref(f'ops[{i}].reason').rstrip('.')}" for i in at
    ]
    return f"{first} ({why[0]})" if why else first


def placement(query: Query) -> Answering:
    """Where the arena goes and what another place costs; the peak is in the plan too."""
    plan = needed((yield call_of("plan_memory", query)))
    rows = plan["placements"]
    if not plan["fits"] or not rows:
        return f"nowhere as it is: {plan.ref('why_not')}" if plan["why_not"] else NOT_KNOWN
    at = next((i for i, row in enumerate(rows) if row["is_planned"]), 0)
    others = [
        i for i, row in enumerate(rows) if i != at and not row["reason"] and row["arena"] != rows[at]["arena"]
    ]
    then = [
        f"{plan.ref(f'placements[#{i}].added_ms')} longer from {plan.ref(f'placements[#{i}].arena')}"
        for i in others[:2]
    ]
    weights = joined(rows[at]["weights"])
    first = f"arena in {joined(rows[at]['arena'])}, weights in {weights or 'flash'}"
    time = f", {plan.ref(f'placements[#{at}].latency_ms', '~')} from there"
    peak = (
        f"; the peak is layer {plan.ref('peak_layer.index')} ({plan.ref('peak_layer.op')})"
        if plan["peak_layer"]
        else ""
    )
    return f"{first}{time}{', ' + joined(then) if then else ''}{peak}"


def intensity(query: Query) -> Answering:
    roof = needed((yield call_of("analyze_roofline", query)))
    index = query.number(Role.LAYER)
    layer = (
        f"layers[{index:g}]."
        if index is not None and roof.knows(f"layers[{index:g}].arithmetic_intensity")
        else ""
    )
    what = f"layer {index:g} ({roof.ref(layer + 'op')})" if layer else "the network"
    side = f", so {roof['side']} is the lower roof" if roof["side"] else ""
    ridge = (
        f"; the ridge lies at {roof.ref('ridge_point')}{'' if layer else side}"
        if roof.knows("ridge_point")
        else ""
    )
    return f"{roof.ref(layer + 'arithmetic_intensity')} for {what}{ridge}"


def per_watt(query: Query) -> Answering:
    record = needed((yield call_of("estimate_performance", query)))
    if not record.knows("energy_uj"):
        return f"{NOT_KNOWN}, as no source gives its power"
    images = f"{{{{{batch_of(record)}J/{record.id}.energy_uj|count~}}}}"
    return f"{images} a joule, which is images a second for each watt"


def per_price(query: Query) -> Answering:
    record = needed((yield call_of("estimate_performance", query)))
    chip = needed((yield call_of("get_target", query)))
    if not chip.knows("price_usd"):
        return f"{NOT_KNOWN}, as I have no cited price of it"
    rate = f"{{{{1s*1USD*{record.id}.inferences_per_second/{chip.id}.price_usd|count}}}}"
    return f"{rate} images a second for a dollar, at {chip.ref('price_usd')}"


CLAUSES: dict[Want, tuple[str, Clause]] = {
    Want.LATENCY: ("one inference takes ", latency),
    Want.THROUGHPUT: ("throughput: ", throughput),
    Want.CYCLES: ("cycles: ", cycles),
    Want.ENERGY: ("energy: ", energies.energy),
    Want.POWER: ("power: ", energies.power),
    Want.PER_WATT: ("for its power: ", per_watt),
    Want.PER_PRICE: ("for its price: ", per_price),
    Want.BATTERY_LIFE: ("battery: ", energies.battery),
    Want.RAM: ("RAM: ", ram),
    Want.FLASH: ("flash: ", flash),
    Want.UTILISATION: ("utilisation: ", utilisation),
    Want.BOUND: ("it is ", bounds.bound),
    Want.LAYERS: ("layers: ", bounds.layers),
    Want.WHY_SLOWER: ("why: ", bounds.why),
    Want.COMPATIBILITY: ("operators: ", compatibility),
    Want.PLACEMENT: ("memory: ", placement),
    Want.INTENSITY: ("arithmetic intensity: ", intensity),
    Want.EVIDENCE: ("evidence: ", trust.evidence),
    Want.INTERVAL: ("interval: ", trust.interval),
}
"""What a clause is introduced by where it is not the first, and what makes it. Each returns words without a
full stop."""
