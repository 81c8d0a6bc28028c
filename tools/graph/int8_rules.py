"""TFLite's 8-bit scheme: which operators have int8 kernels, and what their tensors' scales must be.

Sources: the LiteRT 8-bit quantization specification (ai.google.dev/edge/litert) for fixed and shared scales,
TensorFlow's op_version.cc for the version that an operator has in int8.
"""

from __future__ import annotations

import math

import numpy as np

from .model import Op
from .tensor import Quantization, Tensor

SAME_SCALE = frozenset({
    "AVERAGE_POOL_2D", "BATCH_TO_SPACE_ND", "BROADCAST_TO", "CONCATENATION", "DEPTH_TO_SPACE", "EXPAND_DIMS",
    "GATHER", "GATHER_ND", "MAX_POOL_2D", "MAXIMUM", "MINIMUM", "MIRROR_PAD", "PACK", "PAD", "PADV2",
    "REDUCE_MAX", "REDUCE_MIN", "RESHAPE", "RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR", "REVERSE_V2",
    "SLICE", "SPACE_TO_BATCH_ND", "SPACE_TO_DEPTH", "SPLIT", "SPLIT_V", "SQUEEZE", "STRIDED_SLICE", "TILE",
    "TRANSPOSE", "UNPACK",
})  # fmt: skip
"""Operators whose data inputs and outputs share one scale."""

_RESCALING = frozenset({
    "ABS", "ADD", "ARG_MAX", "ARG_MIN", "BATCH_MATMUL", "CONV_2D", "DEPTHWISE_CONV_2D", "ELU", "EQUAL", "EXP",
    "FULLY_CONNECTED", "GELU", "GREATER", "GREATER_EQUAL", "HARD_SWISH", "L2_NORMALIZATION", "LEAKY_RELU",
    "LESS", "LESS_EQUAL", "LOG_SOFTMAX", "LOGISTIC", "MEAN", "MUL", "NOT_EQUAL", "PRELU", "RELU", "RELU6",
    "RSQRT", "SOFTMAX", "SQUARED_DIFFERENCE", "SUB", "SUM", "TANH", "TRANSPOSE_CONV",
})  # fmt: skip

INT8_KERNELS = SAME_SCALE | _RESCALING

_VERSIONS = {
    "CONV_2D": 3,
    "DEPTHWISE_CONV_2D": 3,
    "FULLY_CONNECTED": 4,
    "TILE": 3,
    "REVERSE_V2": 3,
    "BROADCAST_TO": 3,
    **dict.fromkeys(
        ("ELU", "EXPAND_DIMS", "GATHER_ND", "HARD_SWISH", "LEAKY_RELU", "PRELU", "RESHAPE", "SQUEEZE"), 1
    ),
}

FIXED_SCALES = {
    "SOFTMAX": Quantization((1 / 256,), (-128,)),
    "LOGISTIC": Quantization((1 / 256,), (-128,)),
    "TANH": Quantization((1 / 128,), (0,)),
    "L2_NORMALIZATION": Quantization((1 / 128,), (0,)),
    "LOG_SOFTMAX": Quantization((16 / 256,), (127,)),
}
"""Outputs whose range is known beforehand."""

WEIGHTS = {"CONV_2D": 1, "DEPTHWISE_CONV_2D": 1, "FULLY_CONNECTED": 1, "TRANSPOSE_CONV": 1}
BIAS = {"CONV_2D": 2, "DEPTHWISE_CONV_2D": 2, "FULLY_CONNECTED": 2, "TRANSPOSE_CONV": 3}
DATA = {"TRANSPOSE_CONV": 2}
"""Position of the data input where it is not 0."""
_MOST_SCALES = 1 << 20
"""Of one tensor: a shape with data elsewhere may claim any number of channels."""
_CHANNEL_AXIS = {"CONV_2D": 0, "DEPTHWISE_CONV_2D": 3, "TRANSPOSE_CONV": 0}


def int8_version(op: Op) -> int:
    return max(op.version, _VERSIONS.get(op.kind, 2))


def activation_scale(op: Op | None) -> Quantization:
    """Scale of what `op` computes, of a graph's input for None.

    Ranges are assumed, as nobody ran the model: [0, 6) after a rectifier, [-6, 6) without, [-1, 1) for
    inputs. Structure, sizes and speed do not depend on them.
    """
    if op is None:
        return Quantization((1 / 128,), (0,))
    if op.kind in FIXED_SCALES:
        return FIXED_SCALES[op.kind]
    rectified = op.kind.startswith("RELU") or op.option_str("fused_activation_function", "NONE") in {
        "RELU",
        "RELU6",
    }
    return (
        Quantization((_single(6 / 255),), (-128,)) if rectified else Quantization((_single(6 / 128),), (0,))
    )


def weight_sigma(op: Op, weights: Tensor) -> float:
    """Standard deviation of untrained weights: He et al. (2015); LeCun's where no rectifier follows."""
    outputs = weights.shape[_output_axis(op, weights)] if weights.shape else 1
    inputs = max(math.prod(weights.shape) // max(outputs, 1), 1)
    linear = op.option_str("fused_activation_function", "NONE") == "NONE"
    return math.sqrt((1 if linear else 2) / inputs)


def weight_scale(
    op: Op, weights: Tensor, *, dense_per_channel: bool = False, greatest: int = 127
) -> Quantization:
    """Per output channel for convolutions, one for the tensor else; the greatest integer is three sigma."""
    scale = _single(3 * weight_sigma(op, weights) / greatest)
    if max(weights.shape, default=0) > _MOST_SCALES:
        return Quantization((scale,), (0,))
    if dense_per_channel and op.kind == "FULLY_CONNECTED" and weights.shape:
        return Quantization((scale,) * weights.shape[0], (0,) * weights.shape[0])
    if op.kind not in _CHANNEL_AXIS or len(weights.shape) != 4:
        return Quantization((scale,), (0,))
    axis = _CHANNEL_AXIS[op.kind]
    channels = weights.shape[axis]
    return Quantization((scale,) * channels, (0,) * channels, axis)


def _output_axis(op: Op, weights: Tensor) -> int:
    return _CHANNEL_AXIS.get(op.kind, 0) if len(weights.shape) == 4 else 0


def bias_scale(data: Quantization, weights: Quantization) -> Quantization:
    """Product of the data's and the weights' scales: what the accumulator counts in."""
    products = data.scales[0] * np.asarray(weights.scales, dtype=np.float64)
    scales = tuple(products.astype(np.float32).astype(np.float64).tolist())
    return Quantization(scales, (0,) * len(scales))


def _single(value: float) -> float:
    """Rounded to what a file can hold."""
    return float(np.float32(value))
