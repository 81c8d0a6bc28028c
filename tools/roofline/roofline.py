"""Which roof each layer and the whole model lie under."""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

import numpy as np

from ..cost_model.bounds import BOUNDS, bound_detail, bound_seconds, bounds, layer_bounds, of_best_rate
from ..cost_model.coefficients import kind_of
from ..cost_model.estimate import arithmetic_dtype
from ..cost_model.hierarchy import ProcessorKind
from ..cost_model.memory_levels import MemoryLevel
from ..cost_model.peaks import peak_ops_per_s
from ..cost_model.performance_estimate import Bound
from ..cost_model.study import Study, study
from ..cost_model.work import Floats
from .roofline_report import BatchReached, LayerRoofline, RooflineReport, Side

_BATCHES = tuple(2**n for n in range(1, 11))
_SCANNED = 5_000
"""Operators; of a network with more, batches are bisected instead of tried one after the other."""


def roofline_of(case: Study) -> RooflineReport:
    """Bounds by time, intensity in FLOP per byte (1 MAC = 2 FLOP), utilisations of the peaks."""
    dtype = arithmetic_dtype(case)
    peak_flops = peak_ops_per_s(case.deployment, dtype)
    level = _limiting_level(case)
    flops, moved = _work(case)
    seconds = float(case.times.total_s.sum())
    known = not np.isnan(seconds) and seconds > 0
    by_bound = bound_seconds(case.times)
    intensity = float(flops.sum() / moved.sum()) if moved.sum() else None
    ridge = peak_flops / level.bytes_per_s if peak_flops and level.bytes_per_s else None
    bound = BOUNDS[int(bounds(case.times))]
    overhead = bound_detail(case.times, kind_of(case.deployment)) if bound is Bound.OVERHEAD else None
    achievable = _achievable_flops(case, dtype)
    return RooflineReport(
        model=case.graph.name,
        deployment=case.deployment.ref,
        dtype=dtype,
        bound=bound,
        bound_detail=overhead,
        bound_shares=_shares(by_bound),
        op_shares=_by_op(case) if known else {},
        arithmetic_intensity=intensity,
        ridge_point=ridge,
        side=_side(intensity, ridge),
        compute_utilization=float(flops.sum()) / seconds / peak_flops if known and peak_flops else None,
        memory_utilization=_share_of_bandwidth(case, level, seconds) if known else None,
        achievable_gops=achievable / 1e9 if achievable else None,
        achievable_utilization=of_best_rate(case.times) if known and achievable else None,
        **_larger_batches(case, bound),
        peak_gops=peak_flops / 1e9 if peak_flops else None,
        bandwidth_gb_s=level.bytes_per_s / 1e9 if level.bytes_per_s else None,
        memory_level=level.region,
        latency_ms=case.latency_ms,
        measured=case.measured,
        layers=_layers(case, flops, moved),
        assumptions=case.assumptions,
        warnings=case.warnings,
    )


def _by_op(case: Study) -> dict[str, float]:
    seconds = case.times.total_s
    shares: dict[str, float] = {}
    for op, share in zip(case.graph.ops, (seconds / seconds.sum()).tolist(), strict=True):
        shares[op.label] = shares.get(op.label, 0.0) + share
    return dict(sorted(shares.items(), key=lambda each: -each[1]))


def _work(case: Study) -> tuple[Floats, Floats]:
    """FLOP and bytes of each layer for the deployment's batch; weights are read once a batch.

    Behind a link the bytes are those that cross it: what layers move within the chip is not limited by it.
    """
    table, batch = case.table, case.deployment.batch
    flops = np.where(table.counted, 2.0 * table.macs + table.element_ops, 0.0) * batch
    if case.times.crossing is not None:
        return flops, case.times.crossing.moved_bytes
    return flops, table.weight_bytes + (table.input_bytes + table.output_bytes) * float(batch)


def _limiting_level(case: Study) -> MemoryLevel:
    if case.times.crossing is not None:
        return case.times.crossing.level
    weights, activations = case.times.weight_s.sum(), case.times.activation_s.sum()
    return case.levels.weights if weights > activations else case.levels.activations


def _share_of_bandwidth(case: Study, level: MemoryLevel, seconds: float) -> float | None:
    """At most all of it: a compiler that packs weights moves fewer bytes than are counted."""
    if level.bytes_per_s is None or not seconds > 0:
        return None
    table, batch = case.table, case.deployment.batch
    if case.times.crossing is not None:
        return min(float(case.times.crossing.moved_bytes.sum()) / seconds / level.bytes_per_s, 1.0)
    moved = 0.0
    if case.levels.weights.region == level.region:
        moved += float(table.weight_bytes.sum())
    if case.levels.activations.region == level.region:
        moved += float((table.input_bytes + table.output_bytes).sum()) * batch
    return min(moved / seconds / level.bytes_per_s, 1.0)


def _side(intensity: float | None, ridge: float | None) -> Side | None:
    if intensity is None or ridge is None:
        return None
    return Side.MEMORY if intensity < ridge else Side.COMPUTE


def _achievable_flops(case: Study, dtype: str) -> float | None:
    """FLOP per second at the best rate of these kernels, of the type of most MACs."""
    rows = np.array([each == dtype for each in case.table.dtypes], dtype=np.bool_) & (case.table.macs > 0)
    macs = float(case.table.macs[rows].sum()) * case.deployment.batch
    seconds = float(case.times.compute_roof_s[rows].sum())
    return 2.0 * macs / seconds if seconds > 0 else None


def _larger_batches(case: Study, bound: Bound) -> dict[str, Any]:
    """The first power of two as batch that something else binds, else how far the largest comes."""
    place = case.deployment
    if kind_of(place) is ProcessorKind.MCU or bound is Bound.UNKNOWN:
        return {}

    def at(batch: int) -> tuple[Study, Bound]:
        larger = study(case.graph, place.at(batch=batch))
        return larger, BOUNDS[int(bounds(larger.times))]

    last, batches = None, [batch for batch in _BATCHES if batch > place.batch]
    if len(case.graph.ops) > _SCANNED and batches:
        changing = at(batches[-1])[1] is not bound
        first = bisect_left(batches, True, key=lambda batch: at(batch)[1] is not bound) if changing else -1
        batches = [batches[first]]
    for batch in batches:
        larger, found = at(batch)
        if found is Bound.UNKNOWN:
            break
        if found is not bound:
            return {"changes_at_batch": batch, "changes_to": found}
        last = larger
    return {"largest_batch": _batch_reached(last)} if last is not None else {}


def _batch_reached(case: Study) -> BatchReached:
    flops, moved = _work(case)
    seconds = float(case.times.total_s.sum())
    return BatchReached(
        batch=case.deployment.batch,
        arithmetic_intensity=float(flops.sum() / moved.sum()) if moved.sum() else None,
        memory_utilization=_share_of_bandwidth(case, _limiting_level(case), seconds),
        achievable_utilization=of_best_rate(case.times),
    )


def _shares(by_bound: Floats) -> dict[str, float]:
    """Of the known time; empty where none is known."""
    total = by_bound.sum()
    known = zip(BOUNDS, (by_bound / total).tolist(), strict=False) if total > 0 else ()
    return {bound.value: share for bound, share in known}


def _layers(case: Study, flops: Floats, moved: Floats) -> tuple[LayerRoofline, ...]:
    times = case.times
    total_s = times.total_s
    whole = float(total_s.sum())
    found = [BOUNDS[at] for at in layer_bounds(times).tolist()]
    cycles = _cycles_per_mac(case)
    columns = zip(
        range(len(found)), case.graph.ops, found, cycles,
        total_s, times.compute_s, times.memory_s, times.overhead_s,
        flops, moved, times.weight_s > times.activation_s, strict=True,
    )  # fmt: skip
    return tuple(
        LayerRoofline(
            index=index,
            op=op.label,
            bound=bound,
            latency_ms=_ms(total),
            share=None if np.isnan(whole) or whole == 0 else float(total) / whole,
            arithmetic_intensity=float(flop / byte) if byte else None,
            cycles_per_mac=None if np.isnan(per_mac) else float(per_mac),
            compute_ms=_ms(compute),
            memory_ms=_ms(memory),
            overhead_ms=_ms(overhead),
            memory_level=_level_of(case, by_weights, byte),
        )
        for index, op, bound, per_mac, total, compute, memory, overhead, flop, byte, by_weights in columns
    )


def _level_of(case: Study, by_weights: bool, moved: float) -> str:
    if case.times.crossing is not None and moved:
        return case.times.crossing.level.region
    return (case.levels.weights if by_weights else case.levels.activations).region


def _cycles_per_mac(case: Study) -> Floats:
    """Of the clock that the layer runs at; NaN for what has no MACs and on accelerators."""
    macs = np.where(case.table.macs > 0, case.table.macs * float(case.deployment.batch), np.nan)
    if kind_of(case.deployment) is ProcessorKind.UNIT:
        return np.full(len(macs), np.nan)
    per_mac: Floats = case.times.total_s * case.deployment.clock_mhz * 1e6 / macs
    return per_mac


def _ms(seconds: float) -> float | None:
    return None if np.isnan(seconds) else float(seconds) * 1e3
