"""The work of each layer in the columns that kernels' costs are fitted by."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from ..core.records import dataclass
from ..graph import ModelGraph, Op, Tensor
from ..graph.costs.table import layer_table
from ..graph.layer_table import LayerTable, OpClass

Floats = npt.NDArray[np.float64]

FEATURES = (
    "conv", "conv_3x3", "conv_few_channels", "conv_odd_channels", "pointwise", "pointwise_odd_channels",
    "depthwise", "depthwise_other", "dense", "matmul", "im2col", "im2col_pointwise", "conv_output",
    "depthwise_output", "dense_output", "activation", "softmax", "pool", "elementwise", "move", "quantize",
    "other", "op", "view", "call", "weight_bytes", "activation_bytes", "fill",
)  # fmt: skip
"""Columns of work: MACs of convolutions, those of 3x3 at full resolution and those that read at most 4
channels or no multiple of 4 apart; of pointwise, of 3x3 depthwise and of other depthwise layers; of dense
layers and of matrix products. Elements that a convolution gathers before it multiplies; output elements of
layers with MACs; elements of the others; operators; one call of the network, which its first layer with MACs
stands for; bytes of weights and of activations; and the square root of each layer's MACs, which is what
filling a wide processor costs: next to nothing of a large launch, most of a small one."""

COLUMN = {name: index for index, name in enumerate(FEATURES)}
_CACHE = "_work_features"
_ELEMENTS = {
    OpClass.ACTIVATION: "activation",
    OpClass.SOFTMAX: "softmax",
    OpClass.POOL: "pool",
    OpClass.ELEMENTWISE: "elementwise",
    OpClass.QUANTIZE: "quantize",
}


def _a_mac_of(name: str, gathered: str, channels: int) -> Floats:
    """A row of work: one MAC of a convolution from and to that many channels, with what it brings along."""
    row = np.zeros(len(FEATURES))
    taps = 9 if gathered == "im2col" else 1
    row[[COLUMN[name], COLUMN[gathered], COLUMN["conv_output"]]] = 1, 1 / channels, 1 / (taps * channels)
    return row


LARGE_CONVOLUTIONS = np.stack([
    _a_mac_of("conv", "im2col", 128), _a_mac_of("conv_3x3", "im2col", 128),
    _a_mac_of("pointwise", "im2col_pointwise", 128),
])  # fmt: skip
"""(shapes, features): one MAC of each of the shapes that kernels do best, launch and traffic left out."""


@dataclass(frozen=True, eq=False)
class WorkFeatures:
    """(layers, features), for one inference; rows that cannot be counted hold zeros."""

    columns: Floats
    table: LayerTable

    @property
    def complete(self) -> bool:
        return bool(self.table.counted.all())

    def totals(self, batch: int = 1) -> Floats:
        """Work of a batch: weights are read once, everything else is done for each inference."""
        summed: Floats = (self.columns * batch_factors(batch)).sum(axis=0)
        return summed


def batch_factors(batch: int) -> Floats:
    """What each column is multiplied with for a batch: work scales, weights and launches do not, and a launch
    of more MACs fills the processor better."""
    factors = np.full(len(FEATURES), float(batch))
    factors[[COLUMN[name] for name in ("weight_bytes", "op", "view", "call")]] = 1.0
    factors[COLUMN["fill"]] = math.sqrt(batch)
    return factors


def work_features(graph: ModelGraph) -> WorkFeatures:
    """The graph's work; computed on the first call and kept with the graph."""
    work = graph.__dict__.get(_CACHE)
    if not isinstance(work, WorkFeatures):
        work = _build(graph)
        graph.__dict__[_CACHE] = work
    return work


def _build(graph: ModelGraph) -> WorkFeatures:
    table = layer_table(graph)
    columns = np.zeros((len(table), len(FEATURES)))
    macs, elements = table.macs.tolist(), table.element_ops.tolist()
    for row, op in enumerate(graph.ops):
        if not table.counted[row]:
            continue
        found = _features(op, table.classes[row], macs[row], elements[row], graph.tensors)
        for name, amount in found.items():
            columns[row, COLUMN[name]] += amount
    columns[:, COLUMN["fill"]] = np.sqrt(np.maximum(table.macs, 0))
    if len(table):
        columns[int(np.argmax(table.macs > 0)), COLUMN["call"]] = 1.0
    columns[:, COLUMN["weight_bytes"]] = table.weight_bytes
    moves = np.array([c is not OpClass.VIEW for c in table.classes], dtype=np.bool_)
    columns[:, COLUMN["activation_bytes"]] = (table.input_bytes + table.output_bytes) * moves
    return WorkFeatures(columns, table)


def _features(
    op: Op, kind: OpClass, macs: int, elements: int, tensors: tuple[Tensor, ...]
) -> dict[str, float]:
    if kind is OpClass.VIEW:
        return {"view": 1}
    output = tensors[op.outputs[0]] if op.outputs else None
    outputs = (output.elements or 0) if output is not None else 0
    if macs > 0:
        features = _MAC_FEATURES.get(kind, _dense)
        return {"op": 1, **features(op, macs, outputs, tensors)}
    if kind is OpClass.MOVE:
        return {"op": 1, "move": outputs}
    return {"op": 1, _ELEMENTS.get(kind, "other"): elements}


def _convolution(op: Op, macs: int, outputs: int, tensors: tuple[Tensor, ...]) -> dict[str, float]:
    source, filters, result = (tensors[i] for i in (op.inputs[0], op.inputs[1], op.outputs[0]))
    channels = _last(source)
    full = filters.shape[1:3] == (3, 3) and source.shape[1:3] == result.shape[1:3]
    plain = "conv_3x3" if full else "conv"
    name = "conv_few_channels" if channels <= 4 else "conv_odd_channels" if channels % 4 else plain
    gathered = macs / max(_last(tensors[op.outputs[0]]), 1)
    return {name: macs, "im2col": gathered, "conv_output": outputs}


def _pointwise(op: Op, macs: int, outputs: int, tensors: tuple[Tensor, ...]) -> dict[str, float]:
    name = "pointwise_odd_channels" if _last(tensors[op.inputs[0]]) % 4 else "pointwise"
    gathered = macs / max(_last(tensors[op.outputs[0]]), 1)
    return {name: macs, "im2col_pointwise": gathered, "conv_output": outputs}


def _depthwise(_op: Op, macs: int, outputs: int, _tensors: tuple[Tensor, ...]) -> dict[str, float]:
    name = "depthwise" if macs == 9 * outputs else "depthwise_other"
    return {name: macs, "depthwise_output": outputs}


def _dense(_op: Op, macs: int, outputs: int, _tensors: tuple[Tensor, ...]) -> dict[str, float]:
    return {"dense": macs, "dense_output": outputs}


def _matmul(_op: Op, macs: int, outputs: int, _tensors: tuple[Tensor, ...]) -> dict[str, float]:
    return {"matmul": macs, "dense_output": outputs}


_Features = Callable[[Op, int, int, tuple[Tensor, ...]], dict[str, float]]
_MAC_FEATURES: dict[OpClass, _Features] = {
    OpClass.CONV: _convolution,
    OpClass.TRANSPOSE_CONV: _convolution,
    OpClass.POINTWISE: _pointwise,
    OpClass.DEPTHWISE: _depthwise,
    OpClass.MATMUL: _matmul,
}


def _last(tensor: Tensor) -> int:
    return tensor.shape[-1] if tensor.shape else 1
