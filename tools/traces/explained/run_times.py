"""How long runs took: the first by itself, percentiles of the rest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..recording import Counted
from .trace_report import RunTimes


def run_times(rows: Sequence[Counted]) -> RunTimes | None:
    """None where not every row has a time."""
    times = np.array([row.counts["time_ms"] for row in rows if "time_ms" in row.counts])
    if len(times) < 2 or len(times) != len(rows):
        return None
    rest = times[1:]
    p50, p90, p95, p99 = (float(at) for at in np.quantile(rest, (0.5, 0.9, 0.95, 0.99)))
    return RunTimes(
        runs=len(times),
        first_ms=float(times[0]),
        p50_ms=p50,
        p90_ms=p90,
        p95_ms=p95,
        p99_ms=p99,
        mean_ms=float(rest.mean()),
        deviation_ms=float(rest.std()),
        spread=p95 / p50 if p50 else 1.0,
    )
