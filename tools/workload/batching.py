"""The batch in which a card does a workload on fewest devices, and how long a result waits for it.

wait = (batch - 1) / demanded a second of one device, until the batch is full, + time of the batch
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from ...hardware_db import TargetClass
from ..core.deployment_table import DeploymentTable
from ..core.quantity import Quantity
from ..cost_model.estimate_table import EstimateTable
from ..cost_model.study import Study
from ..cost_model.table import estimate_many
from ..verdicts.judge import MARGINAL, overall
from ..verdicts.limits import Limits
from ..verdicts.rules import judged
from .demand import Demand

_TAKE_BATCHES = frozenset((TargetClass.GPU, TargetClass.GPU_SOC))
_BATCHES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128)
_NEARLY = 0.97
"""Of the most inferences a second: what a larger batch adds is not worth its memory."""
_BUSY = 0.8
"""Share of the time from which on inputs queue for long."""
_UNSEEN_MS = 100.0
"""What a result may wait where nobody says: that, or until the next of its stream."""


class _Tried(NamedTuple):
    batch: int
    latency_ms: float
    at_worst_ms: float

    @property
    def rate(self) -> float:
        return 1e3 * self.batch / self.latency_ms

    def devices(self, per_second: float) -> tuple[int, int, int]:
        """That a rate takes: by the estimate, by its slow end, and where that is more, with room to spare."""
        slow = 1e3 * self.batch / self.at_worst_ms
        rates = (self.rate, slow, _BUSY * self.rate)
        likely, at_worst, with_room = (math.ceil(per_second / rate) for rate in rates)
        return likely, at_worst, with_room if at_worst > likely else likely


def best_batch(case: Study, asked: Demand, most_wait_ms: float | None = None) -> int:
    """The smallest that does the rate on fewest devices in the wait allowed, else what does most of it.

    Args:
        most_wait_ms: from the arrival of an input to its result.
    """
    place = case.deployment
    if place.batch > 1 or place.target.target_class not in _TAKE_BATCHES:
        return place.batch
    places = DeploymentTable(place.at(batch=batch) for batch in _BATCHES)
    tried = _those_that_run(estimate_many(case.graph, places), places)
    per_second = asked.per_second if asked.rate_hz is not None else None
    if not tried or tried[0].batch > 1:
        return 1
    if per_second is None or asked.rate_hz is None:
        limit = most_wait_ms or math.inf
        return _nearly_fastest([one for one in tried if one.at_worst_ms <= limit] or tried[:1])
    limit = most_wait_ms or max(1e3 / asked.rate_hz, _UNSEEN_MS)
    counts = {one: asked.devices or one.devices(per_second)[0] for one in tried}
    in_time = [one for one in tried if _wait_ms(one, per_second / counts[one]) <= limit]
    in_time = in_time or tried[:1]
    if asked.devices and all(one.devices(per_second)[0] > asked.devices for one in in_time):
        return _nearly_fastest(in_time)
    return min(in_time, key=lambda one: (*one.devices(per_second), one.batch)).batch


def _nearly_fastest(tried: Sequence[_Tried]) -> int:
    most = max(one.rate for one in tried)
    return next(one.batch for one in tried if one.rate >= _NEARLY * most)


def _those_that_run(table: EstimateTable, places: DeploymentTable) -> list[_Tried]:
    """Those that fit and take a known time, the smallest first"""
    runs = (overall(judged(table, places, Limits())) <= MARGINAL) & (table.latency_ms.high > 0)
    times = zip(_BATCHES, table.latency_ms.value.tolist(), table.latency_ms.high.tolist(), strict=True)
    return [_Tried(*each) for each, fits in zip(times, runs.tolist(), strict=True) if fits]


def _wait_ms(one: _Tried, per_second: float) -> float:
    return 1e3 * (one.batch - 1) / per_second + one.at_worst_ms


def longest_wait(latency_ms: Quantity, batch: int, per_second: float | None) -> Quantity:
    """Of the first of a batch at the rate of one device, where that keeps up."""
    value, low, high = latency_ms.value, latency_ms.low, latency_ms.high
    if per_second is None or value is None or low is None or high is None:
        return Quantity.unknown("ms")
    fill = 1e3 * (batch - 1) / per_second
    return Quantity(value=fill + value, low=fill + low, high=fill + high, unit="ms", basis=latency_ms.basis)
