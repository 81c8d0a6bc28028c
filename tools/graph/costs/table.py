"""The cost of every operator of a graph's main subgraph, once."""

from __future__ import annotations

import numpy as np

from ..layer_table import LayerTable
from ..model import ModelGraph
from . import convolution, dense, elementwise
from .classes import arithmetic_dtype, op_class
from .traffic import Traffic, traffic
from .work import NOTHING, Rules, Site, UncountableError, Work

_RULES: Rules = {**convolution.RULES, **dense.RULES, **elementwise.RULES}
_CACHE = "_layer_table"


def layer_table(graph: ModelGraph) -> LayerTable:
    """The layer table at the graph's own batch; computed on the first call and kept with the graph.

    Bias additions, fused activations and requantisation are part of an operator's kernel and not counted
    beside its MACs or element operations.
    """
    table = graph.__dict__.get(_CACHE)
    if not isinstance(table, LayerTable):
        table = _build(graph)
        graph.__dict__[_CACHE] = table
    return table


def _build(graph: ModelGraph) -> LayerTable:
    sites = [Site.of(op, graph.main) for op in graph.ops]
    uncounted: dict[int, str] = {}
    rows = np.zeros((len(sites), 5), dtype=np.int64)
    figures = []
    for row, at in enumerate(sites):
        work, moved = NOTHING, Traffic(0, 0, 0)
        try:
            moved = traffic(at)
            work = work_of(at)
        except UncountableError as reason:
            uncounted[row] = str(reason)
        figures.append((*work, *moved))
    if figures:
        rows[:] = figures
    counted = np.ones(len(sites), dtype=np.bool_)
    counted[list(uncounted)] = False
    return LayerTable(
        kinds=tuple([at.op.kind for at in sites]),
        classes=tuple([op_class(at) for at in sites]),
        dtypes=tuple([arithmetic_dtype(at) for at in sites]),
        macs=rows[:, 0],
        element_ops=rows[:, 1],
        weight_bytes=rows[:, 2],
        input_bytes=rows[:, 3],
        output_bytes=rows[:, 4],
        counted=counted,
        uncounted=tuple((sites[row].op.index, reason) for row, reason in uncounted.items()),
    )


def work_of(at: Site) -> Work:
    """Raises UncountableError where the work cannot be known."""
    rule = _RULES.get(at.op.kind)
    if rule is None:
        raise UncountableError(f"no rule counts the work of {at.op.label}")
    return rule(at)
