"""Types, shapes and quantisation that Ethos-U's operators may have.

Sentences and order follow `regor.tflite_operator_constraints` of ethos-u-vela 5.2.0 and the checks behind it,
tflite_supported_operators.cpp, tflite_supported_operators_u55.cpp and tflite_supported_operators_u85.cpp.
"""

from __future__ import annotations

from ...graph import DType, Tensor
from .npu_operator import WEIGHTED, NpuOperator, Rule, extent

_INTEGERS = frozenset({DType.INT8, DType.UINT8, DType.INT16, DType.INT32, DType.INT64})
_TAKES_32_BITS = frozenset({
    "ADD", "ARG_MAX", "BATCH_MATMUL", "EXPAND_DIMS", "FULLY_CONNECTED", "MIRROR_PAD", "MUL", "NEG", "RESHAPE",
    "SQUEEZE", "SUB", "SUM", "TRANSPOSE",
})  # fmt: skip
_UNQUANTIZED = frozenset({
    "ARG_MAX", "ASSIGN_VARIABLE", "EXPAND_DIMS", "GATHER", "MIRROR_PAD", "PAD", "PADV2", "QUANTIZE",
    "READ_VARIABLE", "REDUCE_ALL", "REDUCE_ANY", "SCATTER_ND", "SELECT", "SELECT_V2", "TRANSPOSE",
})  # fmt: skip
_ANY_ZERO_POINT = frozenset({
    "AVERAGE_POOL_2D", "RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR", "UNIDIRECTIONAL_SEQUENCE_LSTM",
})  # fmt: skip
_SCALED = frozenset({DType.INT8, DType.UINT8, DType.INT16})
_VARIABLES = frozenset({"ASSIGN_VARIABLE", "READ_VARIABLE"})
_SIGNED = {DType.INT8: (-128, 127), DType.UINT8: (0, 255)}
_MIDDLE_OF_16_BITS = 32768


def feature_map_type(case: NpuOperator) -> str | None:
    """The NPU computes integers of 8 and 16 bits, some operators also of 32 and 64, never floating point."""
    if case.kind in _VARIABLES:
        return None
    allowed = _INTEGERS | {DType.BOOL} if case.is_u85 else _INTEGERS
    return next((_typed(t) for t in case.feature_maps if t.dtype not in allowed), None)


def no_32_bits(case: NpuOperator) -> str | None:
    """Ethos-U55 and Ethos-U65 compute this operator on 8 and 16 bits alone."""
    if case.is_u85 or case.kind in _TAKES_32_BITS:
        return None
    return next((_typed(t) for t in case.feature_maps if t.dtype.bits == 32), None)


def no_64_bits(case: NpuOperator) -> str | None:
    """Ethos-U55 and Ethos-U65 have no 64-bit feature maps."""
    if case.is_u85 or case.kind == "ARG_MAX":
        return None
    return next((_typed(t) for t in case.feature_maps if t.dtype.bits == 64), None)


def shape_known(case: NpuOperator) -> str | None:
    """Every tensor needs a shape, and only its first dimension may be open."""
    for tensor in case.tensors:
        if not tensor.shape and not tensor.is_constant:
            return "a tensor has no dimensions"
        if -1 in tensor.shape[1:]:
            return f"a tensor is {extent(tensor.shape)}"
    return None


def quantized(case: NpuOperator) -> str | None:
    """Inputs, outputs and weights of 8 or 16 bits need a scale and a zero point."""
    if case.kind in _UNQUANTIZED:
        return None
    weights = [case.weights] if case.weights is not None else []
    scaled = [t for t in (*case.feature_maps, *weights) if t.dtype in _SCALED]
    bare = [t for t in scaled if t.quantization is None or not t.quantization.scales]
    return f"{len(bare)} of them without" if bare else None


def per_tensor(case: NpuOperator) -> str | None:
    """Only weights may have a scale for each channel."""
    if case.kind in WEIGHTED:
        return None
    several = next((t for t in case.tensors if t.quantization and t.quantization.per_channel), None)
    return f"a tensor has {len(several.quantization.scales)}" if several and several.quantization else None


def zero_point(case: NpuOperator) -> str | None:
    """A zero point lies within the type; 32-bit tensors have none but 0."""
    if case.kind in _ANY_ZERO_POINT or (case.is_u85 and case.kind == "DIV"):
        return None
    for tensor in case.feature_maps:
        for point in tensor.quantization.zero_points if tensor.quantization else ():
            if not _allowed(tensor, point, case):
                return f"{tensor.dtype.value} with zero point {point}"
    return None


def weights_of_8_bits(case: NpuOperator) -> str | None:
    """Weights have 8 bits."""
    weights = case.weights
    return _typed(weights) if weights is not None and weights.dtype.bits != 8 else None


def bias_in_a_row(case: NpuOperator) -> str | None:
    """The bias has one value for each output channel, in its last dimension."""
    bias = case.bias
    if bias is None or not bias.shape or (bias.elements or 0) <= bias.shape[-1]:
        return None
    return f"it is {extent(bias.shape)}"


def bias_constant(case: NpuOperator) -> str | None:
    """The bias is constant."""
    return "it is computed" if case.bias is not None and not case.bias.is_constant else None


def bias_type(case: NpuOperator) -> str | None:
    """The bias is an integer of 32 or 64 bits."""
    bias = case.bias
    return None if bias is None or bias.dtype in {DType.INT32, DType.INT64} else _typed(bias)


def _typed(tensor: Tensor) -> str:
    return f"a tensor is {tensor.dtype.value}"


def _allowed(tensor: Tensor, point: int, case: NpuOperator) -> bool:
    if not case.is_u85:
        signed = not tensor.dtype.value.startswith("u")
        return (point == 0 or tensor.dtype.bits != 32) and (signed or point >= 0)
    made = any(tensor is output for output in case.at.outputs)
    if made:
        unsigned = tensor.dtype is DType.BOOL or tensor.dtype.value.startswith("u")
        return 0 <= point <= 255 or point == _MIDDLE_OF_16_BITS if unsigned else -128 <= point <= 127
    low, high = _SIGNED.get(tensor.dtype, (0, 0))
    return low <= point <= high


RULES: tuple[Rule, ...] = (
    feature_map_type,
    no_64_bits,
    no_32_bits,
    shape_known,
    quantized,
    per_tensor,
    weights_of_8_bits,
    bias_in_a_row,
    bias_constant,
    bias_type,
    zero_point,
)
