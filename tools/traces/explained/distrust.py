"""Whether a measurement can be believed: each doubt with the figures that raise it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ..power.energy_report import EnergyReport
from ..recording import Counted, Floats, PowerSamples
from .trace_report import Advice

_LEAST_RUNS = 100
_LEAST_WINDOW = 10
"""Readings within the shortest layer."""
_LEAST_HZ, _LEAST_S = 1000.0, 1.0
_FULL_SHUNT_V = 0.08192
"""Range of INA226's shunt input, +-81.92 mV: Texas Instruments SBOS547, electrical characteristics."""
_UNITS = (1e3, 1e-3, 1e6, 1e-6)
_FACTORS = {1e3: "1000", 1e-3: "a thousandth", 1e6: "a million", 1e-6: "a millionth"}
_CLOCK_OFF, _TREND, _TAIL, _FIRST = 0.02, 0.03, 1.5, 1.2
_LEAST_WARM, _WARMER_C, _TIED = 20, 3.0, 0.7
"""Runs, degrees and correlation from which slower runs are laid to heat."""
_DEBUG = frozenset(("-o0", "debug", "-og"))


def doubts_of_runs(
    rows: Sequence[Counted], facts: Mapping[str, str], clock_mhz: float | None
) -> tuple[Advice, ...]:
    """Of a row for each run, in their order."""
    times = np.array([row.counts["time_ms"] for row in rows if "time_ms" in row.counts])
    found = [*_of_units(rows), *_of_clock(rows, clock_mhz), *_of_build(facts), *doubts_of_heat(rows)]
    if len(times) == len(rows) and len(times) > 1:
        found += doubts_of_times(times)
    return tuple(found)


def doubts_of_times(times: Floats) -> Iterator[Advice]:
    """Of runs in their order, in any unit of time."""
    if len(times) < _LEAST_RUNS:
        yield Advice(
            name="too few runs", severity="medium", why=f"{len(times)} runs were measured",
            remedy=f"measure {_LEAST_RUNS} or more, so that a percentile stands on more than one run",
        )  # fmt: skip
    middle = float(np.median(times))
    rest = times[1:]
    spread = float(np.median(np.abs(rest - np.median(rest)))) * 1.4826
    if len(times) > 4 and times[0] > _FIRST * middle and times[0] > middle + 5 * spread:
        warming = int(np.argmax(times < middle * 1.05 + 3 * spread))
        name = "first inference in" if warming <= 1 else "no warm-up"
        warm = f"{max(1, warming)} run{'s' if warming > 1 else ''}"
        yield Advice(
            name=name, severity="high",
            why=f"the first run took {times[0] / middle:.3g} times the median; {warm} before it is steady",
            remedy="leave the first ten runs out, and report the first by itself as the cold start",
        )  # fmt: skip
    steady = times[max(1, len(times) // 10) :]
    if len(steady) >= 20:
        yield from _of_steady(steady, spread)


def _of_steady(steady: Floats, spread: float) -> Iterator[Advice]:
    """Of runs after the first tenth."""
    middle = float(np.median(steady))
    at = np.arange(len(steady)) - (len(steady) - 1) / 2
    slope = float((at * (steady - steady.mean())).sum() / (at**2).sum())
    grown = slope * len(steady) / middle
    scatter = steady.std()
    tied = abs(slope) * at.std() / scatter if scatter > 0 else 0.0
    if grown > _TREND and tied > 0.5:
        yield Advice(
            name="thermal trend", severity="high",
            why=f"runs become slower all along, by {grown:.1%} from the first to the last",
            remedy="fix the clock, cool it, or wait until it is steady; report the steady state",
        )  # fmt: skip
    high = float(np.quantile(steady, 0.99))
    if high > _TAIL * middle and high > middle + 6 * spread:
        yield Advice(
            name="interrupts", severity="medium",
            why=f"p99 is {high / middle:.3g} times the median",
            remedy="stop what else runs, pin the core, switch off interrupts that are not needed",
        )  # fmt: skip


def _of_units(rows: Sequence[Counted]) -> Iterator[Advice]:
    """A clock out of cycles and time that is a thousand times what a core has, or a thousandth."""
    pairs = [row.counts for row in rows if row.counts.get("time_ms") and row.counts.get("cycles")]
    if not pairs:
        return
    mhz = float(np.median([row["cycles"] / row["time_ms"] / 1e3 for row in pairs]))
    if not 1 <= mhz <= 8000:
        yield Advice(
            name="unit mixed up", severity="high",
            why=f"cycles over time is a clock of {mhz:.3g} MHz, which no core has",
            remedy="look at the unit of the time: milliseconds, microseconds or seconds",
        )  # fmt: skip


def _of_clock(rows: Sequence[Counted], claimed: float | None) -> Iterator[Advice]:
    pairs = [row.counts for row in rows if row.counts.get("time_ms") and row.counts.get("cycles")]
    if not pairs:
        return
    said = claimed or next((row["frequency_mhz"] for row in pairs if row.get("frequency_mhz")), None)
    mhz = float(np.median([row["cycles"] / row["time_ms"] / 1e3 for row in pairs]))
    if said and 1 <= mhz <= 8000 and abs(mhz / said - 1) > _CLOCK_OFF:
        yield Advice(
            name="clock not as claimed", severity="high",
            why=f"cycles over time is {mhz:.4g} MHz, and {said:.4g} MHz were claimed",
            remedy="read the clock back (PLL, governor), or the timer runs at another rate",
        )  # fmt: skip


def doubts_of_heat(rows: Sequence[Counted]) -> Iterator[Advice]:
    """Runs that become slower as it becomes warmer."""
    kept = [row.counts for row in rows if {"temperature_c", "time_ms"} <= row.counts.keys()]
    degrees = np.array([row["temperature_c"] for row in kept])
    times = np.array([row["time_ms"] for row in kept])
    if len(kept) < _LEAST_WARM or np.ptp(degrees) < _WARMER_C or not times.std() > 0:
        return
    tied = float(np.corrcoef(degrees, times)[0, 1])
    slope = float(np.polyfit(degrees, times, 1)[0]) * float(np.ptp(degrees)) / float(np.median(times))
    if tied > _TIED and slope > _TREND:
        yield Advice(
            name="throttling", severity="high",
            why=f"from {degrees.min():.3g} to {degrees.max():.3g} °C the runs become {slope:.1%} slower "
            f"(correlation {tied:.2f})",
            remedy="cool it, lower the clock to one that it holds, or report the warm state apart",
        )  # fmt: skip


def _of_build(facts: Mapping[str, str]) -> Iterator[Advice]:
    told = next(
        (text for text in facts.values() if any(word in text.casefold().split() for word in _DEBUG)), ""
    )
    if told:
        yield Advice(
            name="debug build", severity="high", why=f"the file says {told!r}",
            remedy="measure what is shipped: -O2 or -O3, without asserts",
        )  # fmt: skip


def doubts_of_power(samples: PowerSamples, report: EnergyReport) -> tuple[Advice, ...]:
    """Of the readings of an instrument."""
    return (*_of_rate(samples, report), *_of_readings(samples), *_of_product(samples))


def _of_rate(samples: PowerSamples, report: EnergyReport) -> Iterator[Advice]:
    if report.rate_hz < _LEAST_HZ * 0.99 or report.duration_ms < _LEAST_S * 0.99e3:
        yield Advice(
            name="sampled too little", severity="medium",
            why=f"{report.rate_hz:.4g} readings a second for {report.duration_ms / 1e3:.3g} s",
            remedy="a thousand readings a second or more, for a second or more",
        )  # fmt: skip
    if report.in_bursts:
        yield Advice(
            name="readings in bursts", severity="medium",
            why="several readings bear nearly one time, then none for long: they came in packets",
            remedy="log the time at the instrument: the whole's energy holds, that of single layers does not",
        )  # fmt: skip
    if report.gaps:
        yield Advice(
            name="gaps", severity="medium",
            why=f"{report.gaps} stretch{'es' if report.gaps > 1 else ''} without readings",
            remedy="what lies in them is in no sum: take the trace anew, or cut it there",
        )  # fmt: skip
    shortest = min((row.time_ms for row in report.layers), default=0.0)
    inside = shortest * report.rate_hz / 1e3
    if len(report.layers) > 1 and 0 < inside < _LEAST_WINDOW:
        yield Advice(
            name="too few samples", severity="high",
            why=f"the shortest layer has {inside:.2g} readings in it",
            remedy="sample faster, lower the clock, or repeat each layer in a loop",
        )  # fmt: skip
    interval = 1 / report.rate_hz if report.rate_hz else 0.0
    if samples.conversion_s and samples.conversion_s > 1.05 * interval:
        yield Advice(
            name="averages longer than it samples", severity="high",
            why=f"a reading averages {samples.conversion_s * 1e3:.3g} ms, one is taken every "
            f"{interval * 1e3:.3g} ms",
            remedy="fewer averages or a shorter conversion: an INA226 with 128 averages of 1.1 + 1.1 ms "
            "has a new reading every 282 ms",
        )  # fmt: skip


def _of_readings(samples: PowerSamples) -> Iterator[Advice]:
    raw = samples.current_a if samples.current_a is not None else samples.power_w
    same = np.diff(raw) == 0
    repeated = float(same.mean()) if len(same) else 0.0
    levels = len(np.unique(raw[:100_000]))
    runs = np.diff(np.flatnonzero(np.concatenate(([True], ~same, [True]))))
    if (
        repeated > 0.3
        and levels > 4
        and float(np.median(runs[runs > 1])) >= 2
        and levels > 0.005 * min(len(raw), 100_000)
    ):
        yield Advice(
            name="duplicate readings", severity="high",
            why=f"{repeated:.0%} of the readings repeat the one before",
            remedy="it is read faster than it converts: read when it says ready, or convert faster",
        )  # fmt: skip
    top = raw.max()
    full = samples.shunt_v is not None and bool((np.abs(samples.shunt_v) >= 0.998 * _FULL_SHUNT_V).any())
    at_top = int((raw == top).sum())
    flat = at_top >= 5 and at_top > 1e-3 * len(raw) and levels > 50 and repeated < 0.3
    if full or flat:
        seen = (
            "the shunt's voltage reaches 81.92 mV"
            if full
            else f"{at_top} readings are all {top:.4g}, the highest"
        )
        yield Advice(
            name="shunt range", severity="high", why=seen,
            remedy="a smaller shunt or a larger range: what is beyond is cut off, and the energy is too low",
        )  # fmt: skip


def _of_product(samples: PowerSamples) -> Iterator[Advice]:
    if samples.voltage_v is None or samples.current_a is None:
        return
    product = samples.voltage_v * samples.current_a
    kept = (product > 0) & (samples.power_w > 0)
    if not kept.any():
        return
    ratio = float(np.median(samples.power_w[kept] / product[kept]))
    wrong = next((factor for factor in _UNITS if 0.8 < ratio / factor < 1.25), None)
    if wrong is not None:
        yield Advice(
            name="unit mixed up", severity="high",
            why=f"power is {_FACTORS[wrong]} times voltage x current",
            remedy="look at the units of the three columns: mA and mW, or A and W",
        )  # fmt: skip
