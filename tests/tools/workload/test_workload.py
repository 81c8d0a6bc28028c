import math

import pytest

from edgewright.hardware_db.errors import UsageError
from edgewright.tools import (
    Verdict,
    deployment,
    estimate_energy_budget,
    estimate_performance,
    estimate_workload,
    get_target,
)
from edgewright.tools.core.numbers import written
from edgewright.tools.core.paths import resolve

L4, ORIN = "stm32l4r5zi", "jetson-orin-nano"


def test_streams_events_and_inferences_of_each_multiply() -> None:
    found = estimate_workload("mobilenet_v2", ORIN, rate_hz=10, streams=3, per_event=5)
    assert found.demanded_per_second.value == 150
    assert found.load.value == pytest.approx(150 / found.inferences_per_second.value)
    assert found.streams_served.value == math.floor(found.inferences_per_second.value / 50)


def test_what_one_cannot_do_takes_as_many_as_the_load_says() -> None:
    one = estimate_performance("vww", L4)
    rate = 2.5 * one.inferences_per_second.value
    found = estimate_workload("vww", L4, rate_hz=rate)
    assert (found.verdict, found.devices_needed.value) == (Verdict.FAIL, 3)
    assert found.devices_needed.high == math.ceil(rate / one.inferences_per_second.low)
    assert estimate_workload("vww", L4, rate_hz=rate, devices=3).load.value == pytest.approx(2.5 / 3)


def test_a_job_takes_its_pieces_times_the_time_of_each() -> None:
    place = deployment("t4", batch=32)
    one, found = estimate_performance("resnet50", place), estimate_workload("resnet50", place, items=1e6)
    assert found.duration_h.value == pytest.approx(1e6 / 32 * one.latency_ms.value / 3.6e6)
    halved = estimate_workload("resnet50", place, items=1e6, devices=2)
    assert halved.duration_h.value == pytest.approx(found.duration_h.value / 2)
    assert halved.energy_wh.value == pytest.approx(found.energy_wh.value)


@pytest.mark.parametrize(
    ("share", "verdict"), [(2.0, Verdict.PASS), (1.05, Verdict.MARGINAL), (0.5, Verdict.FAIL)]
)
def test_a_job_is_judged_by_the_time_there_is(share: float, verdict: Verdict) -> None:
    takes = estimate_workload("resnet50", "t4", items=1e6).duration_h.value
    assert estimate_workload("resnet50", "t4", items=1e6, within_h=share * takes).verdict is verdict


def test_rent_is_hours_and_electricity_is_energy() -> None:
    found = estimate_workload("resnet50", "t4", items=1e6, price_per_hour=0.35, price_per_kwh=0.3)
    assert found.cost_rent.value == pytest.approx(0.35 * found.duration_h.value)
    assert found.cost_energy.value == pytest.approx(0.3 * found.energy_wh.value / 1e3)
    both = found.cost_rent.value + found.cost_energy.value
    assert found.cost_per_million.value == pytest.approx(both)
    assert found.per_currency.value == pytest.approx(1e6 / both)


def test_a_period_counts_what_is_drawn_between_the_runs() -> None:
    mean = estimate_energy_budget("yolov8n", "raspberry-pi-5", rate_hz=0.1).average_power_mw
    found = estimate_workload("yolov8n", "raspberry-pi-5", rate_hz=0.1, days=30, price_per_kwh=0.3)
    assert found.energy_wh.value == pytest.approx(mean.value / 1e3 * 720)
    assert found.items == 0.1 * 720 * 3600
    days_only = estimate_workload("yolov8n", "raspberry-pi-5", rate_hz=0.1, days=30, hours_per_day=8)
    assert days_only.period_h == 240
    assert written(resolve("period_h", days_only)) == "240 h"


def test_as_many_devices_as_a_rate_needs_are_rented() -> None:
    one = estimate_performance("resnet50", "t4").inferences_per_second.value
    found = estimate_workload("resnet50", "t4", rate_hz=1.5 * one, days=1, price_per_hour=1.0)
    assert found.cost_rent.value == pytest.approx(48)


def test_buying_pays_off_after_its_price_in_rent_less_electricity() -> None:
    found = estimate_workload("resnet50", "t4", device_price=700, price_per_hour=0.35)
    assert found.pays_off_h.value == pytest.approx(2000)
    watts = estimate_performance("resnet50", "t4").power_mw.value / 1e3
    dear = estimate_workload("resnet50", "t4", device_price=700, price_per_hour=0.35, price_per_kwh=0.3)
    assert dear.pays_off_h.value == pytest.approx(700 / (0.35 - 0.3 * watts / 1e3))
    never = estimate_workload("resnet50", "t4", device_price=700, price_per_hour=0.01, price_per_kwh=1.0)
    assert not never.pays_off_h.known


def test_the_price_of_the_target_is_its_cited_one_and_unknown_unless_asked_for() -> None:
    assert not estimate_workload("vww", "esp32-s3").cost_devices.known
    found = estimate_workload("vww", "esp32-s3", devices=500, buys=True)
    assert found.cost_devices.value == pytest.approx(500 * get_target("esp32-s3").price_usd)
    assert any(line.startswith("price: ") for line in found.stands_on)


def test_the_rent_is_a_listed_one_with_its_provider_and_date_and_unknown_unless_asked_for() -> None:
    assert not estimate_workload("resnet50", "t4", days=30).cost_rent.known
    listed = get_target("t4").rents[0]
    found = estimate_workload("resnet50", "t4", days=30, rents=True)
    assert found.cost_rent.value == pytest.approx(720 * listed.hour_usd)
    assert found.rent_per_hour.basis == "datasheet"
    (note,) = [line for line in found.stands_on if line.startswith("rent: ")]
    assert listed.provider in note
    assert listed.date in note


def test_the_users_own_rent_goes_before_a_listed_one() -> None:
    found = estimate_workload("resnet50", "t4", days=1, price_per_hour=1.0, rents=True)
    assert found.cost_rent.value == pytest.approx(24)
    assert not any(line.startswith("rent: ") for line in found.stands_on)


def test_what_no_cloud_lists_has_no_rent_and_says_so() -> None:
    found = estimate_workload("kws", "stm32h743zi", days=1, rents=True)
    assert not found.cost_rent.known
    assert any("no list price" in line for line in found.missing)


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"rate_hz": 1, "items": 5}, "rate and a job"), ({"within_h": 2}, "no job"), ({"rate_hz": -1}, "rate_hz"),
        ({"items": float("inf")}, "items"), ({"streams": 0}, "streams"), ({"hours_per_day": 25}, "hours_per_day"),
        ({"overhead": 0.5}, "overhead"), ({"price_per_kwh": -1}, "price_per_kwh"), ({"price": 3}, "no price"),
        ({"items": 5, "streams": 2}, "no streams"), ({"rate_hz": 1e-30}, "rate_hz"), ({"days": 1e-30}, "days"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_by_name(asked: dict[str, float], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        estimate_workload("kws", L4, **asked)


def test_what_is_not_known_stays_unknown() -> None:
    found = estimate_workload("kws", "stm32g0b1re", rate_hz=1, days=1, price_per_kwh=1)
    assert not found.cost_energy.known
    assert found.missing


def test_what_does_not_fit_does_no_work() -> None:
    found = estimate_workload("resnet50", "nrf52840", rate_hz=0.001)
    assert found.verdict is Verdict.FAIL
    assert found.statement.startswith("it does not fit: arena takes")
    assert not any(one.known for one in (found.load, found.devices_needed, found.inferences_per_second))


def test_hours_of_use_are_assumed_to_switch_it_off() -> None:
    assert "switched off outside its hours of use" in _notes(hours_per_day=8)
    assert "switched off outside its hours of use" not in _notes(hours_per_day=24)


def _notes(**terms: float) -> tuple[str, ...]:
    return estimate_workload("kws", "nrf52840", rate_hz=1, days=10, price_per_kwh=0, **terms).assumptions


def test_sites_multiply_what_is_of_all_of_them_and_not_what_is_of_one() -> None:
    place = deployment("jetson-orin-nano", batch=4)
    given = {"rate_hz": 12, "streams": 32, "days": 365, "price_per_kwh": 0.3, "buys": True}
    one = estimate_workload("yolov8s", place, **given)
    all_of_them = estimate_workload("yolov8s", place, sites=7, **given)
    assert one.devices_needed.value > 1
    for name in ("load", "devices_needed", "average_power_mw", "streams_served"):
        assert getattr(all_of_them, name).value == getattr(one, name).value
    for name in (
        "devices_in_all",
        "power_in_all_mw",
        "energy_wh",
        "cost_energy",
        "cost_devices",
        "cost_in_all",
    ):
        assert getattr(all_of_them, name).value == pytest.approx(7 * getattr(one, name).value)
    assert one.cost_devices.value == one.devices_needed.value * get_target("jetson-orin-nano").price_usd
    assert one.cost_in_all.value == pytest.approx(one.cost_devices.value + one.cost_energy.value)


def test_what_is_drawn_between_the_runs_is_unknown_and_computing_alone_is_not() -> None:
    found = estimate_workload("yolov8n", "rtx-4060", rate_hz=15, streams=16, days=30)
    each = estimate_performance("yolov8n", "rtx-4060").energy_uj.value
    assert not found.energy_wh.known
    assert not found.power_in_all_mw.known
    assert found.computing_in_all_mw.value == pytest.approx(each * 240 / 1e3)
    assert found.computing_wh.value == pytest.approx(each * 240 / 1e6 * 720)


def test_a_job_has_no_sites() -> None:
    with pytest.raises(UsageError, match="no sites"):
        estimate_workload("resnet50", "t4", items=1e6, sites=2)
