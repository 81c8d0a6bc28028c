"""Pareto fronts of many rows: of each model those accepted that no other beats."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .columnar import Swept
from .sweep_report import Front, SweptRow

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
PER_INFERENCE = ("latency_ms", "energy_uj")
COMPARED = (*PER_INFERENCE, "arena_bytes", "flash_bytes")
SHOWN = 10


def fronts_of(swept: Swept) -> tuple[tuple[Front, Ints], ...]:
    """Of each model its front, and the rows on it by latency."""
    costs = np.stack([figure(swept, name) for name in COMPARED], axis=1)
    costs = np.where(np.isnan(costs), np.inf, costs)
    models, found = swept.texts["model"], []
    for code, model in enumerate(models.words):
        rows = np.flatnonzero((models.codes == code) & swept.accepted & np.isfinite(costs[:, 0]))
        rows = rows[_undominated(costs[rows])]
        rows = rows[np.lexsort((rows, costs[rows, 0]))]
        shown = tuple(row_of(swept, row) for row in rows[:SHOWN].tolist())
        found.append((Front(model=model, count=len(rows), rows=shown), rows))
    return tuple(found)


def _undominated(costs: Floats) -> Ints:
    """Positions that no other position is as good as everywhere and better somewhere.

    One point of the front at a time strikes out all that it dominates, so that rows beyond the front are
    looked at a few times only.
    """
    order = np.lexsort(costs.T[::-1])
    left, front = order, []
    while len(left):
        first = left[0]
        front.append(first)
        same = (costs[left] == costs[first]).all(axis=1)
        front.extend(left[same][1:])
        beaten = (costs[left] >= costs[first]).all(axis=1)
        left = left[~beaten]
    return np.array(front, dtype=np.int64)


def figure(swept: Swept, name: str) -> Floats:
    """Latency and energy of one inference, whatever the batch."""
    return swept.per_inference(name) if name in PER_INFERENCE else swept.numbers[name]


def row_of(swept: Swept, row: int) -> SweptRow:
    def known(name: str) -> float | None:
        value = float(figure(swept, name)[row])
        return None if np.isnan(value) else value

    return SweptRow(
        model=swept.texts["model"][row],
        transform=swept.texts["transform"][row],
        target=swept.texts["target"][row],
        runtime=swept.texts["runtime"][row],
        clock_mhz=float(swept.numbers["clock_mhz"][row]),
        batch=int(swept.numbers["batch"][row]),
        latency_ms=known("latency_ms"),
        energy_uj=known("energy_uj"),
        arena_bytes=known("arena_bytes"),
        flash_bytes=known("flash_bytes"),
    )
