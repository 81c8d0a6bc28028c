"""What operating systems and radio stacks take: every figure has its source, boards are their chips."""

from __future__ import annotations

import pytest

from edgewright.hardware_db.errors import UnknownNameError
from edgewright.hardware_db.systems import SPOKEN, load_systems, resolve_system
from edgewright.tools import system_share


def test_every_figure_stands_on_a_source_that_is_listed() -> None:
    listed = load_systems()
    for one in listed.systems:
        leaves = [leaf for leaf in (one.ram_bytes, one.flash_bytes, *one.leaves.values()) if leaf]
        assert leaves
        assert {leaf.source for leaf in leaves} <= listed.sources.keys()
        assert all(leaf.value > 0 for leaf in leaves)


@pytest.mark.parametrize("name", ["FreeRTOS", "mbed", "Zephyr", "soft device"])
def test_what_one_takes_is_the_least(name: str) -> None:
    share = system_share(name, "nrf52840")
    assert share.ram_bytes
    assert share.flash_bytes
    assert share.on_top


def test_what_a_radio_leaves_is_known_of_each_chip() -> None:
    small, large = system_share("wifi", "esp32-c3"), system_share("wifi", "esp32-s3")
    assert small.leaves_bytes
    assert large.leaves_bytes
    assert small.leaves_bytes < large.leaves_bytes
    assert small.ram_bytes is None


@pytest.mark.parametrize("name", ["", "windows 95", "wifi" * 50])
def test_others_are_named_as_unknown(name: str) -> None:
    with pytest.raises(UnknownNameError):
        resolve_system(name)


def test_a_radio_of_another_chip_is_unknown() -> None:
    with pytest.raises(UnknownNameError):
        system_share("esp-wifi", "nrf52840")


def test_every_name_of_a_system_is_looked_for() -> None:
    names = [name for one in load_systems().systems for name in (one.id, one.name, *one.aliases)]
    assert [name for name in names if not SPOKEN.search(name)] == []
