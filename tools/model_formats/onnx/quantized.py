"""Operators with scales among their inputs, seen as the plain operators that they compute in integers."""

from __future__ import annotations

from typing import Any, TypeAlias

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
_DOMAINS = frozenset({"", "ai.onnx", "com.microsoft"})
Written: TypeAlias = tuple[str, str]
"""Kind and domain of a node as the file has it."""


def plain_operators(graph: Any) -> dict[str, Written]:
    """Rewrite the nodes of an ONNX graph in place, so that its shapes can be inferred.

    What the file has in place of each comes back by the name of its first output.
    """
    written: dict[str, Written] = {}
    for node in graph.node:
        if node.domain not in _DOMAINS or node.op_type not in {*_INPUTS, "QLinearConcat"}:
            continue
        if node.output:
            written[node.output[0]] = (node.op_type, node.domain)
        if node.op_type == "QLinearConcat":
            _take(node, "Concat", tuple(range(2, len(node.input), 3)))
        else:
            _take(node, *_INPUTS[node.op_type])
    return written


def _take(node: Any, kind: str, positions: tuple[int, ...]) -> None:
    names = [node.input[at] for at in positions if at < len(node.input)]
    node.op_type, node.domain = kind, ""
    del node.input[:]
    node.input.extend(names)
