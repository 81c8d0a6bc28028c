"""Networks that go by their size beside another of their family: yolov8n or s, the medium one, the 3B."""

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.planner.query import Role
from edgewright.agent.planner.reading import read
from edgewright.agent.workspace import Workspace

from .test_turns import talk


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("yolov5m or l on an rtx 3060, which is quicker?", ("yolov5m", "yolov5l")),
        ("fps of yolo11 n, s and x on a hailo-8?", ("yolo11n", "yolo11s", "yolo11x")),
        ("vgg16 vs 19 on a jetson orin nano", ("vgg16", "vgg19")),
        ("efficientnet b2 instead of b0 on an l4, how much slower?", ("efficientnet_b2", "efficientnet_b0")),
        ("gemma 3 12b or the 27b on a 3090?", ("gemma-3-12b", "gemma-3-27b")),
        ("resnet50 and 34 images at once on a t4", ("resnet50",)),
        ("resnet50 on a t4, 18 ms at most", ("resnet50",)),
        ("yolov8s, nano amps aside, on a pi 5", ("yolov8s",)),
    ],
)
def test_a_size_behind_a_network_is_another_of_it(question: str, meant: tuple[str, ...]) -> None:
    assert read(question).all(Role.MODEL)[: len(meant)] == meant


@pytest.mark.parametrize(
    ("first", "later", "meant"),
    [
        (
            "yolov8m on a jetson orin nano, 20 fps?",
            "what does the nano version of the network reach?",
            "yolov8n",
        ),
        ("yolov8m on a jetson orin nano, 20 fps?", "and the small one", "yolov8s"),
        ("resnet101 on an a10, latency?", "ok and the 34?", "resnet34"),
        ("swin small on an l4 please", "would a smaller variant be quicker?", "swin_tiny_patch4_window7"),
        ("llama 3.1 70b on two 3090s", "the 8B then", "llama-3.1-8b"),
        ("mobilenet v2 0.35 on an stm32h743", "and its 0.5 version?", "mobilenet_v2:0.5"),
    ],
)
def test_a_later_size_is_of_the_network_that_was_spoken_of(
    planner: Planner, first: str, later: str, meant: str
) -> None:
    talk(planner, first)
    assert meant in talk(planner, later).partition("\n")[0]


def test_what_is_no_size_of_the_family_changes_nothing(planner: Planner) -> None:
    talk(planner, "vww on an esp32-s3, how long?")
    assert "vww on esp32-s3" in talk(planner, "and the nano version?")
    assert "vww on esp32-s3" in talk(planner, "energy of the 0?")
