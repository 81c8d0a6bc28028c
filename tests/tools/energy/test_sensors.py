"""What a sensor that is named draws takes off the life of a battery."""

from __future__ import annotations

import pytest

from edgewright.hardware_db.errors import UnknownNameError, UsageError
from edgewright.hardware_db.sensors import load_sensors, resolve_sensors
from edgewright.tools import estimate_energy_budget
from edgewright.tools.energy.energy_budget import EnergyBudget


def budget(**more: object) -> EnergyBudget:
    return estimate_energy_budget("kws", "nrf52840", rate_hz=0.1, battery="2x AA", **more)  # type: ignore[arg-type]


def life(found: EnergyBudget) -> float:
    assert found.battery is not None
    return float(found.battery.life_days)


def test_a_sensor_by_name_is_the_current_that_its_source_gives() -> None:
    named, given = budget(sensor="INMP441"), budget(sensor_ua=1400.0)
    assert life(named) == pytest.approx(life(given), rel=1e-3)
    assert float(named.sensor_power_mw) == pytest.approx(float(given.sensor_power_mw), rel=1e-3)
    assert any("Low Current Consumption of 1.4 mA" in note for note in named.stands_on)
    assert not any("sensor" in note and "not counted" in note for note in named.assumptions)


def test_on_for_a_part_of_the_time_it_draws_that_part() -> None:
    part, tenth = budget(sensor="mic", sensor_on_s=1.0), budget(sensor_ua=65.0)
    assert float(part.sensor_power_mw) == pytest.approx(float(tenth.sensor_power_mw), rel=1e-3)
    assert life(budget(sensor="mic")) < life(part) < life(budget())
    longer = budget(sensor="mic", sensor_on_s=60.0)
    assert longer.sensor_power_mw == budget(sensor="mic").sensor_power_mw


def test_the_interval_of_a_kind_reaches_over_all_that_are_known() -> None:
    kind, one = budget(sensor="camera"), budget(sensor="hm01b0")
    assert kind.sensor_draws.value == one.sensor_draws.value
    assert (kind.sensor_draws.high or 0) > 10 * (one.sensor_draws.high or 0)
    assert "such as HM01B0" in kind.sensor
    assert all(any(name in note for note in kind.stands_on) for name in ("HM01B0", "OV7670"))


@pytest.mark.parametrize("word", ["microphone", "MIC", "mike", "PIR sensor", "imu", "cameras"])
def test_a_kind_has_the_words_that_people_use(word: str) -> None:
    assert len({sensor.of for sensor in resolve_sensors(word)}) == 1


def test_each_figure_names_a_source_of_the_file() -> None:
    known = load_sensors()
    claims = [claim for one in known.sensors for claim in (one.draws, *one.draws.others)]
    assert {claim.source for claim in claims} == set(known.sources)
    assert {one.of for one in known.sensors} == set(known.kinds)


def test_what_is_not_known_or_cannot_be_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="lidar"):
        budget(sensor="lidar")
    with pytest.raises(UsageError, match="above zero"):
        budget(sensor="mic", sensor_on_s=0.0)
    with pytest.raises(UsageError, match="none is named"):
        budget(sensor_on_s=1.0)
