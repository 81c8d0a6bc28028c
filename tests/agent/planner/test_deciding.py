"""The end of a conversation: which to take of all that were spoken of, in a sentence, how sure, and why not another."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


def talk(planner: Planner, *questions: str) -> str:
    return [planner.ask(question).answer for question in questions][-1]


BATTERY = (
    "kws on an nrf52840 once per second, 1000 mAh at 3 V: how long does it last?",
    "what about the stm32u585 instead",
)


def test_who_asked_for_the_life_of_a_battery_is_told_what_lasts_longest(planner: Planner) -> None:
    first, *_ = talk(planner, *BATTERY, "ok which one would you take?").splitlines()
    assert first.startswith("I would take stm32u585ai: it lasts longest with ")
    assert "better than nrf52840, though their intervals overlap" in first


@pytest.mark.parametrize("question", ["how reliable is that", "how sure are you about that pick?"])
def test_a_doubt_is_about_the_choice_and_the_next_of_them(planner: Planner, question: str) -> None:
    answer = talk(planner, *BATTERY, "which one would you take?", question)
    assert answer.startswith("Not sure of stm32u585ai: battery life ")
    assert "nrf52840 may be the better one" in answer
    assert "Measure the current asleep and the energy of an inference on stm32u585ai first." in answer


ACCELERATORS = (
    "mobilenet_v2 on a coral edge tpu and a jetson nano, latency?", "which one uses the least energy?",
    "add the jetson orin nano please", "and now the same with resnet50",
)  # fmt: skip


def test_what_was_spoken_of_stays_and_has_to_do_for_every_network(planner: Planner) -> None:
    answer = talk(planner, *ACCELERATORS, "final answer, which one for both networks at 30 fps?")
    assert re.match("I would take jetson-orin-nano-8gb: it (?:alone )?surely meets 30 fps with ", answer)
    assert "not coral-edge-tpu (resnet50: " in answer
    assert "| jetson-nano |" in answer
    refused = talk(planner, "why not the coral?")
    assert refused.startswith("Not coral-edge-tpu (resnet50: ")


def test_a_limit_that_was_said_once_holds_at_the_end(planner: Planner) -> None:
    answer = talk(
        planner, "yolov8n at 25 fps: is a jetson nano enough?", "and the orin nano?", "what about an rk3588",
        "the board must stay below 150 dollars", "so what do I tell my boss? one sentence",
    )  # fmt: skip
    assert answer.startswith("I would take rk3588: it alone surely meets 25 fps and 150 dollars with ")
    assert "499 USD a module against 150 dollars" in answer
    assert "\n" not in answer


def test_where_none_does_it_is_said_what_each_lacks(planner: Planner) -> None:
    answer = talk(
        planner, "yolov8n on a raspberry pi 4 at 60 fps?", "and on a jetson nano?", "so which one do I buy?"
    )
    assert answer.startswith("None of them ")
    assert "comes nearest with " in answer.splitlines()[0]
    assert "raspberry-pi-4b (" in answer.splitlines()[0]


def test_what_the_user_has_is_taken_where_it_does_as_surely(planner: Planner) -> None:
    asked = ("does ic meet 150 ms on an stm32h743?", "and on the esp32-p4?")
    assert talk(planner, *asked, "which one do we use?").startswith("I would take esp32-p4: ")
    stocked = Planner(planner.workspace)
    answer = talk(stocked, *asked, "we've got a stock of the stm32h743", "ok which one do we use?")
    assert answer.startswith("I would take stm32h743zi: it surely meets 150 ms with ")
    assert "and you have it" in answer


def test_what_is_not_known_is_no_defeat(planner: Planner) -> None:
    answer = talk(
        planner,
        "vww on an nrf5340 and an ethos-u55, energy?",
        "and on the stm32h743?",
        "which one do I take?",
    )
    assert "the energy of ethos-u55-128 is not known" in answer.splitlines()[0]


def test_a_superlative_is_no_choice(planner: Planner) -> None:
    answer = talk(planner, "kws on an nrf52840 and a rp2040?", "which one is the fastest?")
    assert not answer.startswith("I would take")


def test_a_board_and_a_network_are_chosen_together(planner: Planner) -> None:
    talk(planner, "kws on an esp32, how long", "and vww", "and on the esp32-s3?")
    first, *_ = talk(
        planner, "what should we take in the end, model and board, for less than 100 ms"
    ).splitlines()
    assert first.startswith("I would take kws on esp32-s3: it alone probably meets 100 ms")


def test_a_goal_decides_among_those_that_were_spoken_of(planner: Planner) -> None:
    talk(planner, "yolov8n on a raspberry pi 5, does it do 10 fps?", "and the Hailo-8")
    answer = talk(planner, "ok decision time. the cheaper one that really works please")
    assert answer.startswith("I would take ")
    assert "| raspberry-pi-5 | 80 USD" in answer


CAMERAS = ("yolov8n, five cameras at 10 fps each, on a jetson orin nano 8gb?", "and on a coral usb stick?")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("decide for me, and what should I measure before I buy any?", "Measure the "),
        ("your call: one recommendation and the biggest risk", "Not in any of these figures: "),
        ("which would you solder down, and what would change your verdict?", "What would change it: "),
    ],
)
def test_what_is_asked_beside_a_choice_is_answered_behind_it(
    planner: Planner, question: str, told: str
) -> None:
    first, *rest = talk(planner, *CAMERAS, question).splitlines()
    assert first.startswith("I would take jetson-orin-nano-8gb: it ")
    assert "five times 10 fps" in first
    assert any(line.startswith(told) for line in rest)


def test_two_sentences_are_two_sentences_and_name_all_in_order(planner: Planner) -> None:
    talk(planner, "kws on an rp2040?", "and on an nrf52840", "and on the stm32h743?")
    said = planner.ask(
        "which of the three boards would you take, in two sentences please"
    ).answer.splitlines()
    assert len(said) == 2
    assert said[0].startswith("I would take stm32h743zi: ")
    assert said[1].startswith("In order: stm32h743zi ")
    assert said[1].index("nrf52840") < said[1].index("rp2040")


def test_a_life_that_none_reaches_is_what_none_meets(planner: Planner) -> None:
    talk(planner, "mobilenet_v2 every 10 seconds on a raspberry pi zero 2 w, 2000 mAh 18650 cell: how long?")
    answer = talk(
        planner, "and on a raspberry pi 4?", "it has to last half a year: which of the two do you take?"
    )
    assert answer.startswith("None of them meets half a year: raspberry-pi-zero-2w comes nearest with ")


def test_a_network_that_is_dropped_is_weighed_no_more(planner: Planner) -> None:
    talk(planner, "qwen2.5 32b q4 on my rtx 3090, tokens/s?", "and on an rx 7900 xtx?")
    answer = talk(
        planner, "forget the 32b, what about the 14b on the card i own?", "keep my card or swap it?"
    )
    assert answer.startswith("I would take ")
    assert "32b" not in answer


@pytest.mark.parametrize("aside", ["wait, does it use the fpu at all?", "no, what is an arena again?"])
def test_a_question_that_begins_as_a_correction_takes_nothing_back(planner: Planner, aside: str) -> None:
    answer = talk(
        planner, "kws on an rp2040 within 100 ms?", "and on a max32690?", aside, "which would you buy?"
    )
    assert "rp2040" in answer
    assert "max32690" in answer


def test_what_the_pick_stands_or_falls_with_is_to_be_measured_first(planner: Planner) -> None:
    answer = talk(
        planner,
        "vww within 150 ms on an esp32-s3 or an stm32u585, once a minute on two AA cells?",
        "decide for me, and what should I measure before I buy any?",
    )
    assert "Measure the latency on esp32-s3 first" in answer


def test_what_is_slow_beyond_use_is_not_taken_for_its_few_watts(planner: Planner) -> None:
    answer = talk(
        planner,
        "yolov8s on a raspberry pi 4, how fast?",
        "and on an orin nano 8gb?",
        "how many watts does each draw?",
        "which one goes into the kiosk, and what might flip that decision?",
    )
    assert answer.startswith("I would take jetson-orin-nano-8gb: ")
    assert "What would change it: " in answer


def test_a_ranking_gives_each_its_figure_and_what_it_is_best_in(planner: Planner) -> None:
    talk(planner, "kws on an rp2040?", "and on an nrf52840", "and on the stm32h743?")
    answer = planner.ask("rank the three for me, with a reason each").answer
    line = next(line for line in answer.splitlines() if line.startswith("In order: "))
    assert line.index("stm32h743zi ") < line.index("nrf52840 ") < line.index("rp2040 ")
    assert "is the cheapest" in line


def test_lives_that_the_cell_itself_ends_are_a_tie_that_the_next_figure_decides(planner: Planner) -> None:
    talk(planner, "ad on an stm32l476 once per hour, 300 mAh lipo: how long?", "and on the apollo3?")
    first, measured, *_ = planner.ask(
        "which of them do we build in, and what do I measure first?"
    ).answer.splitlines()
    assert "hardly differs from " in first
    assert "takes the least energy with " in first
    assert measured.startswith("Measure ")
    assert "apollo3" in measured


@pytest.mark.parametrize(
    ("question", "shortlist"),
    [
        ("At most 12 W for the accelerator. Shortlist: Hailo-8, Coral USB, Jetson Orin Nano 8GB; yolov8n at 30 fps. "
         "Please recommend one.", {"hailo-8", "coral-usb", "jetson-orin-nano-8gb"}),
        ("Our NPU budget is 200 dollars. Hailo-8L or Coral M.2 for mobilenet_v2 at 90 fps? Give a recommendation.",
         {"hailo-8l", "coral-edge-tpu"}),
    ],
)  # fmt: skip
def test_of_a_shortlist_none_other_is_told(planner: Planner, question: str, shortlist: set[str]) -> None:
    lines = planner.ask(question).answer.split("\n")
    rows = [line.strip("| ").split(" | ")[0] for line in lines if line.startswith("| ")]
    assert set(rows[1:]) == shortlist
