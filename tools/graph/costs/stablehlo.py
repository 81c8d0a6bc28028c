"""Work of the StableHLO operators that a .tflite file may hold; others of them are not counted."""

from __future__ import annotations

import math

from ..model import Op
from . import elementwise
from .work import OpContext, Rules, UncountableError, Work, elements


def convolution(at: OpContext) -> Work:
    """Kernel elements of one output feature, for every output element."""
    kernel = at.input(1)
    feature = at.op.option_int("kernel_output_feature_dimension", -1)
    if not 0 <= feature < len(kernel.shape):
        raise UncountableError(f"the kernel has no dimension {feature}")
    features = max(kernel.shape[feature], 1)
    return Work(macs=elements(at.output()) * (elements(kernel) // features))


def dot_general(at: OpContext) -> Work:
    """Extent of the contracted dimensions, for every output element."""
    left = at.input(0)
    contracted = _dimensions(at.op, "lhs_contracting_dimensions")
    if any(not 0 <= d < len(left.shape) for d in contracted):
        raise UncountableError(f"input 0 has no dimensions {contracted}")
    elements(left)
    return Work(macs=elements(at.output()) * math.prod(left.shape[d] for d in contracted))


def _dimensions(op: Op, name: str) -> tuple[int, ...]:
    value = op.options.get(name, ())
    return tuple(int(d) for d in value) if isinstance(value, tuple) else ()


ARITHMETIC = frozenset({
    "STABLEHLO_ADD", "STABLEHLO_SUBTRACT", "STABLEHLO_MULTIPLY", "STABLEHLO_DIVIDE", "STABLEHLO_MAXIMUM",
    "STABLEHLO_MINIMUM", "STABLEHLO_ABS", "STABLEHLO_AND", "STABLEHLO_OR", "STABLEHLO_COSINE",
    "STABLEHLO_EXPONENTIAL", "STABLEHLO_FLOOR", "STABLEHLO_LOG", "STABLEHLO_NEGATE", "STABLEHLO_POWER",
    "STABLEHLO_REMAINDER", "STABLEHLO_RSQRT", "STABLEHLO_SELECT", "STABLEHLO_COMPARE", "STABLEHLO_CLAMP",
    "STABLEHLO_CBRT", "STABLEHLO_SHIFT_LEFT",
})  # fmt: skip
ACTIVATIONS = frozenset({"STABLEHLO_LOGISTIC", "STABLEHLO_TANH"})
MOVES = frozenset({
    "STABLEHLO_CONCATENATE", "STABLEHLO_BROADCAST_IN_DIM", "STABLEHLO_SLICE", "STABLEHLO_DYNAMIC_SLICE",
    "STABLEHLO_DYNAMIC_UPDATE_SLICE", "STABLEHLO_PAD", "STABLEHLO_IOTA", "STABLEHLO_TRANSPOSE",
    "STABLEHLO_GATHER",
})  # fmt: skip

RULES: Rules = {
    "STABLEHLO_CONVOLUTION": convolution,
    "STABLEHLO_DOT_GENERAL": dot_general,
    **dict.fromkeys(ARITHMETIC | ACTIVATIONS | {"STABLEHLO_CONVERT"}, elementwise.per_output),
    **dict.fromkeys(MOVES | {"STABLEHLO_RESHAPE"}, elementwise.moves),
}
