from __future__ import annotations

from dataclasses import replace

import pytest

from edgewright.hardware_db.errors import UsageError
from edgewright.tools.graph import DType, ModelGraph, Op, Subgraph, Tensor
from edgewright.tools.graph.builder import GraphBuilder
from edgewright.tools.graph.costs.table import layer_table
from edgewright.tools.graph.shapes.change import with_batch, with_input_shapes
from edgewright.tools.graph.shapes.propagate import propagate_shapes


def classifier(*, batch: int = 1, side: int = 32) -> ModelGraph:
    net = GraphBuilder("classifier")
    x = net.input((batch, side, side, 3))
    x = net.conv2d(x, 8, 3, stride=2, activation="RELU")
    x = net.average_pool2d(x, side // 2)
    x = net.reshape(x, (batch, 8))
    return net.build([net.softmax(net.fully_connected(x, 10))])


def shapes_of(graph: ModelGraph) -> list[tuple[int, ...]]:
    return [t.shape for t in graph.tensors]


def test_a_larger_image_makes_larger_activations_and_leaves_weights() -> None:
    graph = classifier()
    larger = with_input_shapes(graph, {0: (1, 64, 64, 3)})
    assert shapes_of(larger) == shapes_of(classifier(side=64))
    assert larger.parameter_bytes == graph.parameter_bytes
    assert layer_table(larger).macs[0] == 4 * layer_table(graph).macs[0]


def test_a_pool_over_the_whole_image_stays_global() -> None:
    larger = with_input_shapes(classifier(), {0: (1, 64, 64, 3)})
    pool = next(op for op in larger.ops if op.kind == "AVERAGE_POOL_2D")
    assert (pool.options["filter_height"], pool.options["filter_width"]) == (32, 32)
    assert larger.tensors[pool.outputs[0]].shape == (1, 1, 1, 8)


def test_a_batch_multiplies_work_and_activations() -> None:
    graph = classifier()
    batched = with_batch(graph, 4)
    assert shapes_of(batched) == shapes_of(classifier(batch=4))
    assert layer_table(batched).total_macs == 4 * layer_table(graph).total_macs
    assert (layer_table(batched).weight_bytes == layer_table(graph).weight_bytes).all()


def test_a_reshape_to_a_fixed_batch_takes_the_new_one() -> None:
    batched = with_batch(classifier(), 4)
    target = next(t for t in batched.tensors if t.values is not None)
    assert target.values == (4, 8)


def test_the_new_graph_says_what_was_changed_and_has_its_own_identity() -> None:
    graph = classifier()
    larger = with_input_shapes(graph, {0: (1, 64, 64, 3)})
    assert larger.history == ("input 1x64x64x3",)
    assert with_batch(larger, 2).history == ("input 1x64x64x3", "batch 2")
    assert len({graph.sha256, larger.sha256, with_batch(larger, 2).sha256}) == 3


def test_the_shape_that_a_graph_has_already_changes_nothing() -> None:
    graph = classifier()
    assert with_input_shapes(graph, {0: (1, 32, 32, 3)}) is graph
    assert with_batch(graph, 1) is graph


def test_an_identity_does_not_depend_on_what_was_computed_before() -> None:
    graph = classifier()
    layer_table(graph)
    assert with_batch(graph, 2).sha256 == with_batch(classifier(), 2).sha256


def test_new_shapes_are_consistent_with_themselves() -> None:
    larger = with_batch(with_input_shapes(classifier(), {0: (1, 48, 96, 3)}), 3)
    assert list(propagate_shapes(larger)) == shapes_of(larger)


def test_an_open_dimension_is_closed_everywhere() -> None:
    graph = classifier()
    tensors = tuple(t if t.is_constant else replace(t, shape=(-1, *t.shape[1:])) for t in graph.tensors)
    ops = [replace(op, inputs=op.inputs[:1]) if op.kind == "RESHAPE" else op for op in graph.ops]
    ops = [replace(op, options={"new_shape": (-1, 8)}) if op.kind == "RESHAPE" else op for op in ops]
    dynamic = replace(graph, subgraphs=(replace(graph.main, tensors=tensors, ops=tuple(ops)),))
    assert not layer_table(dynamic).counted.all()
    closed = with_batch(dynamic, 2)
    assert shapes_of(closed) == shapes_of(classifier(batch=2))[: len(tensors)]
    assert layer_table(closed).counted.all()


def test_dense_weights_that_no_longer_fit_name_the_layer() -> None:
    net = GraphBuilder("flat")
    x = net.flatten(net.conv2d(net.input((1, 8, 8, 3)), 4, 3))
    graph = net.build([net.fully_connected(x, 10)])
    with pytest.raises(UsageError, match=r"operator 2 \(FULLY_CONNECTED\).*read 256 values, 1024 arrive"):
        with_input_shapes(graph, {0: (1, 16, 16, 3)})


def test_rows_of_a_detection_head_grow_with_the_image() -> None:
    net = GraphBuilder("head")
    x = net.conv2d(net.input((1, 7, 7, 3)), 10, 1)
    graph = net.build([net.reshape(x, (1, 245, 2))])
    larger = with_input_shapes(graph, {0: (1, 14, 14, 3)})
    assert larger.outputs[0].shape == (1, 980, 2)


def test_an_enlargement_keeps_its_factor_and_a_fixed_size_stays() -> None:
    net = GraphBuilder("resize")
    x = net.input((1, 4, 6, 3))
    twice, fixed = net.resize(x, (8, 12)), net.resize(x, (5, 5), kind="RESIZE_BILINEAR")
    larger = with_input_shapes(net.build([twice, fixed]), {0: (1, 8, 6, 3)})
    assert [t.shape for t in larger.outputs] == [(1, 16, 12, 3), (1, 5, 5, 3)]


@pytest.mark.parametrize("padding", ["SAME", "VALID"])
def test_a_transposed_convolution_grows_with_its_input(padding: str) -> None:
    def upsampler(batch: int, side: int) -> ModelGraph:
        net = GraphBuilder("up")
        x = net.input((batch, side, side, 3))
        return net.build([net.transpose_conv2d(x, 4, 3, stride=2, padding=padding)])

    larger = with_batch(with_input_shapes(upsampler(1, 5), {0: (1, 9, 9, 3)}), 2)
    assert shapes_of(larger) == shapes_of(upsampler(2, 9))


def test_an_operator_without_a_rule_passes_where_no_change_reaches_it() -> None:
    tensors = (
        Tensor(0, "image", (1, 4), DType.INT8),
        Tensor(1, "table", (1, 9), DType.INT8),
        Tensor(2, "looked up", (1, 5), DType.INT8),
        Tensor(3, "negated", (1, 4), DType.INT8),
    )
    ops = (Op(0, "CUSTOM", (1,), (2,)), Op(1, "NEG", (0,), (3,)))
    graph = ModelGraph("two", "tflite", "", 10, (Subgraph("", tensors, ops, (0, 1), (2, 3)),))
    changed = with_input_shapes(graph, {0: (2, 4)})
    assert [t.shape for t in changed.outputs] == [(1, 5), (2, 4)]
    with pytest.raises(UsageError, match=r"operator 0 \(CUSTOM\)"):
        with_input_shapes(graph, {1: (2, 9)})


def test_the_state_of_a_recurrent_layer_has_a_row_for_each_sequence() -> None:
    tensors = (
        Tensor(0, "x", (1, 7, 5), DType.FLOAT32),
        Tensor(1, "w", (6, 5), DType.FLOAT32, is_constant=True),
        Tensor(2, "r", (6, 6), DType.FLOAT32, is_constant=True),
        Tensor(3, "state", (1, 6), DType.FLOAT32, is_variable=True),
        Tensor(4, "y", (1, 7, 6), DType.FLOAT32),
    )
    op = Op(0, "UNIDIRECTIONAL_SEQUENCE_RNN", (0, 1, 2, -1, 3), (4,), options={"time_major": False})
    graph = ModelGraph("rnn", "tflite", "", 10, (Subgraph("", tensors, (op,), (0,), (4,)),))
    batched = with_batch(graph, 3)
    assert (batched.tensors[3].shape, batched.tensors[4].shape) == ((3, 6), (3, 7, 6))


@pytest.mark.parametrize(
    ("shapes", "reason"),
    [
        ({3: (1, 4)}, "Tensor 3 is no input.*0 .1x32x32x3"),
        ({0: (1, 32, 32)}, "4 dimensions, 1x32x32 has 3"),
        ({0: (1, 0, 32, 3)}, "no shape"),
        ({0: (1, 2**31, 32, 3)}, "no shape"),
    ],
)
def test_a_shape_that_no_input_can_have_is_refused(shapes: dict[int, tuple[int, ...]], reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        with_input_shapes(classifier(), shapes)


def test_a_batch_below_one_is_refused() -> None:
    with pytest.raises(UsageError, match="batch of 0"):
        with_batch(classifier(), 0)
