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
