"""Which kind of kernel computes an operator, and in which type."""

from __future__ import annotations

from ..layer_table import OpClass
from ..tensor import Tensor
from . import families, stablehlo
from .convolution import is_pointwise
from .work import OpContext

_CLASSES: dict[str, OpClass] = {
    "CONV_2D": OpClass.CONV,
    "CONV_3D": OpClass.CONV,
    "DEPTHWISE_CONV_2D": OpClass.DEPTHWISE,
    "FULLY_CONNECTED": OpClass.DENSE,
    "TRANSPOSE_CONV": OpClass.TRANSPOSE_CONV,
    "CONV_3D_TRANSPOSE": OpClass.TRANSPOSE_CONV,
    "BATCH_MATMUL": OpClass.MATMUL,
    "STABLEHLO_CONVOLUTION": OpClass.CONV,
    "STABLEHLO_DOT_GENERAL": OpClass.MATMUL,
    "STABLEHLO_CONVERT": OpClass.QUANTIZE,
    "STABLEHLO_RESHAPE": OpClass.VIEW,
    **dict.fromkeys(stablehlo.ARITHMETIC, OpClass.ELEMENTWISE),
    **dict.fromkeys(stablehlo.ACTIVATIONS, OpClass.ACTIVATION),
    **dict.fromkeys(stablehlo.MOVES, OpClass.MOVE),
    "ADD_N": OpClass.ELEMENTWISE,
    "LOCAL_RESPONSE_NORMALIZATION": OpClass.REDUCE,
    "RESIZE_BILINEAR": OpClass.RESIZE,
    "RESIZE_NEAREST_NEIGHBOR": OpClass.RESIZE,
    **dict.fromkeys(families.ARITHMETIC, OpClass.ELEMENTWISE),
    **dict.fromkeys(families.ACTIVATIONS, OpClass.ACTIVATION),
    **dict.fromkeys(families.SOFTMAXES, OpClass.SOFTMAX),
    **dict.fromkeys(families.REDUCTIONS, OpClass.REDUCE),
    **dict.fromkeys(families.CONVERSIONS, OpClass.QUANTIZE),
    **dict.fromkeys(families.POOLS, OpClass.POOL),
    **dict.fromkeys(families.MOVES, OpClass.MOVE),
    **dict.fromkeys(families.VIEWS, OpClass.VIEW),
    **dict.fromkeys(families.RECURRENT, OpClass.RECURRENT),
    **dict.fromkeys(families.HANDLES, OpClass.MOVE),
    **dict.fromkeys(families.CONTROL, OpClass.CONTROL),
}

_DATA_INPUT = {
    "TRANSPOSE_CONV": 2,
    "CONV_3D_TRANSPOSE": 2,
    "SPLIT": 1,
    "FILL": 1,
    "EMBEDDING_LOOKUP": 1,
    "SELECT": 1,
    "SELECT_V2": 1,
    "ONE_HOT": 2,
}
"""Where the first data input is not input 0."""


def op_class(at: OpContext) -> OpClass:
    if at.op.kind == "CONV_2D" and at.has(1) and is_pointwise(at.op, at.input(1)):
        return OpClass.POINTWISE
    return _CLASSES.get(at.op.kind, OpClass.OTHER)


def arithmetic_dtype(at: OpContext) -> str:
    """Type of the first data input; of the output where there is no input; empty where there is neither."""
    tensor = _data_input(at)
    if tensor is None:
        tensor = at.outputs[0] if at.outputs else None
    return "" if tensor is None else tensor.dtype.value


def _data_input(at: OpContext) -> Tensor | None:
    position = _DATA_INPUT.get(at.op.kind, 0)
    return at.input(position) if at.has(position) else None
