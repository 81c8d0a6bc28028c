"""Verdicts for ONNX Runtime are what the installed library does with the cases that onnx ships."""

from collections import Counter
from itertools import islice

import pytest

onnxruntime = pytest.importorskip("onnxruntime")
onnx = pytest.importorskip("onnx")
from onnx import TensorProto, helper  # noqa: E402

from tests.corpora.onnxruntime_agreement import backend_cases, judged, loads, verdict  # noqa: E402

EVERY = 29


def test_of_the_backend_tests_of_onnx_few_are_judged_otherwise_than_they_run() -> None:
    cases = [judged(name, model) for name, model in islice(backend_cases(), 0, None, EVERY)]
    found = Counter(case.outcome for case in cases)
    assert len(cases) > 50
    assert found["right"] >= 0.95 * len(cases), [case for case in cases if case.outcome != "right"]


def relu(opset: int, ir_version: int = 8) -> bytes:
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [4]) for name in "xy"]
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "g", values[:1], values[1:])
    opsets = [helper.make_opsetid("", opset)]
    model = helper.make_model(graph, ir_version=ir_version, opset_imports=opsets)
    return bytes(model.SerializeToString())


@pytest.mark.parametrize(
    ("opset", "ir_version", "said"),
    [(5, 8, "as opset 1 defines it"), (99, 8, "opset 99"), (13, 99, "IR version 99")],
)
def test_a_file_older_or_newer_than_the_library_takes_is_refused_by_name(
    opset: int, ir_version: int, said: str
) -> None:
    runs, why = verdict(relu(opset, ir_version))
    assert runs is False
    assert said in why


def test_an_operator_that_onnx_does_not_define_is_refused() -> None:
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [4]) for name in "xy"]
    graph = helper.make_graph([helper.make_node("Relax", ["x"], ["y"])], "g", values[:1], values[1:])
    model = helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 13)])
    runs, why = verdict(bytes(model.SerializeToString()))
    assert runs is False
    assert "ONNX defines no such operator" in why


def test_a_file_of_an_opset_that_the_library_takes_runs() -> None:
    assert verdict(relu(13)) == (True, "")


def one_node(node: onnx.NodeProto, inputs: dict[str, tuple[int, list[int]]], **opsets: int) -> bytes:
    """A model of one node; `opsets` by domain, `onnx` for ONNX's own."""
    values = [helper.make_tensor_value_info(name, *kind) for name, kind in inputs.items()]
    made = helper.make_tensor_value_info("y", next(iter(inputs.values()))[0], None)
    versions = [helper.make_opsetid("" if name == "onnx" else f"com.{name}", v) for name, v in opsets.items()]
    graph = helper.make_graph([node], "g", values, [made])
    return bytes(helper.make_model(graph, ir_version=8, opset_imports=versions).SerializeToString())


def test_an_operator_with_scales_is_judged_by_its_own_kernel_and_not_by_the_plain_one() -> None:
    numbers = {name: (TensorProto.INT8, [4]) for name in "ab"}
    scales = {name: (TensorProto.FLOAT, []) for name in ("s", "t", "u")}
    zeros = {name: (TensorProto.INT8, []) for name in ("x", "v", "w")}
    node = helper.make_node(
        "QLinearAdd", ["a", "s", "x", "b", "t", "v", "u", "w"], ["y"], domain="com.microsoft"
    )
    model = one_node(node, numbers | scales | zeros, microsoft=1)
    assert loads(model) == verdict(model) == (True, "")


@pytest.mark.parametrize(("opset", "runs"), [(12, False), (13, True)])
def test_an_input_that_the_definition_cannot_do_without_is_missed(opset: int, runs: bool) -> None:
    """The region of a Resize may be left out from opset 13 on."""
    node = helper.make_node("Resize", ["x", "", "", "s"], ["y"])
    model = one_node(
        node, {"x": (TensorProto.FLOAT, [1, 1, 4, 4]), "s": (TensorProto.INT64, [4])}, onnx=opset
    )
    assert loads(model)[0] is verdict(model)[0] is runs


def test_a_type_that_the_definition_does_not_take_is_missed() -> None:
    node = helper.make_node("Gather", ["x", "i"], ["y"])
    model = one_node(node, {"x": (TensorProto.FLOAT, [4, 4]), "i": (TensorProto.FLOAT, [2])}, onnx=13)
    assert loads(model)[0] is verdict(model)[0] is False


def test_layer_norms_of_files_older_than_their_definition_run() -> None:
    inputs = {"x": (TensorProto.FLOAT, [2, 4]), "s": (TensorProto.FLOAT, [4])}
    model = one_node(helper.make_node("LayerNormalization", ["x", "s"], ["y"]), inputs, onnx=13)
    assert loads(model) == verdict(model) == (True, "")


def test_operators_of_a_library_that_is_not_registered_do_not_run() -> None:
    node = helper.make_node("FastGelu", ["x"], ["y"], domain="ai.onnx.contrib")
    assert loads(one_node(node, {"x": (TensorProto.FLOAT, [4])}, onnx=13))[0] is False
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [4]) for name in "xy"]
    opsets = [helper.make_opsetid("", 13), helper.make_opsetid("ai.onnx.contrib", 1)]
    made = helper.make_model(
        helper.make_graph([node], "g", values[:1], values[1:]), ir_version=8, opset_imports=opsets
    )
    runs, why = verdict(bytes(made.SerializeToString()))
    assert runs is loads(bytes(made.SerializeToString()))[0] is False
    assert "custom operators, not this one" in why


def test_sums_of_an_opset_without_kernels_are_refused_though_they_follow_a_product() -> None:
    values = {name: (TensorProto.FLOAT, [4, 4]) for name in "xwb"}
    nodes = [helper.make_node("MatMul", ["x", "w"], ["a"]), helper.make_node("Add", ["a", "b"], ["y"])]
    given = [helper.make_tensor_value_info(name, *kind) for name, kind in values.items()]
    made = helper.make_graph(
        nodes, "g", given, [helper.make_tensor_value_info("y", TensorProto.FLOAT, [4, 4])]
    )
    opsets = [helper.make_opsetid("", 5)]
    model = bytes(helper.make_model(made, ir_version=8, opset_imports=opsets).SerializeToString())
    assert loads(model)[0] is verdict(model)[0] is False
