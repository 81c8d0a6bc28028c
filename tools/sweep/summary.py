"""What the evaluations come to: accepted, best, Pareto-optimal, and the trade-offs of precisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from .budgets import Threshold
from .columnar import Floats, Swept
from .fronts import COMPARED, figure, row_of
from .report import Best, BudgetCount, PrecisionTradeoff

_MIB = 1024**2
STRICT = 0.5
"""Below this accepted ratio the limits are called strict."""


def verdict_counts(swept: Swept) -> dict[str, int]:
    words = swept.texts["verdict"]
    return {word: int((words.codes == code).sum()) for code, word in enumerate(words.words)}


def budget_counts(swept: Swept, thresholds: Sequence[Threshold]) -> tuple[BudgetCount, ...]:
    return tuple(
        BudgetCount(
            budget=each.column,
            hard=each.hard,
            violated=int((swept.flags[each.column] == 1).sum()),
            unknown=int((swept.flags[each.column] == -1).sum()),
        )
        for each in thresholds
    )


def bests(swept: Swept) -> tuple[Best, ...]:
    """Of each model the accepted evaluation with the least of each figure."""
    return tuple(_bests(swept))


def _bests(swept: Swept) -> Iterator[Best]:
    models = swept.texts["model"]
    for code, model in enumerate(models.words):
        rows = np.flatnonzero((models.codes == code) & swept.accepted)
        for name in COMPARED:
            values = figure(swept, name)[rows]
            if not np.isnan(values).all():
                yield Best(model=model, figure=name, row=row_of(swept, int(rows[np.nanargmin(values)])))


def tradeoffs(swept: Swept) -> tuple[PrecisionTradeoff, ...]:
    """Of each precision, in the order in which it first occurs."""
    precisions, found = swept.texts["precision"], []
    latency, energy = figure(swept, "latency_ms"), figure(swept, "energy_uj")
    for code, precision in enumerate(precisions.words):
        rows = precisions.codes == code
        found.append(
            PrecisionTradeoff(
                precision=precision,
                latency_ms_mean=_mean(latency[rows]),
                memory_mb_mean=_mean(swept.numbers["parameter_bytes"][rows] / _MIB),
                energy_j_mean=_mean(energy[rows] * 1e-6),
                accepted_ratio=float(swept.accepted[rows].mean()),
                evaluations=int(rows.sum()),
                latency_known=int((~np.isnan(latency[rows])).sum()),
                energy_known=int((~np.isnan(energy[rows])).sum()),
            )
        )
    return tuple(found)


def _mean(values: Floats) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None


def warnings_of(swept: Swept, left_out: Counter[str]) -> tuple[str, ...]:
    notes = []
    if len(swept) and swept.accepted.mean() < STRICT:
        ratio = f"{swept.accepted.mean():.0%}"
        notes.append(f"fewer than half of the evaluations are accepted ({ratio}): the limits are strict")
    if left_out:
        notes.append(f"{sum(left_out.values()):,} combinations were left out: see left_out")
    return tuple(notes)
