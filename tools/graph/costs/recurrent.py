"""Work of recurrent layers: every weight is one MAC for each time step of each sequence.

That holds for the full matrices and for the vectors of a peephole or of a diagonal recurrence alike, so
the variants (no input gate, peepholes, projection, auxiliary input) follow from which inputs are there.
Whether time or batch comes first (time_major) changes the layout, not the product of the two.
Positions of the inputs are those of TensorFlow Lite's kernels: lstm_shared.h, bidirectional_sequence_lstm.cc,
bidirectional_sequence_rnn.cc, basic_rnn.cc and svdf.cc in tensorflow/lite/kernels.
"""

from __future__ import annotations

from collections.abc import Iterable

from .work import OpContext, Rule, Rules, UncountableError, Work, elements

_GATE_OPS = 4
"""Non-linearities of the gates for each cell; without an input gate, its value is one subtraction."""
_CELL_OPS = 5
"""f × c, i × g and their sum; tanh(c); o × tanh(c)."""

_LSTM_WEIGHTS = (*range(1, 12), 16)
_FORWARD_WEIGHTS = (*_LSTM_WEIGHTS, *range(40, 44))
_BACKWARD_WEIGHTS = (*range(18, 29), 33, *range(44, 48))
_LAYER_NORM = range(20, 24)


def sequence_lstm(at: OpContext) -> Work:
    """Input [time, batch, in], or [batch, in] for the one step of LSTM."""
    return _times(_steps(at), _lstm_cell(at, _LSTM_WEIGHTS, forget_bias=13, layer_norm=_LAYER_NORM))


def bidirectional_sequence_lstm(at: OpContext) -> Work:
    forward = _lstm_cell(at, _FORWARD_WEIGHTS, forget_bias=13)
    backward = _lstm_cell(at, _BACKWARD_WEIGHTS, forget_bias=30)
    return _times(_steps(at), Work(forward.macs + backward.macs, forward.element_ops + backward.element_ops))


def lstm(at: OpContext) -> Work:
    """One time step; the BASIC kernel has the weights of all gates, [4 × cells, in + cells], in input 2."""
    if at.op.option_str("kernel_type", "FULL") != "BASIC":
        return sequence_lstm(at)
    weights = elements(at.input(2))
    cells = at.shape(2, 2)[0] // 4
    return _times(_steps(at), Work(weights, cells * (_GATE_OPS + _CELL_OPS)))


def rnn(at: OpContext) -> Work:
    """Input weights [units, in] and recurrent weights [units, units]; one activation a unit."""
    units = at.shape(1, 2)[0]
    return _times(_steps(at), Work(_weights(at, (1, 2)), units))


def bidirectional_sequence_rnn(at: OpContext) -> Work:
    units = at.shape(1, 2)[0] + at.shape(5, 2)[0]
    return _times(_steps(at), Work(_weights(at, (1, 2, 5, 6, 10, 11)), units))


def svdf(at: OpContext) -> Work:
    """One time step: features [filters, in], then a dot product over the memory, [filters, memory].

    The `rank` filters of a unit are added up, and each unit has one activation.
    """
    filters = at.shape(1, 2)[0]
    units = filters // max(at.op.option_int("rank", 1), 1)
    return _times(_steps(at), Work(_weights(at, (1, 2)), filters + units))


def _of_onnx(gates: int, cell_ops: int) -> Rule:
    """ONNX's layers that TFLite has no operator for, in its terms.

    Input [time, batch, in], W [directions, gates × cells, in], R [directions, gates × cells, cells]: every
    weight is one MAC for each step of each sequence (onnx.ai/onnx/operators, GRU and RNN).
    """

    def work(at: OpContext) -> Work:
        features, weights, recurrent = (at.shape(position, 3) for position in range(3))
        cells = recurrent[2]
        rows = (weights[0], gates * cells)
        if weights != (*rows, features[2]) or recurrent != (*rows, cells):
            raise UncountableError("its weights are not those of ONNX's operator of that name")
        steps = features[0] * features[1]
        macs = elements(at.input(1)) + elements(at.input(2))
        return _times(steps, Work(macs, weights[0] * cells * (gates + cell_ops)))

    return work


def _lstm_cell(
    at: OpContext, weights: Iterable[int], forget_bias: int, layer_norm: Iterable[int] = ()
) -> Work:
    """Work of one step of one sequence; the forget gate's bias tells the number of cells."""
    cells = elements(at.input(forget_bias))
    normalised = sum(cells for position in layer_norm if at.has(position))
    return Work(_weights(at, weights), cells * (_GATE_OPS + _CELL_OPS) + normalised)


def _weights(at: OpContext, positions: Iterable[int]) -> int:
    return sum(elements(at.input(position)) for position in positions if at.has(position))


def _steps(at: OpContext) -> int:
    """Time steps × batch."""
    data = at.input(0)
    if not data.shape:
        raise UncountableError("input 0 is a scalar, not a sequence")
    features = data.shape[-1]
    return elements(data) // features if features else 0


def _times(steps: int, step: Work) -> Work:
    return Work(steps * step.macs, steps * step.element_ops)


NAMED: Rules = {"CUSTOM:GRU": _of_onnx(3, 5), "CUSTOM:RNN": _of_onnx(1, 0)}
"""Custom operators that are by their weights what they are called; GRU: r × h, 1 − z, two products, a sum."""
RULES: Rules = {
    "UNIDIRECTIONAL_SEQUENCE_LSTM": sequence_lstm,
    "BIDIRECTIONAL_SEQUENCE_LSTM": bidirectional_sequence_lstm,
    "LSTM": lstm,
    "RNN": rnn,
    "UNIDIRECTIONAL_SEQUENCE_RNN": rnn,
    "BIDIRECTIONAL_SEQUENCE_RNN": bidirectional_sequence_rnn,
    "SVDF": svdf,
}
