"""MNN's operators by ONNX's. Images are [batch, channels, height, width] between MNN's own layouts."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..tflite.reader import DamagedError
from . import schema
from .folding import signed
from .network import Net, Operator

Rule = Callable[[Net, Operator], None]
TYPES = {
    2: "ArgMax", 7: "BinaryOp", 9: "Cast", 10: "Concat", 12: "Convolution", 13: "ConvolutionDepthwise", 17:
    "Deconvolution", 18: "DeconvolutionDepthwise", 21: "Dropout", 22: "Eltwise", 23: "ELU", 26:
    "ExpandDims", 27: "Fill", 28: "Flatten", 30: "Gather", 31: "GatherV2", 33: "InnerProduct", 35: "Interp",
    37: "LRN", 38: "LSTM", 39: "MatMul", 44: "Pack", 45: "Padding", 46: "Permute", 47: "Pooling", 49:
    "PReLU", 65: "Range", 66: "Rank", 68: "Reduction", 69: "ReLU", 70: "ReLU6", 73: "Reshape", 77: "Scale",
    78: "Selu", 80: "Shape", 81: "Sigmoid", 83: "Slice", 84: "SliceTf", 85: "Softmax", 90: "Squeeze", 91:
    "StridedSlice", 95: "TanH", 98: "Tile", 99: "TopKV2", 100: "Transpose", 101: "UnaryOp", 102: "Unpack",
    105: "RNNSequenceGRU", 106: "BatchMatMul", 107: "Unsqueeze", 109: "DepthToSpace", 110: "SpaceToDepth",
    115: "GatherND", 119: "OneHot", 120: "BroadcastTo", 129: "ConvertTensor", 257: "Select", 513:
    "ConvInt8", 514: "Int8ToFloat", 515: "DepthwiseConvInt8", 517: "FloatToInt8", 600: "While", 601: "If",
    603: "LayerNorm", 604: "GridSample",
}  # fmt: skip
"""OpType by its number."""
_BINARY = {
    0: "Add", 1: "Sub", 2: "Mul", 3: "Div", 4: "Max", 5: "Min", 6: "Pow", 7: "Div", 8: "Min", 9: "Max", 10:
    "Greater", 11: "GreaterOrEqual", 12: "Less", 13: "Div", 15: "Equal", 16: "LessOrEqual", 17: "Mod", 19:
    "Mod", 21: "Or",
}  # fmt: skip
_UNARY = {
    0: "Abs", 1: "Neg", 2: "Floor", 3: "Ceil", 5: "Sqrt", 7: "Exp", 8: "Log", 9: "Sin", 10: "Cos", 15:
    "Reciprocal", 22: "Sign", 23: "Round", 25: "Erf", 29: "Sigmoid", 30: "Tanh", 31: "HardSwish", 32:
    "Gelu", 33: "Gelu",
}  # fmt: skip
_REDUCED = {0: "ReduceSum", 3: "ReduceMean", 4: "ReduceMax", 5: "ReduceMin", 6: "ReduceProd"}
_SAME, _VALID = 2, 1


def _as(kind: str, **attributes: Any) -> Rule:
    return lambda net, op: net.put(kind, op.inputs, op.outputs, **attributes)


def _window(pads: tuple[int, ...], pad: tuple[int, int], mode: int) -> dict[str, Any]:
    if mode == _SAME:
        return {"auto_pad": "SAME_UPPER"}
    return {"pads": (0,) * 4 if mode == _VALID else pads if len(pads) == 4 else (*pad, *pad)}


def _convolution(net: Net, op: Operator) -> None:
    """Weights lie in the operator, [out, in, height, width], or are its second input."""
    common_at, weight_at, bias_at, packed, scaled = net.fields(schema.CONVOLUTION, op)
    (
        pad_x, pad_y, kernel_x, kernel_y, stride_x, stride_y, dilate_x, dilate_y, mode, group, out, depth,
        relu, relu6, pads_at, out_pads_at,
    ) = net.reader.read(schema.COMMON, common_at)  # fmt: skip
    is_transposed = "Deconvolution" in TYPES[op.type]
    is_depthwise = "epthwise" in TYPES[op.type]
    group = out if is_depthwise else max(group, 1)
    stored = net.reader.vector(weight_at, 4)[1] if weight_at else 0
    per_window = kernel_x * kernel_y
    depth = group if is_depthwise else depth or stored * group // (out * per_window)
    shape = (depth, out // group) if is_transposed else (out, depth // group)
    needed = math.prod(shape) * per_window
    if weight_at and not (packed or scaled) and stored != needed:
        raise DamagedError(f"a layer of {needed:,} weights holds {stored:,}")
    if len(op.inputs) > 1:
        weights = [*op.inputs[1:]]
    else:
        weights = [net.absent((*shape, kernel_y, kernel_x), 3 if packed or scaled else 1)]
        if packed or scaled:
            weights = [net.then("DequantizeLinear", [weights[0], net.number(1.0)])]
        weights += [net.absent((out,))] if bias_at or scaled else []
    attributes: dict[str, Any] = {
        "kernel_shape": (kernel_y, kernel_x), "strides": (stride_y, stride_x),
        "dilations": (dilate_y, dilate_x), "group": group,
        **_window(net.integers_at(pads_at), (pad_y, pad_x), mode),
    }  # fmt: skip
    if is_transposed and out_pads_at:
        attributes["output_padding"] = net.integers_at(out_pads_at)
    kind = "ConvTranspose" if is_transposed else "Conv"
    if not (relu or relu6):
        net.put(kind, [op.inputs[0], *weights], op.outputs, **attributes)
        return
    before = net.then(kind, [op.inputs[0], *weights], **attributes)
    bounds = [net.number(0.0), net.number(6.0)] if relu6 else []
    net.put("Clip" if relu6 else "Relu", [before, *bounds], op.outputs)


def _pool(net: Net, op: Operator) -> None:
    pad_x, pad_y, is_global, kernel_x, kernel_y, stride_x, stride_y, kind, mode, ceil, pads_at, _ = (
        net.fields(schema.POOL, op)
    )
    is_max = kind == 0
    if is_global:
        net.put("GlobalMaxPool" if is_max else "GlobalAveragePool", op.inputs[:1], op.outputs[:1])
        return
    net.put(
        "MaxPool" if is_max else "AveragePool", op.inputs[:1], op.outputs[:1],
        kernel_shape=(kernel_y, kernel_x), strides=(stride_y, stride_x), ceil_mode=int(ceil and mode == 0),
        **_window(net.integers_at(pads_at), (pad_y, pad_x), mode),
    )  # fmt: skip


def _converted(net: Net, op: Operator) -> None:
    """NCHW and NC4HW4 are seen the same way here."""
    source, target = (layout == 1 for layout in net.fields(schema.CONVERTED, op))
    if source == target:
        net.put("Identity", op.inputs, op.outputs)
    else:
        net.put("Transpose", op.inputs, op.outputs, perm=(0, 3, 1, 2) if source else (0, 2, 3, 1))


def _by_number(kinds: dict[int, str]) -> Rule:
    return lambda net, op: net.put(kinds[net.fields(schema.WHOLE, op)[0]], op.inputs, op.outputs)


def _unary(net: Net, op: Operator) -> None:
    """4 is a square, 6 the reciprocal of a root, 34 SiLU."""
    (kind,) = net.fields(schema.WHOLE, op)
    if kind == 4:
        net.put("Mul", [op.inputs[0], op.inputs[0]], op.outputs)
    elif kind == 6:
        net.put("Reciprocal", [net.then("Sqrt", op.inputs)], op.outputs)
    elif kind == 34:
        net.put("Mul", [op.inputs[0], net.then("Sigmoid", op.inputs)], op.outputs)
    else:
        net.put(_UNARY[kind], op.inputs, op.outputs)


def _eltwise(net: Net, op: Operator) -> None:
    kind = {0: "Mul", 1: "Add", 2: "Max", 3: "Sub"}[net.fields(schema.CONVERTED, op)[0]]
    total = op.inputs[0]
    for other in op.inputs[1:-1]:
        total = net.then(kind, [total, other])
    net.put(kind, [total, op.inputs[-1]], op.outputs)


def _relu(net: Net, op: Operator) -> None:
    (slope,) = net.fields(schema.SLOPE, op)
    net.put("LeakyRelu" if slope else "Relu", op.inputs, op.outputs, **({"alpha": slope} if slope else {}))


def _clip(net: Net, op: Operator) -> None:
    low, high = net.fields(schema.BOUNDS, op)
    net.put("Clip", [op.inputs[0], net.number(low), net.number(high)], op.outputs)


def _with_axis(kind: str) -> Rule:
    return lambda net, op: net.put(kind, op.inputs, op.outputs, axis=net.fields(schema.WHOLE, op)[0])


def _reshape(net: Net, op: Operator) -> None:
    dims = net.integers_at(net.fields(schema.LIST, op)[0])
    net.put(
        "Reshape", op.inputs[:2] if len(op.inputs) > 1 else [op.inputs[0], net.integers(dims)], op.outputs
    )


def _permute(net: Net, op: Operator) -> None:
    order = net.known(op, 1) if len(op.inputs) > 1 else net.integers_at(net.fields(schema.LIST, op)[0])
    net.put("Transpose", op.inputs[:1], op.outputs, perm=tuple(order))


def _squeeze(net: Net, op: Operator) -> None:
    axes = net.integers_at(net.fields(schema.LIST, op)[0])
    given = [op.inputs[0], net.integers(axes)] if axes else op.inputs
    net.put(TYPES[op.type], given, op.outputs)


def _expand(net: Net, op: Operator) -> None:
    net.put("Unsqueeze", [op.inputs[0], net.integers(net.known(op, 1))], op.outputs)


def _reduction(net: Net, op: Operator) -> None:
    kind, dims_at, keep = net.fields(schema.REDUCTION, op)
    axes = net.integers_at(dims_at) or (tuple(net.known(op, 1)) if len(op.inputs) > 1 else ())
    given = [op.inputs[0], net.integers(axes)] if axes else op.inputs[:1]
    net.put(_REDUCED[kind], given, op.outputs, keepdims=int(keep))


def _product(net: Net, op: Operator) -> None:
    kind = schema.BATCHED if TYPES[op.type] == "BatchMatMul" else schema.PRODUCT
    turned = net.fields(kind, op)
    ends = [
        net.then("mnn.Turned", [name]) if flag else name
        for name, flag in zip(op.inputs, turned, strict=False)
    ]
    if any(turned):
        raise ValueError("operands that are turned, of a rank that is not known")
    product = net.then("MatMul", ends[:2]) if len(op.inputs) > 2 else ""
    net.put("Add" if product else "MatMul", [product, op.inputs[2]] if product else ends, op.outputs)


def _dense(net: Net, op: Operator) -> None:
    out, has_bias, size, axis, _ = net.fields(schema.DENSE, op)
    weights = [net.absent((out, size // max(out, 1)))] + ([net.absent((out,))] if has_bias else [])
    net.put("Gemm", [net.then("Flatten", op.inputs[:1], axis=axis), *weights], op.outputs, transB=1)


def _slice_tf(net: Net, op: Operator) -> None:
    """(x, begin, size): a size of −1 is all that is left; one that is computed is none such."""
    begin, size = (None if n in net.of_ranks else net.lists.get(n) for n in op.inputs[1:3])
    if begin is None or size is None:
        net.put("Slice", [*op.inputs[:2], net.then("Add", op.inputs[1:3])], op.outputs)
        return
    ends = [b + s if s >= 0 else 2**31 - 1 for b, s in zip(begin, size, strict=True)]
    net.put("Slice", [op.inputs[0], net.integers(begin), net.integers(ends)], op.outputs)


def _strided(net: Net, op: Operator) -> None:
    """(x, begin, end, strides) with TensorFlow's masks, or (x, begin, end, axes, steps) as ONNX has it."""
    begins, ends_, ellipsis, new, shrunk, as_onnx = net.fields(schema.STRIDED, op)
    if as_onnx:
        net.put("Slice", op.inputs, op.outputs)
        return
    if ellipsis or new:
        raise ValueError("dimensions that are put in")
    if not (begins or ends_ or shrunk):
        every = net.integers(range(len(net.lists[op.inputs[1]])))
        net.put("Slice", [*op.inputs[:3], every, op.inputs[3]], op.outputs)
        return
    begin, end, step = (net.known(op, at) for at in (1, 2, 3))
    axes = list(range(len(begin)))
    begin = [0 if begins >> i & 1 else v for i, v in enumerate(begin)]
    end = [2**31 - 1 if ends_ >> i & 1 else v for i, v in enumerate(end)]
    gone = [i for i in axes if shrunk >> i & 1]
    given = [op.inputs[0], *(net.integers(each) for each in (begin, end, axes, step))]
    if gone:
        net.put("Squeeze", [net.then("Slice", given), net.integers(gone)], op.outputs)
    else:
        net.put("Slice", given, op.outputs)


def _slice(net: Net, op: Operator) -> None:
    net.put(
        "Split", op.inputs[:1], op.outputs, axis=net.fields(schema.SLICE, op)[0], num_outputs=len(op.outputs)
    )


def _gather(net: Net, op: Operator) -> None:
    axis = signed(net.lists[op.inputs[2]][0]) if len(op.inputs) > 2 else 0
    net.put("Gather", op.inputs[:2], op.outputs, axis=axis)


def _pad(net: Net, op: Operator) -> None:
    """Amounts lie (before, after) by dimension; ONNX has all before first."""
    amounts = net.known(op, 1)
    net.put("Pad", [op.inputs[0], net.integers([*amounts[::2], *amounts[1::2]])], op.outputs)


def _resize(net: Net, op: Operator) -> None:
    wide, high, width, height, kind = net.fields(schema.RESIZE, op)
    mode = {1: "nearest", 2: "linear", 3: "cubic"}.get(kind, "nearest")
    if len(op.inputs) > 1 and op.inputs[1] in net.lists:
        sizes = net.lists[op.inputs[1]][-2:]
        net.put("Resize", [op.inputs[0], "", "", net.integers(sizes)], op.outputs, mode=mode, axes=(2, 3))
    elif width > 0 and height > 0:
        net.put(
            "Resize",
            [op.inputs[0], "", "", net.integers((height, width))],
            op.outputs,
            mode=mode,
            axes=(2, 3),
        )
    elif wide > 0 and high > 0:
        scales = net._initializer(f"scales/{len(net.initializers)}", _floats(high, wide))
        net.put("Resize", [op.inputs[0], "", scales], op.outputs, mode=mode, axes=(2, 3))
    else:
        raise ValueError("a size that is computed")


def _floats(*values: float) -> Any:
    import numpy as np

    return np.array(values, dtype=np.float32)


def _norm(net: Net, op: Operator) -> None:
    axes_at, gamma_at, group = net.fields(schema.NORM, op)
    axes = net.integers_at(axes_at) or (-1,)
    channels = net.reader.vector(gamma_at, 4)[1] if gamma_at else 1
    if group > 1:
        raise ValueError("a norm of groups")
    factors = net.absent((channels,)) if channels > 1 else net.factors([1])
    net.put("LayerNormalization", [op.inputs[0], factors], op.outputs[:1], axis=-len(axes))


def _scale(net: Net, op: Operator) -> None:
    (channels,) = net.fields(schema.SCALE, op)
    factors = [net.absent((channels, 1, 1)) for _ in range(2)]
    net.put("Add", [net.then("Mul", [op.inputs[0], factors[0]]), factors[1]], op.outputs)


def _flatten(net: Net, op: Operator) -> None:
    net.put("Flatten", op.inputs, op.outputs, axis=net.fields(schema.FLATTEN, op)[0])


def _blocks(net: Net, op: Operator) -> None:
    size, mode = net.fields(schema.BLOCK, op)
    more = {"mode": "CRD" if mode else "DCR"} if TYPES[op.type] == "DepthToSpace" else {}
    net.put(TYPES[op.type], op.inputs, op.outputs, blocksize=size, **more)


RULES: dict[str, Rule] = {
    **dict.fromkeys((
        "Convolution", "ConvolutionDepthwise", "Deconvolution", "DeconvolutionDepthwise", "ConvInt8",
        "DepthwiseConvInt8",
    ), _convolution),
    "Pooling": _pool, "ConvertTensor": _converted, "BinaryOp": _by_number(_BINARY), "UnaryOp": _unary,
    "Eltwise": _eltwise, "ReLU": _relu, "ReLU6": _clip, "ELU": _as("Elu"), "Selu": _as("Selu"),
    "Sigmoid": _as("Sigmoid"), "TanH": _as("Tanh"), "PReLU": _as("Relu"), "Dropout": _as("Identity"),
    "Softmax": _with_axis("Softmax"), "Concat": _with_axis("Concat"), "Reshape": _reshape,
    "Permute": _permute, "Transpose": _permute, "Squeeze": _squeeze, "Unsqueeze": _squeeze,
    "ExpandDims": _expand, "Flatten": _flatten,
    "Reduction": _reduction, "MatMul": _product, "BatchMatMul": _product, "InnerProduct": _dense,
    "SliceTf": _slice_tf, "StridedSlice": _strided, "Slice": _slice, "Gather": _gather, "GatherV2": _gather,
    "GatherND": _as("GatherND"), "Padding": _pad, "Interp": _resize, "LayerNorm": _norm, "Scale": _scale,
    "DepthToSpace": _blocks, "SpaceToDepth": _blocks, "Shape": _as("Shape"), "Tile": _as("Tile"),
    "BroadcastTo": _as("Expand"), "Select": _as("Where"), "Range": _as("Range"),
    "Int8ToFloat": _as("Identity"), "FloatToInt8": _as("Identity"),
    "Cast": lambda net, op: net.put("Cast", op.inputs[:1], op.outputs, to=1),
}  # fmt: skip
