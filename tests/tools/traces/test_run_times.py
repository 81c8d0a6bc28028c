"""Spread of runs on this machine: the figures of known runs, and what is doubted in them."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from edgewright.tools import Runs, ThermalState, profile_on_host
from edgewright.tools.core.render.markdown import as_text
from edgewright.tools.host_runs import backend
from edgewright.tools.traces.run_times import run_times

needs_litert = pytest.mark.skipif(
    importlib.util.find_spec("ai_edge_litert") is None, reason="LiteRT is not installed"
)


def doubts(times: list[float], governor: str = "", thermal: ThermalState | None = None) -> tuple[str, ...]:
    return backend.doubts(Runs(times, times[0], 10, governor=governor, thermal=thermal))


def test_of_known_runs_the_percentiles_are_those_of_the_runs() -> None:
    found = run_times([float(ms) for ms in range(1, 102)], 9.0, 5, 30.0)
    assert (found.p50_ms, found.p90_ms, found.p95_ms, found.p99_ms) == (51, 91, 96, 100)
    assert (found.least_ms, found.most_ms, found.mean_ms, found.runs) == (1, 101, 51, 101)
    assert found.deviation_ms == pytest.approx(29.3, abs=0.01)
    assert (found.load_ms, found.first_ms, found.warm_up_runs) == (30, 9, 5)
    assert len(found.window_medians) == 5


def test_runs_far_off_the_median_are_counted_and_move_it_little() -> None:
    times = np.random.default_rng(1).normal(10, 0.1, 200)
    steady = run_times(times.tolist(), 10.0)
    times[50::40] = 80
    found = run_times(times.tolist(), 10.0)
    assert (steady.outliers, found.outliers) == (0, 4)
    assert found.p50_ms == pytest.approx(steady.p50_ms, rel=0.01)


def test_steady_runs_leave_nothing_to_doubt() -> None:
    times = np.random.default_rng(1).normal(10, 0.2, 500).tolist()
    assert doubts(times, "performance") == ()


def test_a_machine_that_becomes_slower_is_noticed() -> None:
    assert "thermal trend" in doubts(np.linspace(10, 14, 200).tolist())[0]


def test_other_work_between_the_runs_is_noticed() -> None:
    times = np.random.default_rng(1).normal(10, 0.1, 200)
    times[50::40] = 80
    (said,) = doubts(times.tolist())
    assert said.startswith("interrupts: p99 is 8")


def test_a_clock_that_is_not_held_is_named() -> None:
    times = [10.0] * 100
    assert doubts(times, "performance") == doubts(times) == ()
    assert "powersave" in doubts(times, "powersave")[0]


def test_heat_that_slows_the_processor_is_named_with_its_temperature() -> None:
    (said,) = doubts([10.0] * 100, thermal=ThermalState(most_c=97.5, throttled=True))
    assert said.startswith("throttling: heat slowed the processor during the runs at 97.5 °C")
    assert doubts([10.0] * 100, thermal=ThermalState(most_c=97.5, throttled=False)) == ()


def test_a_clock_that_moved_during_the_runs_is_named() -> None:
    (said,) = doubts([10.0] * 100, thermal=ThermalState(least_clock_mhz=800, most_clock_mhz=3200))
    assert "between 800 and 3200 MHz" in said


@needs_litert
def test_a_real_run_tells_its_first_run_its_memory_and_where_it_ran() -> None:
    report = profile_on_host("ad:int8", repeat=30)
    found = report.run_times
    assert found is not None
    assert found.runs == 30
    assert found.warm_up_runs >= 1
    assert found.least_ms <= found.p50_ms <= found.p95_ms <= found.p99_ms <= found.most_ms
    assert found.p50_ms == report.latency_ms.value
    assert found.peak_memory_bytes is None or found.peak_memory_bytes > 10 << 20
    assert "Loading, then the first run" in as_text(report)
