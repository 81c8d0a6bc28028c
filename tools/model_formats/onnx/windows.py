"""Convolutions and pools. ONNX pads by amounts where TFLite says SAME or VALID."""

from __future__ import annotations

from collections.abc import Sequence

from ...graph.model import OptionValue
from ...graph.windows import steps
from .document import Node
from .emitter import ABSENT, Emitter
from .handlers import Handler, Handlers

_NAMES = {2: ("h", "w"), 3: ("d", "h", "w")}


def conv(e: Emitter, n: Node) -> None:
    """Weights [out, in of a group, …] become [out, h, w, in], those of a depthwise one [1, h, w, out]."""
    data, weights = n.inputs[:2]
    kernel = e.document.value(weights).shape
    source = e.document.value(data).shape
    if kernel is None or source is None or len(kernel) not in {3, 4, 5} or len(source) != len(kernel):
        e.custom(n)
        return
    window = kernel[2:] if len(kernel) > 3 else (1, *kernel[2:])
    groups = n.integer_of("group", 1)
    depthwise = groups > 1 and groups == source[1] and kernel[1] == 1 and len(window) == 2
    inputs, options = _windowed(e, n, data, window)
    bias = e.tensor(n.inputs[2]) if n.has(2) else ABSENT
    if len(window) == 3:
        filters = e.weights(weights, (2, 3, 4, 1, 0))
        e.emit_node("CONV_3D", n, (inputs, filters, bias), options)
        return
    if depthwise:
        filters = e.weights(weights, (), (1, *window, kernel[0]))
        options["depth_multiplier"] = kernel[0] // groups
        e.emit_node("DEPTHWISE_CONV_2D", n, (inputs, filters, bias), options)
        return
    filters = e.weights(weights, (), (kernel[0], *window, kernel[1]))
    e.emit_node("CONV_2D", n, (inputs, filters, bias), options)


def conv_transpose(e: Emitter, n: Node) -> None:
    """Weights [in, out of a group, h, w] become [out, h, w, in]."""
    kernel = e.document.value(n.inputs[1]).shape
    if kernel is None or len(kernel) not in {3, 4} or n.integer_of("group", 1) != 1:
        e.custom(n)
        return
    window = kernel[2:] if len(kernel) > 3 else (1, *kernel[2:])
    shape = e.shape(n.outputs[0])
    strides = _pair(n.integers("strides"), len(window))
    options: dict[str, OptionValue] = {
        "padding": "VALID", "stride_h": strides[0], "stride_w": strides[1],
        "fused_activation_function": n.activation,
    }  # fmt: skip
    filters = e.weights(n.inputs[1], (), (kernel[1], *window, kernel[0]))
    size = e.integers("shape", shape)
    bias = [e.tensor(n.inputs[2])] if n.has(2) else []
    e.emit_node("TRANSPOSE_CONV", n, (size, filters, e.tensor(n.inputs[0]), *bias), options)


def pool(kind: str) -> Handler:
    def handler(e: Emitter, n: Node) -> None:
        window = n.integers("kernel_shape")
        n.outputs = n.outputs[:1]
        if window is None or len(window) not in {1, 2}:
            e.custom(n)
            return
        window = window if len(window) == 2 else (1, *window)
        inputs, options = _windowed(e, n, n.inputs[0], window)
        options |= {"filter_height": window[0], "filter_width": window[1]}
        e.emit_node(kind, n, (inputs,), options)

    return handler


def global_pool(e: Emitter, n: Node) -> None:
    """The mean or the maximum over all of an image."""
    rank = len(e.shape(n.inputs[0]))
    axes = e.integers("axes", tuple(range(1, rank - 1)))
    kind = "REDUCE_MAX" if n.kind == "GlobalMaxPool" else "MEAN"
    e.emit_node(kind, n, (e.tensor(n.inputs[0]), axes), {"keep_dims": True})


def _windowed(e: Emitter, n: Node, data: str, window: Sequence[int]) -> tuple[int, dict[str, OptionValue]]:
    """The data, padded by an operator of its own where neither SAME nor VALID is meant, and the options."""
    rank = len(window)
    strides, dilations = _pair(n.integers("strides"), rank), _pair(n.integers("dilations"), rank)
    before, after = e.shape(data), e.shape(n.outputs[0])
    pads = _pads(n, rank)
    padding = _padding(before[1:-1], after[1:-1], window, strides, dilations, pads)
    options: dict[str, OptionValue] = {"fused_activation_function": n.activation}
    for name, stride, dilation in zip(_NAMES[rank], strides, dilations, strict=True):
        options |= {f"stride_{name}": stride, f"dilation_{name}_factor": dilation}
    x = e.tensor(data)
    if padding is not None:
        return x, options | {"padding": padding}
    amounts = [(0, 0), *pads, (0, 0)]
    padded = tuple(s + a + b if s >= 0 else -1 for s, (a, b) in zip(before, amounts, strict=True))
    output = e.between("pad", padded, e.tensors[x].dtype)
    flat = [amount for both in amounts for amount in both]
    e.emit("PAD", (x, e.integers("paddings", flat, (len(amounts), 2))), (output,))
    return output, options | {"padding": "VALID"}


def _padding(
    before: Sequence[int],
    after: Sequence[int],
    window: Sequence[int],
    strides: Sequence[int],
    dilations: Sequence[int],
    pads: Sequence[tuple[int, int]],
) -> str | None:
    """SAME or VALID where the output has that many pixels, None where it has neither."""
    sides = list(zip(before, after, window, strides, dilations, strict=True))
    if any(size < 0 or out < 0 for size, out, *_ in sides):
        return "SAME" if any(amount for both in pads for amount in both) else "VALID"
    for padding in ("VALID", "SAME"):
        if all(steps(size, w, s, d, padding) == out for size, out, w, s, d in sides):
            return padding
    return None


def _pads(n: Node, rank: int) -> list[tuple[int, int]]:
    pads = n.integers("pads")
    if pads is None:
        return [(0, 0)] * rank
    half = len(pads) // 2
    pairs = list(zip(pads[:half], pads[half:], strict=False))
    return [(0, 0)] * (rank - len(pairs)) + pairs


def _pair(values: tuple[int, ...] | None, rank: int) -> tuple[int, ...]:
    held = tuple(max(v, 1) for v in values or ())
    return (1,) * (rank - len(held)) + held


HANDLERS: Handlers = {
    "Conv": conv,
    "ConvTranspose": conv_transpose,
    "GlobalAveragePool": global_pool,
    "GlobalMaxPool": global_pool,
    "AveragePool": pool("AVERAGE_POOL_2D"),
    "MaxPool": pool("MAX_POOL_2D"),
    "LpPool": pool("L2_POOL_2D"),
}
