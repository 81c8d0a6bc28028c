"""What a life that is wanted leaves for all that is not counted, and what else ends a battery."""

from __future__ import annotations

import pytest

from edgewright.tools import estimate_energy_budget
from edgewright.tools.energy.energy_budget import BatteryLife


def life(target: str, rate_hz: float, battery: str, **more: float) -> BatteryLife:
    found = estimate_energy_budget("kws", target, rate_hz=rate_hz, battery=battery, **more).battery
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("target", "rate_hz", "battery", "wanted"),
    [
        ("esp32-s3", 2 / 60, "LiPo 3000 mAh", 180),
        ("stm32l4r5zi", 0.1, "2x AA", 200),
        ("stm32l4r5zi", 1 / 600, "2x AA", None),
        ("nrf52840", 0.1, "CR2450", None),
    ],
)
def test_what_is_left_brings_the_life_to_what_it_is_told_for(
    target: str, rate_hz: float, battery: str, wanted: float | None
) -> None:
    terms = {"life_days": float(wanted)} if wanted else {}
    told = life(target, rate_hz, battery, **terms)
    spent = life(target, rate_hz, battery, sensor_ua=float(told.spare_ua))
    assert float(spent.life_days) == pytest.approx(told.held_days, rel=0.01)
    assert told.held_days == wanted or wanted is None


def test_the_current_told_and_the_charge_make_the_life() -> None:
    told = life("stm32l4r5zi", 0.1, "CR2032")
    days = float(told.capacity_mah) * 1e3 / float(told.drawn_ua) / 24
    assert float(told.life_days) == pytest.approx(days, rel=0.01)


def test_a_life_that_cannot_be_leaves_nothing() -> None:
    told = life("nrf52840", 1, "CR2450", life_days=365)
    assert told.spare_ua.value == 0
    assert float(told.allowed_ua) < float(told.drawn_ua)


def test_beyond_its_shelf_life_a_cell_is_held_against_that() -> None:
    told = life("stm32l4r5zi", 1e-4, "2x AA")
    assert float(told.life_days) > float(told.shelf_days)
    assert told.held_days == told.shelf_days.value


@pytest.mark.parametrize(
    ("target", "more", "known"),
    [("esp32-s3", {}, True), ("esp32-s3", {"sleep_ua": 300}, False), ("nrf52840", {}, False)],
)
def test_deep_sleep_is_credited_where_a_source_has_it(
    target: str, more: dict[str, float], known: bool
) -> None:
    told = life(target, 1 / 600, "LiPo 1000 mAh", **more)
    assert told.deep_days.known is known
    if known:
        assert told.deep_days > told.life_days


def test_a_coin_cell_has_a_most_that_it_gives_in_pulses() -> None:
    told = life("stm32l4r5zi", 0.1, "CR2032")
    assert told.pulse_ma.value is not None
    assert told.peak_ma > told.pulse_ma
    assert not life("stm32l4r5zi", 0.1, "2x AA").pulse_ma.known
