"""Changes of the kernels alone: what the model takes with them by itself."""

from __future__ import annotations

import pytest

from edgewright.tools import deployment, estimate_performance, parse_model, simulate_optimizations


@pytest.mark.parametrize("runtime", ["pytorch", "onnxruntime-tensorrt"])
def test_other_kernels_take_what_they_are_estimated_at_without_the_change(runtime: str) -> None:
    model = parse_model("mobilenet_v2:float16")
    report = simulate_optimizations(model, deployment("t4", "tensorrt"), technique=f"runtime-{runtime}")
    (option,) = report.options
    assert option.before.latency_ms.basis == "published"
    assert option.after is not None
    alone = estimate_performance(model, deployment("t4", runtime)).latency_ms
    assert option.after.latency_ms.value == pytest.approx(alone.value)
    assert option.after.latency_ms.low == pytest.approx(alone.low)
    assert option.after.latency_ms.basis == alone.basis
