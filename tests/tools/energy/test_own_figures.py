import pytest

from edgewright.hardware_db.errors import UnknownNameError, UsageError
from edgewright.tools import Load, Quantity, Verdict, add_up_loads, compare_figures
from edgewright.tools.core.quantity import Basis


def test_a_hand_computed_life_of_one_run_a_minute_with_sleep() -> None:
    budget = add_up_loads(
        ["inference=85ms,38mA,1/min", "sleep=6uA"], supply_v=3.3, battery_mah=1200, battery_v=3.3
    )
    run, sleep = budget.loads
    busy = 0.085 / 60
    average_ma = 38 * busy + 0.006 * (1 - busy)
    assert run.energy_uj.value == pytest.approx(85 * 38 * 3.3)
    assert budget.active_share.value == pytest.approx(busy)
    assert budget.average_current_ua.value == pytest.approx(1e3 * average_ma)
    assert budget.average_power_mw.value == pytest.approx(3.3 * average_ma)
    assert budget.charge_day_mah.value == pytest.approx(24 * average_ma)
    assert budget.battery.life_days.value == pytest.approx(1200 / average_ma / 24)
    assert budget.battery.life_days.low == pytest.approx(0.7 * 1200 / average_ma / 24)
    assert run.share.value == pytest.approx(38 * busy / average_ma)
    assert run.share.value + sleep.share.value == pytest.approx(1)
    assert run.energy_uj.basis is Basis.MEASURED


def test_two_networks_in_turn_add_up_to_their_mean_power() -> None:
    budget = add_up_loads(["wake=4ms,20mW,every 100ms", "large=180ms,90mW,30/h"])
    assert budget.average_power_mw.value == pytest.approx(20 * 0.04 + 90 * 0.18 * 30 / 3600)
    assert budget.active_share.value == pytest.approx(0.04 + 0.18 * 30 / 3600)


def test_what_has_no_time_draws_all_the_time_and_what_idles_only_between() -> None:
    budget = add_up_loads(["run=100ms,10mA,1/s", "idle=1mA", "radio=2mA"], supply_v=3)
    assert budget.average_current_ua.value == pytest.approx(1e3 * (10 * 0.1 + 1 * 0.9 + 2))
    assert [load.active_share.value for load in budget.loads] == pytest.approx([0.1, 0.9, 1.0])


def test_energy_and_cost_of_an_office_pc_in_a_month() -> None:
    budget = add_up_loads(["pc=350W"], price_per_kwh=0.32, hours_per_day=8, days_per_month=22)
    assert budget.energy_day_wh.value == pytest.approx(2800)
    assert budget.energy_month_wh.value == pytest.approx(61_600)
    assert budget.cost_month == pytest.approx(61.6 * 0.32)
    assert budget.cost_year == pytest.approx(12 * 61.6 * 0.32)


def test_devices_overhead_and_a_share_of_the_time_multiply() -> None:
    budget = add_up_loads(["server=1.2kW,60%", "idle=300W"], overhead=1.4, devices=2)
    assert budget.average_power_mw.value == pytest.approx(840e3)
    assert budget.energy_day_wh.value == pytest.approx(840 * 24 * 1.4 * 2)


def test_a_power_and_a_rate_without_a_time_are_energy_for_each_piece() -> None:
    budget = add_up_loads(["gpu=310W,900/s"])
    assert budget.loads[0].energy_uj.value == pytest.approx(310 / 900 * 1e6)
    assert budget.average_power_mw.value == pytest.approx(310e3)


def test_the_rate_that_a_budget_allows_is_what_sleep_leaves_over_what_a_run_costs_more() -> None:
    budget = add_up_loads(["run=40ms,60mW", "sleep=50uW"], budget_mw=3)
    rate = (3 - 0.05) / ((60 - 0.05) * 0.04)
    assert budget.allowance.rate_hz.value == pytest.approx(rate)
    assert budget.allowance.period_s.value == pytest.approx(1 / rate)
    again = add_up_loads([f"run=40ms,60mW,{rate}/s", "sleep=50uW"])
    assert again.average_power_mw.value == pytest.approx(3)


def test_a_budget_of_current_needs_no_voltage() -> None:
    budget = add_up_loads(["run=90ms,70mA"], budget_ua=20_000 / 24)
    assert budget.allowance.runs_per_day.value == pytest.approx(20 / (70 * 0.09 / 3600))
    assert budget.allowance.power_mw.value is None
    assert budget.missing == ("the voltage, for energy and power",)


def test_a_generous_budget_is_bound_by_the_time_and_the_headroom() -> None:
    budget = add_up_loads(["run=40ms,60mW"], budget_mw=1e6, headroom=0.2)
    assert budget.allowance.rate_hz.value == pytest.approx(0.8 / 0.04)


def test_a_life_wanted_allows_the_capacity_over_it() -> None:
    budget = add_up_loads(["run=1.5mJ", "sleep=3uA"], battery_mah=225, battery_v=3, life_days=730)
    allowed_ua = 225e3 / (730 * 24)
    assert budget.allowance.current_ua.value == pytest.approx(allowed_ua)
    assert budget.allowance.rate_hz.value == pytest.approx((allowed_ua - 3) * 3e-3 / 1.5)


def test_a_budget_that_sleep_alone_spends_allows_no_run() -> None:
    budget = add_up_loads(["run=40ms,60mW", "sleep=5mW"], budget_mw=3)
    assert budget.verdict is Verdict.FAIL
    assert budget.allowance.rate_hz.value == 0


def test_an_average_above_its_budget_fails_and_one_below_passes() -> None:
    assert add_up_loads(["run=5mW"], budget_mw=3).verdict is Verdict.FAIL
    assert add_up_loads(["run=2mW"], budget_mw=3).verdict is Verdict.PASS


def test_four_cameras_fit_where_six_do_not() -> None:
    assert add_up_loads(["frame=12ms,60/s"]).verdict is Verdict.PASS
    six = add_up_loads(["frame=12ms,90/s"])
    assert six.verdict is Verdict.FAIL
    assert six.active_share.value == pytest.approx(1.08)
    assert six.highest_rate_hz.value == pytest.approx(1e3 / 12)


def test_a_store_holds_so_many_runs_and_a_battery_in_watt_hours_lasts_by_power_alone() -> None:
    assert add_up_loads(["run=1.9mJ"], store_uj=5e6).store_runs.value == pytest.approx(5 / 1.9e-3)
    budget = add_up_loads(["laptop=28W"], battery_wh=60, usable_share=0.8)
    assert budget.battery.life_days.value == pytest.approx(0.8 * 60 / 28 / 24)
    assert budget.battery.life_days.low == budget.battery.life_days.high


def test_an_interval_of_the_energy_reaches_the_life() -> None:
    budget = add_up_loads(["run=1..4mJ,1/s"], battery_mah=100, battery_v=3.7, usable_share=1)
    assert budget.battery.life_days.low == pytest.approx(100 * 3.7 * 3.6 / 4e-3 / 86400, rel=1e-3)
    assert budget.battery.life_days.high == pytest.approx(100 * 3.7 * 3.6 / 1e-3 / 86400, rel=1e-3)


def test_what_is_missing_is_named_and_the_rest_is_computed() -> None:
    budget = add_up_loads(["run=85ms,38mA"])
    assert budget.average_power_mw.value is None
    assert budget.loads[0].energy_uj.value is None
    assert set(budget.missing) == {"how often run runs", "the voltage, for energy and power"}
    assert add_up_loads(["run=85ms,1/s"]).missing == ("what run draws: a power, or a current and a voltage",)
    assert "the voltage of the battery" in add_up_loads(["run=2mW"], battery_mah=100).missing


@pytest.mark.parametrize(
    ("loads", "more"),
    [
        ([], {}), (["run=85"], {}), (["run=85ms,3ms"], {}), (["run=3mA,2mW"], {}), (["run=0ms"], {}),
        (["run=120%,2mW"], {}), (["run=4..1mJ"], {}), (["run=every 3mA"], {}), (["run=2mW"], {"supply_v": 0}),
        (["run=2mW"], {"headroom": 1}), (["run=2mW"], {"hours_per_day": 25}), (["run=2mW"], {"usable_share": 2, "battery": "CR2032"}),
        (["run=2mW"], {"budget_mw": 1, "budget_ua": 1}), (["run=2mW"], {"battery_wh": 1, "battery_mah": 2}),
        (["run=2mW"], {"price_per_kwh": -1}),
    ],
)  # fmt: skip
def test_figures_that_cannot_be_are_refused(loads: list[str], more: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        add_up_loads(loads, **more)


def test_a_battery_of_no_known_name_needs_both_figures() -> None:
    with pytest.raises(UnknownNameError):
        add_up_loads(["run=2mW"], battery="A23")
    assert add_up_loads(["run=2mW"], battery="A23", battery_mah=55, battery_v=12).battery.life_days.known


def test_a_load_made_in_python_is_the_one_that_is_written() -> None:
    power = Quantity.exact(60, "mW", Basis.MEASURED)
    each = Quantity.exact(40, "ms", Basis.MEASURED)
    rate = Quantity.exact(2, "1/s", Basis.MEASURED)
    made = add_up_loads([Load("run", each=each, power=power, rate=rate)])
    assert made == add_up_loads(["run=40ms,60mW,2/s"])


@pytest.mark.parametrize(
    ("measured", "inside", "beyond"),
    [(41, True, None), (42, True, None), (44, False, 44 / 42), (9.5, False, 0.5)],
)
def test_a_measurement_inside_and_outside_of_an_interval(
    measured: float, inside: bool, beyond: float | None
) -> None:
    found = compare_figures(measured, 28, unit="ms", low=19, high=42)
    assert found.inside is inside
    assert found.ratio.value == pytest.approx(measured / 28)
    assert found.beyond.value == (None if beyond is None else pytest.approx(beyond))


def test_before_and_after_are_a_ratio_and_a_change() -> None:
    found = compare_figures(17.9, 26.5, unit="ms")
    assert found.change.value == pytest.approx(17.9 / 26.5 - 1)
    assert found.inside is None


def test_a_comparison_with_nothing_or_upside_down_is_refused() -> None:
    for more in ({}, {"low": 3.0}, {"low": 4.0, "high": 3.0}, {"against": 0.0}):
        with pytest.raises(UsageError):
            compare_figures(3, **more)


@pytest.mark.parametrize(
    ("loads", "budget_mw"),
    [(["run=85ms"], None), (["run=85ms,38mA,1/s", "cam=200ms,50mA"], None), (["run=85ms,1/min"], 3.0),
     (["run=85ms,38mA,1/min", "radio=10ms,2/s"], 3.0)],
)  # fmt: skip
def test_nothing_passes_by_a_figure_that_is_not_known(loads: list[str], budget_mw: float | None) -> None:
    found = add_up_loads(loads, budget_mw=budget_mw, supply_v=3.3)
    assert found.average_power_mw.value is None
    assert found.verdict is Verdict.UNKNOWN


def test_a_time_whose_rate_is_open_leaves_the_highest_rate_of_another_open() -> None:
    assert add_up_loads(["run=85ms,1/s", "cam=200ms"]).highest_rate_hz.value is None
    assert add_up_loads(["run=85ms,1/s", "cam=200ms,2/s"]).highest_rate_hz.value == pytest.approx(0.6 / 0.085)


def test_where_only_the_energy_of_a_run_is_told_its_time_is_not_known_and_said_so() -> None:
    found = add_up_loads(["run=2mJ,1/s", "sleep=60uW"])
    assert found.active_share.value is None
    assert found.average_power_mw.value == pytest.approx(2.06)
    assert any("how long a run takes is not known" in note for note in found.assumptions)


def test_on_for_six_hours_a_day_lasts_four_times_as_long_but_for_its_sleep() -> None:
    how = {"supply_v": 3.0, "battery_mah": 1000.0, "battery_v": 3.0}
    always, six = (add_up_loads(["run=3mW"], **how, hours_per_day=hours) for hours in (24, 6))
    asleep = add_up_loads(["run=3mW", "idle=3mW"], **how, hours_per_day=6)
    assert float(six.battery.life_days) == pytest.approx(4 * float(always.battery.life_days))
    assert float(asleep.battery.life_days) < float(six.battery.life_days)
