"""Accelerators beside a host: which operators and which weights stay on them."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.planner.query import Role
from edgewright.agent.planner.reading import read
from edgewright.agent.workspace import Workspace


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


def test_weights_that_go_in_stay_and_the_rest_is_fetched_again(planner: Planner) -> None:
    assert planner.ask("Do all weights of mobilenet_v1 stay on a Coral USB?").answer.startswith(
        "on the chip, all"
    )
    large = planner.ask("Where do the weights of resnet50 lie on a Coral USB, on the chip?").answer
    assert large.startswith("on the chip in part")
    assert "fetched again at each inference" in large


@pytest.mark.parametrize("board", ["coral usb", "hailo-8l"])
def test_memory_of_the_host_leaves_no_doubt_whether_a_network_fits(planner: Planner, board: str) -> None:
    answer = planner.ask(f"does mobilenet_v2 fit on a {board}?").answer
    assert "unknown" not in answer.partition("\n")[0]


def test_swish_is_named_where_it_runs_but_quantises_badly(planner: Planner) -> None:
    asked = "do all operators of {} run on a coral usb?"
    assert "swish" in planner.ask(asked.format("efficientnet_b1")).answer
    assert "swish" not in planner.ask(asked.format("efficientnet_lite1")).answer


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        ("yolov5s 512 on a raspberry pi 5, fps?", (512,)),
        ("yolov8n @ 480 jetson orin nano 8gb fps", (480,)),
        ("yolov8n on a jetson orin nano 8gb, 640 images, how long?", ()),
        ("resnet50 128 images on an rtx 3060, how long?", ()),
        ("yolov8n 7 orin nano", ()),
    ],
)
def test_a_number_right_behind_a_network_is_its_input_and_no_count(
    question: str, sides: tuple[float, ...]
) -> None:
    assert read(question).numbers(Role.SIDE) == sides
