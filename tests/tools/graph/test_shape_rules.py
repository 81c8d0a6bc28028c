from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from edgewright.hardware_db.errors import UsageError
from edgewright.tools.graph import DType, ModelGraph, Op, OptionValue, Subgraph, Tensor
from edgewright.tools.graph.shapes.propagate import propagate_shapes

Shape = tuple[int, ...]
Given = Shape | list[int]
"""The shape of an activation or of weights, or the content of an integer constant."""

SAME = {"padding": "SAME", "stride_h": 2, "stride_w": 2}
VALID = {"padding": "VALID", "stride_h": 2, "stride_w": 2}
WINDOW = {"filter_height": 3, "filter_width": 2}
ABSENT: Shape = (-9,)
LSTM_WEIGHTS = [ABSENT, *[(6, 5)] * 3, ABSENT, *[(6, 4)] * 3]
BOTH_DIRECTIONS = [(6, 5), (6, 6), (6,), (2, 6), (4, 5), (4, 4)]


def outputs_of(
    kind: str, inputs: Sequence[Given], options: Mapping[str, OptionValue] | None = None, count: int = 1
) -> list[Shape]:
    tensors, places = [], []
    for given in inputs:
        if given == ABSENT:
            places.append(-1)
            continue
        places.append(len(tensors))
        tensors.append(_tensor(len(tensors), given))
    first = len(tensors)
    tensors += [Tensor(first + i, "", (), DType.INT8) for i in range(count)]
    op = Op(0, kind, tuple(places), tuple(range(first, first + count)), options=options or {})
    graph = ModelGraph("", "architecture", "", None, (Subgraph("", tuple(tensors), (op,), (0,), op.outputs),))
    return list(propagate_shapes(graph)[first:])


def _tensor(index: int, given: Given) -> Tensor:
    if isinstance(given, list):
        return Tensor(index, "", (len(given),), DType.INT32, is_constant=True, values=tuple(given))
    return Tensor(index, "", given, DType.INT8)


@pytest.mark.parametrize(
    ("kind", "inputs", "options", "expected"),
    [
        ("CONV_2D", [(1, 5, 8, 3), (16, 3, 3, 3)], SAME, (1, 3, 4, 16)),
        ("CONV_2D", [(1, 5, 8, 3), (16, 3, 3, 3)], VALID, (1, 2, 3, 16)),
        ("CONV_2D", [(2, 9, 9, 4), (6, 3, 3, 2)], {"padding": "VALID", "dilation_h_factor": 3}, (2, 3, 7, 6)),
        ("CONV_2D", [(-1, 5, -1, 3), (16, 3, 3, 3)], SAME, (-1, 3, -1, 16)),
        ("DEPTHWISE_CONV_2D", [(1, 7, 7, 4), (1, 3, 3, 8)], SAME, (1, 4, 4, 8)),
        ("AVERAGE_POOL_2D", [(1, 7, 7, 4)], VALID | WINDOW, (1, 3, 3, 4)),
        ("MAX_POOL_2D", [(1, 7, 7, 4)], SAME | WINDOW, (1, 4, 4, 4)),
        ("CONV_3D", [(1, 5, 6, 7, 2), (2, 2, 2, 2, 9)], {"padding": "VALID", "stride_w": 2}, (1, 4, 5, 3, 9)),
        ("TRANSPOSE_CONV", [[1, 8, 8, 6], (6, 3, 3, 5), (1, 4, 4, 5)], SAME, (1, 8, 8, 6)),
        ("FULLY_CONNECTED", [(2, 7, 32), (10, 32)], {}, (14, 10)),
        ("FULLY_CONNECTED", [(2, 7, 32), (10, 32)], {"keep_num_dims": True}, (2, 7, 10)),
        ("BATCH_MATMUL", [(5, 1, 4, 2), (3, 4, 6)], {"adj_x": True}, (5, 3, 2, 6)),
        ("BATCH_MATMUL", [(3, 2, 4), (3, 6, 4)], {"adj_y": True}, (3, 2, 6)),
        ("ADD", [(1, 4, 4, 8), (8,)], {}, (1, 4, 4, 8)),
        ("MUL", [(4, 1, 3), (5, 1)], {}, (4, 5, 3)),
        ("SUB", [(-1, 4), (1, 4)], {}, (-1, 4)),
        ("SELECT_V2", [(4, 1), (1, 5), ()], {}, (4, 5)),
        ("SOFTMAX", [(2, 10)], {}, (2, 10)),
        ("MEAN", [(2, 7, 7, 3), [1, -2]], {}, (2, 3)),
        ("SUM", [(2, 7, 7, 3), [1, 2]], {"keep_dims": True}, (2, 1, 1, 3)),
        ("ARG_MAX", [(2, 7, 5), [-1]], {}, (2, 7)),
        ("RESHAPE", [(2, 3, 4), [-1, 6]], {}, (4, 6)),
        ("RESHAPE", [(2, 3, 4)], {"new_shape": (8, 3)}, (8, 3)),
        ("RESHAPE", [(-1, 3, 4), [-1, 12]], {}, (-1, 12)),
        ("SQUEEZE", [(1, 3, 1, 4)], {"squeeze_dims": (-2,)}, (1, 3, 4)),
        ("SQUEEZE", [(1, 3, 1, 4)], {}, (3, 4)),
        ("EXPAND_DIMS", [(3, 4), [-1]], {}, (3, 4, 1)),
        ("TRANSPOSE", [(1, 2, 3), [2, 0, 1]], {}, (3, 1, 2)),
        ("CONCATENATION", [(1, 2, 3), (1, 2, 5)], {"axis": -1}, (1, 2, 8)),
        ("PACK", [(3, 4), (3, 4)], {"axis": -1}, (3, 4, 2)),
        ("SPACE_TO_DEPTH", [(1, 4, 6, 3)], {"block_size": 2}, (1, 2, 3, 12)),
        ("DEPTH_TO_SPACE", [(1, 2, 3, 12)], {"block_size": 2}, (1, 4, 6, 3)),
        ("SPACE_TO_BATCH_ND", [(1, 5, 6, 3), [2, 2], [1, 0, 2, 0]], {}, (4, 3, 4, 3)),
        ("BATCH_TO_SPACE_ND", [(4, 3, 4, 3), [2, 2], [1, 0, 2, 0]], {}, (1, 5, 6, 3)),
        ("SLICE", [(4, 5, 6), [1, 0, 2], [2, -1, 3]], {}, (2, 5, 3)),
        ("STRIDED_SLICE", [(9, 5), [1, 0], [-1, 0], [2, 1]], {"end_mask": 2}, (4, 5)),
        ("STRIDED_SLICE", [(9, 5), [3, 0], [4, 0], [1, 1]], {"end_mask": 2, "shrink_axis_mask": 1}, (5,)),
        ("STRIDED_SLICE", [(9, 5), [0] * 3, [9] * 3, [1] * 3], {"new_axis_mask": 2}, (9, 1, 5)),
        ("STRIDED_SLICE", [(9, 5, 6), [0, 1], [0, 3], [1, 1]], {"ellipsis_mask": 1}, (9, 5, 2)),
        ("STRIDED_SLICE", [(9,), [8], [0], [-2]], {"end_mask": 1}, (5,)),
        ("GATHER", [(4, 5, 6), (2, 3)], {"axis": 1}, (4, 2, 3, 6)),
        ("GATHER", [(4, 5, 6), (4, 3)], {"axis": 1, "batch_dims": 1}, (4, 3, 6)),
        ("GATHER_ND", [(4, 5, 6), (7, 2)], {}, (7, 6)),
        ("EMBEDDING_LOOKUP", [(9,), (100, 16)], {}, (9, 16)),
        ("PAD", [(1, 4, 4, 3), [0, 0, 1, 2, 0, 1, 0, 0]], {}, (1, 7, 5, 3)),
        ("TILE", [(2, 3), [2, 1]], {}, (4, 3)),
        ("RESIZE_BILINEAR", [(1, 4, 4, 3), [9, 7]], {}, (1, 9, 7, 3)),
        ("BROADCAST_TO", [(1, 3), [4, 2, 3]], {}, (4, 2, 3)),
        ("FILL", [[2, 3], ()], {}, (2, 3)),
        ("ONE_HOT", [(4,), [10], (), ()], {"axis": -1}, (4, 10)),
        ("SHAPE", [(4, 5, 6)], {}, (3,)),
        ("RANGE", [[2], [9], [3]], {}, (3,)),
        ("SVDF", [(2, 5), (8, 5), (8, 9)], {"rank": 2}, (2, 4)),
        ("UNIDIRECTIONAL_SEQUENCE_RNN", [(7, 2, 5), (6, 5), (6, 6)], {"time_major": True}, (7, 2, 6)),
        ("UNIDIRECTIONAL_SEQUENCE_LSTM", [(7, 2, 5), *LSTM_WEIGHTS], {}, (7, 2, 4)),
    ],
)  # fmt: skip
def test_an_output_shape_follows_from_inputs_and_options(
    kind: str, inputs: list[Given], options: dict[str, OptionValue], expected: Shape
) -> None:
    assert outputs_of(kind, inputs, options) == [expected]


@pytest.mark.parametrize(
    ("kind", "inputs", "options", "expected"),
    [
        ("SPLIT", [[1], (2, 6)], {}, [(2, 3), (2, 3)]),
        ("SPLIT_V", [(2, 6), [4, -1], [1]], {}, [(2, 4), (2, 2)]),
        ("UNPACK", [(2, 6)], {"axis": 0}, [(6,), (6,)]),
        ("TOPK_V2", [(2, 6), [3]], {}, [(2, 3), (2, 3)]),
        ("BIDIRECTIONAL_SEQUENCE_RNN", [(7, 2, 5), *BOTH_DIRECTIONS], {}, [(7, 2, 6), (7, 2, 4)]),
    ],
)  # fmt: skip
def test_every_part_of_a_split_has_its_shape(
    kind: str, inputs: list[Given], options: dict[str, OptionValue], expected: list[Shape]
) -> None:
    assert outputs_of(kind, inputs, options, count=2) == expected


@pytest.mark.parametrize(
    ("kind", "inputs", "reason"),
    [
        ("CONV_2D", [(1, 2, 2, 3), (8, 3, 3, 3)], "does not fit"),
        ("CONV_2D", [(1, 5, 5, 3), (8, 3, 3, 2)], "reads 2 channels, 3 arrive"),
        ("CONV_2D", [(1, 5, 5), (8, 3, 3, 3)], "3 dimensions, not 4"),
        ("CONV_2D", [(1, 5, 5, 3), ABSENT], "input 1 is missing"),
        ("FULLY_CONNECTED", [(1, 33), (10, 32)], "read 32 values"),
        ("RESHAPE", [(1, 7), [1, 8]], "1x7 does not reshape to 1x8"),
        ("ADD", [(1, 4), (1, 3)], "do not broadcast"),
        ("CONCATENATION", [(1, 4), (1, 5)], "do not go together"),
        ("TRANSPOSE", [(1, 4), [0, 0]], "no order"),
        ("MEAN", [(1, 4), [2]], "no dimension 2"),
        ("MEAN", [(1, 4), (1,)], "computed at run time"),
        ("PAD", [(1, 4), [1, 1]], "2 paddings"),
        ("STRIDED_SLICE", [(4,), [0], [4], [0]], "stride is 0"),
        ("TILE", [(2**20, 1), [2**20, 1]], "32 bits"),
        ("CUSTOM", [(1, 4)], "no rule"),
        ("WHILE", [(1, 4)], "no rule"),
    ],
)
def test_a_shape_that_does_not_follow_names_operator_and_reason(
    kind: str, inputs: list[Given], reason: str
) -> None:
    with pytest.raises(UsageError, match=rf"operator 0 \({kind}\).*{reason}"):
        outputs_of(kind, inputs, {"padding": "VALID"})


def test_a_shape_that_is_computed_from_another_is_followed() -> None:
    """What Keras exports for a reshape of an open batch: SHAPE, STRIDED_SLICE, PACK, RESHAPE."""

    def small(index: int, *values: int) -> Tensor:
        shape = (len(values),) if len(values) != 1 else (1,)
        return Tensor(index, "", shape, DType.INT32, is_constant=True, values=values)

    tensors = (
        Tensor(0, "", (3, 4, 4, 2), DType.FLOAT32),
        Tensor(1, "", (4,), DType.INT32),
        small(2, 0), small(3, 1), small(4, 1),
        Tensor(5, "", (), DType.INT32),
        Tensor(6, "", (), DType.INT32, is_constant=True, values=(32,)),
        Tensor(7, "", (2,), DType.INT32),
        Tensor(8, "", (), DType.FLOAT32),
    )  # fmt: skip
    ops = (
        Op(0, "SHAPE", (0,), (1,)),
        Op(1, "STRIDED_SLICE", (1, 2, 3, 4), (5,), options={"shrink_axis_mask": 1}),
        Op(2, "PACK", (5, 6), (7,)),
        Op(3, "RESHAPE", (0, 7), (8,)),
    )
    graph = ModelGraph("", "architecture", "", None, (Subgraph("", tensors, ops, (0,), (8,)),))
    assert propagate_shapes(graph)[8] == (3, 32)
