"""What is known of one model on one target: a clause for each thing that can be wanted."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ..bench import NOT_KNOWN, Answering, Record, call_of, needed
from ..query import Query, Role
from ..want import Want
from ..words import patterns
from . import bounds, energies, layers, on_chip, on_npu, trust
from .phrases import batch_of, figure, joined, said
from .templates import put

_SAYS = patterns("clauses")

Clause: TypeAlias = Callable[[Query], Answering]


def latency(query: Query) -> Answering:
    record = needed((yield call_of("estimate_performance", query)))
    many = (query.number(Role.BATCH) or 1) > 1
    batch = ", a batch[, {per_image_ms|~} an image]" if many else ""
    runs = query.number(Role.RUNS) or 0.0
    of_runs = f"[, {{{runs:g}*latency_ms}} for {{runs}}]" if runs > 1 else ""
    told = put(
        f"{{took}}{batch}{of_runs}", record, took=figure(record, "latency_ms"), runs=said(query, Role.RUNS)
    )
    return told + _with_share(query, record)


def throughput(query: Query) -> Answering:
    record = needed((yield call_of("estimate_performance", query)))
    unit = "images/s" if (query.number(Role.BATCH) or 1) > 1 else "fps"
    cards = query.number(Role.CARDS) or 0.0
    together = f"[, {{{cards:g}*inferences_per_second|{unit}}} with {cards:g} of them]" if cards > 1 else ""
    hours = "[, {inferences_per_second*1h|count} an hour]" if query.has(Role.RUNS) else ""
    several = (record.number("at_once") or 1) > 1
    shown = figure(record, "inferences_per_second", unit)
    at_once = ", {at_once_per_second|fps~} with {at_once} at once, one a core" if several else ""
    told = put(f"{{shown}}[, {{latency_ms}} each run]{at_once}{together}{hours}", record, shown=shown)
    if share := query.number(Role.SHARE_PERCENT):
        rate = f"{share / 100:.6f}*inferences_per_second|{unit}~"
        return put(f"{{{rate}}} in {share:g} % of the time; in all of it ", record) + told
    return told


def _with_share(query: Query, record: Record) -> str:
    """The same in the share of the processor that is left."""
    share = query.number(Role.SHARE_PERCENT)
    return put(f"; {{{100 / share:.6f}*latency_ms}} in {share:g} % of the time", record) if share else ""


def cycles(query: Query) -> Answering:
    record = needed((yield call_of("estimate_performance", query)))
    shown = "{cycles|M}" if (record.number("cycles") or 0) >= 1e6 else "{cycles}"
    told = put(f"{shown} clock cycles, {{latency_ms}} at {{deployment.clock_mhz|MHz}}", record)
    return told or NOT_KNOWN


def ram(query: Query) -> Answering:
    """The arena, of what there is, and what others leave of it."""
    plan = needed((yield call_of("plan_memory", query)))
    region = next((row["region"] for row in plan["regions"] if "arena" in row["holds"]), "")
    if not region:
        goes = put("it does not go in: {why_not}", plan) if plan["why_not"] else ""
        return goes or f"{figure(plan, 'arena', basis=False)} of arena"
    taken, own = query.total(Role.TAKEN_BYTES), query.number(Role.RAM_BYTES)
    size = f"regions[{region}].size_bytes"
    room = f"{own:.0f}bytes" if own else size
    less = f"-{taken:.0f}bytes" if taken else ""
    while_set_up = (plan.number("arena_set_up_bytes") or 0) > (plan.number("arena_bytes") or 0)
    return put(
        "{arena} of arena in {there}, {left} left[ beside {taken}]"
        f"{'[, but {arena_set_up_bytes} while it sets up]' if while_set_up else ''}",
        plan,
        arena=figure(plan, "arena", basis=False),
        there=said(query, Role.RAM_BYTES) if own else put(f"the {{{size}}} of {region}", plan),
        left=put(f"{{{room}-arena_bytes{less}}}", plan),
        taken=said(query, Role.TAKEN_BYTES) if taken else "",
    )


def flash(query: Query) -> Answering:
    plan = needed((yield call_of("plan_memory", query)))
    code = "[ and {code_bytes} code]" if plan.number("code_bytes") else ""
    region = next((row["region"] for row in plan["regions"] if row["kind"] == "flash"), "")
    of = f"[ of {{regions[{region}].size_bytes}}]" if region else ""
    known = figure(plan, "flash")
    return (
        known
        if known == NOT_KNOWN
        else put(f"{{known}}{of} ({{model_bytes}} model{code})", plan, known=known)
    )


def utilisation(query: Query) -> Answering:
    """The load of the processor at a rate; else the share of the peak."""
    rate = query.number(Role.RATE_HZ)
    if rate:
        record = needed((yield call_of("estimate_performance", query)))
        share, fits = f"latency_ms/{1e3 / rate:.3f}ms", 1e3 / rate > (record.number("latency_ms") or 0.0)
        free = f"{{1-{share}|%}} left" if fits else "more than there is"
        told = f"{{{share}|%~}} of the time computing at {{pace}}, {free}, {{latency_ms}} each"
        return put(told, record, pace=said(query, Role.RATE_HZ)) or f"load of the processor {NOT_KNOWN}"
    roof = needed((yield call_of("analyze_roofline", query)))
    of_bandwidth = "[, {memory_utilization|%} of the bandwidth]"
    told = put(f"{{compute_utilization|%}} of the peak[ of {{peak_gops}}]{of_bandwidth}", roof)
    return told or f"share of the peak {NOT_KNOWN}"


_MANY_GATES, _SWISH = 8, "concepts/quantization.md"


def compatibility(query: Query) -> Answering:
    """Which operators do not run as they should, and why."""
    record = needed((yield call_of("score_compatibility", query)))
    if record["unsupported_ops"]:
        first, well = "{unsupported_ops} of {ops} operators do not run", frozenset[str]()
    elif record["fallback_ops"]:
        first, well = "{fallback_ops} of {ops} operators fall back to the CPU", _RUN_WELL
    else:
        where = "[ on {segments[#0].processor}]" if record["segments"] else ""
        gates = sum(op["op"] == "LOGISTIC" for op in record["ops"])
        swish = gates >= _MANY_GATES and record["deployment"]["runtime"] == "edgetpu"
        page = f" (many LOGISTIC, of swish or squeeze-and-excite, which quantise badly: docs/{_SWISH})"
        return put(f"none falls back: all {{ops}} operators run{where}{page if swish else ''}", record)
    bad = (op["index"] for op in record["ops"] if not op["supported"] or (well and op["runs"] not in well))
    at = next(bad, None)
    why = record.ref(f"ops[{at}].reason").rstrip(".")
    stays = on_npu.share(record)
    cause = f"[ (layer {at}, {{ops[{at}].op}}: {{why}})]"
    told = put(f"{first}{cause}", record, why="" if at is None else why)
    return f"{told}; {stays}" if told and stays else told


_RUN_WELL = frozenset(("accelerated", "optimized"))


def placement(query: Query) -> Answering:
    """Where the arena goes and what another place costs; the peak is in the plan too."""
    plan = needed((yield call_of("plan_memory", query)))
    rows = plan["placements"]
    if kept := (yield from on_chip.kept(query)):
        return kept
    if not plan["fits"] or not rows:
        return put("nowhere as it is: {why_not}", plan) if plan["why_not"] else NOT_KNOWN
    at = next((i for i, row in enumerate(rows) if row["is_planned"]), 0)
    if _SAYS["outside"].search(query.question):
        return _from_outside(plan, at)
    arenas = [(i, row["arena"]) for i, row in enumerate(rows) if i != at and not row["reason"]]
    others = [i for i, arena in arenas if arena != rows[at]["arena"]][:2]
    longer = "{placements[#AT].added_ms} longer from {placements[#AT].arena}"
    peak = "[; the peak is layer {peak_layer.index} ({peak_layer.op})]" if plan["peak_layer"] else ""
    return put(
        f"arena in {{arena}}, weights in {{weights}}[, {{placements[#{at}].latency_ms|~}} from there]"
        f"[, {{others}}]{peak}",
        plan,
        arena=joined(rows[at]["arena"]),
        weights=joined(rows[at]["weights"]) or "flash",
        others=joined(put(longer.replace("AT", str(i)), plan) for i in others),
    )


def _from_outside(plan: Record, at: int) -> str:
    """Weights in flash beside the chip: what is planned there, else what would have to be known."""
    outside = {row["region"] for row in plan["regions"] if row["external"] and "flash" in row["kind"]}
    found = next((i for i, row in enumerate(plan["placements"]) if outside & set(row["weights"])), None)
    here = f"{{placements[#{at}].latency_ms|~}} with weights in {joined(plan['placements'][at]['weights'])}"
    if found is not None:
        other = f"placements[#{found}]"
        return put(
            f"{{{other}.latency_ms|~}} with weights in external flash, {{{other}.added_ms}} longer", plan
        )
    read = (
        "every inference reads {parameter_bytes} of weights, so add that over the bytes a second of its bus"
    )
    none = "no external flash of {deployment.target} is described"
    return put(f"not known how much slower, as {none}; {here}, and {read}", plan)


def intensity(query: Query) -> Answering:
    roof = needed((yield call_of("analyze_roofline", query)))
    index = query.number(Role.LAYER)
    side = f", so {roof['side']} is the lower roof" if roof["side"] else ""
    whole = f"{{arithmetic_intensity}} for the network[; the ridge lies at {{ridge_point}}{side}]"
    if index is None:
        return put(whole, roof) or NOT_KNOWN
    layer = f"layers[{index:g}]"
    of_layer = f"{{{layer}.arithmetic_intensity}} for layer {index:g} ({{{layer}.op}})"
    return put(f"{of_layer}[; the ridge lies at {{ridge_point}}]", roof) or put(whole, roof) or NOT_KNOWN


def per_watt(query: Query) -> Answering:
    record = needed((yield call_of("estimate_performance", query)))
    images = f"{{{batch_of(record)}J/energy_uj|count~}} a joule, which is images a second for each watt"
    return put(images, record) or f"{NOT_KNOWN}, as no source gives its power"


def per_price(query: Query) -> Answering:
    record = needed((yield call_of("estimate_performance", query)))
    chip = needed((yield call_of("get_target", query)))
    rate = "{1s*1USD*at_once_per_second/chip.price_usd|count} images a second for a dollar"
    told = put(f"{rate}, at {{chip.price_usd}}", record, chip=chip)
    return told or f"{NOT_KNOWN}, as I have no cited price of it"


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
    Want.LAYERS: ("layers: ", layers.layers),
    Want.WHY_SLOWER: ("why: ", bounds.why),
    Want.COMPATIBILITY: ("operators: ", compatibility),
    Want.PLACEMENT: ("memory: ", placement),
    Want.INTENSITY: ("arithmetic intensity: ", intensity),
    Want.EVIDENCE: ("evidence: ", trust.evidence),
    Want.INTERVAL: ("interval: ", trust.interval),
}
"""What a clause is introduced by where it is not the first, and what makes it. Each returns words without a
full stop."""
