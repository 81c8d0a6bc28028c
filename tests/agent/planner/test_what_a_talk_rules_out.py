"""What the user of a conversation rules out stays out; a change that is spoken of goes along, or is taken back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.planner.words import spoken
from edgewright.agent.workspace import Workspace

Talk: TypeAlias = Callable[..., list[str]]


@pytest.fixture
def talk(tmp_path: Path) -> Talk:
    def asked(*turns: str) -> list[str]:
        planner = Planner(Workspace(tmp_path))
        return [planner.ask(turn).answer for turn in turns]

    return asked


@pytest.mark.parametrize(
    ("said", "kinds"),
    [
        ("The input resolution must not change, what makes it faster?", {"resolution"}),
        ("Retraining is ok but we can't change the input size", {"resolution"}),
        ("the input has to stay 96x96", {"resolution"}),
        ("no pruning please", {"pruning"}),
        ("I meant the unpruned one", {"original"}),
        ("can't we just reduce the resolution?", set()),
        ("no, reduce the input to 64x64", set()),
        ("is there any point in pruning it?", set()),
    ],
)
def test_which_changes_are_out(said: str, kinds: set[str]) -> None:
    assert set(spoken("excluded", said)) == kinds


def test_an_input_that_may_not_change_is_never_offered_to_shrink(talk: Talk) -> None:
    first, second, third = talk(
        "vww on stm32l4r5zi with CMSIS-NN below 100 ms, possible?",
        "The input resolution must not change. What makes it faster?",
        "and on the nRF52840, what could I change there?",
    )
    assert "input-50" in first
    for answer in (second, third):
        assert "input-" not in answer
        assert "Left out, as you ask: another size of the input." in answer


def test_without_retraining_stays_said_for_another_board(talk: Talk) -> None:
    *_, last = talk(
        "vww on stm32f411 below 100 ms?", "what brings it there without retraining?", "and on the stm32f446?"
    )
    assert "(retraining" not in last


def test_a_change_goes_along_to_the_next_board_and_shows_both(talk: Talk) -> None:
    *_, carried, corrected = talk(
        "vww on an nRF52840, how long?",
        "and with half the input size",
        "and on the esp32-s3?",
        "I meant with the original input size, not the halved one",
    )
    assert carried.startswith("input-50")
    assert "esp32-s3" in carried
    assert "input-50" not in corrected
    assert "esp32-s3" in corrected.partition("\n")[0]


def test_a_correction_is_of_the_board_before_and_asks_the_same(talk: Talk) -> None:
    *_, corrected = talk(
        "Can a Jetson Orin Nano 8GB run YOLOv8n on 8 cameras at 15 fps?",
        "what about the Orin NX 16GB",
        "no, 15 per camera, not in total",
    )
    assert corrected.startswith("As before: Yes")
    assert "jetson-orin-nx-16gb" in corrected.partition("\n")[0]


def test_what_remains_when_one_is_out_is_all_that_was_asked_about(talk: Talk) -> None:
    *_, last = talk(
        "vww on an nRF52840, 2x AA 2500 mAh, once every 3 seconds, how long?",
        "and the ESP32-S3?",
        "How about a MAX78000?",
        "forget the max78000, we can't source it. of the remaining two which lasts longer?",
    )
    assert last.startswith("nrf52840 lasts longest")
    assert "| esp32-s3" in last
