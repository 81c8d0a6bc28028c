"""Verdicts for ONNX Runtime are what the installed library does with the cases that onnx ships."""

from collections import Counter
from itertools import islice

import pytest

onnxruntime = pytest.importorskip("onnxruntime")
onnx = pytest.importorskip("onnx")
from onnx import TensorProto, helper  # noqa: E402

from tests.corpora.onnxruntime_agreement import backend_cases, judged, verdict  # noqa: E402

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
