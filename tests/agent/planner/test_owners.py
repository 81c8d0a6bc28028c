"""Figures that each belong to one of several boards."""

from __future__ import annotations

import pytest

from edgewright.agent.planner.owners import combinations
from edgewright.agent.planner.query import Role
from edgewright.agent.planner.reading import read
from edgewright.agent.planner.settling import settled


@pytest.mark.parametrize(
    "question",
    ["STM32F7 at 216 MHz or nRF52840 at 64 MHz for kws, which is faster?", "kws: 216 MHz M7 vs 64 MHz M4",
     "kws on an STM32F746 (216 MHz) against a Teensy 4.1 clocked at 600 MHz"],
)  # fmt: skip
def test_a_clock_is_of_the_board_that_it_stands_beside(question: str) -> None:
    query = settled(read(question))
    varied = {role: query.all(role) for role in (Role.TARGET,)} | {
        Role.CLOCK_MHZ: query.numbers(Role.CLOCK_MHZ)
    }
    found = [tuple(each.values()) for each in combinations(query, varied)]
    assert found == list(zip(query.all(Role.TARGET), query.numbers(Role.CLOCK_MHZ), strict=True))


@pytest.mark.parametrize(
    "question", ["kws on an H743 at 240 and 480 MHz", "kws on the H743 and the F746, both at 216 MHz"]
)
def test_a_clock_that_stands_for_all_boards_is_of_none_alone(question: str) -> None:
    assert {slot.of for slot in read(question).slots if slot.role is Role.CLOCK_MHZ} == {""}


@pytest.mark.parametrize(
    ("question", "targets"),
    [
        ("resnet50: a Jetson Orin Nano against a Hailo-8. Is the Jetson slower?", {"jetson-orin-nano-8gb", "hailo-8"}),
        ("Is my Raspberry Pi 4 as quick as a Coral USB? The Pi is cheaper.", {"raspberry-pi-4b", "coral-usb"}),
        ("An RTX 3060 or a Xavier NX; does the Xavier do?", {"rtx-3060", "jetson-xavier-nx"}),
        ("yolov8n on some android phone, say a Pixel 6", {"tensor-g1"}),
    ],
)  # fmt: skip
def test_a_short_name_is_the_one_that_was_named_in_full(question: str, targets: set[str]) -> None:
    assert set(settled(read(question)).all(Role.TARGET)) == targets
