"""Each operator's share of the work."""

from __future__ import annotations

import numpy as np

from .costs import layer_table
from .model import ModelGraph


def work_shares(graph: ModelGraph) -> tuple[np.ndarray[tuple[int], np.dtype[np.float64]], bool]:
    """Each operator's share of the model's arithmetic (2 × MACs + element operations).

    Where nothing can be counted every operator has the same share, and the second value is False.
    """
    table = layer_table(graph)
    work = np.where(table.counted, 2 * table.macs + table.element_ops, 0).astype(np.float64)
    total = work.sum()
    if total > 0:
        return work / total, True
    return np.full(len(work), 1 / max(len(work), 1)), False
