"""Structured pruning: fewer channels, and every shape that follows from it.

A channel of a convolution can go only where every operator that reads it can do without. Channels that an
addition ties together go together; those of the model's outputs stay.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping

from ....hardware_db.errors import UsageError
from ...core.records import replace
from ...graph import ModelGraph, Op, Quantization, Subgraph, Tensor
from .groups import Groups

PASS_THROUGH = frozenset({
    "RELU", "RELU6", "RELU_N1_TO_1", "RELU_0_TO_1", "LOGISTIC", "TANH", "HARD_SWISH", "LEAKY_RELU", "GELU",
    "ELU", "QUANTIZE", "DEQUANTIZE", "CAST", "AVERAGE_POOL_2D", "MAX_POOL_2D", "SOFTMAX", "PAD", "PADV2",
    "MIRROR_PAD", "RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR", "ABS", "EXP", "SQRT", "RSQRT",
    "SQUARE", "NEG", "LOG",
})  # fmt: skip
TIES = frozenset({"ADD", "SUB", "MUL", "MAXIMUM", "MINIMUM", "DIV", "SQUARED_DIFFERENCE", "PRELU"})
_LAYERS = frozenset({"CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED"})
FLATTENS = frozenset({"RESHAPE", "SQUEEZE", "EXPAND_DIMS", "MEAN"})

_MULTIPLE = 4
"""Of numbers of channels that stay."""

Segments = tuple[int, ...]
"""The last axis of a tensor, as the groups that its blocks of channels belong to."""


class Channels(Groups):
    """Which group each block of channels belongs to, traced through the operators in order."""

    def __init__(self, main: Subgraph) -> None:
        super().__init__()
        self.main = main
        self.segments: dict[int, Segments] = {}
        self._with_weights: dict[int, tuple[Segments, Segments]] = {}
        """Groups that the first layer with these weights reads and makes."""
        for op in main.ops:
            self._trace(op)
        for tensor in main.outputs:
            self._fix(self._of(tensor))

    def size(self, tensor: int, kept: Mapping[int, int]) -> int:
        """The last dimension of a tensor once groups have the sizes in `kept`."""
        counts = Counter(self.segments[tensor])
        roots = {group: self.find(group) for group in counts}
        return sum(n * kept.get(roots[group], self.sizes[roots[group]]) for group, n in counts.items())

    def _of(self, tensor: int) -> Segments:
        if tensor not in self.segments:
            self.segments[tensor] = (self.new(_last(self.main.tensors[tensor]), fixed=True),)
        return self.segments[tensor]

    def _fix(self, segments: Segments) -> None:
        for group in set(segments):
            self.fix(group)

    def _made_by(self, weights: int, source: Segments, size: int) -> Segments | None:
        """Layers with the same weights have the same channels, on both ends."""
        if weights not in self._with_weights:
            self._with_weights[weights] = source, (self.new(size),)
        first, made = self._with_weights[weights]
        if self._joined(source, first) is None:
            self._fix((*source, *first, *made))
        return made

    def _filtered_by(self, weights: int, source: Segments) -> Segments | None:
        first, _ = self._with_weights.setdefault(weights, (source, source))
        if self._joined(source, first) is None:
            self._fix((*source, *first))
        return source

    def _joined(self, one: Segments, other: Segments) -> Segments | None:
        """Channel by channel; None where blocks differ, or one channel goes with all of the other's."""
        pairs = dict.fromkeys(zip(one, other, strict=False))  # a flattened image repeats few of them
        unlike = (self.sizes[self.find(a)] != self.sizes[self.find(b)] for a, b in pairs)
        if len(one) != len(other) or any(unlike):
            return None
        for a, b in pairs:
            self.tie(a, b)
        return one

    def _trace(self, op: Op) -> None:
        live = [i for i in op.inputs if i >= 0 and not self.main.tensors[i].is_constant]
        result = self._result(op, live) if live and op.outputs else None
        if result is not None:
            self.segments[op.outputs[0]] = result
            return
        for index in live:
            self._fix(self._of(index))
        for index in op.outputs:
            self.segments[index] = (self.new(_last(self.main.tensors[index]), fixed=True),)

    def _result(self, op: Op, live: list[int]) -> Segments | None:
        """Groups of the output's channels; None for an operator that no channel passes through."""
        source, size = self._of(live[0]), _last(self.main.tensors[op.outputs[0]])
        incoming = max(_last(self.main.tensors[live[0]]), 1)
        match op.kind:
            case "CONV_2D" if _is_grouped(op, self.main):
                return None
            case "CONV_2D" | "FULLY_CONNECTED":
                return self._made_by(op.inputs[1], source, size)
            case "DEPTHWISE_CONV_2D":
                return self._filtered_by(op.inputs[1], source) if size == incoming else None
            case "CONCATENATION" if op.option_int("axis", -1) in (-1, _rank(self.main, op) - 1):
                return tuple(group for index in live for group in self._of(index))
            case kind if kind in TIES and len(live) == 2:
                return self._joined(source, self._of(live[1]))
            case "PAD" | "PADV2" | "MIRROR_PAD" if size != incoming:
                return None
            case kind if kind in PASS_THROUGH or (kind in TIES and len(live) == 1):
                return source
            case kind if kind in FLATTENS and size % incoming == 0:
                return source * (size // incoming)
            case _:
                return None


def pruned(graph: ModelGraph, ratio: float, *, multiple: int = _MULTIPLE) -> ModelGraph:
    """Remove `ratio` of the channels of every layer that allows it, keeping a multiple of `multiple`.

    Raises:
        UsageError: a ratio outside 0 to 1, or a graph in which no channel can go.
    """
    if not 0 < ratio < 1:
        raise UsageError(f"A pruning ratio of {ratio:g} is outside 0 to 1.", hint="Try 0.5.")
    channels = Channels(graph.main)
    kept = {group: kept_size(size, ratio, multiple) for group, size in channels.free().items()}
    return resized(graph, channels, kept)


def resized(graph: ModelGraph, channels: Channels, sizes: Mapping[int, int]) -> ModelGraph:
    """The graph with groups of channels at other sizes, and every shape that follows.

    Raises:
        UsageError: no size changes.
    """
    if all(channels.sizes[group] == size for group, size in sizes.items()):
        raise UsageError("No layer of this model has channels that its neighbours can do without.")
    main = _with_own_operands(graph.main)
    tensors = list(main.tensors)
    for index in channels.segments:
        tensors[index] = _resized(tensors[index], -1, channels.size(index, sizes))
    for op in main.ops:
        _resize_weights(op, main, tensors)
    changed = replace(main, tensors=tuple(tensors))
    return replace(graph, subgraphs=(changed, *graph.subgraphs[1:]), file_bytes=None)


def _with_own_operands(main: Subgraph) -> Subgraph:
    """Biases and factors that several operators share are copied: their layers may part in size."""
    tensors, ops, seen = list(main.tensors), list(main.ops), set[int]()
    for op in main.ops:
        inputs = list(op.inputs)
        for place, index in enumerate(inputs):
            held = main.tensors[index] if index >= 0 else None
            if held is None or not held.is_constant or held.values is not None or _last(held) < 2:
                continue
            if place == 1 and op.kind in _LAYERS:
                continue
            if index in seen:
                inputs[place] = len(tensors)
                tensors.append(replace(held, index=len(tensors)))
            seen.add(index)
        ops[op.index] = replace(op, inputs=tuple(inputs))
    return replace(main, tensors=tuple(tensors), ops=tuple(ops))


def kept_size(size: int, ratio: float, multiple: int = _MULTIPLE) -> int:
    """Of a group of channels once `ratio` of them is removed."""
    return min(size, max(multiple, math.ceil(size * (1 - ratio) / multiple) * multiple))


def _resize_weights(op: Op, main: Subgraph, tensors: list[Tensor]) -> None:
    """Give filters, biases and per-channel constants the shapes of the activations around them."""
    live = [i for i in op.inputs if i >= 0 and not main.tensors[i].is_constant]
    constant = [i for i in op.inputs if i >= 0 and main.tensors[i].is_constant]
    if not op.outputs or not live:
        return
    inner, outer = _last(tensors[live[0]]), _last(tensors[op.outputs[0]])
    old_outer = _last(main.tensors[op.outputs[0]])
    match op.kind:
        case "CONV_2D" | "FULLY_CONNECTED" if constant:
            filters = main.tensors[constant[0]]
            before = _last(main.tensors[live[0]])
            grown = filters.shape[-1] * inner // before if before > 0 else filters.shape[-1]
            tensors[constant[0]] = _resized(_resized(tensors[constant[0]], -1, grown), 0, outer)
            biases = constant[1:]
        case "DEPTHWISE_CONV_2D" if constant:
            tensors[constant[0]] = _resized(tensors[constant[0]], -1, outer)
            biases = constant[1:]
        case "RESHAPE" if constant and tensors[constant[0]].values:
            target = tuple(tensors[op.outputs[0]].shape)
            tensors[constant[0]] = replace(tensors[constant[0]], values=target)
            return
        case _ if op.kind in TIES:
            biases = constant
        case _:
            return
    for index in biases:
        if _last(main.tensors[index]) == old_outer:
            tensors[index] = _resized(tensors[index], -1, outer)


def _resized(tensor: Tensor, axis: int, size: int) -> Tensor:
    if not tensor.shape or size < 0 or tensor.shape[axis] == size:
        return tensor
    shape = list(tensor.shape)
    shape[axis] = size
    old = max(tensor.elements or 1, 1)
    stored = tensor.stored_bytes * math.prod(shape) // old if tensor.is_constant else 0
    return replace(tensor, shape=tuple(shape), stored_bytes=stored, quantization=_cut(tensor, axis, size))


def _cut(tensor: Tensor, axis: int, size: int) -> Quantization | None:
    quantization = tensor.quantization
    if quantization is None or not quantization.per_channel or quantization.axis != axis % len(tensor.shape):
        return quantization
    scales, zeros = quantization.scales, quantization.zero_points
    times = -(-size // len(scales))
    return replace(quantization, scales=(scales * times)[:size], zero_points=(zeros * times)[:size])


def _is_grouped(op: Op, main: Subgraph) -> bool:
    if op.kind != "CONV_2D":
        return False
    return _last(main.tensors[op.inputs[0]]) != _last(main.tensors[op.inputs[1]])


def _rank(main: Subgraph, op: Op) -> int:
    return len(main.tensors[op.outputs[0]].shape)


def _last(tensor: Tensor) -> int:
    return tensor.shape[-1] if tensor.shape else 1
