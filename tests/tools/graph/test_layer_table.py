from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from edgewright.tools.graph import DType, ModelGraph, Op, OptionValue, Subgraph, Tensor
from edgewright.tools.graph.costs.table import layer_table
from edgewright.tools.graph.layer_table import OpClass

Shape = tuple[int, ...]


def activation(index: int, shape: Shape, dtype: DType = DType.INT8) -> Tensor:
    return Tensor(index, f"t{index}", shape, dtype)


def constant(index: int, shape: Shape, dtype: DType = DType.INT8) -> Tensor:
    size = activation(index, shape, dtype).bytes or 0
    return Tensor(index, f"t{index}", shape, dtype, stored_bytes=size, is_constant=True)


def one_op(
    kind: str,
    inputs: Sequence[Shape],
    outputs: Sequence[Shape],
    options: Mapping[str, OptionValue] | None = None,
    constants: Sequence[int] = (),
) -> ModelGraph:
    """A graph of one operator; `constants` are the positions of its constant inputs."""
    tensors = [constant(i, s) if i in constants else activation(i, s) for i, s in enumerate(inputs)]
    tensors += [activation(len(inputs) + i, s) for i, s in enumerate(outputs)]
    op = Op(
        0, kind, tuple(range(len(inputs))), tuple(range(len(inputs), len(tensors))), options=options or {}
    )
    subgraph = Subgraph("main", tuple(tensors), (op,), (0,), op.outputs)
    return ModelGraph("one op", "architecture", "", None, (subgraph,))


def macs_of(graph: ModelGraph) -> int:
    table = layer_table(graph)
    assert table.uncounted == ()
    return table.total_macs


def test_a_convolution_counts_its_whole_kernel_for_every_output_element() -> None:
    graph = one_op("CONV_2D", [(1, 5, 5, 3), (8, 3, 3, 3), (8,)], [(1, 5, 5, 8)], constants=(1, 2))
    assert macs_of(graph) == 25 * 8 * 9 * 3


def test_a_grouped_convolution_reads_only_the_channels_of_a_group() -> None:
    graph = one_op("CONV_2D", [(1, 4, 4, 8), (16, 3, 3, 2)], [(1, 4, 4, 16)], constants=(1,))
    assert macs_of(graph) == 16 * 16 * 9 * 2


def test_a_depthwise_convolution_reads_one_input_channel_for_each_output_channel() -> None:
    options = {"depth_multiplier": 2}
    graph = one_op("DEPTHWISE_CONV_2D", [(1, 6, 6, 4), (1, 3, 3, 8)], [(1, 4, 4, 8)], options, constants=(1,))
    assert macs_of(graph) == 16 * 8 * 9


@pytest.mark.parametrize("output", [(2, 7, 10), (14, 10)])
def test_a_dense_layer_counts_all_rows_of_its_batch(output: Shape) -> None:
    graph = one_op("FULLY_CONNECTED", [(2, 7, 32), (10, 32)], [output], constants=(1,))
    assert macs_of(graph) == 14 * 32 * 10


def test_a_transposed_convolution_is_counted_from_its_input() -> None:
    graph = one_op("TRANSPOSE_CONV", [(4,), (6, 3, 3, 5), (1, 4, 4, 5)], [(1, 8, 8, 6)], constants=(0, 1))
    assert macs_of(graph) == 16 * 5 * 9 * 6


def test_a_3d_convolution_counts_depth_too() -> None:
    graph = one_op("CONV_3D", [(1, 4, 4, 4, 2), (2, 3, 3, 2, 5)], [(1, 3, 2, 2, 5)], constants=(1,))
    assert macs_of(graph) == (3 * 2 * 2 * 5) * (2 * 3 * 3) * 2


def test_a_transposed_3d_convolution_is_counted_from_its_input() -> None:
    graph = one_op(
        "CONV_3D_TRANSPOSE", [(5,), (2, 3, 3, 5, 2), (1, 3, 2, 2, 2)], [(1, 4, 4, 4, 5)], constants=(0, 1)
    )
    assert macs_of(graph) == (3 * 2 * 2 * 2) * (2 * 3 * 3) * 5


@pytest.mark.parametrize(
    ("left", "right", "adj_x", "adj_y"),
    [
        ((3, 4, 5), (3, 5, 6), False, False),
        ((3, 5, 4), (3, 5, 6), True, False),
        ((3, 4, 5), (3, 6, 5), False, True),
        ((3, 4, 5), (5, 6), False, False),
        ((4, 5), (3, 5, 6), False, False),
    ],
)
def test_a_matrix_product_counts_rows_by_depth_by_columns(
    left: Shape, right: Shape, adj_x: bool, adj_y: bool
) -> None:
    graph = one_op("BATCH_MATMUL", [left, right], [(3, 4, 6)], {"adj_x": adj_x, "adj_y": adj_y})
    assert macs_of(graph) == 3 * 4 * 5 * 6


def test_an_addition_has_element_operations_and_no_macs() -> None:
    table = layer_table(one_op("ADD", [(1, 32, 32, 48), (1, 1, 1, 48)], [(1, 32, 32, 48)]))
    assert (table.macs[0], table.element_ops[0], table.counted[0]) == (0, 49_152, True)


def test_pooling_counts_its_window() -> None:
    options = {"filter_height": 3, "filter_width": 2}
    table = layer_table(one_op("MAX_POOL_2D", [(1, 6, 6, 4)], [(1, 2, 3, 4)], options))
    assert table.element_ops[0] == 24 * 6


def test_a_mean_folds_in_every_input_element() -> None:
    table = layer_table(one_op("MEAN", [(1, 7, 7, 16), (2,)], [(1, 16)], constants=(1,)))
    assert table.element_ops[0] == 7 * 7 * 16


@pytest.mark.parametrize(
    ("kind", "inputs", "output", "operations"),
    [
        ("SOFTMAX", [(1, 10)], (1, 10), 10),
        ("TANH", [(1, 10)], (1, 10), 10),
        ("QUANTIZE", [(1, 10)], (1, 10), 10),
        ("RESIZE_BILINEAR", [(1, 2, 2, 3), (2,)], (1, 4, 4, 3), 4 * 48),
        ("RESIZE_NEAREST_NEIGHBOR", [(1, 2, 2, 3), (2,)], (1, 4, 4, 3), 0),
        ("ADD_N", [(1, 10), (1, 10), (1, 10)], (1, 10), 20),
        ("ARG_MAX", [(1, 10), (1,)], (1,), 10),
        ("RESHAPE", [(1, 10), (2,)], (2, 5), 0),
    ],
)
def test_work_without_macs_is_counted_as_what_it_is(
    kind: str, inputs: list[Shape], output: Shape, operations: int
) -> None:
    table = layer_table(one_op(kind, inputs, [output], constants=range(1, len(inputs))))
    assert (table.macs[0], table.element_ops[0], table.counted[0]) == (0, operations, True)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("DEPTHWISE_CONV_2D", OpClass.DEPTHWISE),
        ("FULLY_CONNECTED", OpClass.DENSE),
        ("BATCH_MATMUL", OpClass.MATMUL),
        ("SVDF", OpClass.RECURRENT),
        ("RELU6", OpClass.ACTIVATION),
        ("LOG_SOFTMAX", OpClass.SOFTMAX),
        ("MEAN", OpClass.REDUCE),
        ("DEQUANTIZE", OpClass.QUANTIZE),
        ("CONCATENATION", OpClass.MOVE),
        ("RESHAPE", OpClass.VIEW),
        ("WHILE", OpClass.CONTROL),
        ("CUSTOM", OpClass.OTHER),
    ],
)
def test_an_operator_belongs_to_the_class_of_its_kernels(kind: str, expected: OpClass) -> None:
    assert layer_table(one_op(kind, [(1, 4), (1, 4)], [(1, 4)])).classes == (expected,)


def test_the_type_of_an_operator_is_that_of_its_data() -> None:
    tensors = (
        Tensor(0, "axis", (), DType.INT32, is_constant=True),
        activation(1, (2, 4), DType.FLOAT32),
        activation(2, (2, 2), DType.FLOAT32),
        activation(3, (2, 2), DType.FLOAT32),
        activation(4, (2, 2), DType.INT8),
    )
    ops = (Op(0, "SPLIT", (0, 1), (2, 3)), Op(1, "QUANTIZE", (3,), (4,)), Op(2, "NEG", (4,), (4,)))
    graph = ModelGraph("types", "architecture", "", None, (Subgraph("", tensors, ops, (1,), (4,)),))
    assert layer_table(graph).dtypes == ("float32", "float32", "int8")


def test_data_movement_has_bytes_and_no_arithmetic() -> None:
    table = layer_table(one_op("CONCATENATION", [(1, 4, 4, 3), (1, 4, 4, 5)], [(1, 4, 4, 8)]))
    assert (table.macs[0], table.element_ops[0], table.counted[0]) == (0, 0, True)
    assert (table.input_bytes[0], table.output_bytes[0]) == (128, 128)


def test_constants_are_weights_and_the_rest_is_traffic() -> None:
    graph = one_op("CONV_2D", [(1, 5, 5, 3), (8, 3, 3, 3), (8,)], [(1, 5, 5, 8)], constants=(1, 2))
    table = layer_table(graph)
    assert (table.weight_bytes[0], table.input_bytes[0], table.output_bytes[0]) == (8 * 27 + 8, 75, 200)
    assert table.traffic_bytes[0] == 8 * 27 + 8 + 75 + 200


@pytest.mark.parametrize(
    ("filter_shape", "stride", "expected"),
    [((8, 1, 1, 3), 1, OpClass.POINTWISE), ((8, 1, 1, 3), 2, OpClass.CONV), ((8, 3, 3, 3), 1, OpClass.CONV)],
)
def test_only_a_1x1_convolution_of_stride_1_is_pointwise(
    filter_shape: Shape, stride: int, expected: OpClass
) -> None:
    options = {"stride_h": stride, "stride_w": stride}
    graph = one_op("CONV_2D", [(1, 4, 4, 3), filter_shape], [(1, 4, 4, 8)], options, constants=(1,))
    assert layer_table(graph).classes == (expected,)


def test_what_cannot_be_counted_says_why_and_is_in_no_total() -> None:
    table = layer_table(one_op("CUSTOM", [(1, 4)], [(1, 4)]))
    assert not table.counted[0]
    assert [index for index, _ in table.uncounted] == [0]
    assert table.uncounted[0][1]
    assert table.total_macs == 0


def test_a_shape_that_is_not_known_leaves_the_work_uncounted() -> None:
    graph = one_op("CONV_2D", [(-1, 5, 5, 3), (8, 3, 3, 3)], [(-1, 5, 5, 8)], constants=(1,))
    table = layer_table(graph)
    assert not table.counted[0]
    assert "?x5x5x8" in table.uncounted[0][1]


def test_a_graph_without_operators_has_an_empty_table() -> None:
    tensor = activation(0, (1, 4))
    graph = ModelGraph("empty", "architecture", "", None, (Subgraph("main", (tensor,), (), (0,), (0,)),))
    table = layer_table(graph)
    assert (len(table), table.total_macs) == (0, 0)


def test_the_table_is_built_once_for_a_graph() -> None:
    graph = one_op("ADD", [(1, 4), (1, 4)], [(1, 4)])
    assert layer_table(graph) is layer_table(graph)
