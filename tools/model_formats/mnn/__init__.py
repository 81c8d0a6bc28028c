"""MNN models (.mnn): a FlatBuffer of operators without shapes, put into ONNX's operators (extra `onnx`)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace

from ...graph import ModelGraph
from ..damaged import one_error
from ..onnx import parse_onnx
from ..onnx.document import Shape
from ..tflite.reader import DamagedError, Readable, Reader
from .folding import folded
from .network import Net, read_net
from .operators import RULES, TYPES
from .schema import NET

__all__ = ["is_mnn", "parse_mnn"]


def is_mnn(data: Readable) -> bool:
    """The format has no signature: whether the first operators are such, and their tensors have names."""
    try:
        reader = Reader(data)
        oplists, _, names = reader.read(NET, reader.root())
        count = reader.vector(names, 4)[1] if names else 0
        return bool(oplists) and 0 < reader.vector(oplists, 4)[1] <= count * 2
    except DamagedError:
        return False


def parse_mnn(data: Readable, name: str, shapes: Mapping[str | int, Shape] | None = None) -> ModelGraph:
    """The network of an MNN model, in the operators of TFLite, images as [batch, height, width, channels].

    What ONNX has no operator for is CUSTOM under its name. Weights are not read.

    Args:
        data: the file's bytes.
        name: cleaned, for people.
        shapes: of inputs, by name or position, as the file orders dimensions. A batch left open is 1.

    Raises:
        ModelFileError: a damaged file.
        UsageError: no `onnx` package, or no such input.
    """
    with one_error(name, "MNN model", "an operator", again="Convert or download it again."):
        made = _translated(read_net(Reader(data)))
    graph = parse_onnx(made, name, shapes)
    ops = tuple(replace(op, origin="") for op in graph.ops)
    with memoryview(data) as view:
        digest = hashlib.sha256(view).hexdigest()
    return replace(
        graph,
        format="mnn",
        sha256=digest,
        file_bytes=len(data),
        subgraphs=(replace(graph.main, ops=ops), *graph.subgraphs[1:]),
        onnx_versions=None,
    )


def _translated(net: Net) -> bytes:
    for op in net.operators:
        kind = TYPES.get(op.type, "")
        if folded(net, op, kind):
            continue
        before, rule = len(net.nodes), RULES.get(kind)
        try:
            if rule is None:
                raise KeyError(op.type)
            rule(net, op)
        except (KeyError, ValueError, IndexError, TypeError, OverflowError, ZeroDivisionError):
            del net.nodes[before:]
            net.put(f"mnn.{TYPES.get(op.type, f'operator{op.type}')}", op.inputs, op.outputs)
    if not net.outputs_named:
        raise DamagedError("it has no outputs")
    return net.finished()
