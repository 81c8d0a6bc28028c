"""Each core of an accelerator takes an inference of its own: rates add up, the time of one stays."""

import csv

import pytest

from edgewright.hardware_db import resolve_target
from edgewright.hardware_db.measurements.at_once import FILE, at_once_rows
from edgewright.tools import (
    check_constraints,
    estimate_energy_budget,
    estimate_performance,
    estimate_workload,
)
from edgewright.tools.cost_model.reference_peaks import ONE_CORE_EACH

NETWORK = "yolov5s:int8"


def test_published_runs_are_of_all_cores_of_a_target_that_has_so_many() -> None:
    with FILE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len({row["id"] for row in rows}) == len(rows)
    for row in rows:
        units = [u for u in resolve_target(row["target"]).accelerators if u.family == row["family"]]
        assert [unit.count.value for unit in units if unit.count] == [int(row["cores"])]
        assert row["family"] in ONE_CORE_EACH


def test_a_core_adds_no_more_than_its_own_rate() -> None:
    rows = at_once_rows("bpu")
    assert any(row.together_per_s > row.cores * row.alone_per_s for row in rows)
    assert max(row.share for row in rows) == 1


@pytest.mark.parametrize(("target", "cores"), [("rk3588", 3), ("rk3576", 2)])
def test_all_cores_do_more_than_one_and_no_more_than_as_many_times(target: str, cores: int) -> None:
    found = estimate_performance(NETWORK, target)
    assert found.at_once == cores
    assert found.inferences_per_second.value == pytest.approx(1e3 / found.latency_ms.value)
    assert 1 < found.at_once_gain.low < found.at_once_gain.value < found.at_once_gain.high <= cores
    rate = found.at_once_gain.value * found.inferences_per_second.value
    assert found.at_once_per_second.value == pytest.approx(rate)
    assert found.at_once_per_second.low < found.at_once_gain.low * found.inferences_per_second.value
    assert any("leafqycc/rknn-cpp-Multithreading" in source for source in found.stands_on)


def test_three_cores_reach_what_thread_pools_are_published_to_reach() -> None:
    """leafqycc/rknn-cpp-Multithreading 033adb2d README.md: yolov5s with ReLU, 140.9 frames a second."""
    assert 140.8788 in estimate_performance(NETWORK, "rk3588").at_once_per_second


@pytest.mark.parametrize("target", ["rk3566", "am69a", "coral-dev-board", "raspberry-pi-5"])
def test_where_one_core_takes_it_or_nobody_published_more_the_rates_are_one(target: str) -> None:
    found = estimate_performance("mobilenet_v2:int8", target)
    assert (found.at_once, found.at_once_gain.value) == (1, 1)
    assert found.at_once_per_second == found.inferences_per_second


def test_streams_jobs_and_rates_are_held_against_all_cores() -> None:
    one = estimate_performance(NETWORK, "rk3588")
    cameras = estimate_workload(NETWORK, "rk3588", rate_hz=15, streams=6)
    assert cameras.demanded_per_second.value > one.inferences_per_second.high
    assert (cameras.verdict, cameras.at_once, cameras.devices_needed.value) == ("PASS", 3, 1)
    assert cameras.latency_ms == one.latency_ms
    job = estimate_workload(NETWORK, "rk3588", items=1e6)
    assert job.duration_h.value == pytest.approx(1e6 / one.at_once_per_second.value / 3600)
    check = check_constraints(NETWORK, "rk3588", {"rate_hz": 90, "latency_ms": 25})
    rate = next(part for part in check.checks if part.name == "rate")
    assert rate.verdict == "PASS"
    assert "3 at once" in rate.statement
    assert (rate.demand_low, rate.demand, rate.demand_high) == pytest.approx(
        [
            1e3 / end
            for end in (one.at_once_per_second.high, one.at_once_per_second.value, one.at_once_per_second.low)
        ]
    )
    assert check_constraints(NETWORK, "rk3588", {"latency_ms": 1e3 / 90}).verdict == "FAIL"


@pytest.mark.parametrize(
    ("rate", "verdict", "known"), [(20, "PASS", True), (90, "PASS", False), (300, "FAIL", False)]
)
def test_what_several_cores_draw_is_unknown(rate: float, verdict: str, known: bool) -> None:
    found = estimate_energy_budget(NETWORK, "rk3588", rate_hz=rate)
    assert (found.verdict, found.average_power_mw.known) == (verdict, known)
    assert any("several cores" in missing for missing in found.missing) == (rate == 90)
