"""Whether the streams of several cameras can be decoded, told where they are asked about."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace

from .test_turns import talk


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


LINE = re.compile(r"^Decoding .*$", re.MULTILINE)


@pytest.mark.parametrize(
    ("turns", "told"),
    [
        (["Can a Raspberry Pi 5 watch 4 cameras with yolov8n at 2 fps each?"], ["can in H.265 (at most 8)", "not in H.264 (at most 3 to 4"]),
        (["Can a Jetson Orin NX 16GB do 24 IP cameras with yolov8n at 5 fps each?"], ["cannot in H.265 (at most 18)"]),
        (["rk3588 with 12 rtsp cameras, yolov5s 8 fps each, enough?"], ["in H.265 (at most 32) and in H.264 (at most 16)"]),
        (["180 cameras, yolov8n, 10 fps each: how many Hailo-8?"], ["hailo-8 can decode nothing"]),
        (["is one NVIDIA T4 enough for 40 cameras at 5 fps with yolov8s?"], ["t4 may or may not, as no source tells"]),
        (["4 cameras, yolov8n at 10 fps each on a Raspberry Pi 5?", "and with a Hailo-8L on it?"], ["raspberry-pi-5-hailo-8l can in H.265"]),
    ],
)  # fmt: skip
def test_the_decoder_is_held_against_the_cameras(planner: Planner, turns: list[str], told: list[str]) -> None:
    line = LINE.search(talk(planner, *turns))
    assert line is not None
    assert all(each in line[0] for each in told)


@pytest.mark.parametrize(
    "question",
    [
        "kws on 8 microphones at 4 per second on a raspberry pi 4b, ok?",
        "yolov8n on a raspberry pi 5 with one camera at 5 fps?",
        "how fast is yolov8n on a jetson orin nano?",
        "how much RAM does yolov8n take on a raspberry pi 5 with 4 cameras?",
    ],
)
def test_where_no_streams_of_cameras_are_asked_about_nothing_is_told(planner: Planner, question: str) -> None:
    assert not LINE.search(talk(planner, question))
