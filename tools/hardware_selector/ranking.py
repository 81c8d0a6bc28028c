"""Scores, ranks, ties and the Pareto front of what passes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..cost_model.quantity_column import QuantityColumn

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


class Scores(NamedTuple):
    """0 to 1 for each row that passes, NaN for the others."""

    value: Floats
    low: Floats
    """With every figure at the unfavourable end of its interval."""
    high: Floats


def scores(columns: Mapping[str, QuantityColumn], weights: Mapping[str, float], passing: Bools) -> Scores:
    """Weighted place between the worst and the best of what passes, each figure on a logarithmic scale.

    Less is better in every figure. One that is unknown counts as the worst, and says nothing for a row. A
    scale is no shorter than the interval of a typical row is wide, so that what is tied scores alike.
    """
    total = np.zeros((3, len(passing)))
    weight_sum = sum(weights[name] for name in columns) or 1.0
    for name, column in columns.items():
        total += weights[name] / weight_sum * _places(column, passing)
    total[:, ~passing] = np.nan
    value, low, high = total
    return Scores(value, low, high)


def _places(column: QuantityColumn, passing: Bools) -> Floats:
    figures = np.stack([column.value, column.high, column.low])
    least = figures[figures > 0].min(initial=1.0)
    logs = np.log(np.where(figures == 0, least, figures))
    known = passing & np.isfinite(logs[0])
    if not known.any():
        return np.zeros((3, len(passing)))
    best, worst = logs[0][known].min(), logs[0][known].max()
    widths = (logs[1] - logs[2])[known]
    finite = widths[np.isfinite(widths)]
    span = max(worst - best, float(np.median(finite)) if finite.size else 0.0)
    if not span:
        return np.where(known, 1.0, 0.0) * np.ones((3, 1))
    return np.where(known, (best + span - logs) / span, 0.0)


def ranks(found: Scores) -> tuple[Ints, Bools]:
    """Place of each row (0 for none), and whether it shares it.

    From the best down, a row is tied with the first of its group while the intervals of their scores
    overlap.
    """
    order = np.argsort(-np.nan_to_num(found.value, nan=-np.inf), kind="stable")
    rank = np.zeros(len(found.value), dtype=np.int64)
    leader, place = -1, 0
    for position, row in enumerate(order.tolist(), start=1):
        if np.isnan(found.value[row]):
            break
        if leader < 0 or found.high[row] < found.low[leader]:
            leader, place = row, position
        rank[row] = place
    sharing = np.bincount(rank)[rank]
    return rank, (rank > 0) & (sharing > 1)
