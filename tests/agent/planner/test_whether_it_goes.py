"""Whether it goes at all, what does not run, margins, and what a figure or a number of cameras is of."""

from __future__ import annotations

import re
from pathlib import Path
from shutil import copy

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace
from tests.agent.planner.conftest import Ask
from tests.evaluation.workplace import put_known


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    put_known(tmp_path)
    copy(tmp_path / "kws_int8.tflite", tmp_path / "kws.tflite")
    return lambda question: Planner(Workspace(tmp_path)).ask(question).answer


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Talking skull that listens for one word. kws.tflite on a SparkFun Artemis possible?", "Yes"),
        ("can i do person detection on a arduino nano 33 ble sense?? how many fps", "Yes: "),
        ("Can my Arduino UNO (the normal one) do keyword spotting with kws.tflite?", "No, it does not fit: "),
        ("How many fps are possible with kws_int8.tflite on an Apollo3?", ""),
    ],
)
def test_whether_it_goes_at_all_is_answered_before_how_fast(ask: Ask, question: str, word: str) -> None:
    told = ask(question)
    assert told.startswith(word) if word else not told.startswith(("Yes", "No"))


def test_what_does_not_run_has_no_time_and_no_energy(ask: Ask) -> None:
    assert "fps" not in ask("Can my Arduino UNO (the normal one) do keyword spotting with kws.tflite?")
    told = ask("stm32n6 vs max78000 for ic_int8.tflite: energy per inference in uJ, which wins")
    assert "| max78000 | does not run | does not run |" in told
    assert "not max78000 (4 operators do not run)" in told


def test_a_clock_in_brackets_is_of_the_board_before_it(ask: Ask) -> None:
    told = ask("how many ms ic_int8.tflite on ESP32 (the old one, 240MHz) vs ESP32-S3 vs ESP32-C3")
    assert "| esp32-c3 |" in told
    assert "esp32 at 240 MHz" in told


def test_a_rate_is_told_with_its_margin(ask: Ask) -> None:
    told = ask("ad_int8.tflite on stm32u575zi, 10 windows per second. Is it fast enough?").splitlines()[0]
    found = re.search(r"([\d.]+) /s .* ([\d.]+)x as many", told)
    assert found is not None
    assert float(found[2]) == pytest.approx(float(found[1]) / 10, rel=0.02)
    assert "as many" not in ask("ad_int8.tflite on stm32u575zi every minute. Is it fast enough?")


def test_so_many_boards_that_each_have_their_cameras_are_not_one(ask: Ask) -> None:
    told = ask(
        "Engineering asks for 40 Jetson AGX Orin 64GB for YOLOv8s at 30 fps, two cameras per unit. Would the "
        "Orin NX 16GB do the same job, and with what margin?"
    )
    assert "40 x" not in told
    assert re.search(r"\| jetson-orin-nx-16gb .*\| 2\.\d+x \| yes \|", told)


def test_cameras_that_are_listed_are_counted(ask: Ask) -> None:
    told = ask(
        "RK3588 box: lane camera + driver camera, both yolov8n @ 20 fps, at the same time. Will it hold?"
    )
    assert "40 /s together" in told


def test_a_processor_without_kernels_is_said_to_be_told_by_another(ask: Ask) -> None:
    told = ask(
        "Compare iPhone 15 Pro Neural Engine vs Snapdragon 8 Gen 3 for mobilenet_v3_large, latency only."
    )
    assert told.startswith("Not known: I have no figures for the Neural Engine of apple-a17-pro")
    assert "| apple-a17-pro with onnxruntime-coreml |" in told
