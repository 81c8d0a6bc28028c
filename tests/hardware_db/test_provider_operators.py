"""ONNX Runtime's providers: what each takes, and what it leaves to the CPU."""

from __future__ import annotations

import numpy as np
import pytest

from edgewright.hardware_db import load_runtime
from edgewright.tools import deployment, parse_model, score_compatibility
from edgewright.tools.placement.op_placement import Runs

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
from onnx import TensorProto, helper, numpy_helper  # noqa: E402

from edgewright.hardware_db.provider_operators import (  # noqa: E402
    of_intel_npu,
    of_kernels,
    of_openvino,
    of_ryzen_ai,
    of_tensorrt,
)

TABLE = """
## Operators implemented by CUDAExecutionProvider
| Op Name | Parameters | OpSet Version | Types Supported |
|**Operator Domain:** *ai.onnx*||||
|Add|*in* A:**T**<br> *out* C:**T**|14+|**T** = tensor(double), tensor(float16)|
|||[7, 12]|**T** = tensor(double)|
## Operators implemented by DmlExecutionProvider
|**Operator Domain:** *ai.onnx*||||
|Abs|*in* X:**T**|13+|**T** = tensor(float)|
"""


def network() -> bytes:
    """A convolution, an Einsum and an activation."""
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"]),
        helper.make_node("Einsum", ["a"], ["b"], equation="ncij->ncji"),
        helper.make_node("Relu", ["b"], ["y"]),
    ]
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 3, 8, 8]) for name in "xy"]
    weights = numpy_helper.from_array(np.ones((3, 3, 1, 1), np.float32), "w")
    graph = helper.make_graph(nodes, "g", values[:1], values[1:], [weights])
    opsets = [helper.make_opsetid("", 17)]
    return bytes(helper.make_model(graph, opset_imports=opsets, ir_version=9).SerializeToString())


def test_a_provider_takes_the_definitions_that_its_table_lists() -> None:
    assert of_kernels(TABLE, "CUDAExecutionProvider") == {"Add": (["float16", "float64"], [7, 14])}
    assert of_kernels(TABLE, "DmlExecutionProvider") == {"Abs": (["float32", "int8", "uint8"], [13])}


def test_openvinos_list_is_read_for_one_device() -> None:
    text = """supported_types_gpu_.insert(std::make_pair(V_1, X::TensorProto_DataType_FLOAT16));
    {"Abs", V_2020_4, {"CPU", "GPU"}}, {"GRU", V_2020_4, {"CPU"}},"""
    assert of_openvino(text, "GPU") == {"Abs": (["float16"], ())}


def test_of_tensorrts_matrix_what_it_does_not_take_is_left_out() -> None:
    text = "| Abs   | Y   | FP32, FP16 |\n| Col2Im   | N          |\n"
    assert of_tensorrt(text) == {"Abs": (["float16", "float32", "int8", "uint8"], ())}


def test_a_node_runs_on_intels_npu_where_the_compiler_imports_all_that_it_becomes() -> None:
    text = "MAP_ENTRY(ov::opset1::MatMul), MAP_ENTRY(ov::opset1::Add), MAP_ENTRY(ov::op::v13::Relu),"
    listed = dict.fromkeys(("Add", "Gemm", "LSTM", "Relu"), ((), ()))
    assert sorted(of_intel_npu(text, listed)) == ["Add", "Gemm", "Relu"]


def test_of_ryzen_ais_table_only_the_column_of_every_generation_counts() -> None:
    text = """| Abs                    | Y     |       |       | Y     |
| Gather                 | Y     |       |       |       |
| Upsample (deprecated)  | Y     |       |       | Y     |
"""
    assert of_ryzen_ai(text) == {"Abs": (("int8", "uint8"), ())}


@pytest.mark.parametrize(
    ("target", "runtime", "left"),
    [
        ("jetson-orin-nano-8gb", "onnxruntime-cuda", []),
        ("jetson-orin-nano-8gb", "onnxruntime-tensorrt", []),
        ("apple-m3", "onnxruntime-coreml", ["CUSTOM:Einsum"]),
        ("snapdragon-x-elite", "onnxruntime-qnn", []),
        ("intel-core-ultra-7-268v", "onnxruntime-openvino-npu", ["CUSTOM:Einsum"]),
        ("amd-ryzen-9-8945hs", "onnxruntime-vitisai", ["CONV_2D", "CUSTOM:Einsum", "RELU"]),
    ],
)
def test_what_a_provider_leaves_to_the_cpu_is_said_of_each_operator(
    target: str, runtime: str, left: list[str]
) -> None:
    report = score_compatibility(parse_model(network()), deployment(target, runtime))
    assert [op.op for op in report.ops if op.runs is Runs.FALLBACK] == left
    assert all(op.supported for op in report.ops)


@pytest.mark.parametrize(
    "runtime",
    [
        f"onnxruntime-{name}"
        for name in ("cuda", "tensorrt", "directml", "qnn", "openvino", "openvino-npu", "vitisai", "coreml")
    ],
)
def test_a_provider_leaves_the_rest_to_the_cpu_provider(runtime: str) -> None:
    found = load_runtime(runtime)
    assert found.fallback_runtimes == ("onnxruntime",)
    assert found.loads is not None
    assert {"CONV_2D", "CUSTOM:Conv"} <= found.operators.keys()
