"""Accelerators beside the board that they compute for: what is compared, and what can be put on a board."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.planner.conversation import understood
from edgewright.agent.planner.query import Query, Role
from edgewright.agent.workspace import Workspace
from edgewright.tools import get_target

PI = "raspberry-pi-5"


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


def targets(*questions: str) -> list[str]:
    query: Query | None = None
    for question in questions:
        query = understood(question, query, {})
    assert query
    return sorted(set(query.all(Role.TARGET)))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Hailo-8 or Coral USB for my Raspberry Pi 5, mobilenet_v2?", [f"{PI}-coral-usb", f"{PI}-hailo-8"]),
        ("yolov5n on a pi 4 that has a coral usb, fps?", ["raspberry-pi-4b-coral-usb"]),
        ("does adding a hailo-8l to my pi 5 speed yolov5n up?", [PI, f"{PI}-hailo-8l"]),
        ("pi 5 versus hailo-8 for resnet50", [PI, f"{PI}-hailo-8"]),
        ("we go from a hailo-8 to a jetson orin nano with yolov5n", ["hailo-8", "jetson-orin-nano-8gb"]),
        ("resnet50 on a bare hailo-8, fps?", ["hailo-8"]),
        ("13 TOPS hat against the 26 TOPS hat, yolov5n", [f"{PI}-hailo-8", f"{PI}-hailo-8l"]),
        ("900 TOPS hat, yolov5n", []),
    ],
)
def test_an_accelerator_sits_on_the_board_that_it_is_for(question: str, expected: list[str]) -> None:
    assert targets(question) == expected


def test_a_later_turn_puts_the_accelerator_on_the_board_of_the_talk() -> None:
    first = "yolov5s on a raspberry pi 5 at 20 fps, is that possible?"
    assert targets(first, "and with a coral usb?") == [f"{PI}-coral-usb"]
    assert targets(first, "with a hailo-8l, then?", "how about the 26 TOPS version?") == [f"{PI}-hailo-8"]
    assert targets("yolov5s on a stm32h743zi?", "and on a hailo-8?") == ["hailo-8"]


@pytest.mark.parametrize(
    ("first", "then", "targets", "feeds"),
    [
        ("yolov8n on a raspberry pi zero 2 w?", "and if I plug a coral usb stick into the Zero?",
         ["coral-usb"], "raspberry-pi-zero-2w"),
        ("mobilenet v2 on a Raspberry Pi 4 and a Raspberry Pi 3B+, fps?", "what if my coral stick is on the 3B+?",
         ["coral-usb"], "raspberry-pi-3b-plus"),
        ("yolov8s on rk3588, fps?", "what if a hailo-8 goes onto it", ["hailo-8"], "rk3588"),
        ("yolov8n on a raspberry pi 5, fps?", "what if a hailo-8 goes onto it", ["raspberry-pi-5-hailo-8"], ""),
    ],
)  # fmt: skip
def test_what_is_put_on_a_board_of_the_talk_computes_and_the_board_feeds_it(
    first: str, then: str, targets: list[str], feeds: str
) -> None:
    query = understood(then, understood(first, None, {}), {})
    assert list(query.all(Role.TARGET)) == targets
    assert [note for note in query.notes if f"{feeds} only feeds it" in note] or not feeds


def test_price_and_power_are_those_of_both(planner: Planner) -> None:
    answer = planner.ask(
        "yolov5s on a raspberry pi 5: is the Hailo-8 worth more money than the Hailo-8L?"
    ).answer
    for row in (f"{PI}-hailo-8", f"{PI}-hailo-8l"):
        assert f"{get_target(row).price_usd:g} USD a board" in answer
    assert "a module" not in answer


@pytest.mark.parametrize(
    "question",
    [
        "which accelerator could I attach?",
        "so what can I plug in to it?",
        "is there a stick or a hat for it?",
    ],
)
def test_what_can_be_put_on_a_board_is_chosen_among_what_goes_there(planner: Planner, question: str) -> None:
    planner.ask("yolov5s on a raspberry pi 5, 20 fps needed. Does it do?")
    answer = planner.ask(question).answer
    rows = re.findall(r"^\| ([\w-]+) \| hailort|^\| ([\w-]+) \| edgetpu", answer, re.MULTILINE)
    assert rows
    assert all("".join(row).startswith(f"{PI}-") for row in rows)
    later = planner.ask("and how fast is yolov5n on the board alone?").answer
    assert "rtx" not in later


def test_where_nothing_is_sure_what_may_do_is_named(planner: Planner) -> None:
    answer = planner.ask(
        "Which plug-in accelerator brings my Intel N100 to 150 fps with efficientnet_b1?"
    ).answer
    assert " may meet 150 fps, which cannot be told for sure" in answer.partition("\n")[0]
    assert "not sure (" in answer


def test_another_size_takes_the_place_of_the_one_before(planner: Planner) -> None:
    first = "yolov5m on a jetson orin nano at 40 fps, does that go?"
    assert planner.ask(first)
    answer = planner.ask("would yolov5s do, with how much left?").answer
    assert "yolov5m" not in answer
    both = planner.ask("and both yolov5s and yolov5m, in turn on the same board?").answer
    assert "together" in both.partition("\n")[0]
