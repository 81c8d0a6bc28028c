"""What empties a battery, what is left of its life without a network, and the clock that takes least."""

from __future__ import annotations

import pytest

from edgewright.tools import estimate_energy_budget, sweep_frequency
from edgewright.tools.energy.pack import Pack, packed


@pytest.mark.parametrize(
    ("target", "rate", "first"),
    [("esp32-s3", 30 / 86400, "asleep"), ("esp32-s3", 4, "computing"), ("nrf52840", 1e-4, "self-discharge")],
)
def test_the_largest_drain_stands_first_and_all_make_the_whole(target: str, rate: float, first: str) -> None:
    budget = estimate_energy_budget("kws", target, rate_hz=rate, battery="2x AA")
    assert budget.drains[0].name == first
    assert sum(one.share.value or 0.0 for one in budget.drains) == pytest.approx(1)
    assert budget.battery is not None
    life, resting = budget.battery.life_days.value, budget.battery.resting_days.value
    assert life is not None
    assert resting is not None
    assert resting > life


def test_what_is_not_known_asleep_leaves_no_shares() -> None:
    budget = estimate_energy_budget("kws", "max78000", rate_hz=1, battery="CR2032")
    assert budget.drains == ()
    assert budget.battery is not None
    assert budget.battery.resting_days.value is None


def test_what_draws_beside_the_chip_is_one_of_them() -> None:
    budget = estimate_energy_budget("kws", "nrf52840", rate_hz=1, battery="CR2032", sensor_ua=500)
    assert {one.name for one in budget.drains} == {"computing", "asleep", "beside the chip", "self-discharge"}


def test_at_a_rate_the_clock_is_weighed_with_the_sleep() -> None:
    sweep = sweep_frequency("kws", "nrf52840", [16, 64], {"rate_hz": 0.5})
    slow, fast = sweep.steps
    assert sweep.best_average_mhz == 64
    assert slow.average_power_mw.value is not None
    assert fast.average_power_mw.value is not None
    ratio = slow.average_power_mw.value / fast.average_power_mw.value
    assert sweep.slower_takes.value == pytest.approx(ratio)
    assert ratio > 1


@pytest.mark.parametrize("rate", [1e6, None])
def test_a_rate_that_no_clock_keeps_has_no_best(rate: float | None) -> None:
    sweep = sweep_frequency("kws", "nrf52840", [16, 64], {"rate_hz": rate} if rate else None)
    assert sweep.best_average_mhz is None


@pytest.mark.parametrize(
    ("said", "aside", "expected"),
    [
        (Pack("AA cells", 2.0), False, ("2x aa", None, None)),
        (Pack("18650", 4.0, 2600.0), True, ("18650", 10400.0, None)),
        (Pack("", 3.0, 1000.0), False, ("", 3000.0, None)),
        (Pack("no such cell", 2.0), False, ("", None, None)),
    ],
)
def test_cells_make_a_pack(said: Pack, aside: bool, expected: tuple[str, float | None, float | None]) -> None:
    found = packed(said, aside=aside)
    assert (found.name, found.mah, found.volts) == expected


@pytest.mark.parametrize(
    ("said", "volts"),
    [
        (Pack("", 2.0, 3000.0, volts=3.0), 3.0),
        (Pack("lithium AA", 2.0, 3000.0, volts=3.0), 3.0),
        (Pack("AA lithium", 2.0, 3000.0, volts=1.5), 3.0),
        (Pack("AA", 2.0, 3000.0), 3.0),
    ],
)
def test_cells_in_series_hold_the_charge_of_one(said: Pack, volts: float) -> None:
    found = packed(said, in_series=True)
    assert (found.mah, found.volts, found.cells) == (3000, volts, 1)
