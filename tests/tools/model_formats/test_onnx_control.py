"""Branches and loops of ONNX: what they hold is read, placed and counted."""

from __future__ import annotations

import numpy as np
import pytest

from edgewright.tools import deployment, parse_model, score_compatibility
from edgewright.tools.core.document import describe
from edgewright.tools.core.render.markdown import plain
from edgewright.tools.graph import ModelGraph
from edgewright.tools.graph.summarize import summarize_model

onnx = pytest.importorskip("onnx")
from onnx import TensorProto, ValueInfoProto, helper, numpy_helper  # noqa: E402

WEIGHTS = numpy_helper.from_array(np.ones((8, 8), np.float32), "w")
PRODUCT = 64
ON = numpy_helper.from_array(np.array(True), "on")


def given(name: str, shape: tuple[int, ...] | None, dtype: int = TensorProto.FLOAT) -> ValueInfoProto:
    return helper.make_tensor_value_info(name, dtype, shape)


def node(kind: str, inputs: str, outputs: str, **attributes: object) -> onnx.NodeProto:
    return helper.make_node(kind, inputs.split(), outputs.split(), **attributes)


def body(nodes: list[onnx.NodeProto], inputs: str, outputs: str) -> onnx.GraphProto:
    """Of which neither a type nor a shape is stated, as exporters leave them."""
    named = [[ValueInfoProto(name=name) for name in names.split()] for names in (inputs, outputs)]
    return helper.make_graph(nodes, "body", *named)


def model(made: onnx.NodeProto, inputs: list[ValueInfoProto], *more: onnx.TensorProto) -> ModelGraph:
    outputs = [given(name, None) for name in made.output]
    graph = helper.make_graph([made], "g", inputs, outputs, [WEIGHTS, *more])
    opsets = [helper.make_opsetid("", 17)]
    return parse_model(helper.make_model(graph, opset_imports=opsets, ir_version=9).SerializeToString())


def loop(count: bytes = b"", *, stops: bool = False) -> ModelGraph:
    turn = [node("MatMul", "c w", "m"), node("Relu", "m", "c2"), node("Identity", "m", "each")]
    test = node("Greater", "i i", "go") if stops else node("Identity", "going", "go")
    made = node("Loop", "count on x", "y ys", body=body([*turn, test], "i going c", "go c2 each"))
    inputs = [given("x", (1, 8))]
    if not count:
        return model(made, [*inputs, given("count", (), TensorProto.INT64)], ON)
    held = numpy_helper.from_array(np.array(int(count), np.int64), "count")
    return model(made, inputs, ON, held)


def branch(*condition: onnx.TensorProto, kind: str = "Relu") -> ModelGraph:
    branches = {
        "then_branch": body([node("MatMul", "x w", "a")], "", "a"),
        "else_branch": body([node(kind, "x", "b")], "", "b"),
    }
    inputs = [given("x", (1, 8)), *([] if condition else [given("go", (), TensorProto.BOOL)])]
    return model(node("If", "go", "y", **branches), inputs, *condition)


def test_of_a_branch_the_larger_is_counted_and_both_are_said() -> None:
    summary = summarize_model(branch())
    assert summary.macs == PRODUCT
    assert summary.subgraph_count == 3
    assert "operator 0 (IF) is a branch of 0 to 64 MACs: the larger is counted" in plain(describe(summary))


@pytest.mark.parametrize(("taken", "macs"), [(True, PRODUCT), (False, 0)])
def test_of_a_branch_that_a_constant_decides_the_one_taken_is_counted(taken: bool, macs: int) -> None:
    summary = summarize_model(branch(numpy_helper.from_array(np.array(taken), "go")))
    assert summary.macs == macs
    assert not summary.not_counted


def test_a_loop_of_constant_length_counts_each_turn_and_stacks_what_it_makes() -> None:
    graph = loop(b"5")
    assert summarize_model(graph).macs == 5 * PRODUCT
    assert [tensor.shape for tensor in graph.outputs] == [(1, 8), (5, 1, 8)]


def test_a_loop_whose_length_the_run_decides_says_what_a_turn_is() -> None:
    summary = summarize_model(loop())
    (left_out,) = summary.not_counted
    assert left_out.name_untrusted == "Loop"
    assert left_out.reason == "its trip count is known only at run time; a turn is 64 MACs"
    assert "unknown MACs" in summary.headline()


def test_a_loop_without_end_is_one_whose_length_the_run_decides() -> None:
    graph = loop(b"9223372036854775807", stops=True)
    assert "known only at run time" in summarize_model(graph).not_counted[0].reason
    assert graph.outputs[1].shape == (-1, 1, 8)


def test_a_loop_that_may_stop_is_counted_to_its_end_and_said_to_be() -> None:
    summary = summarize_model(loop(b"5", stops=True))
    assert summary.macs == 5 * PRODUCT
    assert "a loop that may stop before its 5 turns" in " ".join(summary.assumptions)


def test_a_scan_runs_once_for_each_element_of_what_it_scans() -> None:
    turn = [node("MatMul", "s w", "m"), node("Add", "m e", "s2"), node("Identity", "s2", "o")]
    made = node("Scan", "x xs", "y ys", body=body(turn, "s e", "s2 o"), num_scan_inputs=1)
    graph = model(made, [given("x", (1, 8)), given("xs", (6, 1, 8))])
    assert summarize_model(graph).macs == 6 * PRODUCT


def test_weights_that_a_loop_reads_are_counted_once() -> None:
    assert summarize_model(loop(b"5")).parameter_count == PRODUCT


@pytest.mark.parametrize(("kind", "verdict"), [("Relu", "PASS"), ("Erf", "FAIL")])
def test_a_branch_runs_where_all_that_it_may_run_does(kind: str, verdict: str) -> None:
    report = score_compatibility(branch(kind=kind), deployment("stm32h743zi", "tflm-reference"))
    assert report.ops[0].supported is (verdict == "PASS"), report.ops[0].reason
