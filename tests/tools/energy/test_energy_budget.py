from itertools import pairwise

import pytest

from edgewright.hardware_db.errors import UnknownNameError, UsageError
from edgewright.tools import Verdict, deployment, estimate_energy_budget, estimate_performance
from edgewright.tools.core.intervals import product, share_of, total
from edgewright.tools.core.quantity import Basis, Quantity
from edgewright.tools.energy.cell import cell
from edgewright.tools.energy.draw import board, charge_of, days

L4 = "stm32l4r5zi"


def exact(value: float, unit: str) -> Quantity:
    return Quantity.exact(value, unit)


def test_a_hand_computed_budget_of_one_inference_in_ten_seconds() -> None:
    place = deployment(L4, clock_mhz=120)
    one = estimate_performance("kws", place)
    budget = estimate_energy_budget(
        "kws", place, period_s=10, battery_mah=220, battery_v=1.8, sleep_ua=10, wakeup_us=500
    )
    duty = (one.latency_ms.value + 0.5) / 10_000
    compute_mw = (one.energy_uj.value + one.power_mw.value * 0.5) / 10_000
    sleep_mw = 10e-3 * 1.8 * (1 - duty)
    assert budget.verdict is Verdict.PASS
    assert budget.rate_hz == pytest.approx(0.1)
    assert budget.active_share.value == pytest.approx(duty)
    assert budget.wakeup_uj.value == pytest.approx(one.power_mw.value * 0.5)
    assert budget.compute_power_mw.value == pytest.approx(compute_mw)
    assert budget.average_power_mw.value == pytest.approx(compute_mw + sleep_mw)
    assert budget.sleep_share.value == pytest.approx(sleep_mw / (compute_mw + sleep_mw))
    a_day = (compute_mw + sleep_mw) / 1.8 * 24
    assert budget.charge_mah.value == pytest.approx(a_day)
    assert budget.battery.life_days.value == pytest.approx(220 / a_day)


def test_energy_is_power_times_time_awake() -> None:
    budget = estimate_energy_budget("kws", L4, rate_hz=1)
    assert budget.energy_uj.value == pytest.approx(budget.power.power_mw.value * budget.latency_ms.value)
    assert budget.compute_power_mw.value == pytest.approx(
        budget.power.power_mw.value * budget.active_share.value
    )


def test_the_two_parts_of_the_power_add_up() -> None:
    split = estimate_energy_budget("kws", L4, rate_hz=1).power
    assert split.dynamic_mw.value + split.static_mw.value == pytest.approx(split.power_mw.value)
    assert split.supply_v == 1.8
    assert "assumed" in split.origin
    assert split.static_mw.basis is Basis.ASSUMED


def test_ten_a_second_cannot_be_reached_where_one_inference_takes_longer_than_the_period() -> None:
    budget = estimate_energy_budget("vww", "nrf52840", rate_hz=10, battery="CR2032")
    assert budget.latency_ms.value > 100
    assert budget.verdict is Verdict.FAIL
    assert budget.gap_ms.value == pytest.approx(budget.latency_ms.value - 100)
    assert budget.battery.life_days.value is None
    assert budget.average_power_mw.value is None
    assert "cannot be reached" in budget.statement


def test_where_the_rate_is_out_of_reach_the_life_of_nonstop_computing_is_still_told() -> None:
    budget = estimate_energy_budget("vww", L4, rate_hz=100, battery="CR2032", sleep_ua=1)
    assert budget.verdict is Verdict.FAIL
    nonstop = estimate_energy_budget("vww", L4, battery="CR2032", sleep_ua=1)
    assert budget.battery.nonstop_days.value == pytest.approx(nonstop.battery.life_days.value)
    assert nonstop.active_share.value == 1
    assert nonstop.sleep_share.value == 0


def test_an_unknown_sleep_current_leaves_the_life_unknown_and_says_what_to_give() -> None:
    budget = estimate_energy_budget("kws", "stm32g0b1re", rate_hz=0.1, battery="CR2032")
    assert budget.sleep_current_ua.value is None
    assert budget.average_power_mw.value is None
    assert budget.sleep_share.value is None
    assert budget.battery.life_days == Quantity.unknown("days")
    assert any("sleep_ua" in text for text in budget.missing)
    given = estimate_energy_budget("kws", "stm32g0b1re", rate_hz=0.1, battery="CR2032", sleep_ua=2)
    assert given.missing == ()
    assert given.battery.life_days.value < budget.battery.most_days.value


def test_a_cited_sleep_current_is_taken_with_its_source() -> None:
    budget = estimate_energy_budget("kws", "stm32u5a5zj", rate_hz=0.1)
    assert budget.sleep_current_ua.value == 8.2
    assert budget.sleep_current_ua.basis is Basis.DATASHEET
    assert any("sleep current: Zephyr board documentation" in text for text in budget.stands_on)


def test_no_sleep_current_is_needed_where_it_never_sleeps() -> None:
    budget = estimate_energy_budget("kws", L4, battery="CR2032")
    assert budget.missing == ()
    assert budget.battery.life_days.value == pytest.approx(budget.battery.nonstop_days.value)


def test_wakeups_that_were_not_given_are_left_out_and_unknown() -> None:
    budget = estimate_energy_budget("kws", L4, rate_hz=1)
    assert budget.wakeup_uj.value is None
    assert any("wakeup_us" in text for text in budget.assumptions)


def test_a_slower_rate_and_a_deeper_sleep_make_a_battery_last_longer() -> None:
    def life(rate: float, sleep: float) -> float:
        budget = estimate_energy_budget("kws", L4, rate_hz=rate, battery="CR2032", sleep_ua=sleep)
        return budget.battery.life_days.value

    lives = [life(rate, 5) for rate in (2, 1, 0.1, 0.01)]
    assert all(shorter < longer for shorter, longer in pairwise(lives))
    assert life(0.01, 50) < life(0.01, 5)


def test_self_discharge_alone_empties_a_lithium_cell() -> None:
    source = cell("18650", None, None)
    assert source.capacity_mah.value == 2450
    assert source.nominal_v.value == 3.6
    assert source.self_discharge_share.value == pytest.approx(0.3)
    assert days(source, exact(0, "mAh")).value == pytest.approx(365.25 / 0.3)


def test_what_a_cell_loses_by_itself_is_told_beside_what_is_drawn() -> None:
    rare = estimate_energy_budget("kws", "nrf52840", rate_hz=1 / 600, battery="18650")
    often = estimate_energy_budget("kws", "nrf52840", rate_hz=1, battery="18650")
    assert rare.battery.leak_share.value > 0.9 > 0.2 > often.battery.leak_share.value
    drawn = rare.charge_mah.value + rare.battery.leak_share.value * 2450 / rare.battery.life_days.value
    assert drawn == pytest.approx(2450 / rare.battery.life_days.value)
    unknown = estimate_energy_budget("kws", "nrf52840", rate_hz=1, battery_mah=500, battery_v=3)
    assert unknown.battery.leak_share.value is None


def test_a_cell_below_half_of_the_supply_is_lifted_where_no_source_tells_the_least() -> None:
    one = estimate_energy_budget("vww", "rp2350", rate_hz=2, battery="AA")
    assert one.regulator_efficiency == 1
    watt_hours = 2.5 * 1.5
    least = watt_hours / (one.average_power_mw.value / 1e3) / 24
    assert one.battery.life_days.value == pytest.approx(least, rel=0.01)
    assert estimate_energy_budget("vww", "rp2350", rate_hz=2, battery="2x AA").regulator_efficiency is None


@pytest.mark.parametrize("target", ["apollo3", "apollo4-plus", "apollo510"])
def test_chips_made_for_little_power_have_their_power_and_their_sleep(target: str) -> None:
    budget = estimate_energy_budget("kws", target, rate_hz=1, battery="CR2032")
    assert budget.missing == ()
    assert 1 < budget.power.power_mw.value < 30
    assert budget.battery.life_days.value > 20


def test_a_capacity_in_the_name_or_beside_it_is_the_users() -> None:
    for source in (
        cell("LiPo 500 mAh", None, None),
        cell("li-po", 500, None),
        cell("LiPo 0.5Ah", None, None),
    ):
        assert source.capacity_mah.value == 500
        assert source.nominal_v.value == 3.8


def test_sources_that_disagree_widen_the_capacity() -> None:
    capacity = cell("cr 2032", None, None).capacity_mah
    assert (capacity.value, capacity.high) == (220, 240)
    assert capacity.low == pytest.approx(0.7 * 220)


def test_a_battery_without_cited_figures_asks_for_them() -> None:
    with pytest.raises(UnknownNameError) as caught:
        estimate_energy_budget("kws", L4, rate_hz=1, battery="A23")
    assert "capacity" in caught.value.hint
    own = estimate_energy_budget(
        "kws", L4, rate_hz=1, battery="A23", battery_mah=55, battery_v=12, sleep_ua=1
    )
    assert own.battery.battery == "A23"
    assert own.battery.life_days.value > 0
    with pytest.raises(UsageError, match="every size"):
        cell("lipo", None, None)


def test_a_battery_above_the_supply_is_worth_more_behind_a_converter() -> None:
    source = cell(None, 1000, 3.6)
    charge = charge_of(exact(18, "mW"), 1.8, source)
    assert charge.value == pytest.approx(10 * 24)
    assert charge.low == pytest.approx(5 * 24)


@pytest.mark.parametrize(
    "asked",
    [
        {"rate_hz": 1, "period_s": 1}, {"rate_hz": 0}, {"period_s": -1}, {"rate_hz": 1, "sleep_ua": -1},
        {"battery_mah": 0.0, "battery_v": 3}, {"rate_hz": float("inf")},
    ],
)  # fmt: skip
def test_impossible_figures_are_refused(asked: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        estimate_energy_budget("kws", L4, **asked)


def test_an_unknown_power_stays_unknown() -> None:
    budget = estimate_energy_budget("kws", "nrf52840", rate_hz=0.1, battery="CR2032", sleep_ua=2)
    if budget.power.power_mw.value is not None:
        pytest.skip("the power of the nRF52840 is known")
    assert budget.energy_uj.value is None
    assert budget.battery.life_days.value is None
    assert any("power" in text for text in budget.missing)


def test_products_add_relative_widths_in_squares_and_sums_add_them() -> None:
    figure = Quantity.within_factor(10, 2, "mW", Basis.FITTED)
    assert product("x", (figure, 1), (exact(3, "s"), 1)).high == pytest.approx(60)
    assert product("x", (figure, 1), (figure, -1)).high == pytest.approx(2 ** (2**0.5))
    assert total("mW", figure, figure).low == pytest.approx(10)
    assert total("mW", figure, Quantity.unknown("mW")).value is None
    assert share_of(exact(1, "mW"), exact(3, "mW")).value == pytest.approx(0.25)


def test_behind_a_regulator_the_battery_gives_the_power_over_its_efficiency() -> None:
    lithium = cell(None, 1000, 3.6)
    charge = charge_of(exact(18, "mW"), 1.8, lithium, board({"regulator_efficiency": 0.8}))
    assert charge.value == pytest.approx(18 / 0.8 / 3.6 * 24)
    assert charge.low == charge.value == charge.high


def test_a_sensor_draws_all_the_time_at_the_supply() -> None:
    without = estimate_energy_budget("kws", "nrf52840", rate_hz=1)
    with_it = estimate_energy_budget("kws", "nrf52840", rate_hz=1, sensor_ua=200.0)
    assert with_it.sensor_power_mw.value == pytest.approx(0.2 * 3.0)
    assert float(with_it.average_power_mw) == pytest.approx(float(without.average_power_mw) + 0.6)
    assert float(with_it.charge_mah) == pytest.approx(float(without.charge_mah) + 0.2 * 24)


def test_in_use_for_a_quarter_of_the_day_it_computes_and_senses_a_quarter_as_much() -> None:
    how = {"rate_hz": 1, "sensor_mw": 2.0, "sleep_ua": 0.0}
    always = estimate_energy_budget("kws", "nrf52840", **how)
    quarter = estimate_energy_budget("kws", "nrf52840", **how, hours_per_day=6)
    assert float(quarter.average_power_mw) == pytest.approx(float(always.average_power_mw) / 4)
    assert float(quarter.active_share) == pytest.approx(float(always.active_share) / 4)
    assert quarter.sensor_power_mw.value == pytest.approx(0.5)
    with pytest.raises(UsageError, match="hours_per_day"):
        estimate_energy_budget("kws", "nrf52840", rate_hz=1, hours_per_day=25)


def test_a_battery_by_its_energy_lasts_as_one_by_its_charge_at_its_voltage() -> None:
    by_charge, by_energy = (
        estimate_energy_budget("kws", "nrf52840", rate_hz=1, battery_v=3.6, **held)
        for held in ({"battery_mah": 1000}, {"battery_wh": 3.6})
    )
    assert by_charge.battery is not None
    assert by_energy.battery is not None
    assert float(by_energy.battery.life_days) == pytest.approx(float(by_charge.battery.life_days))


def test_a_battery_that_leaks_as_much_as_is_drawn_lasts_half_as_long() -> None:
    kept = estimate_energy_budget(
        "kws", "nrf52840", rate_hz=0.001, battery="CR2032", self_discharge_per_month=0
    )
    assert kept.battery is not None
    drawn_a_month = float(kept.charge_mah) * 365.25 / 12
    leaking = estimate_energy_budget(
        "kws", "nrf52840", rate_hz=0.001, battery="CR2032", self_discharge_per_month=drawn_a_month / 220
    )
    assert leaking.battery is not None
    assert float(leaking.battery.life_days) == pytest.approx(float(kept.battery.life_days) / 2, rel=1e-3)
    assert not any(line.startswith("self-discharge") for line in leaking.assumptions)


@pytest.mark.parametrize(
    "wrong",
    [
        {"regulator_efficiency": 0}, {"regulator_efficiency": 1.2}, {"sensor_ua": -1}, {"sensr_ua": 1},
        {"self_discharge_per_month": 1.5}, {"self_discharge_per_month": 0.1},
    ],
)  # fmt: skip
def test_a_power_path_that_cannot_be_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        estimate_energy_budget("kws", "nrf52840", rate_hz=1, **wrong)


def test_a_board_that_does_not_sleep_draws_its_idle_power_between_inferences() -> None:
    budget = estimate_energy_budget("kws", "raspberry-pi-zero-2w", rate_hz=4)
    idle_mw = budget.sleep_power_mw.value * (1 - budget.active_share.value)
    assert budget.rests == "idle"
    assert budget.average_power_mw.value == pytest.approx(budget.compute_power_mw.value + idle_mw)
    assert budget.sleep_share.value > 0.9


def test_a_board_whose_idle_power_nobody_gives_has_no_average() -> None:
    budget = estimate_energy_budget("kws", "jetson-agx-orin-64gb", rate_hz=4)
    assert budget.rests == ""
    assert budget.compute_power_mw.known
    assert not budget.average_power_mw.known
    assert any("draws idle" in each for each in budget.missing)


def test_a_sleep_current_that_is_given_goes_before_what_a_board_draws_idle() -> None:
    budget = estimate_energy_budget("kws", "raspberry-pi-zero-2w", rate_hz=4, sleep_ua=100, battery="18650")
    assert budget.rests == "asleep"
    assert budget.sleep_current_ua.value == 100
