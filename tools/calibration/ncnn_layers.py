"""What each kind of ncnn layer computes, as operators on images of height × width × channels."""

from __future__ import annotations

import math
from collections.abc import Callable

from ..graph.model import OptionValue
from .ncnn_net import Layer, Net

UNSTATED = (1, 384, 384, 3)
"""Input of networks that leave it to the caller: that of ncnn's benchmark for its vision transformer."""
SAME = (-233, -234)
"""Paddings that keep the size over the stride."""


def _input(net: Net, layer: Layer) -> None:
    width, height, channels = layer.number(0), layer.number(1), layer.number(2)
    shape = (1, height, width, channels) if channels else (1, height, width) if height else (1, width)
    if not width:
        shape = UNSTATED
    net.blobs[layer.outputs[0]] = net.builder.input(shape)


def _memory(net: Net, layer: Layer) -> None:
    shape = tuple(size for size in (layer.number(2), layer.number(1), layer.number(0)) if size)
    net.blobs[layer.outputs[0]] = net.builder.constant(layer.outputs[0], (1, *shape))


def _windowed(size: int, kernel: int, stride: int, dilation: int, pad: int, *, ceil: bool = False) -> int:
    if pad in SAME:
        return math.ceil(size / stride)
    free = size + 2 * pad - dilation * (kernel - 1) - 1
    return (math.ceil(free / stride) if ceil else free // stride) + 1


def _conv_shape(net: Net, layer: Layer) -> tuple[int, int, tuple[int, int]]:
    _, height, width, _ = net.shape(layer)
    (kh, kw), (dh, dw), (sh, sw) = layer.pair(1, 11), layer.pair(2, 12), layer.pair(3, 13)
    pad_h, pad_w = layer.pair(4, 14, 0)
    return _windowed(height, kh, sh, dh, pad_h), _windowed(width, kw, sw, dw, pad_w), (kh, kw)


def _convolution(net: Net, layer: Layer) -> None:
    height, width, (kh, kw) = _conv_shape(net, layer)
    outputs, groups, inputs = layer.number(0), layer.number(7, 1), net.shape(layer)[3]
    shape, bias = (1, height, width, outputs), (outputs,)
    if groups == inputs and layer.kind == "ConvolutionDepthWise":
        net.put(layer, "DEPTHWISE_CONV_2D", shape, (1, kh, kw, outputs), bias)
    else:
        net.put(layer, "CONV_2D", shape, (outputs, kh, kw, inputs // groups), bias)
    _activation(net, layer)


ACTIVATIONS = {4: "LOGISTIC", 5: "MISH", 6: "HARD_SWISH"}
"""Fused activations with a cost of their own; clamps are part of the kernel."""


def _activation(net: Net, layer: Layer) -> None:
    kind = ACTIVATIONS.get(layer.number(9))
    if kind is None:
        return
    blob = net.blobs[layer.outputs[0]]
    known = "TANH" if kind == "MISH" else kind
    net.blobs[layer.outputs[0]] = net.builder.op(known, [blob], net.builder.shape(blob))


def _deconvolution(net: Net, layer: Layer) -> None:
    _, height, width, inputs = net.shape(layer)
    (kh, kw), (sh, sw), (ph, pw) = layer.pair(1, 11), layer.pair(3, 13), layer.pair(4, 14, 0)
    outputs, groups = layer.number(0), layer.number(7, 1)
    shape = (1, (height - 1) * sh + kh - 2 * ph, (width - 1) * sw + kw - 2 * pw, outputs)
    target = net.builder.integers(f"{layer.outputs[0]}_shape", shape)
    weights = net.builder.constant(f"{layer.outputs[0]}_w", (outputs, kh, kw, inputs // groups))
    net.blobs[layer.outputs[0]] = net.builder.op(
        "TRANSPOSE_CONV", [target, weights, net.blobs[layer.inputs[0]]], shape, dtype=None
    )


def _dense(net: Net, layer: Layer) -> None:
    outputs = layer.number(0)
    inputs = layer.number(2) // outputs
    rows = math.prod(net.shape(layer)) // inputs
    net.put(layer, "FULLY_CONNECTED", (rows, outputs), (outputs, inputs), (outputs,))


def _gemm(net: Net, layer: Layer) -> None:
    shape = net.shape(layer)
    inner = layer.number(9) or shape[-1]
    outputs = layer.number(8) or shape[-1]
    rows = math.prod(shape) // inner
    net.put(layer, "FULLY_CONNECTED", (rows, outputs), (outputs, inner), (outputs,))


def _pooling(net: Net, layer: Layer) -> None:
    _, height, width, channels = net.shape(layer)
    if layer.number(4):
        net.put(layer, "MEAN", (1, channels))
        return
    (kh, kw), (sh, sw), (ph, pw) = layer.pair(1, 11), layer.pair(2, 12), layer.pair(3, 13, 0)
    ceil = layer.number(5) == 0
    if layer.number(5) in (2, 3):
        ph = pw = SAME[0]
    shape = (
        1,
        _windowed(height, kh, sh, 1, ph, ceil=ceil),
        _windowed(width, kw, sw, 1, pw, ceil=ceil),
        channels,
    )
    kind = "AVERAGE_POOL_2D" if layer.number(0) else "MAX_POOL_2D"
    options: dict[str, OptionValue] = {
        "filter_height": kh,
        "filter_width": kw,
        "stride_h": sh,
        "stride_w": sw,
        "padding": "SAME",
    }
    net.blobs[layer.outputs[0]] = net.builder.op(kind, [net.blobs[layer.inputs[0]]], shape, options)


def _unary(kind: str) -> Callable[[Net, Layer], None]:
    return lambda net, layer: net.put(layer, kind, net.shape(layer))


def _binary(net: Net, layer: Layer) -> None:
    shapes = [net.shape(layer, at) for at in range(len(layer.inputs))]
    kind = "MUL" if layer.number(0) in ((0,) if layer.kind == "Eltwise" else (2,)) else "ADD"
    net.put(layer, kind, max(shapes, key=math.prod))


def _concat(net: Net, layer: Layer) -> None:
    shapes = [net.shape(layer, at) for at in range(len(layer.inputs))]
    axis = _axis(layer.number(0), len(shapes[0]))
    shape = list(shapes[0])
    shape[axis] = sum(s[axis] for s in shapes)
    net.put(layer, "CONCATENATION", tuple(shape))


def _axis(ncnn_axis: int, rank: int) -> int:
    """ncnn counts channels first and leaves the batch out."""
    order = {4: (3, 1, 2), 3: (1, 2), 2: (1,)}[rank]
    return order[ncnn_axis % len(order)]


def _slice(net: Net, layer: Layer) -> None:
    shape = net.shape(layer)
    axis = _axis(layer.number(1), len(shape))
    sizes = [int(float(v)) for v in layer.keys.get(-23300, "").split(",")[1:]]
    rest = shape[axis]
    for at, blob in enumerate(layer.outputs):
        size = sizes[at] if at < len(sizes) and sizes[at] > 0 else rest // (len(layer.outputs) - at)
        rest -= size
        part = (*shape[:axis], size, *shape[axis + 1 :])
        net.blobs[blob] = net.builder.op("SLICE", [net.blobs[layer.inputs[0]]], part)


def _crop(net: Net, layer: Layer) -> None:
    """A reference blob gives the size; else the named starts and ends along named axes do."""
    shape = list(net.shape(layer))
    if len(layer.inputs) > 1:
        net.put(layer, "SLICE", (*net.shape(layer, 1)[:3], shape[-1]))
        return
    starts, ends, axes = (
        [int(v) for v in layer.keys.get(key, "0").split(",")[1:]] for key in (-23309, -23310, -23311)
    )
    for start, end, axis in zip(starts, ends, axes, strict=False):
        at = _axis(axis, len(shape))
        size = shape[at]
        low, high = (start % size if start < 0 else start), (min(end, size) if end >= 0 else size + end)
        shape[at] = max(high - low, 1)
    net.put(layer, "SLICE", tuple(shape))


def _padding(net: Net, layer: Layer) -> None:
    n, height, width, channels = net.shape(layer)
    top, bottom, left, right = (layer.number(key) for key in range(4))
    front, behind = layer.number(7), layer.number(8)
    net.put(layer, "PAD", (n, height + top + bottom, width + left + right, channels + front + behind))


def _interp(net: Net, layer: Layer) -> None:
    n, height, width, channels = net.shape(layer)
    tall = layer.number(3) or round(height * float(layer.keys.get(1, 1)))
    wide = layer.number(4) or round(width * float(layer.keys.get(2, 1)))
    kind = "RESIZE_NEAREST_NEIGHBOR" if layer.number(0) == 1 else "RESIZE_BILINEAR"
    net.put(layer, kind, (n, tall, wide, channels))


def _flatten(net: Net, layer: Layer) -> None:
    net.put(layer, "RESHAPE", (1, math.prod(net.shape(layer))))


def _reshape(net: Net, layer: Layer) -> None:
    total = math.prod(net.shape(layer))
    sizes = [layer.number(key, -233) for key in (0, 1, 2)]
    given = [size for size in sizes if size != -233]
    known = math.prod(size for size in given if size > 0)
    filled = [size if size > 0 else total // max(known, 1) for size in given]
    shape = (1, filled[1], filled[0], filled[2]) if len(filled) == 3 else (1, *reversed(filled))
    net.put(layer, "RESHAPE", tuple(shape))


def _permute(net: Net, layer: Layer) -> None:
    shape = net.shape(layer)
    swapped = (shape[0], *reversed(shape[1:])) if len(shape) == 3 and layer.number(0) == 1 else shape
    net.put(layer, "TRANSPOSE", swapped)


def _attention(net: Net, layer: Layer) -> None:
    """Projections of queries, keys, values and the result, and the two products between them."""
    width, heads = layer.number(0), layer.number(1, 1)
    rows = math.prod(net.shape(layer)) // width
    blob = net.blobs[layer.inputs[0]]
    project = [_projection(net, blob, rows, width) for _ in range(3)]
    scores = net.builder.op("BATCH_MATMUL", project[:2], (heads, rows, rows), {"adj_y": True})
    weights = net.builder.op("SOFTMAX", [scores], (heads, rows, rows))
    mixed = net.builder.op("BATCH_MATMUL", [weights, project[2]], (heads, rows, width // heads))
    flat = net.builder.op("RESHAPE", [mixed], (rows, width))
    net.blobs[layer.outputs[0]] = _projection(net, flat, rows, width, shape=(rows, width))


def _projection(net: Net, blob: int, rows: int, width: int, shape: tuple[int, ...] | None = None) -> int:
    weights = net.builder.constant(f"p{blob}", (width, width))
    bias = net.builder.constant(f"b{blob}", (width,))
    flat = net.builder.op("FULLY_CONNECTED", [blob, weights, bias], (rows, width))
    if shape is not None:
        return flat
    return net.builder.op("RESHAPE", [flat], (12, rows, width // 12)) if width % 12 == 0 else flat


def _detection(net: Net, layer: Layer) -> None:
    net.put(layer, "SOFTMAX", net.shape(layer))


RULES: dict[str, Callable[[Net, Layer], None]] = {
    "Input": _input,
    "MemoryData": _memory,
    "Convolution": _convolution,
    "ConvolutionDepthWise": _convolution,
    "Deconvolution": _deconvolution,
    "DeconvolutionDepthWise": _deconvolution,
    "InnerProduct": _dense,
    "Gemm": _gemm,
    "Pooling": _pooling,
    "ReLU": _unary("RELU"),
    "Clip": _unary("RELU6"),
    "Sigmoid": _unary("LOGISTIC"),
    "Swish": _unary("HARD_SWISH"),
    "HardSwish": _unary("HARD_SWISH"),
    "HardSigmoid": _unary("RELU6"),
    "GELU": _unary("GELU"),
    "LayerNorm": _unary("TANH"),
    "LRN": _unary("LOCAL_RESPONSE_NORMALIZATION"),
    "Softmax": _unary("SOFTMAX"),
    "BinaryOp": _binary,
    "Eltwise": _binary,
    "Concat": _concat,
    "Slice": _slice,
    "Crop": _crop,
    "Padding": _padding,
    "Interp": _interp,
    "Flatten": _flatten,
    "Reshape": _reshape,
    "Permute": _permute,
    "ShuffleChannel": _permute,
    "MultiHeadAttention": _attention,
    "PriorBox": _detection,
    "DetectionOutput": _detection,
    "Yolov3DetectionOutput": _detection,
    "Split": lambda net, layer: net.same(layer),
    "Dropout": lambda net, layer: net.same(layer),
    "Noop": lambda net, layer: net.same(layer) if layer.inputs and layer.outputs else None,
}
