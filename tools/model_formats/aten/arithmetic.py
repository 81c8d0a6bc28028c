"""Element by element: arithmetic, activations, comparisons, reductions and casts."""

from __future__ import annotations

import math
from collections.abc import Callable

from ...graph import DType
from ..onnx.document import Attribute
from .calls import Call
from .program import Program

Rule = Callable[[Program, Call], None]

_UNARY: dict[str, str] = {
    "relu": "Relu", "sigmoid": "Sigmoid", "tanh": "Tanh", "hardswish": "HardSwish", "silu": "Swish",
    "gelu": "Gelu", "mish": "Mish", "softplus": "Softplus", "softsign": "Softsign", "selu": "Selu",
    "elu": "Elu", "celu": "Celu", "exp": "Exp", "log": "Log", "sqrt": "Sqrt", "abs": "Abs", "neg": "Neg",
    "floor": "Floor", "ceil": "Ceil", "round": "Round", "sign": "Sign", "sin": "Sin", "cos": "Cos",
    "erf": "Erf", "reciprocal": "Reciprocal", "logical_not": "Not", "rsqrt": "Rsqrt", "bitwise_not": "Not",
}  # fmt: skip
_BINARY: dict[str, str] = {
    "add": "Add", "sub": "Sub", "mul": "Mul", "div": "Div", "true_divide": "Div", "pow": "Pow",
    "maximum": "Max", "minimum": "Min", "eq": "Equal", "lt": "Less", "le": "LessOrEqual", "gt": "Greater",
    "ge": "GreaterOrEqual", "logical_and": "And", "logical_or": "Or", "bitwise_and": "And",
    "bitwise_or": "Or", "bitwise_xor": "BitwiseXor", "remainder": "Mod", "fmod": "Mod", "prelu": "PRelu",
    "ne": "NotEqual", "__and__": "And", "__or__": "Or", "floor_divide": "FloorDiv",
}  # fmt: skip
_REDUCED = {
    "mean": "ReduceMean", "sum": "ReduceSum", "amax": "ReduceMax", "amin": "ReduceMin", "prod": "ReduceProd",
    "any": "ReduceAny",
}  # fmt: skip
_CLIPS: dict[str, tuple[float | None, float | None]] = {"relu6": (0.0, 6.0)}


def _unary(p: Program, call: Call) -> None:
    p.put(_UNARY[_name(call)], [call.tensor(0)], call.outputs[:1])


def _binary(p: Program, call: Call) -> None:
    """The second may be a number, as may the first of pow; `alpha` scales what is added."""
    kind, made = _BINARY[_name(call)], call.outputs[0]
    dtype = next(p.value(name).dtype for name in (call.tensor(0), call.tensor(1)) if name)
    pair = [call.tensor(at) or p.number(call.number(at), dtype) for at in (0, 1)]
    alpha = call.number(2, "alpha", 1.0) if kind in {"Add", "Sub"} else 1.0
    if alpha != 1.0:
        pair[1] = p.then("Mul", [pair[1], p.number(alpha, dtype)], p.shape(pair[1]))
    if _name(call) == "div" and isinstance(call.at(2, "rounding_mode"), str):
        kind = "FloorDiv"
    p.put(kind, pair, made)


def _reversed(p: Program, call: Call) -> None:
    """rsub(x, other): other − x."""
    x = call.tensor(0)
    other = call.tensor(1) or p.number(call.number(1), p.value(x).dtype)
    p.put("Sub", [other, x], call.outputs)


def _clip(p: Program, call: Call) -> None:
    """Bounds that are numbers; an upper one after a lower one is both at once."""
    if any(call.tensor(at) for at in (1, 2)):
        raise ValueError("bounds that are tensors")
    low, high = _CLIPS.get(_name(call), (None, None))
    if _name(call) not in _CLIPS:
        default = -1.0 if _name(call) == "hardtanh" else None
        given = [None, call.at(1)] if _name(call) == "clamp_max" else [call.at(1, "min"), call.at(2, "max")]
        low, high = (float(v) if isinstance(v, (int, float)) else None for v in given)
        if default is not None:
            low, high = default if low is None else low, 1.0 if high is None else high
    x, before = call.tensor(0), p.nodes[-1] if p.nodes else None
    if before is not None and before.kind == "Clip" and before.outputs == [x] and low is None:
        x, low = before.inputs[0], before.number("min", -math.inf)
        high = min(math.inf if high is None else high, before.number("max", math.inf))
    bounds: dict[str, Attribute] = {
        name: bound
        for name, bound in (("min", low), ("max", high))
        if bound is not None and math.isfinite(bound)
    }
    p.put("Clip", [x], call.outputs, **bounds)


def _hard_sigmoid(p: Program, call: Call) -> None:
    p.put("HardSigmoid", [call.tensor(0)], call.outputs, alpha=1 / 6, beta=0.5)


def _leaky(p: Program, call: Call) -> None:
    p.put("LeakyRelu", [call.tensor(0)], call.outputs, alpha=call.number(1, "negative_slope", 0.01))


def _softmax(p: Program, call: Call) -> None:
    kind = "LogSoftmax" if "log" in call.target else "Softmax"
    p.put(kind, [call.tensor(0)], call.outputs, axis=p.axis(call.tensor(0), call.whole(1)))


def _reduced(p: Program, call: Call) -> None:
    """(x, dimensions, keepdim): all of them where none are given."""
    x = call.tensor(0)
    _reduce(p, _REDUCED[_name(call)], x, call.integers(1, "dim"), call.flag(2, "keepdim"), call.outputs[0])


def _reduce(p: Program, kind: str, x: str, axes: tuple[int, ...], keep: bool, made: str) -> None:
    places = tuple(sorted(p.axis(x, axis) for axis in axes)) or tuple(range(p.rank(x)))
    p.put(kind, [x], made, axes=places, keepdims=int(keep))


def _extreme(p: Program, call: Call) -> None:
    """max(x), max(x, dimension): values and where they are; max(x, y)."""
    which = "Max" if _name(call) == "max" else "Min"
    if call.tensor(1):
        p.put(which, [call.tensor(0), call.tensor(1)], call.outputs[:1])
        return
    x, axes, keep = call.tensor(0), call.integers(1, "dim"), call.flag(2, "keepdim")
    _reduce(p, f"Reduce{which}", x, axes, keep, call.outputs[0])
    if len(call.outputs) > 1:
        p.put(f"Arg{which}", [x], call.outputs[1], axis=p.axis(x, axes[0]), keepdims=int(keep))


def _where_extreme(p: Program, call: Call) -> None:
    kind, x = "ArgMax" if _name(call) == "argmax" else "ArgMin", call.tensor(0)
    axis = p.axis(x, call.whole(1, "dim"))
    p.put(kind, [x], call.outputs, axis=axis, keepdims=int(call.flag(2, "keepdim")))


def _variance(p: Program, call: Call) -> None:
    """The mean of the squares of what is left when the mean is taken away."""
    x = call.tensor(0)
    axes = tuple(sorted(p.axis(x, axis) for axis in call.integers(1, "dim"))) or tuple(range(p.rank(x)))
    small = [1 if axis in axes else size for axis, size in enumerate(p.shape(x))]
    mean = p.then("ReduceMean", [x], small, axes=axes, keepdims=1)
    centred = p.then("Sub", [x, mean], p.shape(x))
    squared = p.then("Mul", [centred, centred], p.shape(x))
    _reduce(p, "ReduceMean", squared, axes, call.flag(3, "keepdim"), call.outputs[0])


def _length(p: Program, call: Call) -> None:
    """linalg_vector_norm(x, 2, dimensions, keepdim): the root of the sum of squares."""
    x = call.tensor(0)
    if call.number(1, "ord", 2.0) != 2.0:
        raise ValueError("another norm")
    squared = p.then("Mul", [x, x], p.shape(x))
    total = p.between(p.shape(call.outputs[0]), p.value(x).dtype)
    _reduce(p, "ReduceSum", squared, call.integers(2, "dim"), call.flag(3, "keepdim"), total)
    p.put("Sqrt", [total], call.outputs)


def _cast(p: Program, call: Call) -> None:
    """To another type; to another device or layout nothing is done."""
    x, made = call.tensor(0), call.outputs[0]
    is_same = p.value(x).dtype is p.value(made).dtype
    if p.is_constant(x):
        p.known(made)
    else:
        p.put("Identity" if is_same else "Cast", [x], made)


def _where(p: Program, call: Call) -> None:
    made = call.outputs[0]
    dtype = p.value(made).dtype
    p.put("Where", [call.tensor(at) or p.number(call.number(at), dtype) for at in (0, 1, 2)], made)


def _masked(p: Program, call: Call) -> None:
    """masked_fill(x, mask, value)."""
    x = call.tensor(0)
    filling = call.tensor(2) or p.number(call.number(2), p.value(x).dtype)
    p.put("Where", [call.tensor(1), filling, x], call.outputs)


def _quantize(p: Program, call: Call) -> None:
    """quantize_per_tensor(x, scale, zero point, …) and back; per channel the scales are tensors."""
    kind = "QuantizeLinear" if "dequantize" not in call.target else "DequantizeLinear"
    scale = call.tensor(1) or p.number(call.number(1), DType.FLOAT32)
    zero = call.tensor(2) or p.number(call.number(2), DType.INT8)
    p.put(kind, [call.tensor(0), scale, zero], call.outputs)


def _known(p: Program, call: Call) -> None:
    """Zeros, ones, ranges: the same at every inference."""
    made = call.outputs[0]
    filling = {"zeros": 0.0, "ones": 1.0, "zeros_like": 0.0, "ones_like": 1.0, "new_zeros": 0.0,
               "new_ones": 1.0}.get(_name(call))  # fmt: skip
    if _name(call) in {"full", "full_like", "new_full", "scalar_tensor"}:
        filling = call.number(0 if _name(call) == "scalar_tensor" else 1)
    count = math.prod(p.shape(made))
    p.known(made, None if filling is None or count > 16 else [filling] * count)
    if not p.is_constant(made):
        raise ValueError("a size that is not known")


def _name(call: Call) -> str:
    name = call.target.removesuffix("_copy")
    return name[:-1] if name.endswith("_") and not name.startswith("_") else name


RULES: dict[str, Rule] = {
    **dict.fromkeys(_UNARY, _unary), **dict.fromkeys(_BINARY, _binary), **dict.fromkeys(_REDUCED, _reduced),
    **dict.fromkeys(("clamp", "clamp_min", "clamp_max", "hardtanh", "relu6", "clip"), _clip),
    "hardsigmoid": _hard_sigmoid,
    "leaky_relu": _leaky, "rsub": _reversed, "max": _extreme, "min": _extreme,
    **dict.fromkeys(("softmax", "_softmax", "log_softmax", "_log_softmax", "special_softmax"), _softmax),
    "argmax": _where_extreme, "argmin": _where_extreme, "var": _variance, "linalg_vector_norm": _length,
    **dict.fromkeys(("to", "_to", "type_as", "float", "_to_dim_order", "dim_order_ops._to_dim_order"), _cast),
    "where": _where, "masked_fill": _masked,
    **dict.fromkeys(
        (f"quantized_decomposed.{way}_per_{what}" for way in ("quantize", "dequantize")
         for what in ("tensor", "channel", "token")), _quantize,
    ),
    **dict.fromkeys(
        ("zeros", "ones", "full", "zeros_like", "ones_like", "full_like", "new_zeros", "new_ones", "new_full",
         "arange", "scalar_tensor", "empty", "empty_like", "new_empty", "linspace"), _known,
    ),
}  # fmt: skip
