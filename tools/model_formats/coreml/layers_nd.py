"""Layers of a Core ML network that take tensors of any rank, by ONNX's operators."""

from __future__ import annotations

from typing import Any

from .layered import Layer, Net, Rule

_LAST = 2**31 - 1
_SAME = {
    "ceil": "Ceil", "floor": "Floor", "sign": "Sign", "round": "Round", "sin": "Sin", "cos": "Cos",
    "tan": "Tan",
    "asin": "Asin", "acos": "Acos", "atan": "Atan", "sinh": "Sinh", "cosh": "Cosh", "tanh": "Tanh",
    "asinh": "Asinh", "acosh": "Acosh", "atanh": "Atanh", "erf": "Erf", "gelu": "Gelu",
    "logicalNot": "Not", "logicalAnd": "And", "logicalOr": "Or", "logicalXor": "Xor",
    "minBroadcastable": "Min", "maxBroadcastable": "Max", "addBroadcastable": "Add",
    "powBroadcastable": "Pow", "divideBroadcastable": "Div", "multiplyBroadcastable": "Mul",
    "subtractBroadcastable": "Sub", "whereBroadcastable": "Where", "getShape": "Shape",
    "gatherND": "GatherND",
}  # fmt: skip
_COMPARED = {
    "equal": "Equal", "lessThan": "Less", "lessEqual": "LessOrEqual", "greaterThan": "Greater",
    "greaterEqual": "GreaterOrEqual",
}  # fmt: skip
_REDUCED = {
    f"reduce{kind}": f"Reduce{kind}"
    for kind in ("L1", "L2", "Max", "Min", "Sum", "Prod", "Mean", "LogSum", "SumSquare", "LogSumExp")
}


def _as(kind: str) -> Rule:
    return lambda net, layer: net.put(kind, layer.inputs, layer.outputs)


def _with_axis(kind: str) -> Rule:
    return lambda net, layer: net.put(kind, layer.inputs, layer.outputs, axis=layer.given.whole(1))


def _compared(kind: str) -> Rule:
    """With a second input, or with the number alpha."""

    def rule(net: Net, layer: Layer) -> None:
        alpha = [net.number(next(iter(layer.given.floats(2, "f", 1)), 0.0))]
        net.put(kind, [*layer.inputs, *(alpha if len(layer.inputs) == 1 else ())], layer.outputs)

    return rule


def _reduced(kind: str) -> Rule:
    def rule(net: Net, layer: Layer) -> None:
        axes = [] if layer.given.whole(3) else [net.integers(layer.sizes(1))]
        net.put(kind, [*layer.inputs, *axes], layer.outputs, keepdims=layer.given.whole(2))

    return rule


def _with_list(kind: str) -> Rule:
    return lambda net, layer: net.put(kind, [layer.inputs[0], net.integers(layer.sizes(1))], layer.outputs)


def _squeeze(net: Net, layer: Layer) -> None:
    axes = [] if layer.given.whole(2) else [net.integers(layer.sizes(1))]
    net.put("Squeeze", [layer.inputs[0], *axes], layer.outputs)


def _transpose(net: Net, layer: Layer) -> None:
    net.put("Transpose", layer.inputs, layer.outputs, perm=layer.sizes(1))


def _split(net: Net, layer: Layer) -> None:
    sizes = layer.sizes(3)
    more: dict[str, Any] = {} if sizes else {"num_outputs": len(layer.outputs)}
    given = [layer.inputs[0], *([net.integers(sizes)] if sizes else ())]
    net.put("Split", given, layer.outputs, axis=layer.given.whole(1), **more)


def _stack(net: Net, layer: Layer) -> None:
    axis = layer.given.whole(1)
    spread = [net.then("Unsqueeze", [name, net.integers((axis,))]) for name in layer.inputs]
    net.put("Concat", spread, layer.outputs, axis=axis)


def _slice(net: Net, layer: Layer) -> None:
    given, begins, ends = layer.given, layer.sizes(1), layer.sizes(3)
    rank = len(begins)
    steps = layer.sizes(5) or (1,) * rank
    from_start, to_end, squeezed = (given.packed(n, rank) or (0,) * rank for n in (2, 4, 6))
    begins = tuple(0 if masked else v for v, masked in zip(begins, from_start, strict=True))
    ends = tuple(_LAST if masked else v for v, masked in zip(ends, to_end, strict=True))
    cut = [layer.inputs[0], *map(net.integers, (begins, ends, range(rank), steps))]
    gone = [axis for axis, masked in enumerate(squeezed) if masked]
    if gone:
        net.put("Squeeze", [net.then("Slice", cut), net.integers(gone)], layer.outputs)
    else:
        net.put("Slice", cut, layer.outputs)


def _product(net: Net, layer: Layer) -> None:
    """Of two inputs, of which either may be turned, or of one with weights."""
    given = layer.given
    if len(layer.inputs) > 1:
        if given.whole(1) or given.whole(2):
            raise ValueError("operands that are turned, of a rank that is not known")
        net.put("MatMul", layer.inputs, layer.outputs)
        return
    depth, width = given.whole(5), given.whole(6)
    made = net.then("MatMul", [layer.inputs[0], net.held((depth, width), given.one(8))])
    bias = [net.held((width,), given.one(9))] if given.whole(7) else []
    net.put("Add" if bias else "Identity", [made, *bias], layer.outputs)


def _norm(net: Net, layer: Layer) -> None:
    shape, given = layer.sizes(1), layer.given
    factors = [net.held(shape, given.one(n)) for n in (3, 4)]
    net.put("LayerNormalization", [*layer.inputs, *factors], layer.outputs, axis=-len(shape))


def _constant(net: Net, layer: Layer) -> None:
    net.put("Identity", [net.held(layer.sizes(1), layer.given.one(2))], layer.outputs)


def _embedding(net: Net, layer: Layer) -> None:
    """Numbers in a last dimension of one, each a row of the table."""
    given = layer.given
    rows, width = given.whole(1), given.whole(2)
    at = net.then("Squeeze", [layer.inputs[0], net.integers((-1,))])
    found = net.then("Gather", [net.held((rows, width), given.one(20)), at], axis=0)
    bias = [net.held((width,), given.one(21))] if given.whole(3) else []
    net.put("Add" if bias else "Identity", [found, *bias], layer.outputs)


def _pad(net: Net, layer: Layer) -> None:
    """Amounts lie (before, after) by dimension; ONNX has all before first."""
    amounts = layer.sizes(2)
    if layer.given.whole(3):
        raise ValueError("amounts that are sizes")
    net.put("Pad", [layer.inputs[0], net.integers((*amounts[::2], *amounts[1::2]))], layer.outputs)


def _clip(net: Net, layer: Layer) -> None:
    bounds = [net.number(next(iter(layer.given.floats(n, "f", 1)), 0.0)) for n in (1, 2)]
    net.put("Clip", [layer.inputs[0], *bounds], layer.outputs)


def _arg(kind: str) -> Rule:
    return lambda net, layer: net.put(
        kind, layer.inputs, layer.outputs, axis=layer.given.whole(1), keepdims=int(not layer.given.whole(2))
    )


OF_TENSORS: dict[str, Rule] = {
    **{kind: _as(name) for kind, name in _SAME.items()},
    **{kind: _compared(name) for kind, name in _COMPARED.items()},
    **{kind: _reduced(name) for kind, name in _REDUCED.items()},
    "softmaxND": _with_axis("Softmax"), "concatND": _with_axis("Concat"), "gather": _with_axis("Gather"),
    "expandDims": _with_list("Unsqueeze"), "tile": _with_list("Tile"),
    "reshapeStatic": _with_list("Reshape"), "rankPreservingReshape": _with_list("Reshape"),
    "broadcastToStatic": _with_list("Expand"), "squeeze": _squeeze, "transpose": _transpose,
    "splitND": _split, "stack": _stack, "sliceStatic": _slice, "batchedMatmul": _product,
    "layerNormalization": _norm, "loadConstantND": _constant, "embeddingND": _embedding,
    "constantPad": _pad, "clip": _clip, "argMax": _arg("ArgMax"), "argMin": _arg("ArgMin"),
}  # fmt: skip
