from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from edgewright.hardware_db import Accelerator, Runtime
from edgewright.hardware_db.schema import Limit
from edgewright.tools.core.deployment import Deployment
from edgewright.tools.graph import DType, ModelGraph
from edgewright.tools.placement.kernel_limits import LIMITS
from edgewright.tools.placement.operators import Placed, place_operators

Graph = Callable[..., ModelGraph]
Place = Callable[..., Deployment]
Kernels = Callable[..., Runtime]

I8, I32, F32 = DType.INT8, DType.INT32, DType.FLOAT32
NPU = Accelerator(id="npu", name="NPU", kind="npu", family="made-up")


def decided(graph: ModelGraph, deployment: Deployment) -> Placed:
    (placed,) = place_operators(graph, deployment)
    return placed


def convolution(
    one_op: Graph, kernel: tuple[int, int] = (3, 5), batch: int = 1, **options: Any
) -> ModelGraph:
    window = {"stride_h": 1, "stride_w": 1, "dilation_h_factor": 1, "dilation_w_factor": 1}
    inputs = ((I8, (batch, 20, 30, 4)), (I8, (8, *kernel, 4), True))
    return one_op("CONV_2D", inputs, ((I8, (batch, 20, 30, 8)),), padding="SAME", **window | options)


def pooling(one_op: Graph, **options: Any) -> ModelGraph:
    window = {"filter_height": 2, "filter_width": 7, "stride_h": 2, "stride_w": 2}
    return one_op("MAX_POOL_2D", ((I8, (1, 8, 7, 4)),), ((I8, (1, 4, 1, 4)),), **window | options)


def limited(runtime: Kernels, limit: Limit, least: int, most: int) -> Runtime:
    told = {"dtypes": ("int8",), "optimized": ("int8",), "limits": {limit: (least, most)}}
    return runtime(CONV_2D=told, MAX_POOL_2D=told, TRANSPOSE_CONV=told)


@pytest.mark.parametrize(
    ("limit", "measured"),
    [
        (Limit.BATCH, 1),
        (Limit.DIMENSION, 30),
        (Limit.CHANNELS_IN, 4),
        (Limit.CHANNELS_OUT, 8),
        (Limit.KERNEL, 5),
        (Limit.KERNEL_AREA, 15),
        (Limit.STRIDE, 2),
        (Limit.DILATION, 3),
        (Limit.DILATED_HEIGHT, 7),
        (Limit.DILATED_AREA, 35),
    ],
)
def test_a_convolution_runs_up_to_the_limit_and_not_beyond(
    limit: Limit, measured: int, one_op: Graph, place: Place, runtime: Kernels
) -> None:
    graph = convolution(one_op, stride_h=2, dilation_h_factor=3)
    assert decided(graph, place(limited(runtime, limit, 1, measured))).placement.supported is True
    refused = decided(graph, place(limited(runtime, limit, 1, measured - 1)))
    assert refused.cause == LIMITS[limit].__name__
    assert f"is {measured}, it takes 1 to {measured - 1}." in refused.placement.reason


def test_a_least_value_is_kept_too(one_op: Graph, place: Place, runtime: Kernels) -> None:
    placed = decided(convolution(one_op), place(limited(runtime, Limit.STRIDE, 2, 2)))
    assert "Stride is 1, it takes 2 to 2." in placed.placement.reason


def test_the_window_of_a_pooling_stands_in_its_options(one_op: Graph, place: Place, runtime: Kernels) -> None:
    assert decided(pooling(one_op), place(limited(runtime, Limit.KERNEL, 1, 7))).placement.supported is True
    assert decided(pooling(one_op), place(limited(runtime, Limit.KERNEL, 1, 6))).cause == "kernel_in_limits"


def test_a_transposed_convolution_has_its_image_last(one_op: Graph, place: Place, runtime: Kernels) -> None:
    inputs = ((I32, (4,), True), (I8, (8, 2, 2, 16), True), (I8, (1, 5, 5, 16)))
    graph = one_op("TRANSPOSE_CONV", inputs, ((I8, (1, 10, 10, 8)),), stride_h=2, stride_w=2)
    taken = decided(graph, place(limited(runtime, Limit.CHANNELS_IN, 16, 16)))
    assert taken.cause != "channels_in_in_limits"
    assert decided(graph, place(limited(runtime, Limit.KERNEL, 3, 9))).cause == "kernel_in_limits"


def test_an_operator_without_a_window_has_no_such_limit(
    one_op: Graph, place: Place, runtime: Kernels
) -> None:
    told = {"dtypes": ("int8",), "limits": {Limit.KERNEL: (1, 1), Limit.STRIDE: (1, 1)}}
    assert decided(one_op("RELU"), place(runtime(RELU=told))).placement.supported is True


def test_every_limit_has_a_rule() -> None:
    assert set(LIMITS) == set(Limit)


def test_an_accelerator_leaves_to_the_cpu_what_is_beyond_its_limits(
    one_op: Graph, place: Place, runtime: Kernels
) -> None:
    told = {"dtypes": ("int8",), "limits": {Limit.STRIDE: (1, 3)}}
    kernels = runtime(CONV_2D=told, fallback="cpu", fallback_runtimes=("tflm-cmsis-nn",))
    placed = decided(convolution(one_op, stride_w=4), place(kernels, accelerator=NPU))
    assert (placed.cause, placed.placement.processor) == ("fallback", "cpu")


def test_what_the_cpus_kernels_refuse_too_does_not_run(one_op: Graph, place: Place, runtime: Kernels) -> None:
    kernels = runtime(
        ADD={"dtypes": ("int8",)}, fallback="cpu", fallback_runtimes=("litert-xnnpack", "tflm-reference")
    )
    graph = one_op("HASHTABLE", ((I32, (1,)),), ((I32, (1,)),))
    on_a_microcontroller = decided(graph, place(kernels, accelerator=NPU))
    assert on_a_microcontroller.placement.supported is False
    assert "nor does the CPU" in on_a_microcontroller.placement.reason
    assert "tflm-reference registers" in on_a_microcontroller.placement.reason
    assert decided(graph, place(kernels, isa="cortex-a53", accelerator=NPU)).placement.supported is None


def test_a_compiler_that_takes_all_for_the_cpu_runs_what_its_list_is_silent_about(
    one_op: Graph, place: Place, runtime: Kernels
) -> None:
    kernels = runtime(ADD={"dtypes": ("int8",)}, fallback="cpu", fallback_takes_all=True, complete=False)
    where = place(kernels, accelerator=NPU)
    assert decided(one_op("NEG"), where).placement.runs == "untold"
    assert decided(one_op("CUSTOM", custom="MyOp"), where).supported is None


def test_what_an_accelerators_list_is_silent_about_runs_on_the_cpu_at_worst(
    one_op: Graph, place: Place, runtime: Kernels
) -> None:
    told = {"ADD": {"dtypes": ("int8",)}, "fallback": "cpu", "complete": False}
    kernels = runtime(**told, fallback_runtimes=("tflm-cmsis-nn",))
    graph = one_op("NEG", ((F32, (1, 4)),), ((F32, (1, 4)),))
    placed = decided(graph, place(kernels, accelerator=NPU))
    assert (placed.placement.supported, placed.placement.processor) == (True, "cpu")
    assert "at worst the CPU" in placed.placement.reason
    nobody = decided(graph, place(runtime(**told), accelerator=NPU))
    assert (nobody.placement.supported, nobody.cause) == (None, "operator_known")
