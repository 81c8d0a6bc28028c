"""Worst-case response times of periodic steps that run to their end, the one with the shorter period first.

    U     = Σ C / T
    B_i   = the longest C of a step with a lower priority, which may just have begun
    start = B_i + q C_i + Σ over higher priorities (⌊start / T_k⌋ + 1) C_k     run q of the busy period
    R_i   = max over q of start - q T_i + C_i

This is fixed-priority non-preemptive scheduling on one core (L. George, N. Rivierre, M. Spuri, INRIA RR-2966,
1996), with every run of the level-i busy period looked at, not only the first (R. J. Bril, J. J. Lukkien,
W. F. J. Verhaegh, Real-Time Systems 42, 2009). Priorities by rate; of steps with one period, those that come
first in the pipeline.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

_MOST_RUNS = 100_000
"""Of one step in a busy period; beyond it the core is as good as full."""


def utilisation(costs: Sequence[float], periods: Sequence[float]) -> float:
    return sum(cost / period for cost, period in zip(costs, periods, strict=True))


def response_times(costs: Sequence[float], periods: Sequence[float]) -> list[float] | None:
    """From release to end, at worst, in the unit of the costs; highest priority first.

    None where the core has more to do than time.
    """
    if utilisation(costs, periods) > 1:
        return None
    found = [_response(row, costs, periods) for row in range(len(costs))]
    return None if None in found else [time for time in found if time is not None]


def _response(row: int, costs: Sequence[float], periods: Sequence[float]) -> float | None:
    blocked = max(costs[row + 1 :], default=0.0)
    busy = _busy(row, blocked, costs, periods)
    if busy is None:
        return None
    worst = 0.0
    for run in range(max(1, _ceil(busy / periods[row]))):
        start = blocked + run * costs[row]
        while True:
            higher = zip(costs[:row], periods[:row], strict=True)
            later = blocked + run * costs[row] + sum((_floor(start / t) + 1) * c for c, t in higher)
            if later <= start * (1 + 1e-12):
                break
            start = later
        worst = max(worst, start - run * periods[row] + costs[row])
    return worst


def _busy(row: int, blocked: float, costs: Sequence[float], periods: Sequence[float]) -> float | None:
    """How long the core may be busy with steps of this priority and above; None where it never ends."""
    length = blocked + costs[row]
    while True:
        same = zip(costs[: row + 1], periods[: row + 1], strict=True)
        longer = blocked + sum(_ceil(length / t) * c for c, t in same)
        if longer <= length * (1 + 1e-12):
            return length
        if longer > _MOST_RUNS * periods[row]:
            return None
        length = longer


def _ceil(figure: float) -> int:
    """Of what is a whole number but for rounding, that number."""
    return math.ceil(figure - 1e-9 * max(1.0, figure))


def _floor(figure: float) -> int:
    return math.floor(figure + 1e-9 * max(1.0, figure))
