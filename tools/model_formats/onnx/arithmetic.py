"""Element by element: arithmetic, activations, comparisons, norms and reductions."""

from __future__ import annotations

import math

from ...graph.model import OptionValue
from .document import Node, Shape
from .emitter import Emitter
from .fusion import clip_bounds
from .handlers import Handler, Handlers

_BINARY = {
    "Add": "ADD", "Sub": "SUB", "Mul": "MUL", "Div": "DIV", "Pow": "POW", "Mod": "FLOOR_MOD",
    "Equal": "EQUAL", "Less": "LESS", "LessOrEqual": "LESS_EQUAL", "Greater": "GREATER",
    "GreaterOrEqual": "GREATER_EQUAL", "And": "LOGICAL_AND", "Or": "LOGICAL_OR", "PRelu": "PRELU",
    "BitwiseXor": "BITWISE_XOR", "BitShift": "RIGHT_SHIFT",
}  # fmt: skip
_VARIADIC = {"Max": "MAXIMUM", "Min": "MINIMUM", "Sum": "ADD"}
_UNARY = {
    "Relu": "RELU", "Sigmoid": "LOGISTIC", "Tanh": "TANH", "Elu": "ELU", "Celu": "ELU", "Gelu": "GELU",
    "HardSwish": "HARD_SWISH", "LeakyRelu": "LEAKY_RELU", "Softmax": "SOFTMAX", "LogSoftmax": "LOG_SOFTMAX",
    "Exp": "EXP", "Log": "LOG", "Sqrt": "SQRT", "Abs": "ABS", "Neg": "NEG", "Floor": "FLOOR", "Ceil": "CEIL",
    "Round": "ROUND", "Sign": "SIGN", "Sin": "SIN", "Cos": "COS", "Not": "LOGICAL_NOT", "Cast": "CAST",
    "CastLike": "CAST",
    "QuantizeLinear": "QUANTIZE", "DequantizeLinear": "DEQUANTIZE", "DynamicQuantizeLinear": "QUANTIZE",
}  # fmt: skip
_FUSED = frozenset({"ADD", "SUB", "MUL", "DIV"})
_SEVERAL = {
    "HardSigmoid": ("MUL 1", "ADD 1", "RELU_0_TO_1"),
    "Softplus": ("EXP", "ADD 1", "LOG"),
    "Softsign": ("ABS", "ADD 1", "DIV x"),
    "Mish": ("EXP", "ADD 1", "LOG", "TANH", "MUL x"),
    "Swish": ("LOGISTIC", "MUL x"),
    "Selu": ("ELU", "MUL 1"),
    "Reciprocal": ("DIV 1",),
}
"""Operators one after the other; "1" has a constant beside the data, "x" the node's input."""
_REDUCTIONS = {
    "ReduceMean": "MEAN", "ReduceSum": "SUM", "ReduceMax": "REDUCE_MAX", "ReduceMin": "REDUCE_MIN",
    "ReduceProd": "REDUCE_PROD", "ArgMax": "ARG_MAX", "ArgMin": "ARG_MIN", "CumSum": "CUMSUM",
}  # fmt: skip
_CLIPS: dict[tuple[float | None, float | None], str] = {
    (0.0, None): "RELU",
    (0.0, 6.0): "RELU6",
    (-1.0, 1.0): "RELU_N1_TO_1",
    (0.0, 1.0): "RELU_0_TO_1",
}


def binary(e: Emitter, n: Node) -> None:
    kind = _BINARY[n.kind]
    options = {"fused_activation_function": n.activation} if kind in _FUSED else {}
    inputs = [e.tensor(name, broadcast_to=n.outputs[0]) for name in n.inputs[:2]]
    e.emit_node(kind, n, inputs, options)


def variadic(e: Emitter, n: Node) -> None:
    """Max, Min and Sum of any number: one operator for each input after the first."""
    inputs = [e.tensor(name, broadcast_to=n.outputs[0]) for name in n.inputs]
    if len(inputs) < 2:
        e.custom(n)
        return
    held, output = inputs[0], e.tensor(n.outputs[0])
    for at, other in enumerate(inputs[1:], start=2):
        made = (
            output
            if at == len(inputs)
            else e.between(n.kind.lower(), e.shape(n.outputs[0]), e.tensors[output].dtype)
        )
        e.emit(_VARIADIC[n.kind], (held, other), (made,))
        held = made


def unary(e: Emitter, n: Node) -> None:
    n.outputs = n.outputs[:1]
    options: dict[str, OptionValue] = {}
    if n.kind == "LeakyRelu":
        options["alpha"] = n.number("alpha", 0.01)
    if n.kind == "Softmax":
        options["beta"] = 1.0
    e.emit_node(_UNARY[n.kind], n, (e.tensor(n.inputs[0]),), options)


def several(e: Emitter, n: Node) -> None:
    x, output = e.tensor(n.inputs[0]), e.tensor(n.outputs[0])
    steps, held, dtype = _SEVERAL[n.kind], x, e.tensors[x].dtype
    for at, step in enumerate(steps):
        kind, _, beside = step.partition(" ")
        other = {"": (), "x": (x,), "1": (e.constant(n.kind.lower(), (), dtype),) if beside == "1" else ()}[
            beside
        ]
        made = output if at == len(steps) - 1 else e.between(n.kind.lower(), e.shape(n.outputs[0]), dtype)
        e.emit(kind, (held, *other), (made,))
        held = made


def clip(e: Emitter, n: Node) -> None:
    bounds = clip_bounds(e.document, n)
    x, dtype = e.tensor(n.inputs[0]), e.document.value(n.outputs[0]).dtype
    if bounds in _CLIPS:
        e.emit_node(_CLIPS[bounds], n, (x,))
        return
    low = e.between("clip", e.shape(n.outputs[0]), dtype)
    e.emit("MAXIMUM", (x, e.constant("min", (), dtype)), (low,))
    e.emit_node("MINIMUM", n, (low, e.constant("max", (), dtype)))


def where(e: Emitter, n: Node) -> None:
    e.emit_node("SELECT_V2", n, [e.tensor(name, broadcast_to=n.outputs[0]) for name in n.inputs])


def reduction(e: Emitter, n: Node) -> None:
    data = n.inputs[0]
    rank = len(e.shape(data))
    axes = n.integers("axes")
    options: dict[str, OptionValue] = {"keep_dims": bool(n.integer_of("keepdims", 1))}
    if axes is None and n.has(1) and n.kind != "CumSum":
        held = e.document.constants.get(n.inputs[1])
        if held is None or held.content is None:
            e.emit_node(_REDUCTIONS[n.kind], n, (e.tensor(data), e.tensor(n.inputs[1])), options)
            return
        axes = tuple(int(v) for v in held.content)
    if "axis" in n.attributes or n.kind.startswith("Arg"):
        axes = (n.integer_of("axis", 0),)
    places = tuple(range(rank)) if axes is None else tuple(sorted(e.layout.axis(data, a) for a in axes))
    e.emit_node(_REDUCTIONS[n.kind], n, (e.tensor(data), e.integers("axes", places)), options)


def batch_norm(e: Emitter, n: Node) -> None:
    """One that no convolution took in: a factor and a summand for each channel."""
    n.outputs = n.outputs[:1]
    x, output = e.tensor(n.inputs[0]), e.tensor(n.outputs[0])
    held = e.between("norm", e.shape(n.outputs[0]), e.tensors[x].dtype)
    e.emit("MUL", (x, e.tensor(n.inputs[1])), (held,), {"fused_activation_function": "NONE"})
    e.emit("ADD", (held, e.tensor(n.inputs[2])), (output,), {"fused_activation_function": n.activation})


def norm(e: Emitter, n: Node) -> None:
    """Layer, instance and group normalisation: mean, variance, scale and shift."""
    n.outputs = n.outputs[:1]
    x, output, dtype = e.tensor(n.inputs[0]), e.tensor(n.outputs[0]), e.document.value(n.inputs[0]).dtype
    full = e.shape(n.inputs[0])
    axes = _norm_axes(n, full)
    small: Shape = tuple(1 if a in axes else size for a, size in enumerate(full))
    listed = e.integers("axes", axes)
    mean, centred, squared = (
        e.between("mean", small, dtype),
        e.between("centred", full, dtype),
        e.between("squared", full, dtype),
    )
    variance, factor, scaled = (
        e.between("variance", small, dtype),
        e.between("factor", small, dtype),
        e.between("scaled", full, dtype),
    )
    shifted = e.between("shifted", full, dtype)
    e.emit("MEAN", (x, listed), (mean,), {"keep_dims": True})
    e.emit("SUB", (x, mean), (centred,))
    e.emit("MUL", (centred, centred), (squared,))
    e.emit("MEAN", (squared, listed), (variance,), {"keep_dims": True})
    e.emit("RSQRT", (variance,), (factor,))
    e.emit("MUL", (centred, factor), (scaled,))
    e.emit("MUL", (scaled, e.tensor(n.inputs[1])), (shifted if n.has(2) else output,))
    if n.has(2):
        e.emit("ADD", (shifted, e.tensor(n.inputs[2])), (output,))


def _norm_axes(n: Node, shape: Shape) -> tuple[int, ...]:
    rank = len(shape)
    if n.kind == "LayerNormalization":
        first = n.integer_of("axis", -1) % rank if rank else 0
        return tuple(range(first, rank))
    return tuple(range(1, rank - 1))


def lrn(e: Emitter, n: Node) -> None:
    options: dict[str, OptionValue] = {"radius": math.ceil((n.integer_of("size", 1) - 1) / 2)}
    e.emit_node("LOCAL_RESPONSE_NORMALIZATION", n, (e.tensor(n.inputs[0]),), options)


def _all(names: dict[str, str] | dict[str, tuple[str, ...]], handler: Handler) -> Handlers:
    return dict.fromkeys(names, handler)


HANDLERS: Handlers = {
    **_all(_BINARY, binary),
    **_all(_VARIADIC, variadic),
    **_all(_UNARY, unary),
    **_all(_SEVERAL, several),
    **_all(_REDUCTIONS, reduction),
    "Clip": clip,
    "Where": where,
    "BatchNormalization": batch_norm,
    "InstanceNormalization": norm,
    "LayerNormalization": norm,
    "GroupNormalization": norm,
    "LRN": lrn,
}
