"""Output shapes of matrix products and recurrent layers."""

from __future__ import annotations

from .operands import Operands, Rules, Shape, ShapeError, broadcast, divided, known, product


def fully_connected(at: Operands) -> list[Shape]:
    """Weights [units, in]: [rows, units]; with keep_num_dims the input's shape, its last dimension replaced.

    Rows stay rows: an input whose image grew does not pass for a larger batch.
    """
    data = at.shape(0)
    units, depth = at.shape(1, 2)
    if at.op.options.get("keep_num_dims"):
        if not data or (known(data[-1]) and data[-1] != depth):
            raise ShapeError(f"its weights read {depth} values, {data[-1] if data else 0} arrive")
        return [(*data[:-1], units)]
    count = product(data)
    if known(count) and (depth < 1 or count % depth):
        raise ShapeError(f"its weights read {depth} values at a time, {count} arrive")
    at.check_bias(2, units)
    row = product(data[_row_start(at.recorded(0), depth) :])
    if data != at.recorded(0) and known(row) and row != depth:
        raise ShapeError(f"its weights read {depth} values, {row} arrive")
    return [(divided(count, depth, "an input"), units)]


def batch_matmul(at: Operands) -> list[Shape]:
    left, right = at.shape(0), at.shape(1)
    if len(left) < 2 or len(right) < 2:
        raise ShapeError("an operand has fewer than 2 dimensions")
    rows, depth = _matrix(left, bool(at.op.options.get("adj_x")))
    depth_too, columns = _matrix(right, bool(at.op.options.get("adj_y")))
    if known(depth, depth_too) and depth != depth_too:
        raise ShapeError(f"a row of {depth} meets a column of {depth_too}")
    return [(*broadcast([left[:-2], right[:-2]]), rows, columns)]


def sequence_rnn(at: Operands) -> list[Shape]:
    """RNN, UNIDIRECTIONAL_SEQUENCE_RNN: weights [units, in]."""
    data = _features(at, 1)
    return [(*data[:-1], at.shape(1, 2)[0])]


def bidirectional_rnn(at: Operands) -> list[Shape]:
    return _both_directions(at, _features(at, 1), at.shape(1, 2)[0], at.shape(5, 2)[0])


def sequence_lstm(at: Operands) -> list[Shape]:
    """The recurrent weights of the forget gate are [cells, out], or [cells] where they are diagonal."""
    data = _features(at, 2)
    return [(*data[:-1], at.shape(6)[-1])]


def lstm(at: Operands) -> list[Shape]:
    """The BASIC kernel puts out the activation, the state and two temporaries."""
    if at.op.option_str("kernel_type", "FULL") != "BASIC":
        return sequence_lstm(at)
    batch, depth = at.shape(0, 2)
    gates, concatenated = at.shape(2, 2)
    cells = gates // 4
    if known(depth) and depth + cells != concatenated:
        raise ShapeError(f"its weights read {concatenated - cells} values, {depth} arrive")
    return [(batch, cells), (batch, cells), (batch, concatenated), (batch, gates)]


def bidirectional_lstm(at: Operands) -> list[Shape]:
    return _both_directions(at, _features(at, 2), at.shape(6)[-1], at.shape(23)[-1])


def svdf(at: Operands) -> list[Shape]:
    batch = _features(at, 1)[0]
    rank = max(at.op.option_int("rank", 1), 1)
    return [(batch, divided(at.shape(1, 2)[0], rank, "a filter count"))]


def states(at: Operands) -> dict[int, Shape]:
    """Shapes of the state inputs, which hold one row for each sequence of the batch."""
    positions = _STATES.get(at.op.kind, ())
    if not positions or not at.has(0):
        return {}
    data = at.shape(0)
    batch_first = len(data) < 3 or not at.op.options.get("time_major")
    batch = data[0] if batch_first else data[1]
    found = {position: at.inputs[position] for position in positions if at.has(position)}
    return {position: (batch, *shape[1:]) for position, shape in found.items() if shape}


def _matrix(shape: Shape, transposed: bool) -> tuple[int, int]:
    return (shape[-1], shape[-2]) if transposed else (shape[-2], shape[-1])


def _row_start(recorded: Shape, depth: int) -> int:
    """The first of the last dimensions that made one row of weights when the model was exported."""
    for start in reversed(range(len(recorded))):
        if product(recorded[start:]) == depth:
            return start
    return 0


def _features(at: Operands, weights: int) -> Shape:
    data, depth = at.shape(0), at.shape(weights, 2)[1]
    if not data or (known(data[-1]) and data[-1] != depth):
        raise ShapeError(f"its weights read {depth} values, {data[-1] if data else 0} arrive")
    return data


def _both_directions(at: Operands, data: Shape, forward: int, backward: int) -> list[Shape]:
    if at.op.options.get("merge_outputs"):
        return [(*data[:-1], forward + backward)]
    return [(*data[:-1], forward), (*data[:-1], backward)]


_STATES = {
    "UNIDIRECTIONAL_SEQUENCE_LSTM": (18, 19),
    "BIDIRECTIONAL_SEQUENCE_LSTM": (35, 36, 37, 38),
    "LSTM": (1, 4, 18, 19),
    "RNN": (4,),
    "UNIDIRECTIONAL_SEQUENCE_RNN": (4,),
    "BIDIRECTIONAL_SEQUENCE_RNN": (4, 8),
    "SVDF": (4,),
}
RULES: Rules = {
    "FULLY_CONNECTED": fully_connected,
    "BATCH_MATMUL": batch_matmul,
    "RNN": sequence_rnn,
    "UNIDIRECTIONAL_SEQUENCE_RNN": sequence_rnn,
    "BIDIRECTIONAL_SEQUENCE_RNN": bidirectional_rnn,
    "UNIDIRECTIONAL_SEQUENCE_LSTM": sequence_lstm,
    "LSTM": lstm,
    "BIDIRECTIONAL_SEQUENCE_LSTM": bidirectional_lstm,
    "SVDF": svdf,
}
