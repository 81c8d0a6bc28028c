"""Why a count of an ONNX file's parameters differs from that of all its initializers."""

from __future__ import annotations

import itertools
import math
from typing import Any

from onnx import TensorProto

_INTEGERS = {TensorProto.INT64, TensorProto.INT32, TensorProto.BOOL}
_WEIGHTED = {"Conv", "ConvTranspose", "Gemm", "MatMul", "LSTM", "GRU", "RNN", "PRelu", "DequantizeLinear"}
_SCALES = {(kind, position) for kind in ("QuantizeLinear", "DequantizeLinear") for position in (1, 2)} | {
    (kind, position) for kind in ("QLinearConv", "QLinearMatMul") for position in (1, 2, 4, 5, 6, 7)
}


def class_of(model: Any, difference: int) -> str:
    """The fewest of the classes whose elements, by the file's own nodes, add up to the difference."""
    deltas = [(name, count) for name, count in _deltas(model).items() if count]
    for size in range(1, len(deltas) + 1):
        for chosen in itertools.combinations(deltas, size):
            if sum(count for _, count in chosen) == difference:
                return ", ".join(name for name, _ in chosen)
    return "unexplained"


def _deltas(model: Any) -> dict[str, int]:
    """Class → elements that it adds to a count of the initializers."""
    read: dict[str, list[tuple[str, int]]] = {}
    for node in model.graph.node:
        for position, name in enumerate(node.input):
            read.setdefault(name, []).append((node.op_type, position))
    stored = {each.name: each for each in model.graph.initializer if each.name in read}
    inline = {
        node.output[0]: attribute.t
        for node in model.graph.node
        if node.op_type == "Constant"
        for attribute in node.attribute
        if attribute.name == "value"
    }
    deltas: dict[str, int] = {}
    for constants, where in ((stored, ""), (inline, " in nodes")):
        for name, each in constants.items():
            kind = _setting(each, read.get(name, []))
            if kind or where:
                named = f"{kind or 'constants'}{where}"
                deltas[named] = deltas.get(named, 0) + _elements(each) * (-1 if kind else 1)
    return deltas | {
        "the two biases of an LSTM added up": -sum(
            _elements((stored | inline)[node.input[3]]) // 2
            for node in model.graph.node
            if node.op_type == "LSTM" and len(node.input) > 3 and node.input[3] in stored | inline
        ),
        "folded normalisation": _folded(model, stored),
        "shared by Identity, counted as often as it is named": sum(
            _elements(stored[node.input[0]])
            for node in model.graph.node
            if node.op_type == "Identity" and node.input[0] in stored
        ),
    }


def _folded(model: Any, stored: dict[str, Any]) -> int:
    """Each BatchNormalization has four numbers a channel; one is left where the convolution has no bias."""
    made_by = {output: node for node in model.graph.node for output in node.output}
    total = 0
    for node in model.graph.node:
        if node.op_type == "BatchNormalization" and node.input[1] in stored:
            before = made_by.get(node.input[0])
            channels = _elements(stored[node.input[1]])
            convolved = before is not None and before.op_type in {"Conv", "Gemm"}
            left = (0 if len(before.input) > 2 else 1) if before is not None and convolved else 2
            total += (left - 4) * channels
    return total


def _setting(tensor: Any, readers: list[tuple[str, int]]) -> str:
    """What a constant is that no operator learns; empty for a weight."""
    kinds = {kind for kind, _ in readers}
    if readers and set(readers) <= _SCALES:
        return "scales and zero points"
    if kinds and kinds <= {"Resize", "Upsample"}:
        return "settings"
    if kinds & _WEIGHTED or any(kind.startswith("QLinear") or kind.endswith("Integer") for kind in kinds):
        return ""
    if tensor.data_type in _INTEGERS:
        return "settings"
    return "single numbers" if _elements(tensor) == 1 else ""


def _elements(tensor: Any) -> int:
    return math.prod(tensor.dims)
