"""Operators with scales among their inputs, seen as the plain operators that they compute in integers."""

from __future__ import annotations

from typing import Any

_INPUTS: dict[str, tuple[str, tuple[int, ...]]] = {
    "QLinearConv": ("Conv", (0, 3, 8)),
    "QLinearMatMul": ("MatMul", (0, 3)),
    "ConvInteger": ("Conv", (0, 1)),
    "MatMulInteger": ("MatMul", (0, 1)),
    "QGemm": ("Gemm", (0, 3, 6)),
    "QLinearAdd": ("Add", (0, 3)),
    "QLinearMul": ("Mul", (0, 3)),
    "QLinearSigmoid": ("Sigmoid", (0,)),
    "QLinearLeakyRelu": ("LeakyRelu", (0,)),
    "QLinearSoftmax": ("Softmax", (0,)),
    "QLinearAveragePool": ("AveragePool", (0,)),
    "QLinearGlobalAveragePool": ("GlobalAveragePool", (0,)),
    "FusedConv": ("Conv", (0, 1, 2)),
    "FastGelu": ("Gelu", (0,)),
}
"""The plain operator, and which inputs it takes: ONNX's own operators and those of com.microsoft."""
PLAIN = frozenset(kind for kind, _ in _INPUTS.values())


def plain_operators(graph: Any) -> None:
    """Rewrite the nodes of an ONNX graph in place, so that its shapes can be inferred."""
    for node in graph.node:
        if node.op_type == "QLinearConcat":
            _take(node, "Concat", tuple(range(2, len(node.input), 3)))
        elif node.op_type in _INPUTS:
            _take(node, *_INPUTS[node.op_type])


def _take(node: Any, kind: str, positions: tuple[int, ...]) -> None:
    names = [node.input[at] for at in positions if at < len(node.input)]
    node.op_type, node.domain = kind, ""
    del node.input[:]
    node.input.extend(names)
