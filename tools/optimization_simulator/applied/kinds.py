"""What quantisers make of which files, and what that is predicted to be."""

from __future__ import annotations

from collections.abc import Callable

from ....hardware_db.errors import UsageError
from ...graph import ModelGraph
from ...graph.integer_schemes import QUANTIZER_INT8, QUANTIZER_INT16X8
from ...graph.stored_weights import DYNAMIC_RANGE, WEIGHTS_FLOAT16, WEIGHTS_INT4, WEIGHTS_INT8, weights_of
from ..techniques.precision import (
    DYNAMIC_RISK,
    FLOAT16_RISK,
    INT8_RISK,
    INT16_RISK,
    UNKNOWN_RISK,
    quantised_by_quantizer,
    storing,
    to_float16,
)

Transform = Callable[[ModelGraph], ModelGraph]


def _float16_weights(graph: ModelGraph) -> ModelGraph:
    """ai-edge-quantizer 0.10.0 takes integers for real numbers when it makes float16 of them."""
    for op in graph.ops:
        index = weights_of(op)
        if index >= 0 and graph.tensors[index].is_constant and not graph.tensors[index].dtype.is_float:
            raise UsageError(f"weights of {op.kind} are {graph.tensors[index].dtype} already")
    return storing(WEIGHTS_FLOAT16)(graph)


_TFLITE: dict[str, Transform] = {
    "int8": quantised_by_quantizer,
    "int8-float-io": lambda graph: quantised_by_quantizer(graph, QUANTIZER_INT8, float_io=True),
    "int16x8": lambda graph: quantised_by_quantizer(graph, QUANTIZER_INT16X8),
    "dynamic-range": storing(DYNAMIC_RANGE),
    "float16": _float16_weights,
    "weights-int8": storing(WEIGHTS_INT8),
    "weights-int4": storing(WEIGHTS_INT4),
}
_ONNX: dict[str, Transform] = {
    "int8": _TFLITE["int8-float-io"],
    "int16x8": lambda graph: quantised_by_quantizer(graph, QUANTIZER_INT16X8, float_io=True),
    "dynamic-range": _TFLITE["dynamic-range"],
    "float16": to_float16,
}
KINDS = {".tflite": _TFLITE, ".onnx": _ONNX}
RISKS = {
    "int8": INT8_RISK, "int8-float-io": INT8_RISK, "int16x8": INT16_RISK, "dynamic-range": DYNAMIC_RISK,
    "float16": FLOAT16_RISK, "weights-int8": UNKNOWN_RISK, "weights-int4": UNKNOWN_RISK,
}  # fmt: skip
SAME = {"float16-weights": "float16"}
"""Techniques that the quantisers know by another name."""
