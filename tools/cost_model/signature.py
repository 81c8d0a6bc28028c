"""What makes two graphs one network for a stopwatch: its inputs and what its layers multiply."""

from __future__ import annotations

import hashlib

from ..graph import ModelGraph
from ..graph.costs.table import layer_table

_KEPT = "_signature"
DIGITS = 16


def signature(graph: ModelGraph) -> str:
    """Key of an architecture at an input size, whatever its type, its names and its weights are.

    The sides of the inputs and the MACs of every layer that has any, both in order of size: exporters differ
    in the order of branches and of the axes, in how they spell activations, and in what they wrap the network
    in. Empty for a graph whose layers cannot be counted or that has none with MACs.
    """
    kept = graph.__dict__.get(_KEPT)
    if not isinstance(kept, str):
        kept = graph.__dict__[_KEPT] = _signature(graph)
    return kept


def _signature(graph: ModelGraph) -> str:
    table = layer_table(graph)
    macs = sorted(table.macs[table.counted & (table.macs > 0)].tolist())
    if not macs or not table.counted.all():
        return ""
    inputs = sorted(sorted(tensor.shape) for tensor in graph.inputs)
    return hashlib.sha256(repr((inputs, macs)).encode()).hexdigest()[:DIGITS]
