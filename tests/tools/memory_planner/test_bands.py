"""The first block in bands: the rows that each band reads are enough, and the plan holds only them."""

import numpy as np
import numpy.typing as npt
import pytest

from edgewright.hardware_db.errors import UsageError
from edgewright.tools import deployment
from edgewright.tools.graph import ModelGraph, Op, Subgraph
from edgewright.tools.graph.builder import GraphBuilder
from edgewright.tools.graph.windows import steps
from edgewright.tools.memory_planner.bands import Rows, split, split_blocks
from edgewright.tools.memory_planner.replanning import in_bands
from edgewright.tools.memory_planner.reporting import plan

Floats = npt.NDArray[np.float64]
WINDOWS = {"CONV_2D", "DEPTHWISE_CONV_2D", "MAX_POOL_2D", "AVERAGE_POOL_2D"}


def network(size: int = 33, padding: str = "SAME", stride: int = 2, dilation: int = 1) -> ModelGraph:
    b = GraphBuilder("made")
    x = b.input((1, size, size, 2))
    x = b.conv2d(x, 4, 3, stride=stride, padding=padding)
    y = b.depthwise_conv2d(x, 3, dilation=dilation, padding="SAME")
    y = b.unary("RELU", y)
    x = b.add(x, y)
    x = b.pad(x, ((0, 0), (1, 2), (0, 1), (0, 0)))
    x = b.max_pool2d(x, 2, stride=2, padding=padding)
    x = b.conv2d(x, 3, 1)
    x = b.mean(x)
    return b.build([b.fully_connected(x, 2)])


def row_of_output(op: Op, main: Subgraph, values: dict[int, Floats], row: int) -> Floats:
    """One row of what an operator makes, each row standing in for the sum over its columns and channels."""
    data = values[op.inputs[0]]
    height = len(data)
    if op.kind == "PAD":
        above = (main.tensors[op.inputs[1]].values or ())[2]
        at = row - above
        return data[at] if 0 <= at < height else np.zeros(())
    if op.kind not in WINDOWS:
        return np.asarray(sum(values[i][row] for i in op.inputs if i in values))
    window = op.option_int("filter_height", 0) or main.tensors[op.inputs[1]].shape[1]
    stride, dilation = op.option_int("stride_h", 1), op.option_int("dilation_h_factor", 1)
    padding = op.option_str("padding", "SAME")
    made = steps(height, window, stride, dilation, padding)
    above = (
        max((made - 1) * stride + (window - 1) * dilation + 1 - height, 0) // 2 if padding == "SAME" else 0
    )
    rows = (row * stride - above + k * dilation for k in range(window))
    return np.asarray(sum((k + 1) * data[at] for k, at in enumerate(rows) if 0 <= at < height))


def computed(main: Subgraph, ops: int, wanted: dict[int, Rows] | None) -> dict[int, Floats]:
    """Rows of every tensor of the block; what no band asked for is not a number."""
    rng = np.random.default_rng(5)
    values: dict[int, Floats] = {}
    for tensor in main.inputs:
        values[tensor] = rng.normal(size=main.tensors[tensor].shape[1])
        if wanted is not None:
            begin, end = wanted[tensor]
            values[tensor][:begin] = values[tensor][end:] = np.nan
    for op in main.ops[:ops]:
        made, height = op.outputs[0], main.tensors[op.outputs[0]].shape[1]
        begin, end = (0, height) if wanted is None else wanted[made]
        values[made] = np.full(height, np.nan)
        for row in range(begin, end):
            values[made][row] = row_of_output(op, main, values, row)
    return values


@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.parametrize(
    "graph",
    [network(), network(32), network(40, "VALID"), network(21, stride=1), network(24, dilation=3)],
    ids=["odd", "even", "valid", "stride-1", "dilated"],
)
def test_each_band_computes_from_its_rows_what_the_whole_block_would(graph: ModelGraph, count: int) -> None:
    for ops in split_blocks(graph.main):
        whole, bands = computed(graph.main, ops, None), split(graph.main, ops, count)
        assert bands is not None
        rows = []
        for needed in bands.needed:
            begin, end = needed[bands.output]
            rows.append(computed(graph.main, ops, needed)[bands.output][begin:end])
        np.testing.assert_allclose(np.concatenate(rows), whole[bands.output])


def test_no_band_asks_for_rows_that_it_does_not_need() -> None:
    graph = network(33)
    bands = split(graph.main, 2, 2)
    assert bands is not None
    image, conv, depthwise = graph.main.inputs[0], *(op.outputs[0] for op in graph.ops[:2])
    assert bands.needed[0] == {depthwise: (0, 8), conv: (0, 9), image: (0, 18)}
    assert bands.needed[1] == {depthwise: (8, 17), conv: (7, 17), image: (13, 33)}


def test_rows_under_two_bands_are_counted_twice() -> None:
    graph = network(32, stride=1)
    bands = split(graph.main, 2, 2)
    assert bands is not None
    conv, depthwise = bands.repeated(graph.main)
    assert conv == pytest.approx(34 / 32)
    assert depthwise == 1.0


def test_a_block_ends_where_a_single_tensor_is_handed_on() -> None:
    assert split_blocks(network().main) == (4, 5, 6, 7)


def test_a_model_that_begins_with_a_dense_layer_has_no_block() -> None:
    b = GraphBuilder("dense")
    graph = b.build([b.fully_connected(b.input((1, 16)), 4)])
    with pytest.raises(UsageError, match="does not begin with convolutions"):
        split_blocks(graph.main)


def test_bands_hold_the_whole_input_the_whole_output_and_one_band_between() -> None:
    b = GraphBuilder("wide")
    x = b.input((1, 64, 64, 1))
    x = b.conv2d(x, 32, 3)
    x = b.conv2d(x, 1, 1, stride=8)
    graph = b.build([b.mean(x)])
    where = deployment("stm32h743zi", runtime="tflm-reference")
    whole = plan(graph, where)
    bands = split(graph.main, 2, 8)
    assert bands is not None
    arena = in_bands(graph, where, bands)
    image, between = 4 * 64 * 64, 4 * 64 * 64 * 32
    assert (whole.arena_nonpersistent_bytes or 0) >= image + between
    assert bands.rows(graph.main.ops[0].outputs[0]) == [1] * 8
    assert image + between // 64 < arena.nonpersistent <= image + between // 64 + 4 * 64 + 64


def test_bands_cost_memory_where_the_input_was_not_needed_any_more() -> None:
    graph, where = network(64), deployment("stm32h743zi", runtime="tflm-reference")
    whole, bands = plan(graph, where), split(graph.main, 4, 4)
    assert bands is not None
    assert in_bands(graph, where, bands).nonpersistent > (whole.arena_nonpersistent_bytes or 0)


def test_an_in_place_planner_gains_from_bands_too() -> None:
    graph, where = network(64, stride=1), deployment("stm32h743zi", runtime="x-cube-ai")
    whole, bands = plan(graph, where), split(graph.main, 6, 4)
    assert bands is not None
    assert in_bands(graph, where, bands).nonpersistent < 0.7 * (whole.arena_nonpersistent_bytes or 0)
