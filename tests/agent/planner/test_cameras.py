"""What several cameras need: a box for all of them, a supply that is enough at every moment, a decoder."""

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


def test_a_box_is_chosen_for_all_cameras_together(planner: Planner) -> None:
    told = talk(planner, "8 IP cameras, yolov8n on all of them at 15 fps each. What box do I need?")
    assert "meets 8 times 15 fps" in told
    assert "Together that is 120 /s, a load of" in told
    assert "boards meet" not in told  # *all of them* are the cameras, no list of boards


def test_what_decodes_the_streams_comes_before_what_does_not(planner: Planner) -> None:
    told = talk(planner, "Which box for 16 IP cameras with yolov8n at 5 fps each?")
    rows = [line.split(" | ")[0] for line in told.splitlines() if line.startswith("| ")][1:]
    line = next(line for line in told.splitlines() if line.startswith("Decoding 16 streams"))
    assert "cannot" not in line.partition(";")[0]
    assert rows.index("| raspberry-pi-5-hailo-8") > rows.index("| rk3588")


def test_without_a_rate_it_says_up_to_which_and_asks_for_it(planner: Planner) -> None:
    told = talk(planner, "16 ip cams, person detection with yolov8n, what box do I put in the rack?")
    assert "for each of 16: how many pictures a second does each need?" in told


def test_the_rate_that_was_asked_for_is_chosen_by(planner: Planner) -> None:
    turns = (
        "16 ip cams, person detection with yolov8n, what box do I put in the rack?",
        "5 fps is fine for each",
    )
    assert "meets 16 times 5 fps" in talk(planner, *turns)


def test_those_that_one_has_are_counted(planner: Planner) -> None:
    turns = ("Which box for 16 IP cameras with yolov8n at 5 fps each?", "can a Coral do it, I have 2 of them")
    assert talk(planner, *turns).startswith(
        "No, 2 are not enough, it takes 7 of them for 16 at 5 fps: one raspberry-pi-5-coral-usb"
    )


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("(H.265, 4MP, 25 fps), we only need 10 fps each", "12 streams of 4MP at 25 fps is not counted: jetson-orin-nx-16gb cannot in H.265 (at most 11)"),
        ("in 4K, 10 fps each", "12 streams of 4K at 30 fps is not counted: jetson-orin-nx-16gb cannot in H.265 (at most 4)"),
        ("in 1080p, 10 fps each", "12 streams of 1080p30 is not counted: jetson-orin-nx-16gb can in H.265 (at most 18)"),
    ],
)  # fmt: skip
def test_streams_are_decoded_by_their_pixels(planner: Planner, kind: str, told: str) -> None:
    assert told in talk(planner, f"12 cameras {kind} with yolov8n. Would a Jetson Orin NX 16GB do?")


def test_of_one_kind_of_video_that_alone_is_told(planner: Planner) -> None:
    told = talk(
        planner, "4 cameras in H.264, yolov8n at 5 fps each: is a Raspberry Pi 5 with Hailo-8 enough?"
    )
    assert "cannot in H.264" in told
    assert "in H.265" not in told


POE = (
    "4 cameras with yolov8n at 10 fps each, is a Raspberry Pi 5 with Hailo-8L enough?",
    "we feed it by PoE, 13 watts. is that ok?",
)


def test_a_supply_has_to_be_enough_at_every_moment(planner: Planner) -> None:
    assert "4.3 W (2.8–4.3 W) while computing of 13 watts" in talk(planner, *POE)


def test_what_may_draw_more_than_a_supply_gives_hardly_does(planner: Planner) -> None:
    told = talk(planner, "Is a Jetson Orin Nano with yolov8n at 40 fps ok on a PoE supply of 13 watts?")
    assert told.startswith("Probably not, though not surely")
    assert "15 W (4.5–15 W) while computing, and 13 watts lies inside that" in told


def test_a_choice_keeps_to_the_supply(planner: Planner) -> None:
    told = talk(planner, *POE, "and a Jetson Orin Nano instead?", "so which one do I buy?")
    assert told.startswith("I would take raspberry-pi-5-hailo-8l")
    assert "13 watts while computing" in told


def test_without_a_supply_the_power_is_an_average(planner: Planner) -> None:
    told = talk(planner, "yolov8n at 10 fps on a Jetson Orin Nano with at most 13 W, ok?")
    assert "average power" in told


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("We planned a Jetson AGX Orin 64GB for yolov8s at 60 fps. Would the Orin NX 16GB do the same job?", "Yes, jetson-orin-nx-16gb does, at 2.27x the rate: "),
        ("A Jetson Xavier NX runs yolov5s at 40 fps. can a Raspberry Pi 5 handle the same?", "Probably raspberry-pi-5 does not, at 0.236x the rate: "),
    ],
)  # fmt: skip
def test_the_one_that_is_asked_about_is_judged_first(planner: Planner, question: str, first: str) -> None:
    assert talk(planner, question).startswith(first)


def test_the_generation_of_a_port_is_no_limit(planner: Planner) -> None:
    told = talk(
        planner, "My PC only has USB 2. How fast are resnet50 and mobilenet_v2 on a Coral USB accelerator?"
    )
    assert "2 ms" not in told.partition("\n")[0]
    assert "at least 287 ms over USB 2.0" in told
    assert "The times told are over USB 3.0." in told


def test_cameras_that_are_counted_behind_are_no_boards(planner: Planner) -> None:
    told = talk(planner, "I have PoE cameras, 6 of them, 15 fps each with yolov8s. which computer do I need?")
    assert "meets 6 times 15 fps" in told


def test_a_core_i5_is_no_single_core(planner: Planner) -> None:
    assert "6 threads" in talk(planner, "how fast is resnet50 on a Core i5-12400?").partition("\n")[0]


def test_watt_hours_are_told_of_the_time_that_is_said(planner: Planner) -> None:
    question = "Compare yolov8n at 10 fps on a Jetson Orin Nano and a Raspberry Pi 5 with Hailo-8: how many Wh in 8 hours?"
    told = talk(planner, question)
    assert told.startswith("raspberry-pi-5-hailo-8 takes least with 22.9 Wh")
    assert "| board | energy in 8 hours |" in told


def test_who_is_bounded_alone_is_not_passed_over(planner: Planner) -> None:
    question = "yolov8n at 15 fps on a Jetson Orin Nano and a Coral Dev Board: how many Wh does each take in 20 minutes?"
    told = talk(planner, question)
    assert told.startswith("I know the energy in 20 minutes of jetson-orin-nano-8gb alone")
    assert "coral-dev-board at least 1.03 Wh, computing alone" in told


def test_the_memory_that_a_board_has_parts_none_of_them(planner: Planner) -> None:
    turns = (
        "Building a camera with a Raspberry Pi 5 (4GB). Can it run yolov8n?",
        "And with the Hailo-8 hat on it?",
        "so do i buy the hailo or not",
    )
    assert talk(planner, *turns).startswith("I would take raspberry-pi-5-hailo-8: ")


def test_the_watt_hours_of_a_pack_are_not_asked_for(planner: Planner) -> None:
    question = "vww on an nRF52840 and an ESP32-S3 every 10 s with a battery of 10 Wh for 14 hours: which draws less power?"
    assert "energy in 14 hours" not in talk(planner, question)


def test_an_accelerator_beside_a_whole_board_has_a_host_of_its_own(planner: Planner) -> None:
    told = talk(planner, "Which takes less energy with yolov8n, a Hailo-8 or a Jetson Orin Nano?")
    assert "hailo-8 computes for a board beside it, whose power and price come on top" in told
    assert "as raspberry-pi-5-hailo-8." in told


def test_between_accelerators_no_host_is_told(planner: Planner) -> None:
    told = talk(planner, "Which takes less energy with yolov8n, a Hailo-8 or a Coral USB accelerator?")
    assert "come on top" not in told


def test_a_card_beside_a_board_has_a_computer_around_it(planner: Planner) -> None:
    told = talk(planner, "yolov8n at 30 fps on a Jetson Orin Nano or an RTX 4060: which draws less power?")
    assert "The computer around rtx-4060 comes on top of what is told of it." in told


def test_of_speed_alone_no_computer_around_it_is_told(planner: Planner) -> None:
    told = talk(planner, "Is resnet50 faster on a GTX 1080 or on a Jetson AGX Orin 64GB?")
    assert "comes on top" not in told


@pytest.mark.parametrize(
    "asks",
    ["cameras can an orin nano handle with yolov8s?", "camera streams of yolov8s can one orin nano take?"],
)
def test_where_no_rate_is_said_cameras_are_counted_at_their_own_and_at_a_lower_one(
    planner: Planner, asks: str
) -> None:
    told = talk(planner, f"how many {asks}")
    assert re.match(r"\d+ streams at 30 fps", told)
    assert re.search(r"You named no rate: .*: \d+ streams at 10 fps", told)
