"""TFLite's operators for what ATen has and ONNX has not."""

from __future__ import annotations

from ...graph.model import OptionValue
from ..onnx.document import Node
from ..onnx.emitter import Emitter
from ..onnx.handlers import Handlers

_BINARY = {"NotEqual": "NOT_EQUAL", "FloorDiv": "FLOOR_DIV"}


def _rsqrt(e: Emitter, n: Node) -> None:
    e.emit_node("RSQRT", n, (e.tensor(n.inputs[0]),))


def _binary(e: Emitter, n: Node) -> None:
    e.emit_node(_BINARY[n.kind], n, [e.tensor(name, broadcast_to=n.outputs[0]) for name in n.inputs[:2]])


def _flip(e: Emitter, n: Node) -> None:
    axes = [e.layout.axis(n.inputs[0], axis) for axis in n.integers("axes") or ()]
    e.emit_node("REVERSE_V2", n, (e.tensor(n.inputs[0]), e.integers("axes", axes)))


def _any(e: Emitter, n: Node) -> None:
    axes = [e.layout.axis(n.inputs[0], axis) for axis in n.integers("axes") or ()]
    options: dict[str, OptionValue] = {"keep_dims": bool(n.integer_of("keepdims", 1))}
    e.emit_node("REDUCE_ANY", n, (e.tensor(n.inputs[0]), e.integers("axes", axes)), options)


HANDLERS: Handlers = {"ReduceAny": _any, "Rsqrt": _rsqrt, "Flip": _flip, **dict.fromkeys(_BINARY, _binary)}
