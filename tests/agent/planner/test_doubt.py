"""An answer that may be beside its question says how it took it; one that is not stays short."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.planner.answers.still_open import IF_MEANT
from edgewright.agent.planner.conversation import understood
from edgewright.agent.planner.doubt import Signals, chance_of, unheld
from edgewright.agent.planner.query import Role
from edgewright.agent.workspace import Workspace

OF_READING = ("I took ", "I did not take into account")


def asked(tmp_path: Path, *questions: str) -> list[str]:
    """The lines of the last answer."""
    talk = Planner(Workspace(tmp_path))
    return [talk.ask(question).answer for question in questions][-1].splitlines()


@pytest.mark.parametrize(
    ("question", "missed"),
    [
        ("how long does it take to upload vww to an esp32-s3 over usb?", "upload"),
        ("how long does it take to load vww from an SD card at boot on a pico?", "load"),
    ],
)
def test_words_that_nothing_accounts_for_are_named_with_how_the_rest_was_taken(
    tmp_path: Path, question: str, missed: str
) -> None:
    second = asked(tmp_path, question)[1]
    assert second.startswith("I took this as the time of an inference")
    assert f"*{missed}*" in second


@pytest.mark.parametrize(
    "question",
    [
        "kws on an nrf52840, how fast?",
        "does vww fit on an stm32h743?",
        "compare ic on stm32f746 and stm32h743",
        "how many joules does kws take on an nrf5340?",
        "does qwen2.5 7b fit on a raspberry pi 5?",
    ],
)
def test_what_is_plainly_answered_carries_no_word_on_its_reading(tmp_path: Path, question: str) -> None:
    assert not any(line.startswith("I took this as") for line in asked(tmp_path, question))


def test_an_answer_given_before_says_whose_network_and_board_it_is_of(tmp_path: Path) -> None:
    lines = asked(
        tmp_path, "kws on an nrf52840, how fast?", "and with grayscale pictures on some other firmware?"
    )
    assert "kws on nrf52840 (from the question before)" in lines[1]


def test_all_that_is_said_on_the_reading_stands_in_one_line(tmp_path: Path) -> None:
    lines = asked(
        tmp_path, "how slow is vww on an stm32l4, its cache and vector unit switched off, 12345 widgets?"
    )
    assert sum(line.startswith(OF_READING) for line in lines) == 1
    assert lines[1].startswith("I took this as ")


def test_what_else_may_be_meant_is_answered_in_one_line_with_figures_of_its_own(tmp_path: Path) -> None:
    told = asked(tmp_path, "vww on an esp32-s3, energy?", "and the memory and edge of it for F411")
    first, second, third = told[:3]
    assert "mJ" in first
    assert second.startswith("I took this as the energy")
    assert third.startswith(f"{IF_MEANT}the RAM it takes: ")
    assert "KiB" in third
    assert sum(line.startswith(IF_MEANT) for line in told) == 1


def test_a_line_that_would_say_nothing_new_is_left_out(tmp_path: Path) -> None:
    told = asked(
        tmp_path, "kws on an nrf52840, how fast?", "and with grayscale pictures on some other firmware?"
    )
    figures = [line for line in told if line.startswith(IF_MEANT) and "161 ms" in line]
    assert not figures


def test_doubt_grows_with_each_signal() -> None:
    least = chance_of(Signals())
    assert all(chance_of(Signals(**{name: 1.0})) > least for name in Signals._fields)


def test_a_clock_to_drop_to_is_no_clock_that_is_dropped() -> None:
    first = understood("kws on an nrf52840, how fast?", None, {})
    query = understood("what if I drop to 32 MHz", first, {})
    assert query.numbers(Role.CLOCK_MHZ) == (32.0,)


def test_a_page_that_may_be_another_is_said_to_be_the_nearest(tmp_path: Path) -> None:
    lines = asked(tmp_path, "what is a flat buffer")
    assert lines[0].startswith("I have no page on just this; the nearest is on *")


def test_a_network_that_only_an_answer_named_is_said_to_be_that_answers(tmp_path: Path) -> None:
    ranked = "which language model should I take on an rtx-3060 at 20 tokens/s?"
    lines = asked(tmp_path, ranked, "and its memory at 8k context?")
    assert "(an answer named it)" in lines[1]


@pytest.mark.parametrize(
    ("question", "answer", "left"),
    [
        ("how many users can it serve?", "Yes, 171 tokens/s: mistral-7b on rtx-4090.", ["how many users"]),
        ("how many users can it serve?", "37 at once: each gets 36 tokens/s.", []),
        ("How come the M7 is three times as fast?", "Yes, 3.06x faster.", ["how come"]),
        ("what does the electricity cost a year?", "As before: 1 of t4.", ["electricity cost"]),
        ("what does the electricity cost a year?", "84 kWh a year.", []),
        ("is accuracy lost?", "It takes 15 ms.", ["accuracy"]),
        ("why is that?", "I cannot tell: There is no model file.", []),
    ],
)
def test_what_a_plain_word_asks_and_no_answer_holds_is_noticed(
    question: str, answer: str, left: list[str]
) -> None:
    assert unheld(question, answer) == left


def test_an_answer_without_what_is_asked_says_so(tmp_path: Path) -> None:
    question = (
        "resnet50 on an orin nx 16gb or a hailo-8 for 8 cameras at 15 fps, which is better? budget matters"
    )
    assert "I may have missed *budget*" in asked(tmp_path, question)[1]
