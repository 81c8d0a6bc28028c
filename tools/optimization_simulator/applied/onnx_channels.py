"""Channels of an ONNX graph, traced through its nodes on whatever axis they lie.

As in `techniques.channels`, a channel of a convolution can go only where every node that reads it can do
without; here on the file itself, whose layout and constants are others than those of the graph read from it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import onnx
from onnx import numpy_helper

from ..techniques.groups import Groups

Block = tuple[int, int]
"""A group, and how many neighbouring elements belong to each of its channels."""
Array = np.ndarray[Any, Any]
_SAME = frozenset({
    "Relu", "LeakyRelu", "Elu", "Celu", "Selu", "Sigmoid", "HardSigmoid", "HardSwish", "Tanh", "Softplus",
    "Softsign", "Mish", "Gelu", "Erf", "Exp", "Log", "Sqrt", "Abs", "Neg", "Reciprocal", "Identity",
    "Dropout", "Cast", "Clip", "MaxPool", "AveragePool", "GlobalAveragePool", "GlobalMaxPool", "LpPool",
    "GlobalLpPool",
    "QuantizeLinear", "DequantizeLinear", "Softmax",
})  # fmt: skip
"""Nodes that keep shape and rank as far as channels go; what else they read holds no channels."""
_TIES = frozenset({"Add", "Sub", "Mul", "Div", "Max", "Min", "Pow", "PRelu"})
_SPATIAL_MEANS = frozenset({"ReduceMean", "ReduceMax", "ReduceSum", "ReduceMin"})


class Axis(NamedTuple):
    """Where the channels of a value lie."""

    position: int
    blocks: tuple[Block, ...]


class OnnxChannels(Groups):
    """Of a model's main graph, whose shapes were inferred."""

    def __init__(self, model: onnx.ModelProto) -> None:
        super().__init__()
        graph = model.graph
        self.constants = dict(_constants(graph))
        self.shapes = dict(_shapes(graph))
        self.cuts: dict[str, dict[int, tuple[Block, ...]]] = {}
        """Axes of constants that follow the channels."""
        self.makers: list[tuple[int, str, int]] = []
        """(group, filters, axis) of the layers that make a group."""
        self.depthwise: list[tuple[onnx.NodeProto, int]] = []
        """Nodes whose number of groups is that of their channels."""
        self._whole: set[str] = set()
        self.axes: dict[str, Axis] = {}
        """Of values that are computed."""
        self.scales: dict[str, Array] = {}
        """Of filters that are kept in integers."""
        self._dequantised = {
            node.output[0]: node for node in graph.node
            if node.op_type == "DequantizeLinear" and node.input[0] in self.constants
        }  # fmt: skip
        for node in self._dequantised.values():
            self.scales[node.input[0]] = self.constants[node.input[1]]
        for node in graph.node:
            if node.op_type != "Constant" and node.output[0] not in self._dequantised:
                self._trace(node)
        for made in graph.output:
            if made.name in self.axes:
                self._fix(self.axes[made.name])

    def _trace(self, node: onnx.NodeProto) -> None:
        found = self._result(node)
        if found is not None:
            self.axes[node.output[0]] = found
            return
        for name in _read(node):
            if name in self.axes:
                self._fix(self.axes[name])
            else:
                self._keep(name)

    def _result(self, node: onnx.NodeProto) -> Axis | None:
        """Channels of the first output; None for a node that no channel passes through."""
        if len(node.output) < 1 or not node.input or node.domain not in ("", "ai.onnx"):
            return None
        kind, rule = node.op_type, _RULES.get(node.op_type)
        if rule is not None:
            return rule(self, node)
        if kind in _TIES:
            return self._tied(node)
        return self._of(node.input[0]) if kind in _SAME and len([o for o in node.output if o]) == 1 else None

    def _of(self, name: str) -> Axis | None:
        """Channels of a value that is computed."""
        if name in self.constants or name in self._dequantised:
            return None
        if name not in self.axes:
            shape = self.shapes.get(name)
            at = 0 if shape is None else min(1, len(shape) - 1)
            if not shape or shape[at] < 1:
                return None
            group = self.new(shape[at], fixed=True)
            self.axes[name] = Axis(at, ((group, 1),))
        return self.axes[name]

    def _fix(self, axis: Axis) -> None:
        for group, _ in axis.blocks:
            self.fix(group)

    def _keep(self, constant: str) -> None:
        self._whole.add(constant)
        for blocks in self.cuts.get(constant, {}).values():
            for group, _ in blocks:
                self.fix(group)

    def _joined(self, one: Sequence[Block], other: Sequence[Block]) -> bool:
        lengths = ([(self.sizes[self.find(group)], n) for group, n in each] for each in (one, other))
        if len({tuple(each) for each in lengths}) > 1:
            return False
        for (a, _), (b, _) in zip(one, other, strict=True):
            self.tie(a, b)
        return True

    def _cut(self, name: str, position: int, blocks: tuple[Block, ...]) -> bool:
        """Let an axis of a constant follow the channels; False where it cannot."""
        quantised = self._dequantised.get(name)
        held = self.constants.get(name if quantised is None else quantised.input[0])
        length = sum(self.sizes[self.find(group)] * each for group, each in blocks)
        if held is None or position >= held.ndim or held.shape[position] != length:
            return False
        names = [name] if quantised is None else list(quantised.input)
        for each in names:
            if self.constants[each].ndim == 1 and each != names[0]:
                if self.constants[each].size == 1 or _attribute(quantised, "axis", 1) != position:
                    continue
                position = 0
            known = self.cuts.setdefault(each, {}).setdefault(position, blocks)
            if each in self._whole or not self._joined(known, blocks):
                for group, _ in (*known, *blocks):
                    self.fix(group)
        return True

    def _layer(self, filters: str, read: Axis, at_in: int, at_out: int, position: int) -> Axis | None:
        """A layer that makes channels of its own; those with the same filters make the same."""
        held = self._held(filters)
        if held is None or at_out >= held.ndim:
            return None
        made = self.cuts.get(self._stored(filters), {}).get(at_out)
        if made is None:
            made = ((self.new(held.shape[at_out]), 1),)
        if not self._cut(filters, at_in, read.blocks) or not self._cut(filters, at_out, made):
            return None
        self.makers.append((made[0][0], self._stored(filters), at_out))
        return Axis(position, made)

    def _stored(self, name: str) -> str:
        node = self._dequantised.get(name)
        return name if node is None else str(node.input[0])

    def _held(self, name: str) -> Array | None:
        return self.constants.get(self._stored(name))

    def _convolution(self, node: onnx.NodeProto) -> Axis | None:
        read, held = self._of(node.input[0]), self._held(node.input[1])
        if read is None or read.position != 1 or held is None or held.ndim < 3:
            return None
        groups, channels = _attribute(node, "group", 1), self.shapes[node.input[0]][1]
        biases = node.input[2] if len(node.input) > 2 else ""
        if groups == 1:
            made = self._layer(node.input[1], read, 1, 0, 1)
        elif groups == channels == held.shape[0] and len(read.blocks) == 1:
            made = read if self._cut(node.input[1], 0, read.blocks) else None
            if made is not None:
                self.depthwise.append((node, read.blocks[0][0]))
        else:
            return None
        return made if made is None or not biases or self._cut(biases, 0, made.blocks) else None

    def _gemm(self, node: onnx.NodeProto) -> Axis | None:
        read = self._of(node.input[0])
        if read is None or read.position != 1 or _attribute(node, "transA", 0):
            return None
        flipped = bool(_attribute(node, "transB", 0))
        made = self._layer(node.input[1], read, 1 if flipped else 0, 0 if flipped else 1, 1)
        biases = self._held(node.input[2]) if len(node.input) > 2 and node.input[2] else None
        if made is None or biases is None:
            return made if len(node.input) < 3 or not node.input[2] else None
        if biases.size == 1:
            return made
        return made if self._cut(node.input[2], biases.ndim - 1, made.blocks) else None

    def _product(self, node: onnx.NodeProto) -> Axis | None:
        read, held = self._of(node.input[0]), self._held(node.input[1])
        if read is None or held is None or held.ndim != 2:
            return None
        last = len(self.shapes.get(node.input[0], ())) - 1
        return self._layer(node.input[1], read, 0, 1, last) if read.position == last else None

    def _normalised(self, node: onnx.NodeProto) -> Axis | None:
        read = self._of(node.input[0])
        if read is None or read.position != 1 or len([o for o in node.output if o]) != 1:
            return None
        return read if all(self._cut(name, 0, read.blocks) for name in node.input[1:5]) else None

    def _tied(self, node: onnx.NodeProto) -> Axis | None:
        live = [name for name in node.input if self._held(name) is None]
        axes = [self._of(name) for name in live]
        first = axes[0] if axes else None
        rank = len(self.shapes.get(node.output[0], ()))
        if first is None or any(len(self.shapes.get(name, ())) != rank for name in live):
            return None
        for other in axes[1:]:
            if (
                other is None
                or other.position != first.position
                or not self._joined(first.blocks, other.blocks)
            ):
                return None
        for name in node.input:
            held = self._held(name)
            at = -1 if held is None else first.position - (rank - held.ndim)
            if held is not None and at >= 0 and held.shape[at] != 1 and not self._cut(name, at, first.blocks):
                return None
        return first

    def _concatenated(self, node: onnx.NodeProto) -> Axis | None:
        axes = [self._of(name) for name in node.input]
        rank = len(self.shapes.get(node.input[0], ()))
        position = _attribute(node, "axis", 0) % max(rank, 1)
        if not all(axis is not None and axis.position == position for axis in axes):
            return None
        return Axis(position, tuple(block for axis in axes if axis is not None for block in axis.blocks))

    def _flattened(self, node: onnx.NodeProto) -> Axis | None:
        """Into [batch, everything else]: each channel's positions stay neighbours."""
        read, shape = self._of(node.input[0]), self.shapes.get(node.input[0], ())
        made = self.shapes.get(node.output[0], ())
        inner = math.prod(shape[2:])
        known = len(made) == 2 and made[:1] == shape[:1] and min(made[1], *shape[1:]) > 0
        if read is None or read.position != 1 or not known:
            return None
        return Axis(1, tuple((group, each * inner) for group, each in read.blocks))

    def _averaged(self, node: onnx.NodeProto) -> Axis | None:
        read, shape = self._of(node.input[0]), self.shapes.get(node.input[0], ())
        made = self.shapes.get(node.output[0], ())
        if read is None or read.position != 1 or len(made) < 2 or made[:2] != shape[:2]:
            return None
        return read if len(made) in (2, len(shape)) and math.prod(made[2:]) == 1 else None

    def _squeezed(self, node: onnx.NodeProto) -> Axis | None:
        shape, made = (self.shapes.get(name, ()) for name in (node.input[0], node.output[0]))
        return self._of(node.input[0]) if len(made) >= 2 and shape[:2] == made[:2] else None

    def _turned(self, node: onnx.NodeProto) -> Axis | None:
        read = self._of(node.input[0])
        order = next((list(a.ints) for a in node.attribute if a.name == "perm"), None)
        return None if read is None or order is None else Axis(order.index(read.position), read.blocks)

    def _padded(self, node: onnx.NodeProto) -> Axis | None:
        shape, made = (self.shapes.get(name, ()) for name in (node.input[0], node.output[0]))
        read = self._of(node.input[0])
        same = read is not None and len(shape) == len(made) and shape[read.position] == made[read.position]
        return read if same else None

    def _resized(self, node: onnx.NodeProto) -> Axis | None:
        """By scales; sizes would name the channels."""
        return self._padded(node) if len(node.input) < 4 or not node.input[3] else None


_RULES: Mapping[str, Callable[[OnnxChannels, onnx.NodeProto], Axis | None]] = {
    "Conv": OnnxChannels._convolution,
    "Gemm": OnnxChannels._gemm,
    "MatMul": OnnxChannels._product,
    "BatchNormalization": OnnxChannels._normalised,
    "Concat": OnnxChannels._concatenated,
    "Flatten": OnnxChannels._flattened,
    "Reshape": OnnxChannels._flattened,
    "Squeeze": OnnxChannels._squeezed,
    "Transpose": OnnxChannels._turned,
    "Pad": OnnxChannels._padded,
    "Resize": OnnxChannels._resized,
    "Upsample": OnnxChannels._padded,
    **dict.fromkeys(_SPATIAL_MEANS, OnnxChannels._averaged),
}


def _attribute(node: onnx.NodeProto | None, name: str, default: int) -> int:
    if node is None:
        return default
    return next((int(each.i) for each in node.attribute if each.name == name), default)


def _read(node: onnx.NodeProto) -> Iterator[str]:
    """Values that a node reads, in its graphs too."""
    yield from node.input
    for attribute in node.attribute:
        for graph in (*([attribute.g] if attribute.HasField("g") else []), *attribute.graphs):
            for inner in graph.node:
                yield from _read(inner)


def _constants(graph: onnx.GraphProto) -> Iterator[tuple[str, Array]]:
    for held in graph.initializer:
        yield held.name, numpy_helper.to_array(held)
    for node in graph.node:
        if node.op_type == "Constant":
            held = next((each.t for each in node.attribute if each.name == "value"), None)
            if held is not None:
                yield node.output[0], numpy_helper.to_array(held)


def _shapes(graph: onnx.GraphProto) -> Iterator[tuple[str, tuple[int, ...]]]:
    for value in (*graph.input, *graph.value_info, *graph.output):
        if value.type.tensor_type.HasField("shape"):
            sides = value.type.tensor_type.shape.dim
            yield value.name, tuple(side.dim_value if side.HasField("dim_value") else -1 for side in sides)
