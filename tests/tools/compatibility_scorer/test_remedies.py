from __future__ import annotations

from collections.abc import Callable

import pytest

from edgewright.hardware_db import Runtime
from edgewright.tools.core.deployment import Deployment
from edgewright.tools.graph import DType, ModelGraph
from edgewright.tools.placement.operators import place_operators

Graph = Callable[..., ModelGraph]
Place = Callable[..., Deployment]
Kernels = Callable[..., Runtime]

F32, I8, U8 = DType.FLOAT32, DType.INT8, DType.UINT8


def remedy(graph: ModelGraph, deployment: Deployment) -> str:
    (placed,) = place_operators(graph, deployment)
    return placed.placement.remedy


def test_hard_swish_is_replaced_by_relu6_where_relu6_runs_in_that_type(
    one_op: Graph, place: Place, runtime: Kernels
) -> None:
    graph = one_op("HARD_SWISH")
    assert "RELU6" in remedy(graph, place(runtime(RELU6={"dtypes": ("int8",)})))
    assert "RELU6" not in remedy(graph, place(runtime(RELU6={"dtypes": ("float32",)})))
    assert remedy(graph, place(runtime(RELU={"dtypes": ("int8",)}))) == ""


def test_a_substitute_of_several_operators_needs_them_all(
    one_op: Graph, place: Place, runtime: Kernels
) -> None:
    graph = one_op("SQUARED_DIFFERENCE", ((I8, (1, 4)),) * 2)
    taken = {"dtypes": ("int8",)}
    assert remedy(graph, place(runtime(SUB=taken))) == ""
    assert "SUB and MUL" in remedy(graph, place(runtime(SUB=taken, MUL=taken)))


def test_tile_can_be_written_as_a_concatenation_for_tflm(one_op: Graph, place: Place) -> None:
    assert "CONCATENATION" in remedy(one_op("TILE"), place("tflm-reference"))


def test_another_runtime_of_the_target_is_named_only_if_it_runs_the_operator(
    one_op: Graph, place: Place
) -> None:
    graph = one_op("TILE")
    assert "use x-cube-ai" in remedy(graph, place("tflm-reference", others=("x-cube-ai",)))
    assert "use " not in remedy(graph, place("tflm-reference", others=("tflm-cmsis-nn",)))


def test_a_target_with_a_runtime_that_nobody_described_still_gets_an_answer(
    one_op: Graph, place: Place
) -> None:
    assert "CONCATENATION" in remedy(one_op("TILE"), place("tflm-reference", others=("no-such",)))


def test_uint8_models_are_converted_again(one_op: Graph, place: Place) -> None:
    graph = one_op("RELU", ((U8, (1, 4)),), ((U8, (1, 4)),))
    assert remedy(graph, place("tflm-reference")) == "convert the model to int8"


def test_dynamic_range_models_are_quantised_in_full(one_op: Graph, place: Place) -> None:
    graph = one_op("FULLY_CONNECTED", ((F32, (1, 4)), (I8, (2, 4), True)), ((F32, (1, 2)),))
    assert remedy(graph, place("tflm-reference")).startswith("quantise the activations to int8 too")


@pytest.mark.parametrize(("name", "advice"), [("FlexErf", "SELECT_TF_OPS"), ("MyOp", "write a kernel")])
def test_tensorflow_operators_are_converted_away_and_others_registered(
    one_op: Graph, place: Place, name: str, advice: str
) -> None:
    assert advice in remedy(one_op("CUSTOM", custom=name), place("tflm-reference"))


def test_nothing_is_advised_where_nothing_is_wrong(one_op: Graph, place: Place) -> None:
    assert remedy(one_op("SOFTMAX"), place("tflm-cmsis-nn")) == ""


def test_a_runtime_with_written_kernels_is_named_where_the_core_has_what_they_need(
    one_op: Graph, place: Place
) -> None:
    others = ("tflm-cmsis-nn",)
    dense = one_op("FULLY_CONNECTED", ((I8, (1, 4)), (I8, (2, 4), True)), ((I8, (1, 2)),))
    assert "tflm-cmsis-nn" in remedy(dense, place("tflm-reference", others=others))
    assert remedy(dense, place("tflm-reference", others=others, isa="cortex-m3")) == ""


def test_moving_data_needs_no_faster_kernel(one_op: Graph, place: Place) -> None:
    graph = one_op("RESHAPE", ((I8, (1, 4)),), ((I8, (4,)),))
    assert remedy(graph, place("tflm-reference", others=("x-cube-ai",))) == ""
