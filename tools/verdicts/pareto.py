"""What no other beats in every figure."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


def pareto(figures: Floats, passing: Bools) -> Bools:
    """Rows of [rows, figures], less being better, that no other row dominates; unknown is the worst."""
    costs = np.where(np.isnan(figures), np.inf, figures)
    front = passing.copy()
    for row in np.flatnonzero(passing):
        others = costs[passing]
        as_good = (others <= costs[row]).all(axis=1)
        better = (others < costs[row]).any(axis=1)
        front[row] = not (as_good & better).any()
    return front
