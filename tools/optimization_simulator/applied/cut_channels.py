"""Which channels stay when a group of them shrinks, and the constants that are left of a .tflite file.

A group keeps the channels whose filters have the largest L1 norm, each layer's in proportion to its mean,
added up over the layers that make the group (H. Li et al., "Pruning Filters for Efficient ConvNets",
arXiv 1608.08710). One that grows is filled up with zeros, which change nothing that is computed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from ....hardware_db.errors import UsageError
from ...graph import DType, ModelGraph, Op, Quantization, Tensor
from ...model_formats.tflite.stored import Stored
from ..techniques.channels import TIES, Channels, Segments

Index = npt.NDArray[np.int64]
"""Places along an axis as it was, in their new order; -1 for a new one."""
Values = npt.NDArray[np.generic]
_NUMPY = {
    DType.FLOAT32: np.float32, DType.FLOAT16: np.float16, DType.INT8: np.int8, DType.UINT8: np.uint8,
    DType.INT16: np.int16, DType.INT32: np.int32, DType.INT64: np.int64,
}  # fmt: skip
_MAKERS = frozenset({"CONV_2D", "FULLY_CONNECTED"})


class CutChannels:
    """Of a graph and the same graph with other numbers of channels, operator by operator alike."""

    def __init__(self, before: ModelGraph, after: ModelGraph, stored: Stored) -> None:
        self._before, self._after, self._stored = before.main, after.main, stored
        self._channels = Channels(before.main)
        self._kept = dict(self._chosen())

    def graph_and_contents(self, after: ModelGraph) -> tuple[ModelGraph, dict[int, Values]]:
        """`after` with the scales of the channels that stayed, and what its constants hold.

        Raises:
            UsageError: weights of a type whose elements cannot be told apart.
        """
        tensors, contents = list(after.main.tensors), dict[int, Values]()
        for op, made in zip(self._before.ops, after.main.ops, strict=True):
            for place, axes in self._axes(op):
                old, new = self._before.tensors[op.inputs[place]], tensors[made.inputs[place]]
                if old.shape == new.shape or new.index in contents:
                    continue
                contents[new.index] = self._cut(old, axes)
                scales = _scales_of(old.quantization, axes, len(old.shape))
                tensors[new.index] = replace(new, quantization=scales, buffer=None)
        return replace(after, subgraphs=(replace(after.main, tensors=tuple(tensors)),)), contents

    def _chosen(self) -> Iterator[tuple[int, Index]]:
        makers: dict[int, list[Op]] = {}
        for op in self._before.ops:
            if op.kind in _MAKERS and len(self._channels.segments[op.outputs[0]]) == 1:
                group = self._channels.find(self._channels.segments[op.outputs[0]][0])
                makers.setdefault(group, []).append(op)
        for group, old in self._channels.free().items():
            ops = makers.get(group, [])
            size = old if not ops else self._after.tensors[ops[0].outputs[0]].shape[-1]
            if size > old:
                yield group, np.concatenate([np.arange(old), np.full(size - old, -1)])
            elif size < old:
                norms = np.sum([self._norms(op) for op in ops], axis=0)
                yield group, np.sort(np.argsort(-norms, kind="stable")[:size])

    def _norms(self, op: Op) -> npt.NDArray[np.float64]:
        """Of each filter, the mean being 1."""
        tensor = self._before.tensors[op.inputs[1]]
        real = _real(self._values(tensor), tensor.quantization)
        norms = np.abs(real).reshape(len(real), -1).sum(axis=1)
        return np.asarray(norms / (norms.mean() or 1.0))

    def _axes(self, op: Op) -> Iterator[tuple[int, dict[int, Index]]]:
        """Positions of the operator's constants, with what stays along their axes."""
        tensors, segments = self._before.tensors, self._channels.segments
        constants = [at for at, i in enumerate(op.inputs) if i >= 0 and tensors[i].is_constant]
        live = [i for i in op.inputs if i >= 0 and not tensors[i].is_constant]
        if not constants or not live or not op.outputs or op.outputs[0] not in segments:
            return
        made = self._index(segments[op.outputs[0]])
        for at in constants:
            shape = tensors[op.inputs[at]].shape
            match op.kind:
                case "CONV_2D" | "FULLY_CONNECTED" if at == 1:
                    read = self._index(segments[live[0]])
                    yield at, {0: made[0], len(shape) - 1: _repeated(*read, shape[-1])}
                case kind if kind in _MAKERS or kind in TIES or kind == "DEPTHWISE_CONV_2D":
                    if shape and shape[-1] == made[1]:
                        yield at, {len(shape) - 1: made[0]}

    def _index(self, segments: Segments) -> tuple[Index, int]:
        """What stays of a tensor's last axis, and how long that was."""
        parts, start = [], 0
        for group in map(self._channels.find, segments):
            size = self._channels.sizes[group]
            kept = self._kept.get(group, np.arange(size))
            parts.append(np.where(kept < 0, -1, kept + start))
            start += size
        return np.concatenate(parts), start

    def _values(self, tensor: Tensor) -> Values:
        if tensor.dtype not in _NUMPY or tensor.buffer is None or tensor.sparsity is not None:
            raise UsageError(f"weights of type {tensor.dtype} cannot be cut here.")
        return self._stored(tensor.buffer).view(_NUMPY[tensor.dtype]).reshape(tensor.shape)

    def _cut(self, tensor: Tensor, axes: Mapping[int, Index]) -> Values:
        values = self._values(tensor)
        zero = 0 if tensor.quantization is None else tensor.quantization.zero_points[0]
        for axis, index in axes.items():
            taken = np.take(values, np.maximum(index, 0), axis=axis)
            new = (index < 0).reshape([-1 if at == axis else 1 for at in range(taken.ndim)])
            values = np.where(new, np.asarray(zero, values.dtype), taken)
        return np.ascontiguousarray(values)


def _repeated(index: Index, size: int, whole: int) -> Index:
    """Of an axis that holds the channels once for each position."""
    if size < 1 or whole % size:
        return np.arange(whole)
    starts = np.arange(0, whole, size)[:, None]
    return np.where(index < 0, -1, starts + index).reshape(-1)


def _real(values: Values, quantization: Quantization | None) -> npt.NDArray[np.float64]:
    """
    Args:
        values: of shape [filters, …].
    """
    if quantization is None:
        return values.astype(np.float64)
    along = [-1] + [1] * (values.ndim - 1)
    scales, zeros = (
        np.array(each).reshape(along) for each in (quantization.scales, quantization.zero_points)
    )
    return np.asarray((values.astype(np.float64) - zeros) * scales)


def _scales_of(
    quantization: Quantization | None, axes: Mapping[int, Index], rank: int
) -> Quantization | None:
    if quantization is None or not quantization.per_channel:
        return quantization
    index = axes.get(quantization.axis % rank)
    if index is None:
        return quantization
    scales, zeros = (
        tuple(each[max(at, 0)] for at in index) for each in (quantization.scales, quantization.zero_points)
    )
    return replace(quantization, scales=scales, zero_points=zeros)
