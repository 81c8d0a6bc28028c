from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from edgewright.tools.graph import DType, ModelGraph, Op, OptionValue, Subgraph, Tensor
from edgewright.tools.graph.costs.table import layer_table

STEPS, BATCH, DEPTH, CELLS, OUT = 7, 2, 5, 6, 4
Shapes = Mapping[int, tuple[int, ...]]


def recurrent(
    kind: str,
    shapes: Shapes,
    outputs: Sequence[tuple[int, ...]],
    options: Mapping[str, OptionValue] | None = None,
) -> ModelGraph:
    """An operator whose inputs stand at the positions of `shapes`; all others are absent."""
    tensors = [
        Tensor(i, f"t{i}", shape, DType.FLOAT32, is_constant=position not in (0, 39))
        for i, (position, shape) in enumerate(shapes.items())
    ]
    places = {position: i for i, position in enumerate(shapes)}
    inputs = tuple(places.get(position, -1) for position in range(max(shapes) + 1))
    made = tuple(range(len(tensors), len(tensors) + len(outputs)))
    tensors += [Tensor(i, f"t{i}", shape, DType.FLOAT32) for i, shape in zip(made, outputs, strict=True)]
    op = Op(0, kind, inputs, made, options=options or {})
    return ModelGraph("rnn", "architecture", "", None, (Subgraph("main", tuple(tensors), (op,), (0,), made),))


def lstm_cell(
    depth: int, cells: int, out: int, first: int = 1, *, input_gate: bool = True
) -> dict[int, tuple[int, ...]]:
    gates = range(0 if input_gate else 1, 4)
    shapes = {first + gate: (cells, depth) for gate in gates}
    shapes |= {first + 4 + gate: (cells, out) for gate in gates}
    return shapes | {first + 11 + gate: (cells,) for gate in gates}


def macs_of(graph: ModelGraph) -> int:
    table = layer_table(graph)
    assert table.uncounted == ()
    return table.total_macs


@pytest.mark.parametrize("time_major", [True, False])
def test_an_lstm_multiplies_input_and_state_into_four_gates_at_every_step(time_major: bool) -> None:
    data = (STEPS, BATCH, DEPTH) if time_major else (BATCH, STEPS, DEPTH)
    graph = recurrent(
        "UNIDIRECTIONAL_SEQUENCE_LSTM",
        {0: data, **lstm_cell(DEPTH, CELLS, CELLS)},
        [(*data[:2], CELLS)],
        {"time_major": time_major},
    )
    assert macs_of(graph) == STEPS * BATCH * 4 * CELLS * (DEPTH + CELLS)
    assert layer_table(graph).element_ops[0] == STEPS * BATCH * 9 * CELLS


def test_an_lstm_without_input_gate_has_three_gates() -> None:
    shapes = {0: (STEPS, BATCH, DEPTH), **lstm_cell(DEPTH, CELLS, CELLS, input_gate=False)}
    graph = recurrent("UNIDIRECTIONAL_SEQUENCE_LSTM", shapes, [(STEPS, BATCH, CELLS)])
    assert macs_of(graph) == STEPS * BATCH * 3 * CELLS * (DEPTH + CELLS)


def test_peepholes_and_projection_add_their_own_macs() -> None:
    shapes = {0: (STEPS, BATCH, DEPTH), **lstm_cell(DEPTH, CELLS, OUT)}
    shapes |= {9: (CELLS,), 10: (CELLS,), 11: (CELLS,), 16: (OUT, CELLS), 17: (OUT,)}
    graph = recurrent("UNIDIRECTIONAL_SEQUENCE_LSTM", shapes, [(STEPS, BATCH, OUT)])
    assert macs_of(graph) == STEPS * BATCH * (4 * CELLS * (DEPTH + OUT) + 3 * CELLS + OUT * CELLS)


def test_a_diagonal_recurrence_costs_one_mac_a_cell() -> None:
    shapes = {0: (STEPS, BATCH, DEPTH), **lstm_cell(DEPTH, CELLS, CELLS)}
    shapes |= dict.fromkeys(range(5, 9), (CELLS,))
    graph = recurrent("UNIDIRECTIONAL_SEQUENCE_LSTM", shapes, [(STEPS, BATCH, CELLS)])
    assert macs_of(graph) == STEPS * BATCH * 4 * CELLS * (DEPTH + 1)


def test_a_bidirectional_lstm_costs_both_directions() -> None:
    shapes = {
        0: (STEPS, BATCH, DEPTH),
        **lstm_cell(DEPTH, CELLS, CELLS),
        **lstm_cell(DEPTH, OUT, OUT, first=18),
    }
    graph = recurrent("BIDIRECTIONAL_SEQUENCE_LSTM", shapes, [(STEPS, BATCH, CELLS + OUT)])
    assert macs_of(graph) == STEPS * BATCH * (4 * CELLS * (DEPTH + CELLS) + 4 * OUT * (DEPTH + OUT))


def test_auxiliary_weights_of_a_bidirectional_lstm_are_counted() -> None:
    shapes = {
        0: (STEPS, BATCH, DEPTH),
        **lstm_cell(DEPTH, CELLS, CELLS),
        **lstm_cell(DEPTH, CELLS, CELLS, first=18),
    }
    shapes |= {39: (STEPS, BATCH, 3)} | dict.fromkeys(range(40, 48), (CELLS, 3))
    graph = recurrent("BIDIRECTIONAL_SEQUENCE_LSTM", shapes, [(STEPS, BATCH, 2 * CELLS)])
    assert macs_of(graph) == STEPS * BATCH * 2 * 4 * CELLS * (DEPTH + CELLS + 3)


def test_an_lstm_of_one_step_counts_its_batch() -> None:
    graph = recurrent("LSTM", {0: (BATCH, DEPTH), **lstm_cell(DEPTH, CELLS, CELLS)}, [(BATCH, CELLS)])
    assert macs_of(graph) == BATCH * 4 * CELLS * (DEPTH + CELLS)


def test_a_basic_lstm_has_all_gates_in_one_matrix() -> None:
    shapes = {
        0: (BATCH, DEPTH),
        1: (BATCH, CELLS),
        2: (4 * CELLS, DEPTH + CELLS),
        3: (4 * CELLS,),
        4: (BATCH, CELLS),
    }
    graph = recurrent("LSTM", shapes, [(BATCH, CELLS)], {"kernel_type": "BASIC"})
    assert macs_of(graph) == BATCH * 4 * CELLS * (DEPTH + CELLS)


@pytest.mark.parametrize(
    ("kind", "data", "steps"),
    [("RNN", (BATCH, DEPTH), 1), ("UNIDIRECTIONAL_SEQUENCE_RNN", (BATCH, STEPS, DEPTH), STEPS)],
)
def test_a_simple_rnn_multiplies_input_and_state(kind: str, data: tuple[int, ...], steps: int) -> None:
    shapes = {0: data, 1: (CELLS, DEPTH), 2: (CELLS, CELLS), 3: (CELLS,), 4: (BATCH, CELLS)}
    graph = recurrent(kind, shapes, [(*data[:-1], CELLS)])
    assert macs_of(graph) == steps * BATCH * CELLS * (DEPTH + CELLS)


def test_a_bidirectional_rnn_costs_both_directions() -> None:
    shapes = {0: (BATCH, STEPS, DEPTH), 1: (CELLS, DEPTH), 2: (CELLS, CELLS), 3: (CELLS,), 4: (BATCH, CELLS)}
    shapes |= {5: (OUT, DEPTH), 6: (OUT, OUT), 7: (OUT,), 8: (BATCH, OUT)}
    graph = recurrent("BIDIRECTIONAL_SEQUENCE_RNN", shapes, [(BATCH, STEPS, CELLS), (BATCH, STEPS, OUT)])
    assert macs_of(graph) == STEPS * BATCH * (CELLS * (DEPTH + CELLS) + OUT * (DEPTH + OUT))


def test_an_svdf_layer_filters_features_and_then_time() -> None:
    memory, rank, filters = 9, 2, 8
    shapes = {0: (BATCH, DEPTH), 1: (filters, DEPTH), 2: (filters, memory), 4: (BATCH, filters * memory)}
    graph = recurrent("SVDF", shapes, [(BATCH, filters // rank)], {"rank": rank})
    assert macs_of(graph) == BATCH * filters * (DEPTH + memory)
    assert layer_table(graph).element_ops[0] == BATCH * (filters + filters // rank)


def test_the_state_of_a_recurrent_layer_is_read_and_written() -> None:
    state = Tensor(3, "state", (BATCH, CELLS), DType.INT8, is_variable=True)
    tensors = (
        Tensor(0, "x", (BATCH, DEPTH), DType.INT8),
        Tensor(1, "w", (CELLS, DEPTH), DType.INT8, CELLS * DEPTH, is_constant=True),
        Tensor(2, "r", (CELLS, CELLS), DType.INT8, CELLS * CELLS, is_constant=True),
        state,
        Tensor(4, "y", (BATCH, CELLS), DType.INT8),
    )
    op = Op(0, "RNN", (0, 1, 2, -1, 3), (4,))
    table = layer_table(
        ModelGraph("rnn", "architecture", "", None, (Subgraph("main", tensors, (op,), (0,), (4,)),))
    )
    assert table.input_bytes[0] == BATCH * DEPTH + BATCH * CELLS
    assert table.output_bytes[0] == BATCH * CELLS * 2
    assert table.weight_bytes[0] == CELLS * (DEPTH + CELLS)
