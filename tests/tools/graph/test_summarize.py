from __future__ import annotations

from dataclasses import replace

import pytest

from edgewright.tools.graph import DType, ModelGraph, Op, Quantization, Subgraph, Tensor
from edgewright.tools.graph.builder import GraphBuilder
from edgewright.tools.graph.costs.parameters import parameter_count
from edgewright.tools.graph.summarize import summarize_model


def small() -> ModelGraph:
    net = GraphBuilder("small")
    x = net.conv2d(net.input((1, 8, 8, 3)), 4, 3, stride=2)
    x = net.pad(x, [(0, 0), (1, 1), (1, 1), (0, 0)])
    x = net.mean(x)
    return net.build([net.fully_connected(x, 10)])


def with_constant(kind: str, position: int, constant: Tensor) -> ModelGraph:
    """An operator whose input at `position` is the constant, and whose other input is an activation."""
    data = Tensor(0, "x", (1, 4), DType.INT8)
    tensors = (data, replace(constant, index=1), Tensor(2, "y", (1, 4), DType.INT8))
    inputs = tuple(1 if i == position else 0 for i in range(max(position + 1, 2)))
    return ModelGraph(
        "one", "tflite", "", 1, (Subgraph("", tensors, (Op(0, kind, inputs, (2,)),), (0,), (2,)),)
    )


def test_a_summary_counts_weights_and_biases_and_leaves_out_paddings_and_axes() -> None:
    assert summarize_model(small()).parameter_count == (4 * 27 + 4) + (10 * 4 + 10)


def test_layers_sum_to_the_model() -> None:
    graph = small()
    summary = summarize_model(graph)
    assert summary.macs == sum(layer.macs or 0 for layer in summary.layers) == 16 * 4 * 27 + 40
    assert summary.element_ops == sum(layer.element_ops or 0 for layer in summary.layers)
    assert summary.parameter_bytes == sum(layer.parameter_bytes for layer in summary.layers)
    assert [layer.op for layer in summary.layers] == ["CONV_2D", "PAD", "MEAN", "FULLY_CONNECTED"]


def test_what_is_not_counted_is_listed_and_has_no_figure() -> None:
    graph = with_constant("CUSTOM", 1, Tensor(1, "w", (3,), DType.INT8, 3, is_constant=True))
    summary = summarize_model(graph)
    assert [(layer.macs, layer.element_ops) for layer in summary.layers] == [(None, None)]
    assert [(item.index, item.op) for item in summary.not_counted] == [(0, "CUSTOM")]
    assert "1 of 1 operators" in summary.assumptions[0]


def test_bytes_of_an_open_shape_are_unknown() -> None:
    graph = with_constant("ADD", 1, Tensor(1, "w", (1, 4), DType.INT8, 4, is_constant=True))
    tensors = tuple(t if t.is_constant else replace(t, shape=(-1, 4)) for t in graph.tensors)
    summary = summarize_model(replace(graph, subgraphs=(replace(graph.main, tensors=tensors),)))
    assert (summary.layers[0].input_bytes, summary.layers[0].output_bytes) == (None, None)
    assert summary.inputs[0].bytes is None


@pytest.mark.parametrize(
    ("kind", "position", "constant", "learned"),
    [
        ("ADD", 1, Tensor(1, "b", (4,), DType.FLOAT32, is_constant=True), True),
        ("MUL", 1, Tensor(1, "b", (4,), DType.INT8, is_constant=True), True),
        ("MUL", 1, Tensor(1, "1/6", (), DType.FLOAT32, is_constant=True), False),
        ("ADD", 1, Tensor(1, "offsets", (4,), DType.INT32, is_constant=True), False),
        ("PRELU", 1, Tensor(1, "slope", (1,), DType.FLOAT32, is_constant=True), True),
        ("FULLY_CONNECTED", 2, Tensor(1, "bias", (4,), DType.INT32, is_constant=True), True),
        ("GATHER", 0, Tensor(1, "table", (9, 4), DType.FLOAT32, is_constant=True), True),
        ("GATHER", 1, Tensor(1, "indices", (4,), DType.INT32, is_constant=True), False),
        ("RESHAPE", 1, Tensor(1, "shape", (2,), DType.INT32, is_constant=True), False),
        ("TRANSPOSE_CONV", 0, Tensor(1, "shape", (4,), DType.INT32, is_constant=True), False),
        ("PADV2", 2, Tensor(1, "fill", (1,), DType.INT8, is_constant=True), False),
        ("MINIMUM", 1, Tensor(1, "limit", (4,), DType.INT8, is_constant=True), False),
    ],
)
def test_a_constant_is_learned_by_the_part_it_plays(
    kind: str, position: int, constant: Tensor, learned: bool
) -> None:
    assert parameter_count(with_constant(kind, position, constant)) == (constant.elements if learned else 0)


def test_a_quantised_wide_integer_is_a_weight() -> None:
    table = Tensor(1, "w", (4,), DType.INT16, is_constant=True, quantization=Quantization((0.1,), (0,)))
    assert parameter_count(with_constant("MUL", 1, table)) == 4


def test_data_that_two_tensors_share_is_counted_once() -> None:
    shared = Tensor(1, "w", (4, 4), DType.INT8, 16, is_constant=True, buffer=3)
    tensors = (
        Tensor(0, "x", (1, 4), DType.INT8),
        shared,
        replace(shared, index=2),
        Tensor(3, "y", (1, 4), DType.INT8),
    )
    ops = (Op(0, "FULLY_CONNECTED", (0, 1), (3,)), Op(1, "FULLY_CONNECTED", (0, 2), (3,)))
    graph = ModelGraph("tied", "tflite", "", 1, (Subgraph("", tensors, ops, (0,), (3,)),))
    assert parameter_count(graph) == 16
