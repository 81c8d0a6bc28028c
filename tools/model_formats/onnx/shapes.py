"""Shapes of every tensor, with the arithmetic on shapes that exporters leave in the graph computed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from .carried import carry_shapes
from .inference import inferred
from .loading import graphs

Array = npt.NDArray[Any]

FOLDED = frozenset({
    "Shape", "Size", "Gather", "Concat", "Unsqueeze", "Squeeze", "Slice", "Cast", "Add", "Sub", "Mul", "Div",
    "ConstantOfShape", "Range", "Reshape", "Equal", "Where", "Expand", "Floor", "Ceil", "Neg", "Split",
    "ReduceProd", "Mod", "Sqrt", "Pow", "Transpose", "Not", "And", "Or", "Less", "Greater", "Min", "Max",
    "Identity",
})  # fmt: skip
"""Operators that shapes are computed by; of data, runtimes fold them too where it is constant."""
_LARGEST = 1024
_CONSTANTS_ARE_NO_INPUTS = 4
_ROUNDS = 12


def infer_shapes(onnx: Any, model: Any) -> Any:
    """The model with the shapes that follow, and constants in place of what small constants and shapes tell.

    Alternates between the package's inference and computing what it made known, until nothing is new.
    """
    model.ir_version = max(model.ir_version, _CONSTANTS_ARE_NO_INPUTS)
    for graph in graphs(model.graph):
        _fold(onnx, graph)
    for past in range(_ROUNDS):
        try:
            model = inferred(onnx, model)
        except Exception:
            if not past:
                raise
            break  # what the last round made known contradicts what the file states, or takes too much
        changed = [_fold(onnx, graph) | carry_shapes(onnx, graph) for graph in graphs(model.graph)]
        if not any(changed):
            break
    return model


def _fold(onnx: Any, graph: Any) -> bool:
    """Replace the nodes whose outputs are known by initializers; whether there was any."""
    known = dict(_constants(onnx, graph))
    shapes = _shapes(graph)
    outputs = {output.name for output in graph.output}
    kept, made = [], []
    for node in graph.node:
        found = None if outputs.intersection(node.output) else _computed(node, known, shapes)
        if found is None:
            kept.append(node)
            continue
        known |= found
        made += [onnx.numpy_helper.from_array(array, name) for name, array in found.items()]
    if made:
        del graph.node[:]
        graph.node.extend(kept)
        graph.initializer.extend(made)
        names = {tensor.name for tensor in made}
        stated = [info for info in graph.value_info if info.name not in names]
        del graph.value_info[:]
        graph.value_info.extend(stated)  # the inference takes a shape left open there over the constant's
    return bool(made)


def _constants(onnx: Any, graph: Any) -> list[tuple[str, Array]]:
    tensors = [(tensor.name, tensor) for tensor in graph.initializer]
    for node in graph.node:
        if node.op_type == "Constant" and node.output:
            tensors += [
                (node.output[0], a.t) for a in node.attribute if a.name == "value" and a.HasField("t")
            ]
    found = []
    for name, tensor in tensors:
        if math.prod(tensor.dims) <= _LARGEST and tensor.data_location != tensor.EXTERNAL:
            try:
                found.append((name, onnx.numpy_helper.to_array(tensor)))
            except (TypeError, ValueError, KeyError):
                continue
    return found


def _shapes(graph: Any) -> dict[str, list[int]]:
    """Those that are known to the last dimension."""
    found = {}
    for info in (*graph.value_info, *graph.input, *graph.output):
        shape = info.type.tensor_type.shape
        if info.type.tensor_type.HasField("shape") and all(d.HasField("dim_value") for d in shape.dim):
            found[info.name] = [d.dim_value for d in shape.dim]
    for tensor in graph.initializer:
        found[tensor.name] = list(tensor.dims)
    return found


def _computed(
    node: Any, known: Mapping[str, Array], shapes: Mapping[str, list[int]]
) -> dict[str, Array] | None:
    """Outputs of a node, where its inputs tell them and they are small."""
    if node.op_type not in FOLDED or node.domain not in {"", "ai.onnx"} or not node.output:
        return None
    if node.op_type in {"Shape", "Size"}:
        shape = shapes.get(node.input[0]) if node.input else None
        return None if shape is None else {node.output[0]: _measured(node, shape)}
    inputs = [name for name in node.input if name]
    if not all(name in known for name in inputs) or not _is_small(node, known, shapes):
        return None
    from onnx.reference import ReferenceEvaluator

    try:
        made = ReferenceEvaluator(node).run(None, {name: known[name] for name in inputs})
    except Exception:
        return None
    arrays = {name: np.asarray(array) for name, array in zip(node.output, made, strict=False) if name}
    return arrays if all(array.size <= _LARGEST for array in arrays.values()) else None


def _measured(node: Any, shape: list[int]) -> Array:
    if node.op_type == "Size":
        return np.array(math.prod(shape), dtype=np.int64)
    bounds = {a.name: a.i for a in node.attribute}
    return np.array(shape[bounds.get("start") : bounds.get("end")], dtype=np.int64)


def _is_small(node: Any, known: Mapping[str, Array], shapes: Mapping[str, list[int]]) -> bool:
    """Whether the output can be computed without asking for much memory: what is not known is not."""
    if node.op_type == "ConstantOfShape":
        return math.prod(int(d) for d in known[node.input[0]].reshape(-1)) <= _LARGEST
    if node.op_type == "Concat":
        return sum(known[name].size for name in node.input if name) <= _LARGEST
    if node.op_type == "Range":
        start, limit, step = (float(known[name].reshape(-1)[0]) for name in node.input)
        return step != 0 and (limit - start) / step <= _LARGEST
    if node.op_type == "Expand":
        return all(name in shapes and math.prod(shapes[name]) <= _LARGEST for name in node.output)
    return True
