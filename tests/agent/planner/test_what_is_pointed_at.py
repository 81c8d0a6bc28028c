"""What the last question of a talk is about: what is described, replaced, undone, or the same as before."""

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner, planner
from edgewright.agent.planner.query import Query, Role
from edgewright.agent.workspace import Workspace

KWS, LLAMA = "kws on ", "llama-3.1-8b on "
TALKS = {
    "my laptop": ([LLAMA + "my laptop (macbook pro m3 max) or the desktop with a 4070", "and my laptop with 8 bits?"],
                  {"target": {"apple-m3-max"}}),
    "the used one": ([LLAMA + "a used 3090 or a 4070 ti", "what does the used one draw?"], {"target": {"rtx-3090"}}),
    "by the user's own name": ([KWS + "the Arduino Nano 33 BLE and on an ESP32", "and energy on the Arduino?"],
                               {"target": {"nrf52840"}}),
    "latter and former": ([KWS + "stm32f407", "and stm32h743?", "is the latter 4 times faster than the former?"],
                          {"target": {"stm32f407vg", "stm32h743zi"}}),
    "the start": ([KWS + "rp2040", "and esp32-s3?", "the energy on the board I asked about at the beginning?"],
                  {"target": {"rp2040"}}),
    "swapped": ([LLAMA + "an rtx 3060", "replace the 3060 with a 4090", "and in fp16?"], {"target": {"rtx-4090"}}),
    "instead of": (["yolov8n: orin nx or xavier nx?", "instead of the xavier take the agx orin"],
                   {"target": {"jetson-orin-nx-16gb", "jetson-agx-orin-64gb"}}),
    "no list": ([LLAMA + "an rtx 3060", "forget the 3060, macbook air m2"], {"target": {"apple-m2"}}),
    "undone": ([KWS + "stm32h743 at 240 MHz", "and at 120?", "as it was before, but the energy"], {"clock_mhz": {240.0}}),
    "both undone": ([KWS + "stm32h743", "at 120 MHz?", "and float32?", "undo both. how much RAM?"],
                    {"clock_mhz": set(), "dtype": set()}),
    "singly": (["resnet50 batch 16 on a t4", "and one picture at a time?"], {"batch": {1.0}}),
    "the same clock": ([KWS + "stm32h743 at 96 MHz", "and stm32f767 at the same clock?"], {"clock_mhz": {96.0}}),
    "sizes alone": (["yolov8n on a pi 5", "and s and m?"], {"model": {"yolov8s", "yolov8m"}}),
    "the bigger one": (["llama-3.2-3b or llama-3.1-8b on an rtx 3060", "how many tokens/s with the bigger one?"],
                       {"model": {"llama-3.1-8b"}}),
    "all of these": ([LLAMA + "an rtx 3090", "gemma-2-9b?", "qwen2.5-14b?", "all of these with 8 bits"],
                     {"model": {"llama-3.1-8b", "gemma-2-9b", "qwen2.5-14b"}}),
    "one of its kind": (["does kws run on a cortex-m4 like the stm32f411?"], {"target": {"stm32f411ce"}}),
    "a chip alone": (["yolov8n on rk3566", "what is the peak of an H100 in bf16?"], {"target": {"h100-sxm5"}, "model": set()}),
    "nothing to undo": ([KWS + "rp2040", "undo both"], {"model": {"kws"}, "target": {"rp2040"}}),
    "nobody was described": ([KWS + "rp2040", "and my spaceship?"], {"target": {"rp2040"}}),
    "no such size": (["yolov8n on a pi 5", "and b9?"], {"model": {"yolov8n"}}),
}  # fmt: skip


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Query]:
    """What each question was taken for."""
    found: list[Query] = []

    class Noting(planner.Desk):
        def __init__(self, workspace: Workspace, query: Query) -> None:
            super().__init__(workspace, query)
            found.append(self.query)

    monkeypatch.setattr(planner, "Desk", Noting)
    return found


@pytest.mark.parametrize(("turns", "about"), TALKS.values(), ids=TALKS.keys())
def test_the_last_question_is_about(
    turns: list[str], about: dict[str, set[object]], asked: list[Query], tmp_path: Path
) -> None:
    talk = Planner(Workspace(tmp_path))
    for turn in turns:
        asked.clear()
        talk.ask(turn)
    for role, values in about.items():
        assert {slot.value for slot in asked[0].slots if slot.role is Role(role)} == values
