from __future__ import annotations

import pytest

from edgewright.hardware_db.errors import UnknownNameError
from edgewright.tools import estimate_energy_budget
from edgewright.tools.energy.cell import Cell, cell


def known(name: str) -> Cell:
    found = cell(name, None, None)
    assert found is not None
    return found


@pytest.mark.parametrize("name", ["2x AA", "2xAA", "two AA cells", "2 AA batteries"])
def test_cells_in_series_add_their_voltages_and_keep_their_capacity(name: str) -> None:
    one, two = known("AA"), known(name)
    assert two.nominal_v.value == 2 * (one.nominal_v.value or 0)
    assert two.capacity_mah == one.capacity_mah
    assert any("in series" in note for note in two.assumptions)


def test_a_pack_named_by_its_cells_in_series_is_of_lithium() -> None:
    assert known("4S 5000 mAh") == known("4S LiPo 5000 mAh")
    assert known("4S 5000 mAh").nominal_v.value == pytest.approx(4 * 3.8)


@pytest.mark.parametrize(
    ("name", "mah"),
    [
        ("AA", 2500),
        ("AAA", 1200),
        ("CR2477", 1000),
        ("CR2450", 620),
        ("18650", 2450),
        ("AA lithium", 3000),
        ("C cell", 7800),
        ("LR20", 12000),
        ("9V block", 550),
        ("LS14500", 2600),
        ("ER26500", 7700),
        ("ER34615", 19000),
        ("21700", 5000),
        ("CR2", 800),
    ],
)
def test_usual_cells_have_the_capacity_that_a_source_gives(name: str, mah: float) -> None:
    assert known(name).capacity_mah.value == mah
    assert known(name).sources


@pytest.mark.parametrize("name", ["9V block", "9 V battery", "PP3"])
def test_volts_that_a_battery_is_called_by_are_part_of_its_name(name: str) -> None:
    assert known(name).nominal_v.value == 9


@pytest.mark.parametrize("name", ["LS14500", "LS26500", "ER34615"])
def test_thionyl_chloride_loses_no_more_than_a_hundredth_a_year(name: str) -> None:
    assert 0 < (known(name).self_discharge_share.value or 0) <= 0.01


def test_a_cell_that_nobody_knows_is_not_guessed() -> None:
    with pytest.raises(UnknownNameError, match="LR1130"):
        known("3x LR1130")


def test_a_cell_below_the_least_supply_gives_the_energy_through_a_converter() -> None:
    single, pair = (
        estimate_energy_budget("kws", "nrf52840", rate_hz=1, battery=name) for name in ("AA", "2x AA")
    )
    assert single.regulator_efficiency == 1
    assert pair.regulator_efficiency is None
    assert float(single.charge_mah) == pytest.approx(2 * float(pair.charge_mah), rel=0.1)
    assert any("converter" in note or "regulator" in note for note in single.assumptions)
