from __future__ import annotations

import pytest

from edgewright.tools.graph import DType, ModelGraph, Op, Subgraph, Tensor
from edgewright.tools.graph.costs.table import layer_table

INDICES = Tensor(0, "indices", (3,), DType.INT32)


def bytes_of(op: Op, *tensors: Tensor) -> tuple[int, int, int]:
    table = layer_table(ModelGraph("", "tflite", "", 1, (Subgraph("", tensors, (op,), (0,), op.outputs),)))
    assert table.uncounted == ()
    return int(table.weight_bytes[0]), int(table.input_bytes[0]), int(table.output_bytes[0])


@pytest.mark.parametrize(("kind", "inputs"), [("GATHER", (1, 0)), ("EMBEDDING_LOOKUP", (0, 1))])
def test_a_lookup_reads_the_rows_that_it_puts_out(kind: str, inputs: tuple[int, ...]) -> None:
    table = Tensor(1, "table", (1000, 16), DType.INT8, 16_000, is_constant=True)
    rows = Tensor(2, "rows", (3, 16), DType.FLOAT32)
    assert bytes_of(Op(0, kind, inputs, (2,)), INDICES, table, rows) == (3 * 16, 3 * 4, 3 * 16 * 4)


def test_a_slice_reads_what_it_puts_out() -> None:
    image, part = Tensor(0, "x", (1, 100, 8), DType.INT8), Tensor(2, "y", (1, 10, 8), DType.INT8)
    bounds = Tensor(1, "bounds", (3,), DType.INT32, 12, is_constant=True)
    assert bytes_of(Op(0, "SLICE", (0, 1, 1), (2,)), image, bounds, part) == (24, 80, 80)


def test_the_shape_of_a_tensor_is_known_without_reading_it() -> None:
    shape = Tensor(1, "shape", (3,), DType.INT32)
    assert bytes_of(Op(0, "SHAPE", (0,), (1,)), Tensor(0, "x", (1, 100, 8), DType.INT8), shape) == (0, 0, 12)


def test_sparse_weights_count_what_is_stored() -> None:
    weights = Tensor(1, "w", (64, 64), DType.INT8, 1500, is_constant=True)
    x, y = Tensor(0, "x", (1, 64), DType.INT8), Tensor(2, "y", (1, 64), DType.INT8)
    assert bytes_of(Op(0, "FULLY_CONNECTED", (0, 1), (2,)), x, weights, y) == (1500, 64, 64)


def test_two_int4_weights_share_a_byte() -> None:
    weights = Tensor(1, "w", (3, 5), DType.INT4, 8, is_constant=True)
    x, y = Tensor(0, "x", (1, 5), DType.INT4), Tensor(2, "y", (1, 3), DType.INT8)
    assert bytes_of(Op(0, "FULLY_CONNECTED", (0, 1), (2,)), x, weights, y) == (8, 3, 3)


def test_a_variable_is_read_and_written_behind_its_handle() -> None:
    handle, value = Tensor(0, "v", (), DType.RESOURCE), Tensor(1, "x", (1, 8), DType.FLOAT32)
    assert bytes_of(Op(0, "READ_VARIABLE", (0,), (1,)), handle, value) == (0, 32, 32)
    assert bytes_of(Op(0, "ASSIGN_VARIABLE", (0, 1), ()), handle, value) == (0, 32, 32)


def test_strings_leave_an_operator_uncounted() -> None:
    tensors = (Tensor(0, "x", (3,), DType.STRING), Tensor(1, "y", (3,), DType.STRING))
    op = Op(0, "RESHAPE", (0,), (1,))
    table = layer_table(ModelGraph("", "tflite", "", 1, (Subgraph("", tensors, (op,), (0,), (1,)),)))
    assert table.uncounted == ((0, "elements of type string have no fixed size"),)


def test_stablehlo_products_count_like_tflites() -> None:
    convolution = Op(0, "STABLEHLO_CONVOLUTION", (0, 1), (2,), options={"kernel_output_feature_dimension": 3})
    tensors = (
        Tensor(0, "x", (1, 8, 8, 3), DType.FLOAT32),
        Tensor(1, "w", (3, 3, 3, 16), DType.FLOAT32, is_constant=True),
        Tensor(2, "y", (1, 8, 8, 16), DType.FLOAT32),
        Tensor(3, "z", (1, 8, 8, 5), DType.FLOAT32),
        Tensor(4, "v", (16, 5), DType.FLOAT32, is_constant=True),
    )
    product = Op(1, "STABLEHLO_DOT_GENERAL", (2, 4), (3,), options={"lhs_contracting_dimensions": (3,)})
    graph = ModelGraph("", "tflite", "", 1, (Subgraph("", tensors, (convolution, product), (0,), (3,)),))
    assert layer_table(graph).macs.tolist() == [64 * 16 * 27, 64 * 5 * 16]
