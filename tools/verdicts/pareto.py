"""What no other beats in every figure."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


def pareto(figures: Floats, passing: Bools) -> Bools:
    """Rows of [rows, figures], less being better, that no other row dominates; unknown is the worst."""
    costs = np.where(np.isnan(figures), np.inf, figures)
    front = np.zeros_like(passing)
    rows = np.flatnonzero(passing)
    rows = rows[np.lexsort(costs[rows].T[::-1])]  # what dominates a row stands before it
    while len(rows):
        first, others = costs[rows[0]], costs[rows]
        front[rows[0]] = True
        dominated = (first <= others).all(axis=1) & (first < others).any(axis=1)
        rows = rows[1:][~dominated[1:]]
    return front
