"""The end of a comparison that is asked for: the slowest, what takes most, what lasts shortest; yes or no to more."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner.planner import Planner
from edgewright.agent.workspace import Workspace


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


@pytest.mark.parametrize(
    ("question", "first"),
    [("Which of kws, vww, ic and ad costs the most energy per inference on an STM32H743?",
      "ic takes the most energy"),
     ("which is the slowest of kws, vww and ic on an esp32-s3?", "vww is the slowest"),
     ("which needs more RAM on an stm32l4r5zi, vww or ic?", "vww takes the most RAM"),
     ("kws every 10 s on a CR2032: which lasts the shortest, nrf52840 or apollo3?", "nrf52840 lasts shortest"),
     ("which board draws the least power for kws, nrf52840 or esp32-s3?", "nrf52840 draws the least power")],
)  # fmt: skip
def test_the_end_that_is_asked_for_stands_first(planner: Planner, question: str, first: str) -> None:
    assert planner.ask(question).answer.startswith(first)


@pytest.mark.parametrize(
    ("question", "word"),
    [("Does vww need more RAM than ic on an stm32l4r5zi?", "Yes"),
     ("will ic take longer than vww on an esp32?", "No"),
     ("is it worth using esp-nn on the esp32-s3 for vww?", "Yes, tflm-esp-nn is worth it"),
     ("if I quantize mobilenet_v2 to int8 on a Raspberry Pi 4, will it get faster?", "Yes")],
)  # fmt: skip
def test_a_comparison_that_is_asked_as_yes_or_no_says_so_first(
    planner: Planner, question: str, word: str
) -> None:
    assert planner.ask(question).answer.startswith(word)


def test_at_a_pace_what_is_drawn_on_average_decides(planner: Planner) -> None:
    answer = planner.ask("kws twice a second: which draws less on average, nrf52840 or esp32-s3?").answer
    assert answer.startswith("nrf52840 draws least on average with")


def test_a_life_that_is_known_at_most_loses_to_one_that_is_surely_longer(planner: Planner) -> None:
    question = "vww once every 2 seconds from 2 x AA: which lasts longest, Apollo4 Plus or i.MX RT1060?"
    first = planner.ask(question).answer.partition("\n")[0]
    assert first.startswith("apollo4-plus lasts longest")
    assert "imxrt1060 at most" in first


def test_several_networks_that_share_a_deadline_are_added_up_on_each_board(planner: Planner) -> None:
    question = "STM32H7 or i.MX RT1060 for ic plus kws on the same chip, both done inside 100 ms together?"
    first = planner.ask(question).answer.partition("\n")[0]
    assert first.startswith("imxrt1060 probably makes it with most room, with 37 ms")
    assert "stm32h743zi probably makes it, with 71.4 ms" in first


def test_a_deadline_is_held_against_the_sum_of_the_times(planner: Planner) -> None:
    answer = planner.ask("Can kws and vww both run on an stm32f746 within 100 ms?").answer
    assert answer.startswith("Probably not: kws and vww together on stm32f746ng take 131 ms")


def test_what_of_the_processor_has_to_stay_free_limits_the_rate(planner: Planner) -> None:
    answer = planner.ask("ad on an STM32H743 must leave 90% of the cpu free. How often can I run it?").answer
    assert answer.startswith("94.1 fps")
    assert "did not take into account" not in answer


@pytest.mark.parametrize(
    ("question", "first"),
    [("which of kws and ic has more MACs?", "ic computes most"),
     ("Can I compare kws and ic on the stm32h743zi by their FLOPs alone?", "MACs alone do not tell"),
     ("does cmsis-nn make a difference for kws on an stm32f446re?", "Yes: tflm-cmsis-nn is the fastest")],
)  # fmt: skip
def test_what_is_thought_to_make_the_difference_is_judged(
    planner: Planner, question: str, first: str
) -> None:
    assert planner.ask(question).answer.startswith(first)


def test_a_time_that_is_reckoned_from_a_peak_is_told_how_much_of_it_is_reached(planner: Planner) -> None:
    answer = planner.ask("A Cortex-M7 does 960 MMAC/s, so ic on the stm32h743zi takes 13 ms. Right?").answer
    assert "would take 13 ms: 23.1 % of that peak is reached" in answer


def test_what_is_faster_than_can_be_has_other_causes_to_check_than_what_is_slower(planner: Planner) -> None:
    fast, slow = (
        planner.ask(f"kws takes {time} on my stm32f446re, is that realistic?").answer
        for time in ("2 ms", "2 s")
    )
    assert "the timer spans the whole inference" in fast
    assert "kernels that are linked" in slow
