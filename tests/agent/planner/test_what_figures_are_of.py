"""What a figure bounds, what it leaves free, what it counts and which board it is of: claims about words."""

from __future__ import annotations

import pytest

from edgewright.agent.planner.answers.energies import sized
from edgewright.agent.planner.query import Query, Role
from edgewright.agent.planner.roles import UNSURE

from .test_answers import query
from .test_roles_of_figures import KIB, told

GIB = KIB**3


def of(question: Query, *roles: Role) -> dict[Role, float]:
    return {slot.role: slot.number for slot in question.slots if slot.role in roles and slot.chance >= UNSURE}


MEMORY = (Role.RAM_BYTES, Role.FLASH_BYTES, Role.TAKEN_BYTES, Role.TAKEN_FLASH_BYTES)


@pytest.mark.parametrize(
    ("question", "roles"),
    [
        ("kws on an nrf52840 alongside a 90k Zigbee stack, ok?",
         {Role.TAKEN_BYTES: 90 * KIB, Role.TAKEN_FLASH_BYTES: 90 * KIB}),
        ("vww on an stm32f446 but we have to keep 30 KB of RAM for the display", {Role.TAKEN_BYTES: 30 * KIB}),
        ("does ic go on an stm32h743 if 200 KB of flash must stay free for updates?",
         {Role.TAKEN_FLASH_BYTES: 200 * KIB}),
        ("the Thread stack leaves me 70 KB of RAM on an nrf52840. kws?", {Role.RAM_BYTES: 70 * KIB}),
        ("kws next to a 40k bootloader on an nrf52832", {Role.TAKEN_FLASH_BYTES: 40 * KIB}),
    ],
)  # fmt: skip
def test_what_stays_free_is_taken_off_and_what_is_left_is_not(
    question: str, roles: dict[Role, float]
) -> None:
    assert of(told(question), *MEMORY) == roles


def test_what_a_language_model_has_to_leave_free_is_no_room_for_it() -> None:
    asked = told("llama 3.1 8b on a 12 GB rtx 3060 while keeping 3 GB free for games. does it fit?")
    assert of(asked, Role.TAKEN_BYTES) == {Role.TAKEN_BYTES: 3 * GIB}


@pytest.mark.parametrize(
    ("question", "limit"),
    [
        ("kws on an stm32f446. The budget is now 45 ms at 90 MHz.", {Role.LATENCY_MS: 45}),
        ("vww on an esp32-s3, we have to get down to 70 ms, software only", {Role.LATENCY_MS: 70}),
        ("yolov8n on an orin nano or a pi 5: 6 watts, no more", {Role.POWER_MW: 6000}),
        ("fail the build if kws on an stm32u585 gets slower than 25 ms", {Role.LATENCY_MS: 25}),
        ("I measured 45 ms for kws on an stm32f446. plausible?", {}),
    ],
)
def test_what_bounds_a_figure_makes_it_a_limit(question: str, limit: dict[Role, float]) -> None:
    assert of(told(question), Role.LATENCY_MS, Role.POWER_MW) == limit


def test_the_two_boards_that_were_spoken_of_are_no_two_of_each() -> None:
    asked = told("kws on an stm32f446", "and on an esp32?", "which of the two boxes needs less power")
    assert not asked.has(Role.CARDS, Role.DEVICES)
    assert told("llama 3.3 70b on two 24 GB cards").number(Role.CARDS) == 2


def test_prices_in_turn_are_each_of_its_own_card() -> None:
    asked = told("a million resnet50 images on an L4 or an A10, at 0.5 $/h and 1.2 $/h: which is cheaper?")
    assert {slot.of: slot.number for slot in asked.slots if slot.role is Role.RENT} == {"L4": 0.5, "A10": 1.2}
    three = told("resnet50 on an L4 or an A10, at 0.5 $/h, 1.2 $/h and 2 $/h")
    assert not any(slot.of for slot in three.slots if slot.role is Role.RENT)


def test_each_board_halves_its_own_clock() -> None:
    asked = told("kws on an nrf5340 and an stm32u585, which is frugal?", "and if I halve the clock?")
    clocks = {(slot.of, slot.number) for slot in asked.slots if slot.role is Role.CLOCK_MHZ}
    assert clocks == {("nrf5340", 128), ("nrf5340", 64), ("stm32u585ai", 160), ("stm32u585ai", 80)}


def test_of_several_measurements_the_median_counts() -> None:
    asked = told("I got 48, 51 and 49 ms for kws on an stm32f446. Is that normal?")
    assert asked.numbers(Role.CLAIMED_MS) == (49,)
    apart = told("I got 48 ms and later 300 ms for kws on an stm32f446. Is that normal?")
    assert len(apart.numbers(Role.CLAIMED_MS)) == 2


@pytest.mark.parametrize(
    ("volts", "milliamp_hours"), [(3.0, 2000.0), (None, 2000.0), (1.5, 4000.0), (0.0, 2000.0)]
)
def test_cells_one_after_the_other_keep_the_charge_of_one(volts: float | None, milliamp_hours: float) -> None:
    given = {} if volts is None else {"BATTERY_V": volts}
    asked = query(
        MODEL="kws", TARGET="stm32l4r5zi", RATE_HZ=1.0, BATTERY="AA", CELLS=2.0, CHARGE_MAH=2000.0, **given
    )
    assert sized(asked)[0].number(Role.CHARGE_MAH) == milliamp_hours


def test_many_that_run_by_themselves_each_take_their_share_of_the_bill() -> None:
    one = "yearly bill at 0.30 EUR per kWh, 10 hours a day, yolov8n on a raspberry pi 5"
    many = f"{one}, 20 shops, 3 cameras each"
    assert told(many).number(Role.DEVICES) == 60


def test_networks_with_rates_of_their_own_are_added_up_on_each_board() -> None:
    asked = told(
        "kws and vww together on an ethos-u55-128 or an ethos-u55-256: 15 kws and 4 vww runs per second"
    )
    assert asked.numbers(Role.RATE_HZ) == (15, 4)
