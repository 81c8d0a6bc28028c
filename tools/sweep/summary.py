"""What the evaluations come to: accepted, best, Pareto-optimal, and the trade-offs of precisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from .budgets import Threshold
from .columnar import Floats, Swept
from .fronts import COMPARED, figure, row_of
from .sweep_report import Best, BudgetCount, PrecisionTradeoff

Bools = npt.NDArray[np.bool_]
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
    """Of each precision, in the order in which it first occurs.

    Means are over the deployments on which the figure is known with every precision of the model: a type that
    only fast boards run would else look fast.
    """
    precisions, found = swept.texts["precision"], []
    latency, energy = figure(swept, "latency_ms"), figure(swept, "energy_uj")
    of_latency, of_energy = _comparable(swept, latency), _comparable(swept, energy)
    for code, precision in enumerate(precisions.words):
        rows = precisions.codes == code
        found.append(
            PrecisionTradeoff(
                precision=precision,
                latency_ms_mean=_mean(latency[rows & of_latency]),
                memory_mb_mean=_mean(swept.numbers["parameter_bytes"][rows] / _MIB),
                energy_j_mean=_mean(energy[rows & of_energy] * 1e-6),
                accepted_ratio=float(swept.accepted[rows].mean()),
                evaluations=int(rows.sum()),
                latency_known=int((rows & of_latency).sum()),
                energy_known=int((rows & of_energy).sum()),
            )
        )
    return tuple(found)


def _comparable(swept: Swept, values: Floats) -> Bools:
    """Rows with a known figure whose deployment has one with every precision that the model has one with."""
    known = ~np.isnan(values)
    models, precisions = swept.texts["model"].codes, swept.texts["precision"].codes
    places = np.stack(
        [models, swept.texts["target"].codes, swept.texts["runtime"].codes]
        + [swept.numbers[name] for name in ("clock_mhz", "batch")],
        axis=1,
    )
    _, place = np.unique(places, axis=0, return_inverse=True)
    place = place.reshape(-1)
    wanted = np.unique(np.stack([models[known], precisions[known]], axis=1), axis=0)[:, 0]
    there = np.unique(np.stack([place[known], precisions[known]], axis=1), axis=0)[:, 0]
    count = int(place.max(initial=-1)) + 1
    of_place = np.bincount(there, minlength=count)
    of_model = np.bincount(wanted, minlength=int(models.max(initial=0)) + 1)
    found: Bools = known & (of_place[place] == of_model[models])
    return found


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
