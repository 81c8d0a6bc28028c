from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from edgewright.hardware_db import Runtime
from edgewright.tools.core.deployment import Deployment
from edgewright.tools.graph import DType, ModelGraph
from edgewright.tools.placement.operators import Placed, place_operators

Graph = Callable[..., ModelGraph]
Place = Callable[..., Deployment]
Kernels = Callable[..., Runtime]

I8, I32, I64 = DType.INT8, DType.INT32, DType.INT64
IMAGE, FILTERS = (1, 8, 8, 4), (8, 3, 3, 4)


def decided(graph: ModelGraph, deployment: Deployment) -> Placed:
    (placed,) = place_operators(graph, deployment)
    return placed


def convolution(one_op: Graph, bias: DType = I32, **options: Any) -> ModelGraph:
    inputs = ((I8, IMAGE), (I8, FILTERS, True), (bias, (8,), True))
    return one_op("CONV_2D", inputs, ((I8, (1, 8, 8, 8)),), **options)


def taking(runtime: Kernels, **limits: Any) -> Runtime:
    told = {"dtypes": ("int8",), **limits}
    return runtime(CONV_2D=told, PAD=told, CONCATENATION=told, MEAN=told, STRIDED_SLICE=told)


@pytest.mark.parametrize(("asked", "cause"), [("NONE", None), ("RELU", None), ("TANH", "activation_fused")])
def test_an_activation_is_fused_only_where_the_kernel_computes_it(
    asked: str, cause: str | None, one_op: Graph, place: Place, runtime: Kernels
) -> None:
    kernels = taking(runtime, options={"fused_activation_function": ("NONE", "RELU")})
    placed = decided(convolution(one_op, fused_activation_function=asked), place(kernels))
    assert placed.supported is (cause is None)
    assert cause is None or (placed.cause, asked in placed.reason) == (cause, True)


def test_a_setting_that_the_kernel_does_not_take_is_named(
    one_op: Graph, place: Place, runtime: Kernels
) -> None:
    kernels = taking(runtime, options={"weights_format": ("DEFAULT",)})
    placed = decided(convolution(one_op, weights_format="SHUFFLED4x16INT8"), place(kernels))
    assert placed.cause == "options_taken"
    assert "SHUFFLED4x16INT8" in placed.reason


@pytest.mark.parametrize(("bias", "runs"), [(I32, True), (I64, False)])
def test_a_bias_is_of_a_type_that_the_kernel_takes(
    bias: DType, runs: bool, one_op: Graph, place: Place, runtime: Kernels
) -> None:
    kernels = taking(runtime, bias_dtypes={"int8": ("int32",)})
    placed = decided(convolution(one_op, bias), place(kernels))
    assert placed.supported is runs
    assert runs or placed.cause == "bias_type_supported"


@pytest.mark.parametrize(("height", "width", "runs"), [(2, 2, True), (1, 2, False)])
def test_a_dilation_is_square_where_the_kernel_needs_it(
    height: int, width: int, runs: bool, one_op: Graph, place: Place, runtime: Kernels
) -> None:
    graph = convolution(one_op, dilation_h_factor=height, dilation_w_factor=width)
    placed = decided(graph, place(taking(runtime, square=("dilation",))))
    assert placed.supported is runs
    assert runs or placed.reason.endswith("Dilation is 1 in height and 2 in width.")


def test_channels_are_a_multiple_of_what_the_kernel_needs(
    one_op: Graph, place: Place, runtime: Kernels
) -> None:
    placed = decided(convolution(one_op), place(taking(runtime, multiples={"channels-in": 8})))
    assert placed.cause == "channels_in_in_limits"
    assert placed.reason.endswith("Channels in is 4, it takes multiples of 8.")


@pytest.mark.parametrize(("axis", "runs"), [(3, True), (-1, True), (0, False), (-4, False)])
def test_joining_along_the_batch_is_refused_where_the_batch_is_kept(
    axis: int, runs: bool, one_op: Graph, place: Place, runtime: Kernels
) -> None:
    graph = one_op("CONCATENATION", ((I8, IMAGE), (I8, IMAGE)), ((I8, (1, 8, 8, 8)),), axis=axis)
    placed = decided(graph, place(taking(runtime, keeps_batch=True)))
    assert placed.supported is runs
    assert runs or placed.cause == "batch_kept"


def test_more_than_three_dimensions_are_taken_only_if_the_outer_ones_are_1(
    one_op: Graph, place: Place, runtime: Kernels
) -> None:
    where = place(runtime(RELU={"dtypes": ("int8",)}, inner_dimensions=3))
    flat = one_op("RELU", ((I8, (1, 4, 4, 2)),), ((I8, (1, 4, 4, 2)),))
    deep = one_op("RELU", ((I8, (2, 4, 4, 2)),), ((I8, (2, 4, 4, 2)),))
    assert decided(flat, where).supported is True
    assert decided(deep, where).cause == "inner_dimensions"


def test_an_operator_that_a_source_refuses_does_not_run_though_the_list_is_incomplete(
    one_op: Graph, place: Place, runtime: Kernels
) -> None:
    refused = {"because": "its table is not loaded", "source": "made-up", "locator": "none"}
    kernels = runtime(RELU={"dtypes": ("int8",)}, complete=False, refuses={"GELU": refused})
    placed = decided(one_op("GELU"), place(kernels))
    assert (placed.supported, placed.cause) == (False, "operator_refused")
    assert placed.reason.endswith("Its table is not loaded.")
    assert "RELU" in placed.placement.remedy
