"""Changes channels, input sizes and operators of .onnx files, in a process of its own.

Run as a module in the folder of the request: request.json tells the step, `changed` is the answer, which ran
here once before it is given.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper

from ..techniques.channels import kept_size
from ..techniques.structure.widths import aligned_size, scaled_size
from .onnx_channels import Array, Axis, Block, OnnxChannels

_SIZES: Mapping[str, Callable[[int, float], int]] = {
    "prune": kept_size,
    "width": scaled_size,
    "align": lambda size, multiple: aligned_size(size, round(multiple)),
}
_POOLS = {"AveragePool": "GlobalAveragePool", "MaxPool": "GlobalMaxPool"}


def main() -> None:
    request = json.loads(Path("request.json").read_text(encoding="utf-8"))
    match request["step"]:
        case "fuse":
            _fused()
        case "input":
            model = onnx.load("model")
            _resize(model, request["shapes"])
            onnx.save(model, "changed")
        case "channels":
            model = onnx.load("model")
            _resize_channels(model, _SIZES[request["change"]], request["amount"])
            onnx.save(model, "changed")
    _run_once()


def _fused() -> None:
    """Constants folded, normalisation and identities gone: what ONNX Runtime does before any hardware."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.optimized_model_filepath = "changed"
    options.log_severity_level = 4
    onnxruntime.InferenceSession("model", options, providers=["CPUExecutionProvider"])


def _run_once() -> None:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession("changed", options, providers=["CPUExecutionProvider"])
    types = {"tensor(float)": np.float32, "tensor(float16)": np.float16, "tensor(double)": np.float64}
    feed = {}
    for given in session.get_inputs():
        shape = [side if isinstance(side, int) and side > 0 else 1 for side in given.shape]
        whole = given.type.removeprefix("tensor(").removesuffix(")")
        feed[given.name] = np.zeros(shape, types.get(given.type) or np.dtype(whole))
    session.run(None, feed)


def _inferred(model: onnx.ModelProto) -> onnx.ModelProto:
    return onnx.shape_inference.infer_shapes(model, data_prop=True)


def _resize(model: onnx.ModelProto, shapes: list[list[int]]) -> None:
    """Inputs of other sizes, in their order; pools over the whole image stay so."""
    before = OnnxChannels(_inferred(model)).shapes
    for node in model.graph.node:
        window = next((list(a.ints) for a in node.attribute if a.name == "kernel_shape"), None)
        if node.op_type in _POOLS and window and window == list(before.get(node.input[0], ())[2:]):
            node.op_type = _POOLS[node.op_type]
            del node.attribute[:]
    held = {each.name for each in model.graph.initializer}
    inputs = [each for each in model.graph.input if each.name not in held]
    for given, shape in zip(inputs, shapes, strict=True):
        for side, size in zip(given.type.tensor_type.shape.dim, shape, strict=True):
            if side.HasField("dim_value"):
                side.dim_value = size
    _forget_shapes(model)


def _forget_shapes(model: onnx.ModelProto) -> None:
    """What was stated of values in between and of outputs no longer holds; the rank of outputs does."""
    del model.graph.value_info[:]
    stated = {value.name: value for value in model.graph.output}
    for value in stated.values():
        value.type.tensor_type.ClearField("shape")
    for value in _inferred(model).graph.output:
        stated[value.name].CopyFrom(value)


def _resize_channels(model: onnx.ModelProto, size: Callable[[int, float], int], amount: float) -> None:
    traced = OnnxChannels(_inferred(model))
    kept = dict(_kept(traced, size, amount))
    if not kept:
        sys.exit("no layer of this model has channels that its neighbours can do without")
    made: dict[str, Array] = {}
    for name, axes in traced.cuts.items():
        for axis, blocks in axes.items():
            made[name] = _taken(made.get(name, traced.constants[name]), axis, _index(traced, blocks, kept))
    for node in model.graph.node:
        if node.op_type == "Reshape" and node.output[0] in traced.axes:
            target = _target(traced, node, traced.axes[node.output[0]], kept)
            node.input[1] = f"{node.output[0]}/shape"
            model.graph.initializer.append(numpy_helper.from_array(target, node.input[1]))
    groups = {node.output[0]: traced.find(group) for node, group in traced.depthwise}
    for node in model.graph.node:
        group = groups.get(node.output[0])
        if group in kept:
            kinds = [each for each in node.attribute if each.name != "group"]
            del node.attribute[:]
            node.attribute.extend([*kinds, helper.make_attribute("group", len(kept[group]))])
    _put(model, made)
    _forget_shapes(model)


def _kept(
    traced: OnnxChannels, size: Callable[[int, float], int], amount: float
) -> Iterator[tuple[int, Array]]:
    """Of each group that changes, the channels that stay, in order; -1 is a new one of zeros."""
    norms: dict[int, Any] = {}
    for group, name, axis in traced.makers:
        held = np.abs(_real(traced, name, axis))
        each = held.sum(axis=tuple(at for at in range(held.ndim) if at != axis))
        root = traced.find(group)
        norms[root] = norms.get(root, 0.0) + each / (each.mean() or 1.0)
    for group, old in traced.free().items():
        new = size(old, amount)
        if group not in norms or new == old:
            continue
        if new > old:
            yield group, np.concatenate([np.arange(old), np.full(new - old, -1)])
        else:
            yield group, np.sort(np.argsort(-norms[group], kind="stable")[:new])


def _real(traced: OnnxChannels, name: str, axis: int) -> Array:
    """Filters as numbers that can be compared: each channel of a quantised one has its own scale."""
    held = traced.constants[name].astype(np.float64)
    scale = traced.scales.get(name)
    if scale is None or scale.size == 1:
        return held
    return np.asarray(held * scale.reshape([-1 if at == axis else 1 for at in range(held.ndim)]))


def _index(traced: OnnxChannels, blocks: tuple[Block, ...], kept: Mapping[int, Array]) -> Array:
    parts, start = [], 0
    for group, each in blocks:
        root = traced.find(group)
        stay = kept.get(root, np.arange(traced.sizes[root]))
        within = np.where(stay[:, None] < 0, -1, start + stay[:, None] * each + np.arange(each))
        parts.append(within.reshape(-1))
        start += traced.sizes[root] * each
    return np.concatenate(parts)


def _taken(values: Array, axis: int, index: Array) -> Array:
    taken = np.take(values, np.maximum(index, 0), axis=axis)
    new = (index < 0).reshape([-1 if at == axis else 1 for at in range(taken.ndim)])
    return np.where(new, np.zeros((), values.dtype), taken)


def _target(traced: OnnxChannels, node: onnx.NodeProto, axis: Axis, kept: Mapping[int, Array]) -> Array:
    """Of a reshape to [batch, everything else]."""
    target = traced.constants[node.input[1]].copy()
    if target[1] > 0:
        target[1] = len(_index(traced, axis.blocks, kept))
    return target


def _put(model: onnx.ModelProto, made: Mapping[str, Array]) -> None:
    for held in model.graph.initializer:
        if held.name in made:
            held.CopyFrom(numpy_helper.from_array(np.ascontiguousarray(made[held.name]), held.name))
    for node in model.graph.node:
        if node.op_type == "Constant" and node.output[0] in made:
            value = next(each for each in node.attribute if each.name == "value")
            value.t.CopyFrom(numpy_helper.from_array(np.ascontiguousarray(made[node.output[0]])))
    for value in model.graph.input:
        if value.name in made:
            for side, size in zip(value.type.tensor_type.shape.dim, made[value.name].shape, strict=True):
                side.dim_value = size


if __name__ == "__main__":
    main()
