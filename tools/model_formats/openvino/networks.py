"""OpenVINO's operations by ONNX's: windows over images, products, norms, attention, recurrent layers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .network import Layer
from .proto import Model

Rule = Callable[[Model, Layer], None]
_PADDINGS = {"same_upper": "SAME_UPPER", "same_lower": "SAME_LOWER", "valid": "VALID"}
_RESIZES = {"linear_onnx": "linear", "linear": "linear", "nearest": "nearest", "cubic": "cubic"}
_INTEGER_LEVELS = (255, 256)


def _window(layer: Layer) -> dict[str, Any]:
    """Strides, dilations and padding of a convolution or a pool."""
    found: dict[str, Any] = {"strides": layer.integers("strides")}
    if dilations := layer.integers("dilations"):
        found["dilations"] = dilations
    automatic = _PADDINGS.get(layer.data.get("auto_pad", "explicit").casefold())
    if automatic is not None:
        return found | {"auto_pad": automatic}
    return found | {"pads": (*layer.integers("pads_begin"), *layer.integers("pads_end"))}


def convolution(m: Model, layer: Layer) -> None:
    m.put("Conv", [m.read(layer, 0), m.read(layer, 1)], m.made(layer), **_window(layer))


def grouped(m: Model, layer: Layer) -> None:
    """Weights [groups, out of a group, in, …] become [out, in, …]."""
    groups, out, *rest = layer.inputs[1].dimensions
    name, merged = m.source(layer, 1), (groups * out, *rest)
    is_held = name in m.weights
    weights = m.constant(name, merged) if is_held else m.then("Reshape", [name, m.integers(merged)])
    m.put("Conv", [m.read(layer, 0), weights], m.made(layer), group=groups, **_window(layer))


def transposed(m: Model, layer: Layer) -> None:
    attributes = _window(layer)
    if output := layer.integers("output_padding"):
        attributes["output_padding"] = output
    m.put("ConvTranspose", [m.read(layer, 0), m.read(layer, 1)], m.made(layer), **attributes)


def pool(m: Model, layer: Layer) -> None:
    kind = "MaxPool" if layer.kind == "MaxPool" else "AveragePool"
    attributes = _window(layer)
    if kind == "AveragePool":
        attributes |= {"count_include_pad": int(not layer.flag("exclude-pad"))}
    attributes |= {"ceil_mode": int(layer.data.get("rounding_type", "floor").startswith("ceil"))}
    made = m.all_made(layer)[: 1 if kind == "AveragePool" else 2]
    m.put(kind, [m.read(layer, 0)], made, kernel_shape=layer.integers("kernel"), **attributes)


def adaptive(m: Model, layer: Layer) -> None:
    sizes = m.content(m.source(layer, 1))
    if sizes is None or any(size != 1 for size in sizes):
        raise ValueError("windows of unequal size")
    kind = "GlobalMaxPool" if layer.kind == "AdaptiveMaxPool" else "GlobalAveragePool"
    m.put(kind, [m.read(layer, 0)], m.made(layer))


def resized(m: Model, layer: Layer) -> None:
    """Interpolate(x, sizes, scales, axes) of version 4, (x, sizes or scales, axes) of version 11."""
    by_sizes = layer.data.get("shape_calculation_mode", "sizes") == "sizes"
    is_older = len(layer.inputs) > 3 or (len(layer.inputs) == 3 and layer.inputs[2].precision.startswith("F"))
    axes_at = 3 if is_older else 2
    axes = m.content(m.source(layer, axes_at)) if axes_at < len(layer.inputs) else None
    amounts = m.read(layer, 2 if is_older and not by_sizes else 1)
    inputs = [m.read(layer, 0), "", "", amounts] if by_sizes else [m.read(layer, 0), "", amounts]
    attributes: dict[str, Any] = {"axes": axes} if axes else {}
    mode = _RESIZES.get(layer.data.get("mode", ""), "linear")
    m.put("Resize", inputs, m.made(layer), mode=mode, **attributes)


def blocks(m: Model, layer: Layer) -> None:
    mode = {"mode": "CRD" if layer.data.get("mode") == "depth_first" else "DCR"}
    is_depth = layer.kind == "DepthToSpace"
    m.put(layer.kind, [m.read(layer, 0)], m.made(layer), blocksize=layer.whole("block_size", 1),
          **(mode if is_depth else {}))  # fmt: skip


def shuffled(m: Model, layer: Layer) -> None:
    """Channels in groups: [group, channels of a group] seen the other way round."""
    x, group = m.read(layer, 0), layer.whole("group", 1)
    channels = layer.inputs[0].dimensions[1]
    if layer.whole("axis", 1) != 1 or channels < 1 or channels % group:
        raise ValueError("not of channels")
    apart = m.then("Reshape", [x, m.integers([0, group, channels // group, -1])])
    turned = m.then("Transpose", [apart], perm=(0, 2, 1, 3))
    m.put("Reshape", [turned, m.then("Shape", [x])], m.made(layer))


def product(m: Model, layer: Layer) -> None:
    """Constant weights stand the way that a product takes them."""
    a, b = (_operand(m, layer, at, f"transpose_{side}") for at, side in ((0, "a"), (1, "b")))
    m.put("MatMul", [a, b], m.made(layer))


def _operand(m: Model, layer: Layer, at: int, attribute: str) -> str:
    name, dimensions = m.source(layer, at), layer.inputs[at].dimensions
    if not layer.flag(attribute) or len(dimensions) < 2:
        return m.read(layer, at)
    if name in m.weights:
        return m.constant(name, (*dimensions[:-2], dimensions[-1], dimensions[-2]))
    return m.then("Transpose", [name], perm=_turned(len(dimensions)))


def _turned(rank: int) -> tuple[int, ...]:
    return (*range(rank - 2), rank - 1, rank - 2)


def attention(m: Model, layer: Layer) -> None:
    """ScaledDotProductAttention(queries, keys, values, mask, scale)."""
    dimensions = layer.inputs[0].dimensions
    q, k, v, *rest = m.reads(layer)
    scores = m.then("MatMul", [q, m.then("Transpose", [k], perm=_turned(len(dimensions)))])
    scaled = m.then("Mul", [scores, m.number(1 / math.sqrt(max(dimensions[-1], 1)))])
    if rest and layer.inputs[3].dimensions:
        scaled = m.then("Add", [scaled, rest[0]])
    m.put("MatMul", [m.then("Softmax", [scaled], axis=-1), v], m.made(layer))


def normalised(m: Model, layer: Layer) -> None:
    """MVN over the last dimensions is a layer norm, over all of an image an instance norm, unscaled."""
    axes, dimensions = m.content(m.source(layer, 1)), layer.inputs[0].dimensions
    rank = len(dimensions)
    places = sorted(axis % rank for axis in axes or ())
    if places and places == list(range(rank - len(places), rank)):
        factors = m.factors([1])
        if places[0] == 2 and rank > 3 and dimensions[1] > 0:
            factors = m.factors([dimensions[1]])
            m.put("InstanceNormalization", [m.read(layer, 0), factors, factors], m.made(layer))
            return
        m.put("LayerNormalization", [m.read(layer, 0), factors], m.made(layer), axis=-len(places))
        return
    raise ValueError("a norm over other dimensions")


def batch_norm(m: Model, layer: Layer) -> None:
    m.put("BatchNormalization", m.reads(layer)[:5], m.made(layer))


def sequence(m: Model, layer: Layer) -> None:
    """LSTMSequence(x, h, c, lengths, W, R, B) and GRUSequence(x, h, lengths, W, R, B), batch first."""
    kind = layer.kind.removesuffix("Sequence")
    first = 4 if kind == "LSTM" else 3
    x = m.then("Transpose", [m.read(layer, 0)], perm=(1, 0, 2))
    weights = [m.read(layer, at) for at in (first, first + 1)]
    cells = layer.whole("hidden_size")
    direction = layer.data.get("direction", "forward")
    made = f"{m.made(layer)}/steps"
    ends = [f"{made}/{at}" for at in range(1, len(layer.outputs))]
    m.put(kind, [x, *weights], [made, *ends], hidden_size=cells, direction=direction)
    m.put("Transpose", [made], m.made(layer), perm=(2, 1, 0, 3))
    for at, end in enumerate(ends, start=1):
        m.put("Transpose", [end], m.made(layer, at), perm=(1, 0, 2))


def quantised(m: Model, layer: Layer) -> None:
    """FakeQuantize of 255 or 256 levels: to integers and back. Of weights, they are stored as they are."""
    if layer.whole("levels") not in _INTEGER_LEVELS:
        m.put("Identity", [m.read(layer, 0)], m.made(layer))
        return
    if m.source(layer, 0) in m.weights:
        m.put("Identity", [m.read(layer, 0)], m.made(layer))
        return
    scale = m.number(1.0)
    held = m.then("QuantizeLinear", [m.read(layer, 0), scale])
    m.put("DequantizeLinear", [held, scale], m.made(layer))


RULES: dict[str, Rule] = {
    "Convolution": convolution, "GroupConvolution": grouped, "ConvolutionBackpropData": transposed,
    "MaxPool": pool, "AvgPool": pool, "AdaptiveAvgPool": adaptive, "AdaptiveMaxPool": adaptive,
    "Interpolate": resized, "DepthToSpace": blocks, "SpaceToDepth": blocks, "ShuffleChannels": shuffled,
    "MatMul": product, "ScaledDotProductAttention": attention, "MVN": normalised,
    "BatchNormInference": batch_norm, "LSTMSequence": sequence, "GRUSequence": sequence,
    "FakeQuantize": quantised,
}  # fmt: skip
