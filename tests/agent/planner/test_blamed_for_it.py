"""Who or what is at fault where a figure is not the estimate: the set-up before board or tool."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


@pytest.mark.parametrize(
    ("question", "first", "told"),
    [
        ("you predict 15 ms for kws on an stm32h743 with TFLM, my scope says 61 ms. who is lying?",
         "Neither need be wrong", "tflm-reference as kernels"),
        ("my board needs 210 ms for kws on an stm32h743 at 480 MHz, you say about 15. who is right?",
         "Neither need be wrong", "tflm-reference as kernels"),
        ("yolov8n fp16 on a jetson orin nano 8gb takes 19 ms here. is my board broken?",
         "Not broken by that", "float32 instead of float16"),
        ("mobilenet_v2 on a coral usb stick takes 11 ms on my raspberry pi 3b. is the stick faulty?",
         "No, 11 ms is", "Over USB 2.0"),
        ("Hailo-8 says 26 TOPS. yolov8n is 8.7 GFLOP, so 26000/8.7 = about 3000 fps. Who is lying?",
         "Nobody by that: 3000 fps is", "% of that peak is reached"),
    ],
)  # fmt: skip
def test_hardware_and_people_are_not_blamed_for_a_set_up(
    planner: Planner, question: str, first: str, told: str
) -> None:
    answer = planner.ask(question).answer
    assert answer.startswith(first)
    assert told in answer


def test_what_they_were_told_is_no_limit_and_the_end_of_an_interval_lies_inside(planner: Planner) -> None:
    answer = planner.ask(
        "Your estimate for kws on the Nucleo L4R5ZI at 120 MHz with CMSIS-NN is well under 100 ms. My scope says "
        "182 ms, every time. Who's wrong?"
    ).answer
    assert answer.startswith("Nobody by that: 182 ms is plausible")
    assert "does not meet" not in answer


def test_how_many_times_it_differs_is_no_time(planner: Planner) -> None:
    answer = planner.ask(
        "kws on a NUCLEO-H743ZI: you estimate 15 ms, I measure 112 ms. Factor 7.5. Why?"
    ).answer
    assert "7.5 is" not in answer
    assert "112 ms is 7.49x slower" in answer


def test_a_time_on_one_board_is_not_held_against_the_one_it_reminds_of(planner: Planner) -> None:
    answer = planner.ask(
        "NUCLEO-H743ZI2, vww with TFLM + CMSIS-NN. I measure 310 ms. That's as slow as an L4. What did I do wrong?"
    ).answer
    assert "310 ms is 7.23x slower than I expect" in answer
    assert "L4 is what you hold it against" in answer


def test_a_time_measured_where_several_boards_were_spoken_of_is_of_the_one_named(planner: Planner) -> None:
    for question in ("how fast is ad on an ESP32?", "and on an STM32F446 at 180 MHz?"):
        planner.ask(question)
    answer = planner.ask(
        "I measured on the ESP32 now 84 ms, TensorFlowLite_ESP32. More than you told, isn't it?"
    )
    assert "84 ms is 3.83x slower than I expect" in answer.answer
    last = planner.ask(
        "even with 84 ms does my plan of 4 motors at 10 per second hold? and how can I feed my measurement in?"
    ).answer
    assert last.startswith("No, 84 ms is too long for 4 times 10 per second")
    assert "ad,esp32,84" in last
    assert "meets that" not in last
