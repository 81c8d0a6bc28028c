from itertools import pairwise

import pytest

from edgewright.hardware_db import load_target
from edgewright.hardware_db.coefficients import PowerPoint, load_coefficients
from edgewright.hardware_db.errors import UsageError
from edgewright.tools import Limits, deployment, estimate_performance, sweep_frequency
from edgewright.tools.core.deployment import Deployment
from edgewright.tools.core.quantity import Basis
from edgewright.tools.cost_model.hierarchy import processor_of
from edgewright.tools.cost_model.power import _law, active_power

L4 = "stm32l4r5zi"


@pytest.mark.parametrize("target", [L4, "stm32u575zi", "gap9", "stm32h7a3zi"])
def test_energy_is_power_times_time_in_every_row(target: str) -> None:
    for step in sweep_frequency("kws", target).steps:
        assert step.energy_uj.value == pytest.approx(step.power_mw.value * step.latency_ms.value)
        assert step.static_uj.value == pytest.approx(step.static_mw.value * step.latency_ms.value)
        assert step.energy_delay.value == pytest.approx(step.energy_uj.value * step.latency_ms.value / 1e3)
        assert 0 < step.static_mw.value < step.power_mw.value


@pytest.mark.parametrize("target", [L4, "stm32u575zi", "gap9", "stm32h7a3zi"])
def test_a_faster_clock_never_takes_longer_nor_draws_less(target: str) -> None:
    steps = sweep_frequency("kws", target).steps
    assert len(steps) == 8
    for slow, fast in pairwise(steps):
        assert slow.clock_mhz < fast.clock_mhz
        assert slow.latency_ms.value >= fast.latency_ms.value
        assert slow.power_mw.value < fast.power_mw.value


def test_static_energy_grows_with_the_time_of_a_slow_clock() -> None:
    steps = sweep_frequency("kws", L4, [24, 120]).steps
    assert steps[0].static_mw.value == pytest.approx(steps[1].static_mw.value)
    ratio = steps[0].latency_ms.value / steps[1].latency_ms.value
    assert steps[0].static_uj.value == pytest.approx(ratio * steps[1].static_uj.value)


def test_a_step_is_the_estimate_at_that_clock() -> None:
    step = sweep_frequency("kws", L4, [48]).steps[0]
    one = estimate_performance("kws", deployment(L4, clock_mhz=48))
    assert (step.latency_ms, step.power_mw, step.energy_uj) == (one.latency_ms, one.power_mw, one.energy_uj)


def test_the_best_clocks_have_the_least_of_all_steps() -> None:
    sweep = sweep_frequency("kws", "gap9")
    least = min(sweep.steps, key=lambda step: step.energy_uj.value)
    fastest = min(sweep.steps, key=lambda step: step.energy_delay.value)
    assert sweep.best_energy_mhz == least.clock_mhz
    assert sweep.best_energy_delay_mhz == fastest.clock_mhz


def test_where_the_core_voltage_rises_with_the_clock_the_highest_is_not_the_most_frugal() -> None:
    sweep = sweep_frequency("kws", "gap9", [240, 370])
    assert sweep.best_energy_mhz == 240
    assert "voltage rises" in sweep.power_origin


def test_the_lowest_clock_just_meets_the_latency() -> None:
    sweep = sweep_frequency("kws", L4, limits=Limits(latency_ms=200))
    lowest = sweep.lowest_clock_mhz
    at_lowest = estimate_performance("kws", deployment(L4, clock_mhz=lowest.value))
    assert 0.995 * 200 < at_lowest.latency_ms.value <= 200
    at_high = estimate_performance("kws", deployment(L4, clock_mhz=lowest.high))
    assert at_high.latency_ms.high == pytest.approx(200, rel=5e-3)
    assert [step.meets_limits for step in sweep.steps] == [
        step.latency_ms.value <= 200 for step in sweep.steps
    ]


def test_no_clock_is_named_where_even_the_highest_is_too_slow() -> None:
    sweep = sweep_frequency("vww", L4, limits=Limits(latency_ms=1))
    assert sweep.lowest_clock_mhz.value is None
    assert sweep.best_energy_mhz is None
    assert any("limits" in text for text in sweep.warnings)


def test_where_any_clock_is_fast_enough_it_says_that_the_search_ended() -> None:
    sweep = sweep_frequency("kws", L4, limits=Limits(latency_ms=1e6))
    assert sweep.lowest_clock_mhz.value == pytest.approx(1.2)
    assert any("not known" in text for text in sweep.warnings)


def test_memory_of_fixed_bandwidth_is_told_not_to_scale() -> None:
    for target in ("a100-sxm4-80gb", "stm32l4r5zi"):
        sweep = sweep_frequency("kws", target)
        assert bool(sweep.unscaled) == (target == "a100-sxm4-80gb")


def test_a_rated_board_power_names_no_best_clock() -> None:
    sweep = sweep_frequency("resnet50:float16", "a100-sxm4-80gb")
    assert sweep.best_energy_mhz is None
    assert any("rated power" in text for text in sweep.warnings)


@pytest.mark.parametrize("clocks", [[], [0.0], [-4.0], [121.0]])
def test_impossible_clocks_are_refused(clocks: list[float]) -> None:
    with pytest.raises(UsageError):
        sweep_frequency("kws", L4, clocks)


def on_kind(target: str, kind: str) -> Deployment:
    """With the first runtime that computes on such a processor."""
    places = (deployment(target, runtime) for runtime in load_target(target).runtimes)
    return next(place for place in places if processor_of(place)[0] == kind)


def test_power_at_a_measured_clock_is_the_measurement() -> None:
    for fitted in load_coefficients().power:
        for point in fitted.points:
            if point.supply_v != fitted.supply_v:
                continue
            place = on_kind(fitted.target, fitted.kind).model_copy(update={"clock_mhz": point.clock_mhz})
            power = active_power(place)
            assert power.milliwatts.value == pytest.approx(point.milliwatts), fitted.target
            assert power.milliwatts.basis is Basis.FITTED


def test_power_measured_on_an_accelerator_says_nothing_of_the_core_beside_it() -> None:
    assert active_power(deployment("efr32mg24", "tflm-mvp")).milliwatts.basis is Basis.FITTED
    assert active_power(deployment("efr32mg24", "tflm-cmsis-nn")).milliwatts.basis is not Basis.FITTED


def test_power_at_another_supply_is_the_measurement_there_or_goes_with_the_voltage() -> None:
    measured = active_power(deployment(L4), supply_v=3.0)
    assert measured.milliwatts.basis is Basis.FITTED
    low = active_power(deployment("stm32u575zi"))
    scaled = active_power(deployment("stm32u575zi"), supply_v=3.6)
    assert scaled.milliwatts.value == pytest.approx(2 * low.milliwatts.value)
    assert scaled.milliwatts.low == pytest.approx(low.milliwatts.low)
    assert scaled.milliwatts.high == pytest.approx(4 * low.milliwatts.high)
    assert scaled.milliwatts.basis is Basis.ASSUMED


def test_two_clocks_at_one_voltage_give_the_static_part() -> None:
    points = [
        PowerPoint(clock_mhz=mhz, supply_v=1.8, milliwatts=4 + 0.1 * mhz, interval_factor=1.1, rows=3)
        for mhz in (20.0, 80.0)
    ]
    power = _law(points, 40.0, points[0]).power(40.0, 1.1, Basis.FITTED, "told", 1.8)
    assert power.milliwatts.value == pytest.approx(8)
    assert power.static_mw.value == pytest.approx(4)
    assert power.static_mw.basis is Basis.FITTED


def test_away_from_the_measured_clock_the_interval_widens() -> None:
    near, far = (active_power(deployment(L4, clock_mhz=mhz)).milliwatts for mhz in (120, 12))
    assert far.high / far.low > near.high / near.low
