"""How far each operator uses the compute engine, the memory's bandwidth and an accelerator's transfers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from ..cost_model.estimate import arithmetic_dtype
from ..cost_model.peaks import peak_ops_per_s
from ..cost_model.performance_estimate import LayerEstimate
from ..cost_model.study import Study
from ..cost_model.work import Floats
from .double_buffer import DMA_IN, DMA_OUT
from .timeline import TimelineOp, UnitSpan, UnitUse

COMPUTE, MEMORY, DMA = "compute engine", "memory bus", "DMA"


def compute_use(case: Study, layers: Sequence[LayerEstimate]) -> Floats:
    """FLOP over what the peak of the model's type allows in the time; NaN where one is not known, and for
    what an accelerator leaves to its host.
    """
    peak = peak_ops_per_s(case.deployment, arithmetic_dtype(case))
    table = case.table
    flops = np.where(table.counted, 2.0 * table.macs + table.element_ops, np.nan) * case.deployment.batch
    if case.deployment.accelerator is not None:
        flops = np.where([layer.accelerated for layer in layers], flops, np.nan)
    return _share(flops / peak if peak else np.full(len(flops), np.nan), case.times.total_s)


def memory_use(case: Study) -> Floats:
    """Time of the traffic, weights once and activations of the batch, at the bandwidth of where they lie,
    over the time.
    """
    table, levels = case.table, case.levels
    moved = (table.input_bytes + table.output_bytes) * float(case.deployment.batch)
    weights = _seconds(np.asarray(table.weight_bytes, dtype=np.float64), levels.weights.bytes_per_s)
    activations = _seconds(np.asarray(moved, dtype=np.float64), levels.activations.bytes_per_s)
    return _share(np.add(weights, activations), case.times.total_s)


def dma_use(case: Study, units: Sequence[UnitSpan]) -> Floats:
    """Time in which transfers of the accelerator run, over the time; NaN without one."""
    busy = np.full(len(case.graph.ops), np.nan)
    spans: dict[int, list[UnitSpan]] = defaultdict(list)
    for span in units:
        spans[span.index].append(span)
    for index, own in spans.items():
        ends = sorted((s.start_ms, s.end_ms) for s in own if s.unit in (DMA_IN, DMA_OUT))
        busy[index] = _union(ends) / 1e3
    return _share(busy, case.times.total_s)


def uses(ops: Sequence[TimelineOp]) -> tuple[UnitUse, ...]:
    """Of each unit its mean over the time, of the operators whose use is known."""
    columns = {
        COMPUTE: [op.compute_utilization for op in ops], MEMORY: [op.memory_utilization for op in ops],
        DMA: [op.dma_utilization for op in ops],
    }  # fmt: skip
    times = [op.latency_ms or 0.0 for op in ops]
    found = []
    for unit, column in columns.items():
        known = [(ms, use) for ms, use in zip(times, column, strict=True) if use is not None and ms]
        if known:
            mean = sum(ms * use for ms, use in known) / sum(ms for ms, _ in known)
            found.append(
                UnitUse(
                    unit=unit,
                    mean_utilization=mean,
                    most_utilization=max(use for _, use in known),
                    known=len(known),
                )
            )
    return tuple(found)


def _seconds(moved: Floats, bytes_per_s: float | None) -> Floats:
    found: Floats = moved / bytes_per_s if bytes_per_s else np.full(len(moved), np.nan)
    return found


def _share(seconds: Floats, total_s: Floats) -> Floats:
    """At most all of it: a compiler that packs weights moves fewer bytes than are counted."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = np.where(total_s > 0, np.minimum(seconds / total_s, 1.0), np.nan)
    return found


def _union(spans: Sequence[tuple[float, float]]) -> float:
    busy, last = 0.0, -np.inf
    for begin, end in spans:
        busy += max(0.0, end - max(begin, last))
        last = max(last, end)
    return busy
