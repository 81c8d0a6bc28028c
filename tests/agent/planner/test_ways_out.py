"""What is told beside a no: changes, members of the family, batches and boards that meet the very limits."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from edgewright import tools
from edgewright.agent.planner import Planner
from edgewright.agent.planner.answers.ways_out import LEADS, smaller
from edgewright.agent.workspace import Workspace

from .test_turns import talk

_BOARD = re.compile(r"([a-z][\w-]+) with ([\w-]+) \(")


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


def way(answer: str) -> str:
    return next((line for line in answer.splitlines() if any(lead in line for lead in LEADS)), "")


@pytest.mark.parametrize(
    ("question", "model", "limits"),
    [
        ("does vww run within 100 ms on an stm32l4r5zi?", "vww", {"latency_ms": 100}),
        ("can yolov8m do 60 fps on a jetson orin nano 8gb?", "yolov8m", {"rate_hz": 60}),
        ("is a raspberry pi 4 able to do yolov8s at 15 fps?", "yolov8s", {"rate_hz": 15}),
        ("does mobilenet_v2 int8 fit on an stm32h743?", "mobilenet_v2:int8", {}),
    ],
)
def test_each_board_that_is_named_meets_the_limits(
    planner: Planner, question: str, model: str, limits: dict[str, float]
) -> None:
    named = _BOARD.findall(way(planner.ask(question).answer))
    assert named
    for target, runtime in named:
        place = tools.deployment(target, runtime, threads=0)
        verdict = tools.check_constraints(model, place, limits, remedies=False).verdict
        assert verdict in ("PASS", "MARGINAL")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("can yolov8m do 60 fps on a jetson orin nano 8gb?", "yolov8s as the largest of its family"),
        ("does yolov8l keep 100 fps on a t4 in fp16?", "yolov8m as the largest of its family"),
        ("does vww run at 15 fps on an esp32-s3?", "runtime-esp-dl (minutes, "),
        ("can a raspberry pi 5 do yolov8n at 40 fps?", "another board: raspberry-pi-5-hailo-8 with hailort"),
        ("does mobilenet_v2 int8 fit on an stm32h743?", "input-50 and prune-50 together (retraining, "),
    ],
)
def test_the_nearest_way_is_told_first(planner: Planner, question: str, told: str) -> None:
    assert told in way(planner.ask(question).answer)


def test_a_network_that_may_not_be_retrained_keeps_its_size(planner: Planner) -> None:
    answer = planner.ask("ic within 30 ms on an stm32f746ng, I can not retrain. options?").answer
    assert answer.startswith(
        "Probably not, though not surely: of what you allow runtime-x-cube-ai (minutes) brings most"
    )
    assert "retraining" not in way(answer)


def test_where_none_of_several_does_another_is_named(planner: Planner) -> None:
    answer = planner.ask("vww at 10 fps: nrf52840 or nrf5340?").answer
    found = _BOARD.findall(way(answer))
    assert found
    assert not {"nrf52840", "nrf5340"} & {target for target, _ in found}


def test_what_meets_its_limits_is_told_no_way_out(planner: Planner) -> None:
    assert not way(planner.ask("does kws run within 200 ms on an stm32l4r5zi?").answer)


def test_a_board_that_is_told_beside_a_no_is_not_the_subject_of_what_follows(planner: Planner) -> None:
    answer = talk(planner, "does vww run within 100 ms on an stm32l4r5zi?", "and its arena?")
    assert "stm32l4r5zi" in answer.partition("\n")[0]


@pytest.mark.parametrize(
    ("model", "members"),
    [
        ("yolov8m", ["yolov8s", "yolov8n"]), ("yolov8n", []), ("vww.tflite", []),
        ("resnet50:int8", ["resnet34:int8", "resnet18:int8"]),
    ],
)  # fmt: skip
def test_smaller_networks_of_the_family_come_largest_first(model: str, members: list[str]) -> None:
    assert smaller(model) == members


@pytest.mark.parametrize(
    ("question", "warned"),
    [
        ("kws on an stm32f746ng must always finish within 20 ms, for a safety case. can you confirm?", True),
        ("is kws on an stm32h743zi guaranteed to finish within 100 ms?", True),
        ("does kws run within 200 ms on an stm32l4r5zi?", False),
    ],
)
def test_an_interval_is_no_proof_where_every_run_has_to_be_in_time(
    planner: Planner, question: str, warned: bool
) -> None:
    assert ("easure the longest of many runs" in planner.ask(question).answer) is warned
