"""Single-board computers, their accelerators and phones: streams, heat, cores, caches and kernels."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace

from .conftest import Ask
from .test_turns import talk


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


@pytest.mark.parametrize(
    "question",
    [
        "How many cameras can an Orin Nano handle with yolov8n at 10 fps each, and how many with yolov8s?",
        "how many cameras with yolov8n, and with yolov8s, on a raspberry pi 5 with hailo-8 at 15 fps?",
    ],
)
def test_how_many_of_one_network_and_of_another_is_no_sum_of_both(ask: Ask, question: str) -> None:
    first = ask(question).partition("\n")[0]
    assert first.count(" streams at ") == 2
    assert "together" not in first


def test_two_networks_on_one_board_at_one_rate_are_still_added(ask: Ask) -> None:
    assert (
        "together" in ask("can I run yolov8n and resnet18 both at 15 fps on an orin nano?").partition("\n")[0]
    )


def test_whether_it_throttles_is_not_answered_by_a_rate(ask: Ask) -> None:
    told = ask("My Orin Nano is in a sealed box. Will it throttle with yolov8s at 30 fps?")
    assert told.startswith("I calculate no temperatures")
    assert "becomes heat; slowed down by heat, it keeps 30 fps as long as" in told
    assert "tegrastats" in told


@pytest.mark.parametrize("cores", ["single core of the RK3588 NPU", "one of three NPU cores of the RK3588"])
def test_one_core_of_an_npu_is_told_by_its_own_rate(ask: Ask, cores: str) -> None:
    first = ask(f"{cores}, resnet50 int8: how many fps?").partition("\n")[0]
    assert first.startswith("110 fps")


def test_kernels_of_different_types_are_told_with_their_types_and_like_for_like(ask: Ask) -> None:
    told = ask("Which is faster on a Raspberry Pi 4 for mobilenet_v2: ncnn or tflite xnnpack?")
    assert "4 threads, 1800 MHz; int8 with litert-xnnpack; float32 with ncnn." in told
    assert "the type, not the kernels: litert-xnnpack in float32 takes" in told


def test_a_phone_with_an_npu_of_no_figures_is_not_refused_as_a_whole(ask: Ask) -> None:
    told = ask("Can a Pixel 8 Pro run yolov8m at 30 fps?")
    assert told.startswith("Without its TPU, of which I have no figures, no: ")


def test_whether_weights_go_into_the_cache_is_answered_first(ask: Ask) -> None:
    first = ask("ssd mobilenet v2 on the Coral, does it fit in the 8 MB cache?").partition("\n")[0]
    assert first.startswith("No: its 16.4 MiB of weights exceed")


def test_a_camera_takes_its_part_of_the_power_that_there_is(ask: Ask) -> None:
    told = ask("5 watts total, the camera module takes 1 W, yolov8n at 2 fps. Which board?")
    assert "5 watts less 1 W" in told.partition("\n")[0]


def test_causes_of_a_slow_npu_are_those_of_an_npu(ask: Ask) -> None:
    told = ask("I measured yolov8n at 45 ms on my RK3588 but people report 20 ms. What could be wrong?")
    assert "pre- and post-processing on the CPU inside the timer" in told
    assert "1,434 ms" not in told  # an interval that explains anything explains nothing


def test_the_best_two_of_a_list_are_no_two_cameras(planner: Planner) -> None:
    first = talk(
        planner, "A box for 4 streams of yolov8s, 10 fps each, under 300 euros?", "Compare the best two"
    )
    assert "4 times 10 fps" in first.partition("\n")[0]


def test_thanks_before_a_choice_is_no_farewell(planner: Planner) -> None:
    asked = "3 cameras, yolov8n at 10 fps each. Which board?"
    told = talk(planner, asked, "Thank you. So what do I put on the shopping list?")
    assert told.startswith("I would take ")
    assert "| price | power |" in told
