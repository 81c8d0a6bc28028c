"""What is demanded of hardware: reference models under limits, and which deployment each demand takes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from ...core.records import dataclass
from ...cost_model.estimate_table import EstimateTable
from ...graph.costs.table import layer_table

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
LIMITS_A_DECADE = 2
"""Limits of latency and energy that are tried between one and ten of a unit."""
FEATURES = (
    ("latency limit", "ms"), ("energy limit", "uJ"), ("MACs", ""), ("parameters", "B"), ("activations", "B"),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Estimates:
    """A reference model on every target."""

    name: str
    table: EstimateTable
    prices: Floats

    @property
    def can(self) -> Bools:
        """Where it runs, fits and its time is known."""
        table = self.table
        can: Bools = (table.fits == 1) & (table.runs == 1) & ~np.isnan(table.latency_ms.value)
        return can

    def chosen(self, meets: Bools, criterion: Floats) -> int:
        """The least of a criterion among those that meet; the fastest where it is unknown; -1 of none."""
        rows = np.flatnonzero(meets)
        if not len(rows):
            return -1
        known = rows[~np.isnan(criterion[rows])]
        if len(known):
            return int(known[criterion[known].argmin()])
        return int(rows[self.table.latency_ms.value[rows].argmin()])


@dataclass(frozen=True)
class Demand:
    model: int
    features: tuple[float, ...]
    chosen: tuple[int, ...]
    """Row for each criterion; -1 where nothing meets it."""


def demands(models: Sequence[Estimates], criteria: Sequence[str]) -> Iterator[Demand]:
    """Every model under every pair of limits that the estimates of all models span."""
    latencies = _limits([m.table.latency_ms.value[m.can] for m in models])
    energies = _limits([m.table.energy_uj.value[m.can] for m in models])
    for at, model in enumerate(models):
        columns = [criterion_of(model, name) for name in criteria]
        work = _work(model)
        for slowest in latencies:
            in_time = model.can & (model.table.latency_ms.value <= slowest)
            for most in energies:
                meets = in_time if math.isinf(most) else in_time & (model.table.energy_uj.value <= most)
                chosen = tuple(model.chosen(meets, column) for column in columns)
                yield Demand(at, (slowest, most, *work), chosen)


def criterion_of(model: Estimates, name: str) -> Floats:
    table = model.table
    return {"price": model.prices, "latency": table.latency_ms.value, "energy": table.energy_uj.value}[name]


def _work(model: Estimates) -> tuple[float, ...]:
    graph = model.table.models[0]
    table = layer_table(graph)
    return (float(table.total_macs), float(table.weight_bytes.sum()), float(table.output_bytes.max()))


def _limits(figures: Sequence[Floats]) -> list[float]:
    """Steps of a logarithmic scale that part the figures, and no limit at all."""
    known = np.concatenate(figures)
    known = known[(known > 0) & np.isfinite(known)]
    if not len(known):
        return [math.inf]
    low, high = (math.floor(LIMITS_A_DECADE * math.log10(x)) for x in (known.min(), known.max()))
    return [*(float(10 ** (step / LIMITS_A_DECADE)) for step in range(low + 1, high + 2)), math.inf]
