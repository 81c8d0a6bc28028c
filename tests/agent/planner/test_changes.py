"""What a change brings, what to change first, and what is ruled out."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.planner.reading import read
from edgewright.agent.planner.words import spoken
from edgewright.agent.workspace import Workspace

from .test_turns import talk


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


@pytest.mark.parametrize(
    "words",
    [
        "retraining is not possible", "which of these doesn't need retraining", "we can't retrain it",
        "I don't want to have to retrain", "anything that does not require retraining?", "retraining isn't an option",
    ],
)  # fmt: skip
def test_retraining_is_ruled_out_in_whatever_words(words: str) -> None:
    assert "retraining" in read(words).excluded


@pytest.mark.parametrize(
    "words", ["I could retrain it", "what does retraining bring?", "I can retrain but not buy"]
)
def test_who_speaks_of_retraining_does_not_rule_it_out(words: str) -> None:
    assert "retraining" not in read(words).excluded


def test_without_retraining_is_asked_of_what_was_just_listed(planner: Planner) -> None:
    assert "(retraining)" in talk(planner, "how do I get vww on an nrf52840 under 200 ms?")
    answer = talk(planner, "which of these doesn't need retraining?")
    assert "(retraining)" not in answer
    assert "(minutes)" in answer


def test_halving_the_input_is_simulated_in_whatever_words() -> None:
    for words in (
        "if I cut the input resolution in half?",
        "with half the image size?",
        "a lower resolution?",
    ):
        assert "input-50" in spoken("technique", words)


def test_a_change_tells_time_and_memory_and_what_it_may_cost(planner: Planner) -> None:
    answer = talk(
        planner, "will pruning half the channels of vww make it faster on an stm32f746, or only smaller?"
    )
    assert "time 96.9 ms →" in answer
    assert "flash 427 KiB →" in answer
    assert "Accuracy at risk" in answer


def test_one_change_is_judged_by_the_limit(planner: Planner) -> None:
    answer = talk(planner, "what if I prune vww by half, does it meet 50 ms on an stm32h743 then?")
    assert "Yes, against 50 ms." in answer


def test_every_change_that_is_named_is_told(planner: Planner) -> None:
    answer = talk(
        planner, "distilling, pruning or quantising kws on an stm32l4r5zi: which gives the most speed?"
    )
    assert "prune-50" in answer
    assert "int8" in answer
    assert "student" in answer


def test_what_closes_one_of_two_gaps_is_no_remedy(planner: Planner) -> None:
    answer = talk(planner, "can I run mobilenet_v2 on an stm32f746 or is it hopeless?")
    assert "What would do: input-50, prune-50 and exit together (retraining, " in answer


def test_changes_that_do_not_go_together_are_told_each(planner: Planner) -> None:
    answer = planner.ask(
        "distil or prune or quantise, which first for mobilenet_v2 on a pixel 7 cpu to get < 8 ms?"
    ).answer
    assert "| student |" in answer
    assert "| prune-50 |" in answer
    assert "| together |" not in answer


@pytest.mark.parametrize(
    ("first", "later", "before", "after"),
    [
        ("resnet50 in fp32 on a jetson-xavier-nx with onnxruntime-cuda, batch 1?", "if I switch to fp16?", "float32", "float16"),
        ("yolov8n in float16 on a jetson-orin-nano-8gb, how fast?", "and what would int8 change", "float16", "int8"),
        ("mobilenet_v2 at 160 on an stm32h743 at 480 MHz?", "and if I drop the clock to 240", "480 MHz", "240 MHz"),
        ("yolov8n on a raspberry pi 4 with ncnn, 4 threads?", "what if it gets just one thread", "4 threads", "1 thread"),
    ],
)  # fmt: skip
def test_a_setting_of_the_talk_is_told_against_what_it_was(
    planner: Planner, first: str, later: str, before: str, after: str
) -> None:
    planner.ask(first)
    rows = [line for line in planner.ask(later).answer.splitlines() if line.startswith("| ")][1:]
    assert [row.split(" | ")[0].strip("| ") for row in rows] == [before, after]


def test_a_time_beside_a_measured_one_is_what_a_change_has_to_reach(planner: Planner) -> None:
    answer = planner.ask(
        "ds_cnn on an nRF52840 measured 190 ms with cmsis-nn. Need 10. No retraining."
    ).answer
    assert answer.startswith("No: of what you allow")
    assert "against 10" in answer.partition("\n")[0]


def test_twice_as_quick_is_half_of_the_time_now(planner: Planner) -> None:
    answer = planner.ask("I need kws twice as quick on an nRF52840. No retraining please.").answer
    assert "against *twice*" in answer.partition("\n")[0]
