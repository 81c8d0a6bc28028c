"""The cost of every operator of a graph's main subgraph, computed once."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..layer_table import LayerTable
from ..model import ModelGraph
from .classes import arithmetic_dtype, op_class
from .operator_cost import Costs, believable
from .traffic import NO_TRAFFIC, Traffic, traffic
from .work import NOTHING, OpContext, UncountableError

_CACHE = "_layer_table"


def layer_table(graph: ModelGraph) -> LayerTable:
    """The layer table at the graph's own batch; computed on the first call and kept with the graph.

    Bias additions, fused activations and requantisation are part of an operator's kernel and not counted
    beside its MACs or element operations. A weight stored sparsely counts the MACs of its dense shape.
    """
    table = graph.__dict__.get(_CACHE)
    if not isinstance(table, LayerTable):
        table = _build(graph)
        graph.__dict__[_CACHE] = table
    return table


def _build(graph: ModelGraph) -> LayerTable:
    contexts = [OpContext.of(op, graph.main) for op in graph.ops]
    costs = Costs(graph)
    figures: list[Iterable[int]] = []
    uncounted: dict[int, str] = {}
    notes: list[tuple[int, str]] = []
    for row, at in enumerate(contexts):
        try:
            work, moved = costs.of(at)
        except UncountableError as reason:
            uncounted[row] = str(reason)
            work, moved = NOTHING, _traffic_if_known(at)
        notes += [(at.op.index, note) for note in costs.notes]
        costs.notes.clear()
        figures.append((*work, *moved))
    columns = np.array(figures, dtype=np.int64).reshape(-1, 5).T
    counted = np.ones(len(contexts), dtype=np.bool_)
    counted[list(uncounted)] = False
    return LayerTable(
        kinds=tuple([at.op.kind for at in contexts]),
        classes=tuple([op_class(at) for at in contexts]),
        dtypes=tuple([arithmetic_dtype(at) for at in contexts]),
        macs=columns[0],
        element_ops=columns[1],
        weight_bytes=columns[2],
        input_bytes=columns[3],
        output_bytes=columns[4],
        counted=counted,
        uncounted=tuple((contexts[row].op.index, reason) for row, reason in uncounted.items()),
        notes=tuple(notes),
    )


def _traffic_if_known(at: OpContext) -> Traffic:
    try:
        return believable(NOTHING, traffic(at))[1]
    except UncountableError:
        return NO_TRAFFIC
