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
        ("could that be split or something w/o retraining", {"retraining"}),
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


_TWO = ("kws on STM32L4R5 with 2x AA 2500 mAh once every 3 seconds, how long?", "and the nRF5340?")


def test_pieces_and_a_stated_difference_in_price_are_weighed_at_the_end(talk: Talk) -> None:
    *_, last = talk(
        *_TWO, "so which should I take, if the nordic is 1.40 € more expensive per piece and we build 20k?"
    )
    assert "20,000 pieces" in last.partition("\n")[0]
    assert "1.40 € more expensive per piece is 28,000 € more for all 20,000." in last
    assert "not take into account" not in last


def test_thanks_with_a_request_is_a_request_and_pieces_are_no_cells(talk: Talk) -> None:
    *_, last = talk(*_TWO, "thanks! can you make me a list of what to buy, 500 pieces")
    assert last.startswith("I would take nrf5340, 500 pieces for ")
    assert "ten years" not in last


def test_a_clock_that_was_only_tried_is_not_that_of_the_choice(talk: Talk) -> None:
    *_, last = talk(
        "kws on an STM32L4R5, how long on a CR2450 at one inference every 10 s?",
        "Would the STM32U575 be better than that one?",
        "What about clocking it down to 80 MHz, does that save anything?",
        "So which of the two do I order?",
    )
    assert last.startswith("I would take stm32u575zi")
    assert "at 80 MHz" not in last


def test_the_size_of_the_input_is_that_of_the_end_for_both(talk: Talk) -> None:
    *_, last = talk(
        "mobilenet_v2 at 224 on an STM32H747, how long?",
        "and if I halve the input to 112?",
        "what about the STM32N6 instead",
        "sorry, I meant with the full 224 input on the N6",
        "so which of the two boards do I buy?",
    )
    assert "| stm32h747xi | 1.7 s" in last


def test_a_format_that_is_denied_is_not_compared(talk: Talk) -> None:
    *_, last = talk("Llama 3.1 8B on an RTX 3090 with 4 people at the same time", "we only do Q4, never fp16")
    assert "F16" not in last


def test_no_at_the_beginning_of_a_wish_corrects_nothing(talk: Talk) -> None:
    *_, last = talk(
        "vww on an nRF52840, 2x AA 2500 mAh, once every 3 seconds, how long?",
        "and the ESP32-S3?",
        "no retraining please, what could I change to make it last longer on the nRF?",
        "which of the two lasts longer?",
    )
    assert "| esp32-s3" in last


def test_a_model_that_was_picked_stays_for_a_turn_that_names_none(talk: Talk) -> None:
    *_, last = talk(
        "llama 3 70B for 25 people, what card do we need",
        "what about a single RTX 4090, which model is the biggest that fits with 8k context?",
        "and how many tokens per second would one person see with that one?",
        "now with 6 people typing at the same time",
    )
    assert "gpt-oss-20b" in last.partition("\n")[0]


def test_a_figure_that_is_corrected_in_the_same_breath_is_not_compared(talk: Talk) -> None:
    *_, clocked, chosen = talk(
        "kws on an STM32U575 and an STM32L476, how fast?",
        "and at 2.4 GHz... sorry, 24 MHz",
        "now back to full speed, which of the two is better for a coin cell with one inference every 2 s?",
    )
    assert "2400 MHz" not in clocked
    assert "24 MHz" not in chosen
