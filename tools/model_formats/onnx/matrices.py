"""Products of matrices, and recurrent layers."""

from __future__ import annotations

from ...graph import DType
from ...graph.model import OptionValue
from .document import Node
from .emitter import ABSENT, Emitter
from .handlers import Handlers

_GATES = 4


def gemm(e: Emitter, n: Node) -> None:
    """A product with constant weights is a dense layer, with weights [units, depth]."""
    shape = e.document.value(n.inputs[1]).shape
    if n.inputs[1] not in e.document.constants or shape is None or n.integer_of("transA", 0):
        matmul_of_two(e, n)
        return
    order = (0, 1) if n.integer_of("transB", 0) else (1, 0)
    _dense(e, n, order)


def matmul(e: Emitter, n: Node) -> None:
    shape = e.document.value(n.inputs[1]).shape
    if n.inputs[1] in e.document.constants and shape is not None and len(shape) == 2:
        _dense(e, n, (1, 0))
        return
    matmul_of_two(e, n)


def matmul_of_two(e: Emitter, n: Node) -> None:
    options: dict[str, OptionValue] = {
        "adj_x": bool(n.integer_of("transA", 0)), "adj_y": bool(n.integer_of("transB", 0)),
    }  # fmt: skip
    inputs = [e.tensor(name) for name in n.inputs[:2]]
    if not n.has(2):
        e.emit_node("BATCH_MATMUL", n, inputs, options)
        return
    product = e.between("product", e.shape(n.outputs[0]), e.document.value(n.outputs[0]).dtype)
    e.emit("BATCH_MATMUL", inputs, (product,), options)
    e.emit_node("ADD", n, (product, e.tensor(n.inputs[2])), {"fused_activation_function": n.activation})


def _dense(e: Emitter, n: Node, order: tuple[int, int]) -> None:
    rank = len(e.shape(n.inputs[0]))
    options: dict[str, OptionValue] = {
        "fused_activation_function": n.activation, "weights_format": "DEFAULT",
        "keep_num_dims": rank > 2, "asymmetric_quantize_inputs": False,
    }  # fmt: skip
    bias = e.tensor(n.inputs[2]) if n.has(2) else ABSENT
    weights = e.weights(n.inputs[1], order)
    e.emit_node("FULLY_CONNECTED", n, (e.tensor(n.inputs[0]), weights, bias), options)


def lstm(e: Emitter, n: Node) -> None:
    """W [directions, 4 × cells, in] and R [directions, 4 × cells, cells]: one layer for each direction."""
    w, r = (e.document.value(name).shape for name in n.inputs[1:3])
    source = e.shape(n.inputs[0])
    if w is None or r is None or len(w) != 3 or len(source) != 3 or -1 in source:
        e.custom(n)
        return
    directions, cells, depth, dtype = w[0], w[1] // _GATES, w[2], e.document.value(n.inputs[1]).dtype
    x, steps, batch = e.tensor(n.inputs[0]), (*source[:2], cells), source[1 - n.integer_of("layout", 0)]
    made = []
    for _ in range(directions):
        weights = [e.constant("lstm/kernel", (cells, depth), dtype) for _ in range(_GATES)]
        recurrent = [e.constant("lstm/recurrent", (cells, cells), dtype) for _ in range(_GATES)]
        biases = [e.constant("lstm/bias", (cells,), DType.FLOAT32) for _ in range(_GATES)]
        states = [e.state((batch, cells), dtype) for _ in range(2)]
        peepholes = [e.constant("lstm/peephole", (cells,), dtype) if n.has(7) else ABSENT for _ in range(3)]
        inputs = (x, *weights, *recurrent, *peepholes, *biases, ABSENT, ABSENT, *states)
        made.append(e.between("lstm", steps, dtype))
        options: dict[str, OptionValue] = {
            "fused_activation_function": "TANH", "time_major": not n.integer_of("layout", 0),
        }  # fmt: skip
        e.emit("UNIDIRECTIONAL_SEQUENCE_LSTM", inputs, (made[-1],), options)
    both = made[0]
    if directions > 1:
        both = e.between("lstm", (*source[:2], directions * cells), dtype)
        e.emit("CONCATENATION", made, (both,), {"axis": 2, "fused_activation_function": "NONE"})
    _outputs(e, n, both)


def _outputs(e: Emitter, n: Node, sequence: int) -> None:
    """Y is every step; Y_h and Y_c are the last."""
    for at, name in enumerate(n.outputs):
        if not name or (at > 0 and name not in e.document.outputs and name not in e.document.readers()):
            continue
        shape = e.integers("shape", e.shape(name))
        if at == 0:
            e.emit("RESHAPE", (sequence, shape), (e.tensor(name),))
            continue
        steps, axis = e.tensors[sequence].shape, n.integer_of("layout", 0)
        begin, size, one = [0, 0, 0], [-1, -1, -1], [*steps]
        begin[axis], size[axis], one[axis] = steps[axis] - 1, 1, 1
        last = e.between("last", tuple(one), e.tensors[sequence].dtype)
        e.emit("SLICE", (sequence, e.integers("begin", begin), e.integers("size", size)), (last,))
        e.emit("RESHAPE", (last, shape), (e.tensor(name),))


HANDLERS: Handlers = {"Gemm": gemm, "MatMul": matmul, "LSTM": lstm}
