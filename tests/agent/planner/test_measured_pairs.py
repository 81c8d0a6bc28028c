"""Two times that the user measured tell a speed-up, a shared part or a time an image, beside the estimates."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


@pytest.mark.parametrize(
    ("question", "told"),
    [
        # T = a + b/n: (45 - 80/4) / (1 - 1/4) = 33.3 ms stay, (80 - 33.3) / 80 are shared
        ("mobilenet_v2 on a Raspberry Pi 4: with 1 thread 80 ms, with 4 threads 45 ms. Why not 20?",
         ("1.78x as fast", "58.3 % of the work", "33.3 ms are not", "your 20", "2.44x slower than I expect")),
        # T = a + b n: b = (30 - 9) / 7 = 3, a = 6
        ("Jetson Orin Nano, yolov8n fp16: batch 1 is 9 ms, batch 8 is 30 ms. How much is that per image?",
         ("3.75 ms an image instead of 9 ms", "6 ms were paid once a batch", "no batch does more than 333 fps")),
        ("Jetson Orin Nano, yolov8n fp16: batch 1 takes 9 ms, batch of 8: 3.75 ms per image. Good?",
         ("3.75 ms an image instead of 9 ms", "3.33x as long")),
        # T = a + c/f: 2 x 21 - 30 = 12 ms do not follow
        ("I measured kws on STM32H743: 30 ms at 240 MHz, 21 ms at 480 MHz. Why isn't it half?",
         ("1.43x as fast", "12 ms, 57.1 % of the time", "wait states")),
        ("yolov8n int8 on Raspberry Pi 5 takes 120 ms, float32 only 95 ms. How can int8 be slower than float?",
         ("int8 is 1.26x slower than float32 (95 ms → 120 ms)", "LOGISTIC", "quantise and dequantise")),
        ("On the Raspberry Pi 4 mobilenet_v2 takes 12 ms in int8 and 20 ms in float32. Shouldn't int8 be 4x faster?",
         ("No, less than *4x*", "int8 is 1.67x as fast as float32", "2.36x as fast")),
        ("ic on STM32F746: 80 ms measured with CMSIS-NN, 410 ms without. Is that factor normal?",
         ("Yes, that is about the gain", "5.12x as fast as tflm-reference")),
        ("mobilenet_v2 on Pi 4: quantised 31 ms, float 44 ms. I expected 4x. why?",
         ("No, less than *4x*", "1.42x as fast")),
        ("On my Pi 4, mobilenet_v2 runs at 12 fps on one core and 31 fps on all four. Fine?",
         ("2.58x as fast as 1 thread",)),
        ("T4 1.1 ms, A100 0.9 ms for resnet50 fp16 batch 1. Why so little?",
         ("a100-sxm4-80gb is 1.22x as fast as t4 (1.1 ms → 0.9 ms)", "1.91x as fast by my estimates")),
    ],
)  # fmt: skip
def test_what_two_times_say_stands_beside_what_is_estimated(
    planner: Planner, question: str, told: tuple[str, ...]
) -> None:
    answer = planner.ask(question)
    assert not answer.marked
    assert "did not take into account" not in answer.answer
    for words in told:
        assert words in answer.answer


def test_a_time_that_is_hoped_for_with_both_cores_is_judged_and_no_limit(planner: Planner) -> None:
    answer = planner.ask(
        "ESP32-S3 has two cores. If it says 60 ms for vww on one core, is it 30 with both?"
    ).answer
    assert answer.startswith("No, less than that")
    assert "run an inference on one core" in answer


def test_without_a_network_the_figures_speak_for_themselves(planner: Planner) -> None:
    answer = planner.ask(
        "My own net on some board: int8 12 ms against float 20 ms. Is that factor normal?"
    ).answer
    assert "int8 is 1.67x as fast as float32 (20 ms → 12 ms)" in answer
    assert "Name the network and the board" in answer


def test_one_time_and_a_limit_are_no_pair(planner: Planner) -> None:
    answer = planner.ask(
        "kws takes 30 ms on my STM32H743 with one core, it must be under 20 ms. Enough?"
    ).answer
    assert "By your figures" not in answer


def test_the_one_that_a_factor_is_said_of_is_the_one_in_its_sentence(planner: Planner) -> None:
    question = "Is int8 on the Raspberry Pi 4 4x faster than float32 for mobilenet_v2?"
    answer = planner.ask(question).answer
    assert answer.startswith("No, less than *4x*: 2.36x faster")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        # (2 / 1.5 - 1) / (2 - 1) = 1/3 does not follow
        ("I doubled the clock of my STM32H7 from 240 to 480 MHz and inference got only 1.5x quicker. Shouldn't it be 2x?",
         ("Yes, about *2x* is to be expected", "66.7 % of the time at 240 MHz follows the clock, 33.3 % does not")),
        ("I quantized mobilenet_v2 from fp32 to int8 and expected about 4x on a Raspberry Pi 4. Measured only about 1.4x.",
         ("No, less than *4x*", "int8 is 1.4x as fast as float32", "2.36x as fast")),
        ("yolov8n on Raspberry Pi 5: 4 threads only 2.1x faster than 1. why?",
         ("4 threads bring 2.1x, less than the 4x in proportion", "2.53x as fast")),
    ],
)  # fmt: skip
def test_a_gain_that_was_measured_stands_beside_the_one_that_is_estimated(
    planner: Planner, question: str, told: tuple[str, ...]
) -> None:
    answer = planner.ask(question)
    assert not answer.marked
    for words in told:
        assert words in answer.answer


def test_a_gain_that_is_asked_about_was_not_measured(planner: Planner) -> None:
    answer = planner.ask("Would int8 be 4x faster than float32 for mobilenet_v2 on a Raspberry Pi 4?").answer
    assert "By your figures" not in answer


@pytest.mark.parametrize(
    "question",
    [
        "kws on an stm32h743: with 1 thread 80 ms, with 0 threads 45 ms. Why?",
        "resnet50 on a t4: batch 0 takes 3 ms, batch 8 takes 30 ms. Is that normal?",
        "mobilenet_v2 on a pi 4: int8 0 ms against float32 20 ms. Is that normal?",
        "mobilenet_v2 on a pi 4: 4 threads gave only 0x of 1 thread. Why?",
        "a car is in view for 0 s and I need 3 pictures of it, yolov8n on a jetson orin nano 8gb",
    ],
)
def test_nothing_is_divided_by_what_is_zero(planner: Planner, question: str) -> None:
    assert planner.ask(question).answer
