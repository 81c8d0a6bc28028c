"""Layers that are alike in all that the time can depend on but their data and where it lies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping
from statistics import median

from ..graph import ModelGraph, Op


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


def twins_ms(twins: tuple[int, ...], measured: Mapping[int, float]) -> float | None:
    """Median of what the twins took. Of one alone it would not be known which of the two is odd."""
    known = [measured[twin] for twin in twins if twin in measured]
    return median(known) if len(known) > 1 else None


def _likeness(graph: ModelGraph, op: Op) -> Hashable:
    tensors = [graph.tensors[i] for i in (*op.inputs, *op.outputs) if i >= 0]
    shapes = tuple(
        (t.shape, t.dtype, t.is_constant, t.quantization is not None and t.quantization.per_channel)
        for t in tensors
    )
    return (op.label, tuple(sorted(op.options.items())), shapes)
