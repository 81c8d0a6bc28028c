"""Files that once broke a tool: those that no runtime can run are refused with the reason, odd ones are read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from edgewright.tools import (
    EdgewrightError,
    ModelFileError,
    check_constraints,
    deployment,
    parse_model,
    simulate_optimizations,
)
from edgewright.tools.graph import ModelGraph, Op, Subgraph, Tensor
from edgewright.tools.graph.builder import GraphBuilder
from edgewright.tools.graph.dtypes import DType
from edgewright.tools.graph.shapes.change import with_batch
from edgewright.tools.model_formats.graphs import check_graph, check_shapes
from edgewright.tools.model_formats.tflite.reader import DamagedError
from stubs.work import calls_in

onnx = pytest.importorskip("onnx")
from onnx import TensorProto, helper, numpy_helper  # noqa: E402

HERE = Path(__file__).parent
REASONS = {
    "add_of_unequal_shapes.tflite": "1x8 and 3x7 do not broadcast",
    "channels_beyond_data.onnx": "elements and data for 108",
    "constant_written.tflite": "writes tensor 14, a constant",
    "convolution_without_filter.tflite": "output of 1x8x8x4 is recorded as 1x8x64x4",
    "dense_weights_rank_0.tflite": "input 1 has 0 dimensions",
    "dense_weights_rank_1.tflite": "input 1 has 1 dimensions",
    "dimension_2_62.onnx": "more than 8 PiB",
    "doubling_concat.onnx": "not inferred within",
    "filter_is_the_bias.tflite": "input 1 has 1 dimensions",
    "filter_rank_0.tflite": "input 1 has 0 dimensions",
    "filter_rank_2.tflite": "input 1 has 2 dimensions",
    "function_calls_itself.onnx": "a function calls itself",
    "input_written.tflite": "writes tensor 0, an input",
    "input_written_beside_while.tflite": "writes tensor 0, an input",
    "more_declared_than_held.onnx": "600000000 elements and data for 3",
    "name_no_text.onnx": "a name in it is no text",
    "no_outputs.tflite": "it has no outputs",
    "output_not_reached.tflite": "nothing computes its output, tensor 13",
    "output_of_nobody.tflite": "nothing computes its output, tensor 2",
    "range_of_2_40.onnx": "not inferred within",
    "read_of_nobody.tflite": "reads tensor 16, which nothing computes",
    "reshape_to_nothing.tflite": "output of 1x128 is recorded as 1x0",
    "split_into_too_many.onnx": "crashes on it",
    "tensor_beyond_2_63.onnx": "more than 8 PiB",
    "too_many_arguments.onnx": "cannot be inlined",
}


@pytest.mark.parametrize("name", sorted(file.name for file in (HERE / "refused").iterdir()))
def test_a_file_that_no_runtime_can_run_is_refused_with_the_reason(name: str) -> None:
    with pytest.raises(ModelFileError) as refused:
        parse_model(HERE / "refused" / name)
    assert REASONS[name] in str(refused.value)


@pytest.mark.parametrize("name", sorted(file.name for file in (HERE / "odd").iterdir()))
def test_an_odd_file_goes_through_checks_and_remedies(name: str) -> None:
    graph, board = parse_model(HERE / "odd" / name), deployment("stm32h743zi")
    simulate_optimizations(graph, board)
    assert check_constraints(graph, board, {"ram_bytes": 10, "latency_ms": 50}).checks


def test_a_local_function_stands_where_it_is_called() -> None:
    assert [op.kind for op in parse_model(HERE / "odd" / "local_function.onnx").ops] == ["RELU"]


def of_functions(levels: int) -> bytes:
    """A function that calls the next one twice, `levels` times over."""
    functions = []
    for level in range(levels):
        callee, domain = ("Relu", "") if level == levels - 1 else (f"f{level + 1}", "my")
        nodes = [
            helper.make_node(callee, ["p"], ["q"], domain=domain),
            helper.make_node(callee, ["q"], ["o"], domain=domain),
        ]
        opsets = [helper.make_opsetid("", 20), helper.make_opsetid("my", 1)]
        functions.append(helper.make_function("my", f"f{level}", ["p"], ["o"], nodes, opsets))
    return of_nodes([helper.make_node("f0", ["x"], ["y"], domain="my")], functions=functions)


def of_nodes(
    nodes: list[onnx.NodeProto],
    constants: list[onnx.TensorProto] | None = None,
    functions: list[onnx.FunctionProto] | None = None,
    outputs: tuple[str, ...] = ("y",),
    shape: tuple[int, ...] = (1, 8),
) -> bytes:
    made = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs]
    given = [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)]
    graph = helper.make_graph(nodes, "g", given, made, constants or [])
    opsets = [helper.make_opsetid("", 20), helper.make_opsetid("my", 1)]
    model = helper.make_model(graph, opset_imports=opsets, functions=functions or [], ir_version=10)
    return bytes(model.SerializeToString())


def test_functions_that_double_are_inlined_up_to_a_bound() -> None:
    assert len(parse_model(of_functions(4)).ops) == 16
    with pytest.raises(ModelFileError, match="functions make more than"):
        parse_model(of_functions(40))
    assert calls_in(lambda: parse_model(of_functions(40))) < 50_000


def weights(name: str, *shape: int) -> onnx.TensorProto:
    return helper.make_tensor(name, TensorProto.FLOAT, shape, [1.0] * (shape[0] * shape[1]))


def test_operators_in_any_order_are_all_counted() -> None:
    """x→MatMul→a, Add(a, c)→b, MatMul b→y, MatMul x→c, as ONNX Runtime runs them."""
    nodes = [
        helper.make_node("MatMul", ["x", "wa"], ["a"]),
        helper.make_node("Add", ["a", "c"], ["b"]),
        helper.make_node("MatMul", ["b", "wb"], ["y"]),
        helper.make_node("MatMul", ["x", "wc"], ["c"]),
    ]
    constants = [weights("wa", 8, 16), weights("wb", 16, 16), weights("wc", 8, 16)]
    from edgewright.tools.graph.costs.table import layer_table

    graph = parse_model(of_nodes(nodes, constants))
    assert [op.kind for op in graph.ops].count("FULLY_CONNECTED") == 3
    assert layer_table(graph).total_macs == 8 * 16 + 16 * 16 + 8 * 16


def test_operators_that_wait_for_each_other_are_refused() -> None:
    nodes = [helper.make_node("Add", ["x", "b"], ["y"]), helper.make_node("Relu", ["y"], ["b"])]
    with pytest.raises(ModelFileError, match="wait for each other"):
        parse_model(of_nodes(nodes))


def test_what_a_branch_reads_of_the_outer_graph_is_computed() -> None:
    branches = {
        f"{name}_branch": helper.make_graph(
            [helper.make_node(kind, ["a"], [name])],
            name, [], [helper.make_tensor_value_info(name, TensorProto.FLOAT, (1, 8))],
        )
        for name, kind in (("then", "Relu"), ("else", "Neg"))
    }  # fmt: skip
    nodes = [
        helper.make_node("Sigmoid", ["x"], ["a"]),
        helper.make_node("If", ["go"], ["y"], **branches),
    ]
    go = helper.make_tensor("go", TensorProto.BOOL, (), [True])
    assert [op.label for op in parse_model(of_nodes(nodes, [go])).ops] == ["LOGISTIC", "IF"]


def test_weights_that_are_computed_are_brought_into_place_first() -> None:
    nodes = [
        helper.make_node("Relu", ["w"], ["v"]),
        helper.make_node("Conv", ["x", "v"], ["y"], kernel_shape=[3, 3]),
    ]
    graph = helper.make_graph(
        nodes, "g",
        [
            helper.make_tensor_value_info("x", TensorProto.FLOAT, (1, 4, 8, 8)),
            helper.make_tensor_value_info("w", TensorProto.FLOAT, (2, 4, 3, 3)),
        ],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)
    read = parse_model(model.SerializeToString())
    assert [op.kind for op in read.ops] == ["RELU", "RESHAPE", "CONV_2D"]
    assert read.ops[1].outputs[0] == read.ops[2].inputs[1]


def test_a_node_that_does_more_than_its_translation_stays_what_it_is() -> None:
    """The plain operator does not say where the maximum was."""
    nodes = [helper.make_node("MaxPool", ["x"], ["y", "where"], kernel_shape=[2, 2])]
    read = parse_model(of_nodes(nodes, outputs=("y", "where"), shape=(1, 4, 8, 8)))
    assert [op.label for op in read.ops] == ["CUSTOM:MaxPool"]


def test_an_operator_of_a_foreign_domain_is_not_the_one_of_that_name() -> None:
    nodes = [helper.make_node("Relu", ["x"], ["y"], domain="my")]
    assert parse_model(of_nodes(nodes)).ops[0].label == "CUSTOM:my.Relu"


def test_a_slice_to_the_largest_integer_ends_at_the_end() -> None:
    numbers = [
        numpy_helper.from_array(np.array(values), name)
        for name, values in (("from", [1]), ("to", [2**63 - 1]), ("axes", [1]))
    ]
    read = parse_model(of_nodes([helper.make_node("Slice", ["x", "from", "to", "axes"], ["y"])], numbers))
    assert read.outputs[0].shape == (1, 7)


def chain(depth: int) -> list[Subgraph]:
    """Each subgraph calls the next by an IF."""
    tensors = (Tensor(0, "c", (1,), DType.BOOL), Tensor(1, "y", (1,), DType.BOOL))
    made = []
    for at in range(depth):
        options = {"then_subgraph_index": at + 1, "else_subgraph_index": at + 1}
        kind = "IF" if at + 1 < depth else "LOGICAL_NOT"
        op = Op(0, kind, (0,), (1,), options=options if kind == "IF" else {})
        made.append(Subgraph("s", tensors, (op,), (0,), (1,)))
    return made


def test_branches_within_branches_are_read_to_a_depth() -> None:
    check_graph(chain(32))
    with pytest.raises(DamagedError, match="more than 32 deep"):
        check_graph(chain(1000))


def graph_of(*ops: Op, tensors: tuple[Tensor, ...], outputs: tuple[int, ...]) -> Subgraph:
    return Subgraph("main", tensors, ops, (0,), outputs)


def test_what_two_operators_compute_is_refused() -> None:
    tensors = tuple(Tensor(i, "", (1, 8), DType.FLOAT32) for i in range(2))
    twice = graph_of(Op(0, "RELU", (0,), (1,)), Op(1, "TANH", (0,), (1,)), tensors=tensors, outputs=(1,))
    with pytest.raises(DamagedError, match="both compute tensor 1"):
        check_graph([twice])


@pytest.mark.parametrize(
    ("kind", "shapes", "reason"),
    [
        ("CONV_2D", [(1, 8, 8, 4), (6, 3, 3, 3), (6,)], "reads 3 channels, 4 arrive"),
        ("CONV_2D", [(1, 8, 8, 4), (7, 3, 3, 2), (7,)], "7 filters do not divide among 2 groups"),
        ("CONV_2D", [(1, 8, 8, 4), (6, 3, 3, 4), (5,)], "bias has 5 numbers for 6 channels"),
        ("FULLY_CONNECTED", [(1, 10), (6, 8), (6,)], "reads? 8 values at a time, 10 arrive"),
        ("BATCH_MATMUL", [(4, 8), (7, 4)], "a row of 8 meets a column of 7"),
        ("CONCATENATION", [(1, 8), (1, 8, 1)], "cannot be joined"),
        ("SUB", [(2, 3), (3, 2)], "do not broadcast"),
    ],
)
def test_ranks_and_depths_have_to_agree(kind: str, shapes: list[tuple[int, ...]], reason: str) -> None:
    tensors = tuple(Tensor(i, "", shape, DType.FLOAT32) for i, shape in enumerate(shapes))
    output = Tensor(len(shapes), "", (-1,), DType.FLOAT32)
    op = Op(0, kind, tuple(range(len(shapes))), (len(shapes),))
    with pytest.raises(DamagedError, match=reason):
        check_shapes(graph_of(op, tensors=(*tensors, output), outputs=(len(shapes),)))


def odd() -> ModelGraph:
    """Nobody reads the first operator, the same tensor is added to itself, weights serve twice."""
    b = GraphBuilder("odd")
    x = b.input((1, 8))
    b.unary("TANH", x)
    doubled = b.add(x, x)
    return b.build([b.fully_connected(doubled, 8), doubled, x])


def test_what_is_odd_but_legal_passes() -> None:
    graph = odd()
    check_graph(graph.subgraphs)
    check_shapes(graph.main)
    empty = Tensor(0, "", (0, 8), DType.FLOAT32), Tensor(1, "", (0, 8), DType.FLOAT32)
    check_graph([graph_of(Op(0, "RELU", (0,), (1,)), tensors=empty, outputs=(1,))])


def test_a_batch_that_no_memory_holds_is_refused() -> None:
    with pytest.raises(EdgewrightError, match="more than 8 PiB"):
        with_batch(parse_model("mobilenet_v2"), 2**31 - 1)
