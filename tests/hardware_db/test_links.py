"""Links between accelerators and their hosts: rates that follow from the standards, and boards beside modules."""

from __future__ import annotations

import pytest

from edgewright.hardware_db import load_target, target_ids
from edgewright.hardware_db.hosts import pairs
from edgewright.hardware_db.index import targets_by_id
from edgewright.hardware_db.links import link_bytes_per_s
from edgewright.hardware_db.schema import Accelerator

CARRIERS = [(name, unit) for name in target_ids() for unit in load_target(name).accelerators if unit.module]


def _unit(name: str) -> Accelerator:
    return next(unit for unit in load_target(name).accelerators if unit.link is not None)


@pytest.mark.parametrize(
    ("name", "shown", "megabytes_per_s"),
    [
        ("raspberry-pi-5-hailo-8l", "PCIe 3.0 x1", 984.6),
        ("hailo-8l", "PCIe 3.0 x2", 1969.2),
        ("hailo-8", "PCIe 3.0 x4", 3938.5),
        ("coral-usb", "USB 3.0", 500.0),
    ],
)
def test_a_link_s_rate_follows_from_its_generation_and_lanes(
    name: str, shown: str, megabytes_per_s: float
) -> None:
    link = _unit(name).link
    assert link is not None
    assert str(link) == shown
    assert (link_bytes_per_s(link) or 0) / 1e6 == pytest.approx(megabytes_per_s, abs=0.1)


def test_every_board_that_is_named_after_a_module_says_that_it_carries_it() -> None:
    known = pairs(targets_by_id(()))
    assert known
    assert {name for name, _ in CARRIERS} >= known.keys()


@pytest.mark.parametrize(("name", "unit"), CARRIERS)
def test_a_board_s_link_is_no_wider_than_that_of_the_module_that_it_carries(
    name: str, unit: Accelerator
) -> None:
    assert unit.link is not None, name
    alone = _unit(unit.module)
    assert alone.link is not None
    assert alone.family == unit.family
    here, there = link_bytes_per_s(unit.link), link_bytes_per_s(alone.link)
    assert here is not None
    assert there is not None
    assert here <= there
