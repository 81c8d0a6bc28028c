"""Products of matrices, attention and recurrent layers."""

from __future__ import annotations

import math
from collections.abc import Callable

from .calls import Call
from .program import Program

Rule = Callable[[Program, Call], None]
_GATES = {"lstm": ("LSTM", 4), "gru": ("GRU", 3), "rnn_tanh": ("RNN", 1), "rnn_relu": ("RNN", 1)}


def _linear(p: Program, call: Call) -> None:
    """linear(x, weights [units, depth], bias)."""
    bias = call.tensor(2, "bias")
    _dense(p, call.tensor(0), call.tensor(1), bias, call.outputs[0], is_turned=True)


def _addmm(p: Program, call: Call) -> None:
    """addmm(bias, x, weights [depth, units]): exporters turn the weights of a dense layer before it."""
    weights, is_turned = _source(p, call.tensor(2))
    _dense(p, call.tensor(1), weights, call.tensor(0), call.outputs[0], is_turned=is_turned)


def _product(p: Program, call: Call) -> None:
    """mm, bmm and matmul."""
    a, b = call.tensor(0), call.tensor(1)
    weights, is_turned = _source(p, b)
    if p.is_constant(weights) and p.rank(weights) == 2:
        _dense(p, a, weights, "", call.outputs[0], is_turned=is_turned)
        return
    p.put("MatMul", [a, b], call.outputs)


def _dense(p: Program, x: str, weights: str, bias: str, made: str, *, is_turned: bool) -> None:
    if not p.is_constant(weights):
        shape = p.shape(weights)
        turned = p.then("Transpose", [weights], shape[::-1], perm=(1, 0)) if is_turned else weights
        product = p.between(p.shape(made), p.value(made).dtype) if bias else made
        p.put("MatMul", [x, turned], product)
        if bias:
            p.put("Add", [product, bias], made)
        return
    p.put("Gemm", [x, weights, bias] if bias else [x, weights], made, transB=int(is_turned))


def _source(p: Program, name: str) -> tuple[str, bool]:
    """Weights that a transposition of two dimensions stands before: they, and that they are turned."""
    if p.is_constant(name) or p.rank(name) != 2:
        return name, False
    maker = next((node for node in reversed(p.nodes) if name in node.outputs), None)
    if maker is None or maker.kind != "Transpose" or not p.is_constant(maker.inputs[0]):
        return name, False
    return maker.inputs[0], maker.attributes.get("perm") == (1, 0)


def _baddbmm(p: Program, call: Call) -> None:
    product = p.between(p.shape(call.outputs[0]), p.value(call.outputs[0]).dtype)
    p.put("MatMul", [call.tensor(1), call.tensor(2)], product)
    p.put("Add", [product, call.tensor(0)], call.outputs)


def _attention(p: Program, call: Call) -> None:
    """scaled_dot_product_attention(queries, keys, values, mask): softmax(QKᵀ / √d) V."""
    q, k, v, mask = call.tensor(0), call.tensor(1), call.tensor(2), call.tensor(3, "attn_mask")
    dtype, heads = p.value(q).dtype, p.shape(q)[:-2]
    if p.shape(k)[:-2] != heads:
        k, v = (_for_each_head(p, name, heads) for name in (k, v))
    scores = (*heads, p.shape(q)[-2], p.shape(k)[-2])
    product = p.then("MatMul", [q, k], scores, transB=1)
    scaled = p.then("Mul", [product, p.number(1 / math.sqrt(max(p.shape(q)[-1], 1)), dtype)], scores)
    if mask:
        scaled = p.then("Add", [scaled, mask], scores)
    weights = p.then("Softmax", [scaled], scores, axis=len(scores) - 1)
    p.put("MatMul", [weights, v], call.outputs[:1])


def _for_each_head(p: Program, name: str, heads: tuple[int, ...]) -> str:
    """Keys or values that several heads share, as often as there are heads."""
    shape = p.shape(name)
    times = heads[-1] // max(shape[-3], 1)
    apart = p.then("Reshape", [name], (*shape[:-2], 1, *shape[-2:]))
    wide = (*shape[:-2], times, *shape[-2:])
    repeated = p.then("Expand", [apart, p.integers(wide)], wide)
    return p.then("Reshape", [repeated], (*heads, *shape[-2:]))


def _recurrent(p: Program, call: Call) -> None:
    """lstm(x, states, weights, biases, layers, dropout, train, bidirectional, batch first)."""
    kind, gates = _GATES[call.target]
    x, weights = call.tensor(0), call.tensors(2)
    has_biases, layers, both, batch_first = call.flag(3), call.whole(4), call.flag(7), call.flag(8)
    directions = 2 if both else 1
    each = 4 if has_biases else 2
    if not 0 < layers <= len(weights) or len(weights) != layers * directions * each:
        raise ValueError("projections")
    dtype = p.value(x).dtype
    if batch_first:
        batch, steps, depth = p.shape(x)
        x = p.then("Transpose", [x], (steps, batch, depth), perm=(1, 0, 2))
    for layer in range(layers):
        steps, batch, depth = p.shape(x)
        cells = p.shape(weights[layer * directions * each + 1])[1]
        w, r = (p.constant((directions, gates * cells, n), dtype) for n in (depth, cells))
        b = p.constant((directions, 2 * gates * cells), dtype)
        made = p.between((steps, directions, batch, cells), dtype)
        p.put(kind, [x, w, r, b], [made], hidden_size=cells, direction="bidirectional" if both else "forward")
        wide = (steps, batch, directions * cells)
        if directions > 1:
            made = p.then("Transpose", [made], (steps, batch, directions, cells), perm=(0, 2, 1, 3))
        x = p.then("Reshape", [made], wide)
    if batch_first:
        p.put("Transpose", [x], call.outputs[0], perm=(1, 0, 2))
    else:
        p.put("Identity", [x], call.outputs[0])
    _last_states(p, call, x)


def _last_states(p: Program, call: Call, sequence: str) -> None:
    """The states of every layer: seen here as the last step of the last one, in as many copies."""
    for name in call.outputs[1:]:
        layers, batch, cells = p.shape(name)
        shape = p.shape(sequence)
        ends = [p.integers([n]) for n in (-1, 2**31 - 1, 0, 1)]
        last = p.then("Slice", [sequence, *ends], (1, *shape[1:]))
        directions = shape[2] // max(cells, 1)
        split = p.then("Reshape", [last], (directions, batch, cells))
        copies = layers // max(directions, 1)
        p.put("Tile", [split, p.integers([copies, 1, 1])], name)


RULES: dict[str, Rule] = {
    "linear": _linear, "addmm": _addmm, "baddbmm": _baddbmm,
    **dict.fromkeys(("mm", "bmm", "matmul"), _product),
    **dict.fromkeys(
        ("scaled_dot_product_attention", "_scaled_dot_product_flash_attention_for_cpu",
         "_scaled_dot_product_efficient_attention"), _attention,
    ),
    **dict.fromkeys(_GATES, _recurrent),
}  # fmt: skip
