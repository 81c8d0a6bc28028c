"""An ONNX file as its package's message: names in text, functions inlined, nodes in order, data there."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ....hardware_db.errors import ModelFileError, UsageError, install_line
from ...core.sanitize import clean_text
from ..tflite.reader import DamagedError

_AGAIN = "Export or download it again."
_MOST_OPERATORS = 200_000
"""Once functions stand where they are called."""
_DEEPEST_FUNCTION = 64
_COUNTED = {
    "float_data": {1: 1.0, 14: 0.5},
    "double_data": {11: 1.0, 15: 0.5},
    "int64_data": {7: 1.0},
    "uint64_data": {12: 1.0, 13: 1.0},
    "string_data": {8: 1.0},
}
"""Elements that an entry of a field holds, by TensorProto.DataType; every other type lies in int32_data."""
_BITS = {
    1: 32, 2: 8, 3: 8, 4: 16, 5: 16, 6: 32, 7: 64, 9: 8, 10: 16, 11: 64, 12: 32, 13: 64, 14: 64, 15: 128,
    16: 16, 17: 8, 18: 8, 19: 8, 20: 8, 21: 4, 22: 4, 23: 4, 24: 8, 25: 2, 26: 2,
}  # fmt: skip


def load(data: bytes, name: str) -> Any:
    """A ModelProto without functions, whose nodes follow what they read, and whose constants have their data.

    Raises:
        ModelFileError: no ONNX model, or one without operators.
        DamagedError: a damaged one.
        UsageError: the `onnx` package is not installed.
    """
    onnx = package()
    try:
        model = onnx.ModelProto.FromString(data)
    except Exception as error:
        raise ModelFileError(f"{name!r} is a damaged ONNX model, or none.", hint=_AGAIN) from error
    if not model.graph.node:
        raise ModelFileError(
            f"{name!r} holds no operators: there is nothing to run.", hint="Export it again."
        )
    _check_names(model)
    if model.functions:
        model = _inlined(model)
    for graph in graphs(model.graph):
        _check_data(graph)
    _put_in_order(model.graph)
    return model


def package() -> Any:
    try:
        import onnx.inliner
    except ImportError:
        raise UsageError(
            "Reading ONNX models needs the onnx package.", hint=f"Install it: {install_line('onnx')}."
        ) from None
    return onnx


def graphs(graph: Any) -> Iterator[Any]:
    """A graph, and those that its operators hold."""
    yield graph
    for inner in _inner(graph.node):
        yield from graphs(inner)


def _inner(nodes: Any) -> Iterator[Any]:
    for node in nodes:
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield attribute.g
            yield from attribute.graphs


def _nodes(nodes: Any) -> Iterator[Any]:
    yield from nodes
    for inner in _inner(nodes):
        yield from _nodes(inner.node)


def read_names(node: Any) -> Iterator[str]:
    """What an operator reads, be it in the graphs that it holds."""
    yield from node.input
    for inner in _inner([node]):
        for each in inner.node:
            yield from read_names(each)
        yield from (output.name for output in inner.output)


def names_from_around(held: Iterable[Any]) -> Iterator[str]:
    """What graphs read that they neither make nor are given."""
    for graph in held:
        own = {v.name for v in (*graph.input, *graph.initializer)}.union(*(n.output for n in graph.node))
        read = (name for node in graph.node for name in read_names(node))
        yield from (name for name in (*read, *(o.name for o in graph.output)) if name and name not in own)


def _check_names(model: Any) -> None:
    """The package hands out as bytes what is not UTF-8."""
    if any(isinstance(text, bytes) for text in _names(model)):
        raise DamagedError("a name in it is no text")


def _names(model: Any) -> Iterator[str | bytes]:
    for function in model.functions:
        yield from (function.name, function.domain, *function.input, *function.output, *function.attribute)
    for graph in graphs(model.graph):
        values = (*graph.input, *graph.output, *graph.value_info, *graph.initializer)
        yield from (entry.name for entry in values)
    for nodes in (model.graph.node, *(function.node for function in model.functions)):
        for node in _nodes(nodes):
            yield from (node.op_type, node.domain, node.name, *node.input, *node.output)
            yield from (attribute.name for attribute in node.attribute)
    yield from (opset.domain for opset in model.opset_import)


def _inlined(model: Any) -> Any:
    """The model with the nodes of its functions where they are called."""
    bodies = {(f.domain, f.name): f.node for f in model.functions}
    sizes: dict[tuple[str, str], int] = {}
    for key in bodies:
        _size(key, bodies, sizes, ())
    if sum(sizes.get((n.domain, n.op_type), 1) for n in _nodes(model.graph.node)) > _MOST_OPERATORS:
        raise DamagedError(f"its functions make more than {_MOST_OPERATORS} operators")
    try:
        return package().inliner.inline_local_functions(model)
    except Exception as error:
        first = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise DamagedError(f"its functions cannot be inlined: {clean_text(first, 160)}") from error


def _size(
    key: tuple[str, str],
    bodies: Mapping[tuple[str, str], Any],
    sizes: dict[tuple[str, str], int],
    calling: tuple[tuple[str, str], ...],
) -> int:
    """Operators of a function with all that it calls."""
    if key in sizes:
        return sizes[key]
    if key in calling:
        raise DamagedError("a function calls itself")
    if len(calling) > _DEEPEST_FUNCTION:
        raise DamagedError(f"its functions call each other more than {_DEEPEST_FUNCTION} deep")
    called = [(node.domain, node.op_type) for node in _nodes(bodies[key])]
    inner = (*calling, key)
    sizes[key] = sum(_size(each, bodies, sizes, inner) if each in bodies else 1 for each in called)
    return sizes[key]


def _check_data(graph: Any) -> None:
    """What a constant declares is what it holds: costs are taken from shapes, which no one vouches for."""
    held = (a.t for node in graph.node for a in node.attribute if a.HasField("t"))
    for at, tensor in enumerate((*graph.initializer, *held)):
        if min(tensor.dims, default=0) < 0:
            raise DamagedError(f"constant {at} has a negative dimension")
        elements, there = math.prod(tensor.dims), _elements_held(tensor)
        if there is not None and there < elements:
            raise DamagedError(f"constant {at} has {elements} elements and data for {int(there)}")


def _elements_held(tensor: Any) -> float | None:
    """None where the data lies elsewhere, or is of a type that is not known here."""
    if tensor.data_location == tensor.EXTERNAL:
        return None
    if tensor.HasField("raw_data"):
        bits = _BITS.get(tensor.data_type)
        return None if bits is None else len(tensor.raw_data) * 8 / bits
    for field, per_entry in _COUNTED.items():
        if tensor.data_type in per_entry:
            return float(len(getattr(tensor, field)) * per_entry[tensor.data_type])
    packed = max(8 // _BITS.get(tensor.data_type, 8), 1)
    return float(len(tensor.int32_data) * packed)


def _put_in_order(graph: Any) -> None:
    """Every operator behind those whose outputs it reads, else as the file has them; runtimes sort too."""
    producer = {name: at for at, node in enumerate(graph.node) for name in node.output if name}
    read = ((*node.input, *names_from_around(_inner([node]))) for node in graph.node)
    waits = [{producer[name] for name in names if name in producer} for names in read]
    if all(before < at for at, names in enumerate(waits) for before in names):
        return
    order: list[int] = []
    state = bytearray(len(waits))
    for start in range(len(waits)):
        stack = [start]
        while stack:
            at = stack[-1]
            if state[at] == _DONE:
                stack.pop()
                continue
            ahead = [i for i in sorted(waits[at], reverse=True) if state[i] != _DONE]
            if not ahead:
                order.append(at)
                state[at] = _DONE
            elif state[at] == _WAITING:
                raise DamagedError("its operators wait for each other in a circle")
            state[at] = max(state[at], _WAITING)
            stack.extend(ahead)
    nodes = [graph.node[at] for at in order]
    copies = [type(node).FromString(node.SerializeToString()) for node in nodes]
    del graph.node[:]
    graph.node.extend(copies)


_WAITING, _DONE = 1, 2
"""Of an operator on its way into order: those that it reads are being put in, or it is in."""
