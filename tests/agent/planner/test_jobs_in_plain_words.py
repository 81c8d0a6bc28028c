"""Jobs without a network's name, and a board in each place against all in one."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.planner.query import Role
from edgewright.agent.planner.reading import read
from edgewright.agent.workspace import Workspace

Ask: TypeAlias = Callable[..., str]


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    def asked(*turns: str) -> str:
        planner = Planner(Workspace(tmp_path))
        return [planner.ask(turn).answer for turn in turns][-1]

    return asked


@pytest.mark.parametrize(
    ("job", "network"),
    [
        ("I want to detect wasps at a nest with a camera, what hardware?", "yolov8n"),
        (
            "sort ripe from green tomatoes on a belt with a camera, 10 per second. what do I need?",
            "mobilenet_v2",
        ),
        ("Which chip could listen for a barking dog with a microphone?", "kws"),
        ("our fan has bearings that fail, an accelerometer should predict that. Which chip?", "ad"),
        ("count visitors at the museum door with a camera, which board?", "yolov8n"),
    ],
)
def test_a_job_that_is_described_has_the_network_that_often_stands_for_it(job: str, network: str) -> None:
    query = read(job)
    assert query.all(Role.MODEL) == (network,)


@pytest.mark.parametrize(
    "question",
    [
        "which layers of my image model do I find slow?",
        "how many photos a second can a pi 5 process?",
        "how do I check the weights of a network with images?",
    ],
)
def test_what_is_no_job_names_no_network(question: str) -> None:
    assert not read(question).has(Role.MODEL)


def test_a_board_in_each_place_is_set_against_all_in_one(ask: Ask) -> None:
    first = "60 bakeries, one camera each, yolov8n at 15 fps: a box in every shop or a gpu in the cloud?"
    told = ask(first)
    assert "| in each of 60 bakeries | 60 | 2,639 USD |" in told
    assert "| in one place | " in told
    costs = ask(first, "ok one box per shop then. which one?", "what would that cost for all of them?")
    assert costs.startswith(
        "2,639 USD to buy, 44 USD a module: 60 rk3566, one in each of 60 bakeries, for 15 fps"
    )


def test_a_count_of_cameras_in_each_place_is_no_count_of_boards(ask: Ask) -> None:
    told = ask("12 trams with 3 cameras each, yolov8n 10 fps. Which board per tram, under 150 USD?")
    assert "528 USD for one in each of 12 trams" in told


def test_a_measured_time_is_held_against_the_type_that_it_was_taken_with(ask: Ask) -> None:
    told = ask("yolo11m takes 28 ms on a Jetson Orin Nano with TensorRT fp16, what would int8 bring?")
    assert "with float16 agrees with *28 ms*" in told


def test_a_change_that_is_asked_for_its_point_begins_with_yes_or_no(ask: Ask) -> None:
    told = ask("Is there any point in pruning vww to 50 % with CMSIS-NN on an stm32l4r5zi?")
    assert told.startswith("Yes, prune-50")
    assert "*50 %*" not in told


def test_kernels_that_run_on_nothing_there_leave_no_fastest(ask: Ask) -> None:
    told = ask("compare tflite micro and ExecuTorch on cortex-m for kws")
    assert told.startswith("Of tflm-cmsis-nn I know")


def test_boards_that_are_bound_alike_are_told_by_their_times_where_these_are_the_problem(ask: Ask) -> None:
    told = ask(
        "would going from an STM32F446 to an STM32H743 solve our latency problem for ic, or is it memory bound?"
    )
    assert told.startswith("All of them are compute-bound; stm32h743zi is the fastest")


def test_of_networks_that_meet_a_rate_the_most_accurate_is_taken(ask: Ask) -> None:
    first = "is yolov8s better than yolov8n on a jetson-orin-nano-8gb for 30 fps?"
    assert ask(first).startswith("Yes: yolov8s is the most accurate with 44.9 %, yolov8n 37.3 %")
    assert ask(first, "so which one should we deploy?").startswith("I would take yolov8s")
    assert ask("which is faster on a raspberry-pi-5, mobilenet_v2 or resnet18, for 10 fps?").startswith(
        "mobilenet_v2"
    )


def test_which_input_goes_in_is_a_limit(ask: Ask) -> None:
    fits, which = "{} on an {}, does it fit?", "which input size would fit?"
    assert "is the largest input" in ask(fits.format("vww", "stm32f401re"), which).splitlines()[0]
    assert ask(fits.format("resnet18", "stm32h747xi"), which).startswith("None goes in, resnet18")


def test_a_number_behind_costs_is_money_and_counts_nothing(ask: Ask) -> None:
    told = ask(
        "yolov8m on 6 cameras at 10 fps on a jetson-orin-nx-16gb", "and if the board costs 700, is it enough?"
    )
    assert "700 times" not in told


def test_a_job_among_other_words_is_answered_by_hardware(ask: Ask) -> None:
    told = ask("Could a small camera notice when a patient gets up, and is it fast enough to matter?")
    assert "I took *" not in told.splitlines()[0]
    assert "For *notice when a patient* I took yolov8n" in told
    assert "h100" not in told


def test_a_board_that_is_named_is_weighed_against_a_data_centre_by_its_places(ask: Ask) -> None:
    query = read(
        "900 shops with 6 cameras each, YOLOv8s at 10 fps per camera. Box in every shop with a Jetson or a data centre?"
    )
    assert (query.number(Role.PLACES), query.number(Role.DEVICES)) == (900, 6)


def test_processors_named_alone_are_those_of_all_boards(ask: Ask) -> None:
    told = ask("Pixel 8 vs Galaxy S23 for mobilenet_v3_large, cpu only, 4 threads. ms per frame?")
    assert "qnn" not in told


def test_how_many_is_asked_on_where_only_the_rate_changes(ask: Ask) -> None:
    first = "How many cameras can a jetson-orin-nano-8gb handle with yolov8n at 15 fps each?"
    assert " streams at 10 fps" in ask(first, "what if I go to 10 fps?").splitlines()[0]
    both = ask(first, "we have 12 cameras. how many of these boxes is that, and what do they draw in watts?")
    assert both.startswith("One jetson-orin-nano-8gb is enough (2 to be sure, by the lower end) for 12 times")
    assert " W (" in both.splitlines()[0]


def test_a_verdict_is_told_before_the_figure_where_it_is_asked_beside(ask: Ask) -> None:
    told = ask("resnet50 int8 on an imx93, 5 images per second: does it manage and how many watts?")
    assert told.startswith("Yes, resnet50 meets that")


@pytest.mark.parametrize("days", ["4 dark days", "4 days"])
def test_days_of_any_kind_are_days(ask: Ask, days: str) -> None:
    told = ask(f"How big must the battery be for vww on an esp32-s3 every 10 seconds over {days}?")
    assert "takes 0.344 Wh" in told


def test_pieces_that_are_built_are_no_cells_and_a_lower_supply_is_told(ask: Ask) -> None:
    lives = "kws on stm32l4r5zi vs nrf5340 once every 3 seconds, 2x AA (2500 mAh at 3V). how long on each?"
    told = ask(lives)
    assert "The energy of stm32l4r5zi is told at 1.8 V: from 3 V its current takes 1.67x of it." in told
    assert "407 days" in ask(
        lives, "so which should I take, if the nordic is 1.40 USD dearer and we build 20k?"
    )


def test_a_little_computer_for_a_small_network_may_be_a_microcontroller(ask: Ask) -> None:
    told = ask(
        "Which little computer with a microphone could listen for a barking dog all day on a solar panel?"
    )
    assert "among Linux boards" not in told


def test_a_more_accurate_network_that_misses_the_rate_leads_nothing(ask: Ask) -> None:
    told = ask("Which of yolov8n, yolov8s and yolov8m for 50 fps on a jetson-orin-nano-8gb?")
    assert told.startswith("yolov8s is the most accurate")
    assert "not yolov8m" in told.splitlines()[0]


def test_cards_in_one_place_are_told_to_be_sure(ask: Ask) -> None:
    told = ask("1400 bakeries, one camera each, yolov8n at 15 fps: a box in every shop or the cloud?")
    assert re.search(r"\| in one place \| \d+ \(\d+ to be sure\) \|", told)
