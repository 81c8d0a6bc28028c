"""Runs at several clocks: time, energy and their product, and the clock that has the least of each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean

from ..recording import Counted
from .trace_report import MeasuredClock

_SAME = 0.02
"""Of a clock: how far cycles over time may be off and still be the same."""


def clocks_of(rows: Sequence[Counted]) -> tuple[MeasuredClock, ...]:
    """One row a clock, the slowest first; empty of fewer than two clocks, or without energy and time."""
    groups: dict[float, list[tuple[float, float]]] = defaultdict(list)
    for row in rows:
        clock, energy = _clock(row.counts), _energy_mj(row.counts)
        time = row.counts.get("time_ms")
        if clock is None or energy is None or not time:
            return ()
        known = next((each for each in groups if abs(clock / each - 1) <= _SAME), clock)
        groups[known].append((time, energy))
    if len(groups) < 2:
        return ()
    found = [_row(clock, groups[clock]) for clock in sorted(groups)]
    energy, product = (min(getattr(row, name) for row in found) for name in ("energy_uj", "energy_delay"))
    return tuple(
        row.model_copy(
            update={"least_energy": row.energy_uj == energy, "least_edp": row.energy_delay == product}
        )
        for row in found
    )


def _row(clock: float, runs: Sequence[tuple[float, float]]) -> MeasuredClock:
    time, energy = fmean(time for time, _ in runs), fmean(energy for _, energy in runs)
    return MeasuredClock(
        clock_mhz=clock, runs=len(runs), latency_ms=time, energy_uj=energy * 1e3,
        power_mw=energy / time * 1e3, energy_delay=energy * time, least_energy=False, least_edp=False,
    )  # fmt: skip


def _clock(counts: Mapping[str, float]) -> float | None:
    if counts.get("frequency_mhz"):
        return counts["frequency_mhz"]
    cycles, time = counts.get("cycles"), counts.get("time_ms")
    return cycles / time / 1e3 if cycles and time else None


def _energy_mj(counts: Mapping[str, float]) -> float | None:
    if "energy_mj" in counts:
        return counts["energy_mj"]
    power, time = counts.get("power_mw"), counts.get("time_ms")
    return power * time / 1e3 if power and time else None
