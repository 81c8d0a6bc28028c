"""How long single runs of a whole model took."""

from collections.abc import Sequence

import numpy as np

from ..core.quantity import Result

WINDOWS = 5
_FAR = 5 * 1.4826
"""Median absolute deviations: five standard deviations of what is normally distributed."""
_LEAST_A_WINDOW = 10
"""Runs, below which a median says little."""


class ThermalState(Result):
    """How warm the machine was while the runs went on, and whether that slowed it."""

    sensor: str = ""
    """Zone or chip that was read; empty where the system gives no temperature."""
    start_c: float | None = None
    """Before the runs, in degrees Celsius."""
    end_c: float | None = None
    """After them."""
    most_c: float | None = None
    """The highest that was read."""
    throttled: bool | None = None
    """Whether heat slowed the processor during the runs; null where nothing counts it."""
    least_clock_mhz: float | None = None
    """Of the first processor, as the kernel set it; null where it does not say."""
    most_clock_mhz: float | None = None
    """The highest that was read."""


class RunTimes(Result):
    """Spread of the runs of a model; the first, and the time to load it, stand apart."""

    load_ms: float | None = None
    """To read the model and to prepare it; null where it was not measured."""
    first_ms: float
    """Of the very first run, which no figure below holds."""
    warm_up_runs: int
    """Runs that were left out, the first included."""
    runs: int
    """Runs that count."""
    mean_ms: float
    """Of those runs, in ms."""
    deviation_ms: float
    """Standard deviation; 0 of a single run."""
    least_ms: float
    """Of the fastest run."""
    p50_ms: float
    """Median."""
    p90_ms: float
    """That 90 % of the runs keep to."""
    p95_ms: float
    """That 95 % of the runs keep to."""
    p99_ms: float
    """That 99 % of the runs keep to."""
    most_ms: float
    """Of the slowest run."""
    outliers: int = 0
    """Runs beyond the median by more than five deviations, as the median deviation tells it; the median and
    the percentiles hold whether they are in or out."""
    window_medians: tuple[float, ...] = ()
    """Of equal parts of the runs in their order, in ms."""
    drift_ratio: float | None = None
    """The last of them over the first; null of too few runs."""
    peak_memory_bytes: int | None = None
    """Most memory that the process held, its runtime included."""
    processors: tuple[int, ...] = ()
    """That it was allowed to run on."""
    governor: str = ""
    """Of the clock of the first of them, as the system states it; empty where it does not."""
    thermal: ThermalState | None = None
    """Temperature and throttling during the runs; null where they were not on this machine."""


def run_times(
    times_ms: Sequence[float], first_ms: float, warm_up_runs: int = 1, load_ms: float | None = None
) -> RunTimes:
    """
    Args:
        times_ms: of each run that counts, in their order, at least one.
        first_ms: of the very first run.
        warm_up_runs: runs before those that count.
        load_ms: to read the model and to prepare it.
    """
    times = np.asarray(times_ms, dtype=float)
    middle, p90, p95, p99 = np.percentile(times, (50, 90, 95, 99)).tolist()
    count = min(WINDOWS, len(times) // _LEAST_A_WINDOW)
    windows = tuple(float(np.median(part)) for part in np.array_split(times, count)) if count > 1 else ()
    return RunTimes(
        load_ms=load_ms, first_ms=first_ms, warm_up_runs=warm_up_runs, runs=len(times),
        mean_ms=float(times.mean()), deviation_ms=float(times.std(ddof=1)) if len(times) > 1 else 0.0,
        least_ms=float(times.min()), p50_ms=middle, p90_ms=p90, p95_ms=p95, p99_ms=p99,
        most_ms=float(times.max()), window_medians=windows,
        outliers=int((np.abs(times - middle) > _FAR * np.median(np.abs(times - middle))).sum()),
        drift_ratio=windows[-1] / windows[0] if windows and windows[0] > 0 else None,
    )  # fmt: skip
