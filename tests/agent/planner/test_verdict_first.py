"""The verdict is on what was asked, and no figure stands where nothing runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace
from tests.agent.planner.conftest import Ask


@pytest.mark.parametrize(("wanted", "word"), [("8", "Yes"), ("400", "No")])
def test_how_many_it_takes_is_held_against_how_many_there_are(ask: Ask, wanted: str, word: str) -> None:
    answer = ask(
        f"How many cameras at 10 fps can one Jetson Orin Nano 8GB take with yolov8n? client wants {wanted}"
    )
    assert answer.startswith(f"{word}, against {wanted}: ")
    assert "not take into account" not in answer


def test_where_none_runs_none_is_told_to_be_unknown(ask: Ask) -> None:
    assert "one of them runs it as it is" in ask("is max78000 faster than max78002 for resnet8?")


def test_what_is_lost_with_another_card_is_no_accuracy(ask: Ask) -> None:
    answer = ask("We replace an RTX 4090 by 2 RTX 4000 Ada for resnet50. What do I lose?")
    assert "docs/concepts/accuracy.md" not in answer
    assert all(head in answer for head in ("latency", "power", "price"))


def test_of_an_engine_without_figures_no_verdict_is_given(ask: Ask) -> None:
    answer = ask(
        "Is the Neural Engine of an iPhone 15 Pro faster for mobilenet_v2 than a Snapdragon 8 Gen 2?"
    )
    first, second, *_ = answer.split("\n")
    assert first.startswith("Not known")
    assert "Neural Engine" in first
    assert not second.startswith(("Yes", "No"))


def test_an_engine_alone_is_no_network(ask: Ask) -> None:
    assert "From docs/" in ask("What is the Neural Engine?")


def test_a_board_that_is_left_out_leaves_the_others(tmp_path: Path) -> None:
    talk = Planner(Workspace(tmp_path))
    talk.ask(
        "I compare STM32L4R5, MAX78000 and Apollo4 for autoencoder. Which uses least energy per inference?"
    )
    answer = talk.ask(
        "I have no MAX78000 licence yet, so leave that one out. Which of the remaining two?"
    ).answer
    rows = [line for line in answer.splitlines() if line.startswith("| ")]
    assert not any("max78000" in row for row in rows)
    assert {"stm32l4r5zi", "apollo4-plus"} <= {row.split()[1] for row in rows}


def test_cameras_of_a_kind_are_counted(ask: Ask) -> None:
    answer = ask(
        "We test the parking lot with 6 IP cameras and yolov5s at 5 fps each. Is a Hailo-8 on a Pi 5 enough?"
    )
    assert "for 6 at 5 fps, 30 /s together" in answer.partition("\n")[0]


def test_gates_that_are_built_are_no_builds(ask: Ask) -> None:
    answer = ask(
        "My company builds gate readers. Does a Raspberry Pi 5 with a Hailo-8L what a Jetson Orin NX 16GB does with "
        "yolov8n at 25 frames a second, and which draws less power?"
    )
    assert "docs/ci.md" not in answer
    assert "draws the least power" in answer


def test_better_for_this_is_about_what_was_spoken_of(tmp_path: Path) -> None:
    talk = Planner(Workspace(tmp_path))
    talk.ask("kws on an esp32-s3, every minute, with a 2500 mAh lipo: how many days?")
    answer = talk.ask("would an nrf52840 be better than the esp for this?").answer
    assert "lasts longest" in answer.partition("\n")[0]


def test_what_goes_into_an_offer_is_chosen(tmp_path: Path) -> None:
    talk = Planner(Workspace(tmp_path))
    talk.ask("yolov8n at 20 fps: is a Hailo-8 on a Pi 5 enough?")
    talk.ask("and the Hailo-8L?")
    assert talk.ask("good, which one I write in the offer?").answer.startswith("I would take ")


def test_a_mode_in_the_name_sets_the_clock_of_that_board_alone(tmp_path: Path) -> None:
    talk = Planner(Workspace(tmp_path))
    talk.ask("yolov8n at 20 fps: would a Raspberry Pi 5 manage?")
    answer = talk.ask("And an Orin Nano Super instead?").answer
    assert "at 1020 MHz" in answer.partition("\n")[0]
    rows = [
        line for line in talk.ask("How many watts do the two draw?").answer.splitlines() if line[:1] == "|"
    ]
    assert any("jetson-orin-nano-8gb at 1020 MHz" in row for row in rows)
    assert not any("raspberry-pi-5 at 1020 MHz" in row for row in rows)


def test_what_does_not_fit_has_no_bill(ask: Ask) -> None:
    answer = ask("llama 3 70b on an RTX 4090: electricity in a year, 8 hours a day at 0.32 EUR per kWh?")
    assert answer.startswith("Not known: llama-3-70b in Q4_K_M does not fit rtx-4090")


def test_a_network_that_may_do_is_named_where_none_surely_does(ask: Ask) -> None:
    answer = ask(
        "Which person detection network can I put on an STM32F746 with 256 kB RAM, 1 MB flash and 5 fps?"
    )
    assert answer.startswith("Perhaps vww, with ")


@pytest.mark.parametrize(
    "question",
    [
        "I have 400 sheep to count at the gate with yolov8n, which computer is good, maybe 5 picture in second?",
        "A farm with 120 cows, I want to count them with yolov8s at 5 fps. Which small computer?",
    ],
)
def test_animals_are_neither_money_nor_streams(ask: Ask, question: str) -> None:
    answer = ask(question)
    assert "400 USD" not in answer
    assert "120 at" not in answer
    assert "meets 5" in answer
