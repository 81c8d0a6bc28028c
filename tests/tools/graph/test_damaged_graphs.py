from __future__ import annotations

from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

from edgewright.hardware_db.errors import UsageError
from edgewright.tools.graph import DType, ModelGraph, Op, Subgraph, Tensor
from edgewright.tools.graph.costs.families import CONTROL
from edgewright.tools.graph.costs.operator_cost import COUNTED_KINDS
from edgewright.tools.graph.costs.table import layer_table
from edgewright.tools.graph.shapes.change import with_batch
from edgewright.tools.graph.shapes.propagate import SHAPED_KINDS, propagate_shapes

TENSORS = 8
KINDS = sorted(COUNTED_KINDS | SHAPED_KINDS | CONTROL | {"CUSTOM"})
OPTIONS = [
    "stride_h",
    "stride_w",
    "dilation_h_factor",
    "filter_height",
    "filter_width",
    "axis",
    "batch_dims",
    "block_size",
    "rank",
    "begin_mask",
    "end_mask",
    "ellipsis_mask",
    "new_axis_mask",
    "shrink_axis_mask",
    "keep_dims",
    "keep_num_dims",
    "adj_x",
    "time_major",
    "merge_outputs",
    "subgraph",
]

dimensions = st.sampled_from([-1, 0, 1, 1, 2, 3, 4, 2**31 - 1])
shapes = st.lists(dimensions, max_size=5).map(tuple)
contents = st.lists(st.sampled_from([-(2**31), -2, -1, 0, 1, 2, 4, 2**31 - 1]), max_size=5).map(tuple)
option_values = st.dictionaries(st.sampled_from(OPTIONS), st.sampled_from([-1, 0, 1, 2, 3, 7]))


@st.composite
def damaged_graphs(draw: st.DrawFn) -> ModelGraph:
    tensors = [_tensor(draw, index) for index in range(TENSORS)]
    places = st.integers(-1, TENSORS - 1)
    ops = [
        Op(
            index,
            draw(st.sampled_from(KINDS)),
            tuple(draw(st.lists(places, max_size=7))),
            tuple(draw(st.lists(st.integers(0, TENSORS - 1), max_size=3))),
            options=draw(option_values),
        )
        for index in range(draw(st.integers(1, 3)))
    ]
    return ModelGraph("", "tflite", "", None, (Subgraph("", tuple(tensors), tuple(ops), (0,), (1,)),))


def _tensor(draw: st.DrawFn, index: int) -> Tensor:
    if draw(st.booleans()):
        values = draw(contents)
        return Tensor(index, "", (len(values),), DType.INT32, is_constant=True, values=values)
    return Tensor(index, "", draw(shapes), draw(st.sampled_from(DType)), is_variable=draw(st.booleans()))


@settings(max_examples=300, deadline=None, derandomize=True)
@given(damaged_graphs())
def test_costs_of_a_damaged_graph_are_uncounted_and_never_negative(graph: ModelGraph) -> None:
    table = layer_table(graph)
    assert len(table) == len(graph.ops)
    for column in (table.macs, table.element_ops, table.traffic_bytes):
        assert (column >= 0).all()
    assert {i for i, _ in table.uncounted} == {i for i, counted in enumerate(table.counted) if not counted}


@settings(max_examples=300, deadline=None, derandomize=True)
@given(damaged_graphs())
def test_shapes_of_a_damaged_graph_follow_or_are_refused(graph: ModelGraph) -> None:
    with suppress(UsageError):
        assert all(d >= -1 for shape in propagate_shapes(graph) for d in shape)
    with suppress(UsageError):
        assert with_batch(graph, 2).main.inputs == graph.main.inputs
