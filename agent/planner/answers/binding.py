"""What holds a model back: the roof, the layers, the operators that fall back."""

from __future__ import annotations

from collections.abc import Sequence

from ....tools.cost_model.report import Bound, BoundDetail
from ....tools.roofline.report import bound_in_words
from ..bench import Answering, Record, call_of, needed
from ..query import Query, Role
from .phrases import (
    ask_model,
    ask_target,
    assumed,
    is_known,
    joined,
    lines,
    model_shown,
    subject,
    table,
)

_BATCHES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
_HEAVIEST = 3
_NEARLY = 0.95
"""Of the most images a second: more is not worth the wait."""
_REMEDIES = {
    "memory": "What helps: a smaller type, fused layers, a larger batch, weights and arena in faster memory.",
    "compute": "What helps: int8 and faster kernels, fewer MACs (width, input size, pruning), a "
    "higher clock.",
    "overhead": "What helps: fewer and larger operators, a larger batch, kernels with less to set up.",
}


def bottleneck(query: Query) -> Answering:
    """The bound and its heaviest layers; the batch from which on another roof binds."""
    if not query.has(Role.MODEL):
        return ask_model()
    if not query.has(Role.TARGET):
        return ask_target(query)
    if "batch" in query.asks and not query.has(Role.BATCH):
        return (yield from crossing(query) if "bound_at" in query.asks else best_batch(query))
    record = needed((yield call_of("analyze_roofline", query)))
    if {"layers", "depthwise"} & query.asks:
        return _layers(query, record)
    first = (
        f"It is {_bound(record)}: {subject(query, record)} spends "
        f"{record.ref('bound_shares.' + record['bound'], '%')} of {record.ref('latency_ms', '~')} there"
        f"{_changes(record)}."
        if record["bound"] in _REMEDIES
        else f"What binds {subject(query, record)} is not known."
    )
    facts = [
        f"it computes {record.ref('arithmetic_intensity')}",
        f"the ridge lies at {record.ref('ridge_point')}, so the {record['side']} roof is the lower"
        if record["side"]
        else "",
        f"it reaches {record.ref('compute_utilization', '%')} of the peak"
        if record["compute_utilization"]
        else "",
        f"{record.ref('memory_utilization', '%')} of the bandwidth" if record["memory_utilization"] else "",
    ]
    why = f"Why: {joined(filter(None, facts))}."
    heavy = _heaviest(record)
    most = f"Most time goes to {joined(_named(record, i) for i in heavy)}." if heavy else ""
    return lines(first, why, most, _REMEDIES.get(record["bound"], ""), assumed(query, record))


def _bound(record: Record) -> str:
    detail = record["bound_detail"]
    return bound_in_words(Bound(record["bound"]), None if detail is None else BoundDetail(detail))


def _changes(record: Record) -> str:
    if record["changes_at_batch"] is None:
        return ""
    then = bound_in_words(Bound(record["changes_to"]))
    return f"; from batch {record.ref('changes_at_batch')} on it is {then}"


def _heaviest(record: Record, op: str = "") -> Sequence[int]:
    rows = [row for row in record["layers"] if op in row["op"].lower()]
    return [row["index"] for row in sorted(rows, key=lambda row: -(row["latency_ms"] or 0))[:_HEAVIEST]]


def _named(record: Record, index: int) -> str:
    path = f"layers[{index}]"
    return f"layer {index} ({record.ref(path + '.op')}, {record.ref(path + '.share', '%')})"


def _layers(query: Query, record: Record) -> str:
    op = "depthwise" if "depthwise" in query.asks else ""
    rows = [row for row in record["layers"] if op in row["op"].lower()]
    if not rows:
        return f"{model_shown(query)} has no depthwise layer."
    heavy = _heaviest(record, op)
    top = f"layers[{heavy[0]}]"
    first = (
        f"Layer {heavy[0]}, {record.ref(top + '.op')}: {record.ref(top + '.latency_ms')}, "
        f"{record.ref(top + '.share', '%')} of {record.ref('latency_ms', '~')}, "
        f"{record.ref(top + '.bound')}-bound: "
        f"{subject(query, record)}."
    )
    if op:
        numbers = ",".join(str(row["index"]) for row in rows)
        share = f"{{{{sum({record.id}.layers[{numbers}].share)|%}}}}"
        first = (
            f"Its {len(rows)} depthwise layers take {share} of {record.ref('latency_ms', '~')}; the "
            "slowest is layer "
            f"{heavy[0]} with {record.ref(top + '.latency_ms')}, {record.ref(top + '.bound')}-bound: "
            f"{subject(query, record)}."
        )
    why = (
        f"It computes {record.ref(top + '.arithmetic_intensity')}"
        if not op
        else "A depthwise layer reuses each weight and input little: "
        f"{record.ref(top + '.arithmetic_intensity')} there"
    )
    after = [_named(record, i) for i in heavy[1:]]
    return lines(
        first,
        f"{why}; the ridge lies at {record.ref('ridge_point')}.",
        f"Next: {joined(after)}." if after else "",
        assumed(query, record),
    )


def crossing(query: Query) -> Answering:
    """The least of the usual batches at which it is compute-bound."""
    bounds: list[tuple[int, Record]] = []
    for batch in _BATCHES:
        record = yield call_of("analyze_roofline", query, batch=batch)
        if record.result is None:
            break
        bounds.append((batch, record))
        if record["bound"] == "compute":
            break
    if not bounds:
        return f"I could not plan {model_shown(query)} in any batch there."
    batch, record = bounds[-1]
    if record["bound"] != "compute":
        return lines(
            f"At none of the batches up to {batch}: {subject(query, record)} stays {_bound(record)}.",
            f"It reaches {record.ref('compute_utilization', '%')} of the peak there.",
            assumed(query, record),
        )
    before = bounds[-2][1] if len(bounds) > 1 else None
    return lines(
        f"From batch {record.ref('deployment.batch')} on: {model_shown(query)} on "
        f"{record.ref('deployment.target')} is "
        f"compute-bound there, at {record.ref('latency_ms', '~')} a batch.",
        f"At batch {before.ref('deployment.batch')} it is still {_bound(before)}." if before else "",
        assumed(query, record),
    )


def best_batch(query: Query) -> Answering:
    """The batch with the most images a second; beyond the one that comes near it nothing is won."""
    records: list[Record] = []
    for batch in _BATCHES[::2]:
        record = yield call_of("estimate_performance", query, batch=batch)
        if record.result is None or record["latency_ms"]["value"] is None:
            break
        records.append(record)
    if not records:
        return f"I could not estimate {model_shown(query)} in any batch there."
    rates = [r["deployment"]["batch"] / r["latency_ms"]["value"] for r in records]
    enough = next(i for i, rate in enumerate(rates) if rate >= _NEARLY * max(rates))
    best = records[enough]
    cells = [
        (
            r.ref("deployment.batch"),
            r.ref("latency_ms"),
            f"{{{{{r.id}.deployment.batch/{r.id}.latency_ms|/s}}}}",
        )
        for r in records
    ]
    return lines(
        f"Batch {best.ref('deployment.batch')}: "
        f"{{{{{best.id}.deployment.batch/{best.id}.latency_ms|/s}}}} images at "
        f"{best.ref('latency_ms', '~')} a batch, {model_shown(query)} on {best.ref('deployment.target')}.",
        "",
        table(("batch", "latency", "images"), cells),
        "",
        "The best batch for one image at a time is 1.",
        assumed(query, best),
    )


def compatibility(query: Query) -> Answering:
    """Which operators run where, and why others do not."""
    if not query.has(Role.MODEL):
        return ask_model()
    if not query.has(Role.TARGET):
        return ask_target(query)
    record = needed((yield call_of("score_compatibility", query)))
    slow = [
        op for op in record["ops"] if not op["supported"] or op["runs"] not in ("accelerated", "optimized")
    ]
    where = subject(query, record)
    total = record.ref("ops")
    if record["unsupported_ops"]:
        bad = [op for op in record["ops"] if not op["supported"]]
        first = f"{record.ref('unsupported_ops')} of {total} operators do not run: {where}."
    elif record["fallback_ops"]:
        bad = slow
        first = f"{record.ref('fallback_ops')} of {total} operators fall back to the CPU: {where}."
    else:
        bad = []
        first = (
            f"None falls back: all {total} operators run on {record.ref('segments[#0].processor')}, {where}."
        )
    kinds = list(dict.fromkeys((op["op"], op["reason"]) for op in bad))[:3]
    at = [next(op["index"] for op in bad if (op["op"], op["reason"]) == kind) for kind in kinds]
    why = [f"- layer {i}, {record.ref(f'ops[{i}].op')}: {record.ref(f'ops[{i}].reason')}" for i in at]
    cost = f"One inference takes {record.ref('latency_ms', '~')}." if is_known(record, "latency_ms") else ""
    return lines(first, *why, cost, assumed(query, record))
