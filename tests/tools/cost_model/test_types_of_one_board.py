"""Two types of one network on one GPU are apart by no more than its arithmetic is, unless that was measured."""

import itertools

import pytest

from edgewright.tools import deployment, estimate_performance
from edgewright.tools.cost_model.peaks import peak_ops_per_s

ROUNDED = 1.1
BOARDS = ("jetson-orin-nano-8gb", "jetson-orin-nx-16gb", "jetson-agx-orin-64gb", "t4", "l4", "a10")


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("batch", [1, 8, 32])
def test_int8_is_faster_than_float16_by_no_more_than_the_tensor_cores(board: str, batch: int) -> None:
    where = deployment(board, "tensorrt", batch=batch)
    int8, float16 = (
        float(estimate_performance(f"resnet50:{dtype}", where).latency_ms) for dtype in ("int8", "float16")
    )
    peaks = [peak_ops_per_s(where, dtype) for dtype in ("int8", "float16")]
    assert peaks[0] is not None
    assert peaks[1] is not None
    assert int8 < float16 < int8 * peaks[0] / peaks[1] * ROUNDED


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("dtype", ["int8", "float16"])
def test_a_larger_batch_takes_longer_and_a_single_inference_in_it_no_longer(board: str, dtype: str) -> None:
    batches = (1, 2, 4, 8, 16, 32)
    times = [
        float(estimate_performance(f"resnet50:{dtype}", deployment(board, "tensorrt", batch=b)).latency_ms)
        for b in batches
    ]
    assert times == sorted(times)
    each = [time / batch for time, batch in zip(times, batches, strict=True)]
    assert all(later < 1.01 * sooner for sooner, later in itertools.pairwise(each))
