"""Cycles of phases that the user timed: average, life and which phase decides."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace

from .test_turns import talk

NODE = "20 ms of work at 12 mA, then 200 ms of radio at 8 mA, then 59 s of sleep at 3 µA"
"""12 mA x 20 ms + 8 mA x 200 ms + 3 µA x 59 s = 2.017 mAs in 59.22 s."""


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


def test_the_average_of_a_cycle_is_its_charge_by_its_length(planner: Planner) -> None:
    average = 1e3 * (12 * 20 + 8 * 200 + 0.003 * 59_000) / 59_220
    answer = talk(planner, f"{NODE}: how long does a CR2032 last and what decides it?")
    assert answer.startswith(f"{average:.1f} µA on average, ")
    assert "200 ms × 8 mA (79.3 %) decides" in answer


@pytest.mark.parametrize(
    "question",
    [
        "12 mA for 20 ms, 8 mA for 200 ms and 3 uA for the remaining 59 s asleep: average current?",
        "it sends for 200 ms at 8 mA, computes 20 ms at 12 mA, and sleeps 59 s at 3 uA. average current?",
    ],
)
def test_each_time_has_the_current_that_stands_beside_it(planner: Planner, question: str) -> None:
    answer = talk(planner, question)
    assert answer.startswith("34.1 µA on average")
    assert "200 ms × 8 mA (79.3 %) decides" in answer


def test_another_battery_is_of_the_same_cycle(planner: Planner) -> None:
    talk(planner, f"{NODE}: how long does a CR2032 last?")
    assert "34.1 µA on average, 6.69 years" in talk(planner, "and on 2 AA?")


def test_two_ways_that_are_set_against_each_other_share_the_sleep(planner: Planner) -> None:
    question = "battery: 20 ms of work at 30 mA against 200 ms at 5 mA, then 59 s of sleep at 3 µA?"
    ratio = (5 * 200 + 0.003 * 59_000) / 59_200 / ((30 * 20 + 0.003 * 59_000) / 59_020)
    first = talk(planner, question).splitlines()[0]
    assert first.startswith("20 ms × 30 mA takes less on average")
    assert f"{ratio:.2f}x" in first


def test_without_currents_it_is_told_from_which_ratio_on_a_phase_decides(planner: Planner) -> None:
    answer = talk(planner, "20 ms of work and then 59 s of sleep: which decides the battery life?")
    assert "2,950x of what the sleep draws" in answer


def test_a_chip_that_is_named_draws_what_its_sources_say(planner: Planner) -> None:
    answer = talk(planner, "kws on an nrf52840: 160 ms, then 59 s of sleep. Does a CR2032 last 5 years?")
    assert answer.startswith("No, not 5 years: ")
    assert "160 ms × 11.8 mW" in answer


def test_a_radio_is_not_taken_to_draw_what_the_chip_does(planner: Planner) -> None:
    answer = talk(planner, "kws on nrf52840: 20 ms inference, 200 ms radio, 59 s of sleep. Average current?")
    assert "200 ms are not counted" in answer
