"""Layers of a Core ML network that work on images and sequences, by ONNX's operators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..tflite.reader import DamagedError
from .layered import Layer, Net, Rule
from .wire import Message

_CHANNELS = -3
_LAST = 2**31 - 1
_ACTIVATIONS = {
    10: "Relu", 15: "LeakyRelu", 20: "ThresholdedRelu", 30: "Tanh", 40: "Sigmoid", 41: "HardSigmoid",
    50: "Elu", 60: "Softsign", 70: "Softplus",
}  # fmt: skip
_WITH_ALPHA = frozenset({15, 20, 50})
_UNARY = {0: "Sqrt", 2: "Reciprocal", 4: "Exp", 5: "Log", 6: "Abs"}
_REDUCED = {
    0: "ReduceSum", 1: "ReduceMean", 2: "ReduceProd", 3: "ReduceLogSum", 4: "ReduceSumSquare", 5: "ReduceL1",
    6: "ReduceL2", 7: "ReduceMax", 8: "ReduceMin",
}  # fmt: skip
_AXES = {0: (-3, -2, -1), 1: (-2, -1), 2: (-3,), 3: (-2,), 4: (-1,)}


def _as(kind: str, **attributes: Any) -> Rule:
    return lambda net, layer: net.put(kind, layer.inputs, layer.outputs, **attributes)


def _edges(borders: Message) -> tuple[int, ...]:
    """Of height and width: all at the start, then all at the end."""
    found = [(edge.whole(1), edge.whole(2)) for edge in borders.each(10)] or [(0, 0)] * 2
    if any(not 0 <= amount < 1 << 20 for edge in found for amount in edge):
        raise DamagedError("a layer pads by more than images have")
    return tuple(edge[0] for edge in found) + tuple(edge[1] for edge in found)


def _padding(given: Message, valid: int, same: int) -> dict[str, Any]:
    if same in given:
        return {"auto_pad": "SAME_LOWER" if given.one(same).whole(1) else "SAME_UPPER"}
    return {"pads": _edges(given.one(valid).one(1))}


def _convolution(net: Net, layer: Layer) -> None:
    """Weights lie in the layer, [out, in, height, width], or are its second input."""
    given = layer.given
    out, depth, groups = given.whole(1), given.whole(2), max(given.whole(10), 1)
    window, is_transposed = layer.sizes(20, (3, 3)), bool(given.whole(60))
    shape = (depth, out // groups, *window) if is_transposed else (out, depth, *window)
    weights = [*layer.inputs[1:2]] or [net.held(shape, given.one(90))]
    weights += [net.held((out,), given.one(91))] if given.whole(70) else []
    attributes: dict[str, Any] = {
        "kernel_shape": window, "strides": layer.sizes(30, (1, 1)), "group": groups,
        "dilations": (1, 1) if is_transposed else layer.sizes(40, (1, 1)), **_padding(given, 50, 51),
    }  # fmt: skip
    if is_transposed and (wanted := layer.sizes(100)):
        attributes["output_shape"] = wanted
    kind = "ConvTranspose" if is_transposed else "Conv"
    net.put(kind, [layer.inputs[0], *weights], layer.outputs, **attributes)


def _dense(net: Net, layer: Layer) -> None:
    """Over all that one image has, or over the last dimension."""
    given = layer.given
    depth, out = given.whole(1), given.whole(2)
    bias = [net.held((out,), given.one(21))] if given.whole(10) else []
    if net.is_exact:
        made = net.then("MatMul", [layer.inputs[0], net.held((depth, out), given.one(20))])
        net.put("Add" if bias else "Identity", [made, *bias], layer.outputs)
        return
    weights = [net.held((out, depth), given.one(20)), *bias]
    made = net.then("Gemm", [net.then("Flatten", layer.inputs, axis=1), *weights], transB=1)
    net.put("Reshape", [made, net.integers((0, out, 1, 1))], layer.outputs)


def _pooling(net: Net, layer: Layer) -> None:
    given = layer.given
    kind = {0: "MaxPool", 1: "AveragePool"}[given.whole(1)]
    if given.whole(60):
        net.put(f"Global{kind}", layer.inputs, layer.outputs)
        return
    more: dict[str, Any] = {"count_include_pad": int(not given.whole(50))} if kind == "AveragePool" else {}
    if 32 in given:
        amounts = given.one(32).packed(10, 2) or (0, 0)
        more |= {"ceil_mode": 1, "pads": (*amounts, *amounts)}
    else:
        more |= _padding(given, 30, 31)
    window, strides = layer.sizes(10, (3, 3)), layer.sizes(20, (1, 1))
    net.put(kind, layer.inputs, layer.outputs, kernel_shape=window, strides=strides, **more)


def _activation(net: Net, layer: Layer) -> None:
    given = layer.given
    number = min(given.numbers(), default=0)
    held = given.one(number)
    if number == 5:
        factors = [net.number(v) for v in (*held.floats(1, "f", 1), *held.floats(2, "f", 1))]
        made = net.then("Mul", [layer.inputs[0], factors[0]]) if 1 in held else layer.inputs[0]
        net.put("Add" if 2 in held else "Identity", [made, *factors[-1:]][: 1 + (2 in held)], layer.outputs)
    elif number == 25:
        channels = held.one(1).length(1, 4) // 4
        slopes = net.held((channels, 1, 1), held.one(1))
        net.put("PRelu", [layer.inputs[0], slopes], layer.outputs)
    else:
        alpha = held.floats(1, "f", 1) if number in _WITH_ALPHA else ()
        more = {"alpha": alpha[0]} if alpha else {}
        net.put(_ACTIVATIONS[number], layer.inputs, layer.outputs, **more)


def _unary(net: Net, layer: Layer) -> None:
    kind, x = layer.given.whole(1), layer.inputs[0]
    if kind == 1:
        net.put("Reciprocal", [net.then("Sqrt", [x])], layer.outputs)
    elif kind == 3:
        net.put("Pow", [x, net.number(_alpha(layer, 2, 1.0))], layer.outputs)
    elif kind == 7:
        net.put("Max", [x, net.number(_alpha(layer, 2, 0.0))], layer.outputs)
    else:
        net.put(_UNARY[kind], [x], layer.outputs)


def _alpha(layer: Layer, number: int, default: float) -> float:
    return next(iter(layer.given.floats(number, "f", 1)), default)


def _elementwise(kind: str) -> Rule:
    """Of any number of inputs; of one, with a number."""

    def rule(net: Net, layer: Layer) -> None:
        first, *others = layer.inputs
        if not others:
            others = [net.number(_alpha(layer, 1, 0.0))]
        for other in others[:-1]:
            first = net.then(kind, [first, other])
        net.put(kind, [first, others[-1]], layer.outputs)

    return rule


def _average(net: Net, layer: Layer) -> None:
    total = layer.inputs[0]
    for other in layer.inputs[1:]:
        total = net.then("Add", [total, other])
    net.put("Mul", [total, net.number(1 / len(layer.inputs))], layer.outputs)


def _norm(net: Net, layer: Layer) -> None:
    given, channels = layer.given, layer.given.whole(1)
    factors = [net.held((channels,), given.one(n)) for n in (15, 16) if n in given]
    if given.whole(6) or given.whole(5):
        net.put("InstanceNormalization", [*layer.inputs, *factors], layer.outputs)
        return
    factors += [net.held((channels,), given.one(n)) for n in (17, 18)]
    net.put("BatchNormalization", [*layer.inputs, *factors], layer.outputs)


def _centred(net: Net, layer: Layer) -> None:
    axes = (1, 2, 3) if layer.given.whole(1) else (2, 3)
    net.put("MeanVarianceNormalization", layer.inputs, layer.outputs, axes=axes)


def _with_weights(kind: str, shape_at: int, weights_at: int) -> Callable[[Net, Layer, str], str]:
    def made(net: Net, layer: Layer, x: str) -> str:
        shape = layer.sizes(shape_at)
        spread = (*shape, 1, 1) if len(shape) == 1 and not net.is_exact else shape
        return net.then(kind, [x, net.held(spread, layer.given.one(weights_at))])

    return made


def _scale(net: Net, layer: Layer) -> None:
    made = _with_weights("Mul", 1, 2)(net, layer, layer.inputs[0])
    if layer.given.whole(3):
        made = _with_weights("Add", 4, 5)(net, layer, made)
    net.put("Identity", [made], layer.outputs)


def _bias(net: Net, layer: Layer) -> None:
    net.put("Identity", [_with_weights("Add", 1, 2)(net, layer, layer.inputs[0])], layer.outputs)


def _concat(net: Net, layer: Layer) -> None:
    net.put("Concat", layer.inputs, layer.outputs, axis=0 if layer.given.whole(100) else _CHANNELS)


def _split(net: Net, layer: Layer) -> None:
    net.put("Split", layer.inputs, layer.outputs, axis=_CHANNELS, num_outputs=len(layer.outputs))


def _reduce(net: Net, layer: Layer) -> None:
    axes = _AXES[layer.given.whole(3)]
    kind = layer.given.whole(1)
    if kind == 9:
        net.put("ArgMax", layer.inputs, layer.outputs, axis=axes[0], keepdims=1)
        return
    net.put(_REDUCED[kind], [*layer.inputs, net.integers(axes)], layer.outputs, keepdims=1)


def _reshape(net: Net, layer: Layer) -> None:
    """Three sizes are those of each image of a sequence."""
    target = layer.sizes(1)
    target = (0, *target) if len(target) == 3 and not net.is_exact else target
    net.put("Reshape", [layer.inputs[0], net.integers(target)], layer.outputs)


def _flatten(net: Net, layer: Layer) -> None:
    net.put("Reshape", [layer.inputs[0], net.integers((0, -1, 1, 1))], layer.outputs)


def _permute(net: Net, layer: Layer) -> None:
    net.put("Transpose", layer.inputs, layer.outputs, perm=layer.sizes(1))


def _cut(net: Net, x: str, starts: tuple[int, ...], ends: str, outputs: tuple[str, ...]) -> None:
    net.put("Slice", [x, net.integers(starts), ends, net.integers((2, 3))], outputs)


def _crop(net: Net, layer: Layer) -> None:
    """By amounts, or from an offset to the size of a second image."""
    if len(layer.inputs) > 1:
        offset = layer.sizes(5, (0, 0))
        size = net.then("Shape", layer.inputs[1:2], start=2)
        ends = net.then("Add", [size, net.integers(offset)])
        _cut(net, layer.inputs[0], offset, ends, layer.outputs)
        return
    top, left, bottom, right = _edges(layer.given.one(1))
    ends = net.integers((-bottom or _LAST, -right or _LAST))
    _cut(net, layer.inputs[0], (top, left), ends, layer.outputs)


def _pad(net: Net, layer: Layer) -> None:
    top, left, bottom, right = _edges(layer.given.one(10))
    mode = "reflect" if 2 in layer.given else "edge" if 3 in layer.given else "constant"
    amounts = net.integers((0, 0, top, left, 0, 0, bottom, right))
    net.put("Pad", [layer.inputs[0], amounts], layer.outputs, mode=mode)


def _upsample(net: Net, layer: Layer) -> None:
    factors = layer.given.floats(7, "f", 2) or tuple(map(float, layer.sizes(1, (1, 1))))
    if len(factors) != 2 or not all(0 < factor < 1 << 16 for factor in factors):
        raise DamagedError("an image is enlarged by a factor that cannot be")
    mode = "linear" if layer.given.whole(5) else "nearest"
    net.put("Resize", [layer.inputs[0], "", net.factor_list((1.0, 1.0, *factors))], layer.outputs, mode=mode)


def _resize(net: Net, layer: Layer) -> None:
    sizes = net.integers(layer.sizes(1, (1, 1)))
    net.put("Resize", [layer.inputs[0], "", "", sizes], layer.outputs, mode="linear", axes=(2, 3))


def _blocks(net: Net, layer: Layer) -> None:
    kind, more = [("SpaceToDepth", {}), ("DepthToSpace", {}), ("DepthToSpace", {"mode": "CRD"})][
        layer.given.whole(1)
    ]
    net.put(kind, layer.inputs, layer.outputs, blocksize=layer.given.whole(2), **more)


def _slice(net: Net, layer: Layer) -> None:
    given = layer.given
    axis = (-3, -2, -1)[given.whole(4)]
    bounds = [net.integers((v,)) for v in (given.whole(1), given.whole(2), axis, given.whole(3) or 1)]
    net.put("Slice", [layer.inputs[0], *bounds], layer.outputs)


def _constant(net: Net, layer: Layer) -> None:
    shape = layer.sizes(1)
    spread = (1, *shape) if len(shape) == 3 and not net.is_exact else shape
    net.put("Identity", [net.held(spread, layer.given.one(2))], layer.outputs)


def _embedding(net: Net, layer: Layer) -> None:
    """One number for each step of a sequence."""
    given = layer.given
    rows, width = given.whole(1), given.whole(2)
    table = net.held((rows, width), given.one(20))
    found = net.then("Gather", [table, net.then("Reshape", [layer.inputs[0], net.integers((-1,))])], axis=0)
    if given.whole(10):
        found = net.then("Add", [found, net.held((width,), given.one(21))])
    net.put("Reshape", [found, net.integers((0, 0, 1, 1))], layer.outputs)


def _dot(net: Net, layer: Layer) -> None:
    product = net.then("Mul", layer.inputs[:2])
    net.put("ReduceSum", [product, net.integers((_CHANNELS,))], layer.outputs, keepdims=1)


def _repeat(net: Net, layer: Layer) -> None:
    net.put("Tile", [layer.inputs[0], net.integers((layer.given.whole(1) or 1, 1, 1, 1))], layer.outputs)


def _local(net: Net, layer: Layer) -> None:
    net.put("LRN", layer.inputs, layer.outputs, size=layer.given.whole(3))


OF_IMAGES: dict[str, Rule] = {
    "convolution": _convolution, "innerProduct": _dense, "pooling": _pooling, "activation": _activation,
    "batchnorm": _norm, "mvn": _centred, "unary": _unary, "add": _elementwise("Add"),
    "multiply": _elementwise("Mul"), "max": _elementwise("Max"), "min": _elementwise("Min"),
    "average": _average, "scale": _scale, "bias": _bias, "concat": _concat, "split": _split,
    "reduce": _reduce, "reshape": _reshape, "flatten": _flatten, "permute": _permute, "crop": _crop,
    "padding": _pad, "upsample": _upsample, "resizeBilinear": _resize, "reorganizeData": _blocks,
    "slice": _slice, "loadConstant": _constant, "embedding": _embedding, "dot": _dot,
    "sequenceRepeat": _repeat, "lrn": _local, "softmax": _as("Softmax", axis=_CHANNELS),
    "copy": _as("Identity"),
}  # fmt: skip
