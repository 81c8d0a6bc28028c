"""Levels that the power keeps to, such as sleeping, waiting and computing: shares of the time, and changes.

A level is split in two where Otsu's threshold (IEEE Transactions on Systems, Man, and Cybernetics 9, 1979) on
the logarithm of the power leaves little of the variance within the parts; what lasts shorter than three
readings is noise.
"""

from __future__ import annotations

import numpy as np

from ..recording import Floats
from .energy_report import PowerState

_BINS, _MOST = 128, 3
_BETWEEN = 0.75
"""Least share of the variance between the two parts."""
_APART = 1.3
"""Least factor between their means."""
_LEAST_SHARE = 0.01
_SHORTEST = 3
_LEAST_READINGS = 50


def states_of(time_s: Floats, power_w: Floats) -> tuple[PowerState, ...]:
    """The lowest first; none where the power keeps to one level."""
    if len(power_w) < _LEAST_READINGS:
        return ()
    floor = max(float(power_w.max()) * 1e-6, 1e-12)
    logs = np.log(np.maximum(power_w, floor))
    edges: list[float] = []
    parts = [(-np.inf, np.inf)]
    while parts and len(edges) + 1 < _MOST:
        low, high = parts.pop(0)
        inside = logs[(logs >= low) & (logs < high)]
        if (edge := _threshold(inside, len(logs))) is not None:
            edges.append(edge)
            parts += [(low, edge), (edge, high)]
    if not edges:
        return ()
    level = _steady(np.searchsorted(np.sort(edges), logs, side="right"))
    steps = np.diff(time_s, append=time_s[-1])
    length = float(steps.sum())
    began = np.flatnonzero(np.concatenate(([True], level[1:] != level[:-1])))
    return tuple(
        PowerState(
            mean_mw=float(power_w[level == each].mean()) * 1e3,
            share=float(steps[level == each].sum()) / length if length else 0.0,
            times=int((level[began] == each).sum()),
        )
        for each in range(len(edges) + 1)
        if (level == each).any()
    )


def _threshold(logs: Floats, whole: int) -> float | None:
    """Between two clear levels; None where there is one."""
    if len(logs) < _LEAST_SHARE * whole or len(logs) < _LEAST_READINGS or np.ptp(logs) < np.log(_APART):
        return None
    counts, edges = np.histogram(logs, _BINS)
    middles = (edges[1:] + edges[:-1]) / 2
    below = np.cumsum(counts)[:-1]
    above = len(logs) - below
    sums = np.cumsum(counts * middles)[:-1]
    total = float((counts * middles).sum())
    kept = (below > _LEAST_SHARE * whole) & (above > _LEAST_SHARE * whole)
    if not kept.any():
        return None
    apart = np.where(kept, (total - sums) / np.maximum(above, 1) - sums / np.maximum(below, 1), 0.0)
    between = below * above * apart**2 / len(logs) ** 2
    at = int(np.argmax(between))
    if between[at] < _BETWEEN * logs.var() or apart[at] < np.log(_APART):
        return None
    return float(edges[at + 1])


def _steady(level: np.typing.NDArray[np.int64]) -> np.typing.NDArray[np.int64]:
    """Without stays of fewer than three readings, which become what was before."""
    began = np.flatnonzero(np.concatenate(([True], level[1:] != level[:-1])))
    lengths = np.diff(began, append=len(level))
    kept = lengths >= _SHORTEST
    kept[0] = True
    taken = np.maximum.accumulate(np.where(kept, np.arange(len(began)), 0))
    return np.repeat(level[began][taken], lengths)
