"""An accelerator's run as transfers and compute that overlap: one buffer is filled while the other is used.

The estimate of a layer has a time of set-up, of compute and of traffic, and a total; here they are laid out
within that total: transfers in begin after the set-up, compute and the transfer out end with the layer. What
overlaps is what the estimate lets overlap. The rows are those of the Torq compiler's timeline: DI, DO and S.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ..cost_model.performance_estimate import LayerEstimate
from ..cost_model.study import Study
from .perfetto_packets import Slice, perfetto_trace
from .timeline import Timeline, UnitSpan

DMA_IN, DMA_OUT, SLICE, HOST = "DMA in", "DMA out", "slice 0", "host"
_PREFIXES = {DMA_IN: "DI", DMA_OUT: "DO", SLICE: "S", HOST: "H"}
_TYPES = {DMA_IN: "DMA_IN", DMA_OUT: "DMA_OUT"}


def unit_spans(case: Study, layers: Sequence[LayerEstimate]) -> tuple[UnitSpan, ...]:
    """What each unit does when; empty without an accelerator, and from the first unknown time on."""
    return () if case.deployment.accelerator is None else tuple(_spans(case, layers))


def _spans(case: Study, layers: Sequence[LayerEstimate]) -> Iterator[UnitSpan]:
    times, table, at = case.times, case.table, 0.0
    for layer in layers:
        row = layer.index
        total, compute, setup = (float(of[row]) for of in (times.total_s, times.compute_s, times.overhead_s))
        weights, moved = float(times.weight_s[row]), float(times.activation_s[row])
        if any(map(math.isnan, (total, compute, setup, weights, moved))):
            return
        end, begin = at + total, at + min(setup, total)
        if layer.accelerated:
            read, written = int(table.input_bytes[row]), int(table.output_bytes[row])
            share = read / (read + written) if read + written else 0.0
            loads, stores = min(weights + moved * share, end - begin), min(moved * (1 - share), end - begin)
            loaded = read + int(table.weight_bytes[row])
            yield _span(layer, DMA_IN, begin, begin + loads, loaded)
            yield _span(layer, SLICE, end - min(compute, end - begin), end, None)
            yield _span(layer, DMA_OUT, end - stores, end, written)
        else:
            yield _span(layer, HOST, at, end, None)
        at = end


def _span(layer: LayerEstimate, unit: str, start_s: float, end_s: float, moved: int | None) -> UnitSpan:
    return UnitSpan(
        index=layer.index, op=layer.op, unit=unit, start_ms=start_s * 1e3, end_ms=end_s * 1e3, bytes=moved
    )


def shared_ms(spans: Sequence[UnitSpan]) -> float:
    """Time in which a layer computes while its data moves."""
    compute = {span.index: span for span in spans if span.unit == SLICE}
    found = 0.0
    for index, own in compute.items():
        edges = sorted(
            (max(span.start_ms, own.start_ms), min(span.end_ms, own.end_ms))
            for span in spans
            if span.index == index and span.unit in (DMA_IN, DMA_OUT)
        )
        reached = own.start_ms
        for start, end in edges:
            found += max(0.0, end - max(start, reached))
            reached = max(reached, end)
    return found


def timeline_csv(report: Timeline) -> str:
    """`ID,Start,End,Location,Op Type,Bytes` in cycles of the clock that the estimate is for."""
    counts = dict.fromkeys(_PREFIXES.values(), 0)
    where = report.deployment
    lines = [f"# estimate of edgewright for {where.target}", "ID,Start,End,Location,Op Type,Bytes"]
    for span in report.units:
        prefix = _PREFIXES[span.unit]
        number, counts[prefix] = counts[prefix], counts[prefix] + 1
        start, end = (round(ms * 1e3 * report.deployment.clock_mhz) for ms in (span.start_ms, span.end_ms))
        moved = "" if span.bytes is None else f",{span.bytes}"
        kind = _TYPES.get(span.unit, span.op)
        lines.append(f"{prefix}{number},{start},{end},layer {span.index},{kind}{moved}")
    return "\n".join(lines) + "\n"


def timeline_packets(report: Timeline) -> bytes:
    """The same as Perfetto's binary trace, a track a unit."""
    return perfetto_trace(
        Slice(
            f"estimate: {span.unit}",
            f"{span.index} {span.op}",
            round(span.start_ms * 1e6),
            round(span.end_ms * 1e6),
        )
        for span in report.units
    )
