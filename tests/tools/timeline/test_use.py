"""How far a run uses the compute engine, the memory bus and transfers."""

from __future__ import annotations

import pytest

from edgewright.tools import analyze_roofline, estimate_performance, trace_timeline
from edgewright.tools.graph.summarize import summarize_model
from edgewright.tools.model_zoo.named import build_architecture

KWS = build_architecture("kws", dtype="int8")


def test_use_of_the_compute_engine_is_arithmetic_over_the_peak_in_the_time() -> None:
    line, roofline = trace_timeline(KWS, "stm32h743zi", levers=False), analyze_roofline(KWS, "stm32h743zi")
    summary = summarize_model(KWS)
    peak = roofline.peak_gops
    assert peak is not None
    for op, layer in zip(line.ops, summary.layers, strict=True):
        assert op.latency_ms is not None
        flop = 2 * (layer.macs or 0) + (layer.element_ops or 0)
        assert op.compute_utilization == pytest.approx(flop / (op.latency_ms * 1e6 * peak))
    compute = next(use for use in line.uses if use.unit == "compute engine")
    assert compute.mean_utilization == pytest.approx(roofline.compute_utilization)


def test_a_chip_without_an_accelerator_has_no_transfers() -> None:
    line = trace_timeline(KWS, "stm32h743zi", levers=False)
    assert [use.unit for use in line.uses] == ["compute engine", "memory bus"]
    assert {op.dma_utilization for op in line.ops} == {None}


def test_what_an_accelerator_leaves_to_its_host_has_no_use_of_it() -> None:
    line = trace_timeline(KWS, "max78000", levers=False)
    layers = estimate_performance(KWS, "max78000").layers
    hosted = [layer.index for layer in layers if not layer.accelerated]
    assert hosted
    assert all(line.ops[index].compute_utilization is None for index in hosted)


def test_transfers_in_and_out_at_once_are_counted_once() -> None:
    line = trace_timeline(KWS, "ethos-u55-128", levers=False)
    used = [op.dma_utilization for op in line.ops if op.dma_utilization is not None]
    assert used
    assert all(0 <= use <= 1 + 1e-9 for use in used)
    for op in line.ops:
        spans = [s for s in line.units if s.index == op.index and s.unit in ("DMA in", "DMA out")]
        longest = max((s.end_ms - s.start_ms for s in spans), default=0.0)
        assert (op.dma_utilization or 0.0) * (op.latency_ms or 0.0) >= longest * (1 - 1e-9)


def test_where_no_peak_is_known_the_compute_engine_is_left_out() -> None:
    assert "compute engine" not in [use.unit for use in trace_timeline("kws:float16", "ethos-u55-128").uses]
