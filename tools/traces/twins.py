"""Layers that are alike in all that the time can depend on but their data and where it lies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping

from ..graph import ModelGraph, Op
from .measured_profile import MeasuredLayer


def twins_of(graph: ModelGraph) -> Mapping[int, tuple[int, ...]]:
    """For each operator the others of the same kind, options, shapes, types and granularity of scales."""
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for op in graph.ops:
        groups[_likeness(graph, op)].append(op.index)
    return {
        index: tuple(other for other in group if other != index)
        for group in groups.values()
        for index in group
    }


def timed_twins(
    layer: MeasuredLayer,
    layers: Mapping[int, MeasuredLayer],
    twins: Mapping[int, tuple[int, ...]],
    graph: ModelGraph,
) -> dict[int, float]:
    """What each twin took whose time holds the same kinds of operators."""
    kinds = [graph.ops[at].kind for at in layer.covers]
    return {
        twin: ms
        for twin in twins[layer.index]
        if (ms := layers[twin].measured_ms) is not None
        and [graph.ops[at].kind for at in layers[twin].covers] == kinds
    }


def _likeness(graph: ModelGraph, op: Op) -> Hashable:
    tensors = [graph.tensors[i] for i in (*op.inputs, *op.outputs) if i >= 0]
    shapes = tuple(
        (t.shape, t.dtype, t.is_constant, t.quantization is not None and t.quantization.per_channel)
        for t in tensors
    )
    return (op.label, tuple(sorted(op.options.items())), shapes)
