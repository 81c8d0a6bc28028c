"""Accelerated is what an accelerator runs; a good kernel on a CPU is an optimised one."""

from __future__ import annotations

import pytest

from edgewright.tools import estimate_performance


@pytest.mark.parametrize("target", ["stm32l4r5zi", "raspberry-pi-4b"])
def test_a_chip_without_an_accelerator_accelerates_nothing(target: str) -> None:
    estimate = estimate_performance("kws", target)
    assert estimate.accelerated_layers == 0
    assert estimate.cpu_only_layers == len(estimate.layers)
    assert 0 < estimate.optimized_layers <= estimate.cpu_only_layers
    assert not any(layer.accelerated for layer in estimate.layers)


def test_what_an_npu_takes_is_accelerated_and_the_rest_is_the_cpus() -> None:
    estimate = estimate_performance("yolov5n:int8", "coral-dev-board")
    assert estimate.accelerated_layers == sum(layer.processor == "npu" for layer in estimate.layers) > 0
    assert estimate.accelerated_layers + estimate.cpu_only_layers == len(estimate.layers)
