"""What a later turn takes back, puts in another's place or takes along."""

import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from edgewright.agent.planner.planner import Planner
from edgewright.agent.workspace import Workspace
from edgewright.cli import whole_app
from edgewright.tools import estimate_energy_budget, estimate_performance


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


def last(planner: Planner, *turns: str) -> str:
    return [planner.ask(turn).answer for turn in turns][-1]


def test_a_file_that_is_not_there_is_none_of_what_the_talk_is_about(planner: Planner) -> None:
    told = last(
        planner, "Can hive_sound.tflite run on an ESP32?", "I don't have it here, take kws then. how fast is it?",
        "and on an nrf52840?",
    )  # fmt: skip
    assert "hive_sound" not in told
    assert f"{estimate_performance('kws', 'nrf52840').latency_ms.value:.3g} ms" in told


def test_a_bare_number_in_place_of_a_figure_has_its_unit(planner: Planner) -> None:
    told = last(
        planner, "yolov8n, 3 cameras, 15 fps each. Will a jetson orin nano do it?",
        "sorry i said 15 fps but the customer now wants 25",
    )  # fmt: skip
    assert "3 times 25 fps" in told
    assert "25 at 15 fps" not in told


def test_what_is_denied_is_not_added_to_what_takes_its_place(planner: Planner) -> None:
    told = last(
        planner, "Does vww fit a STM32F446RE? our firmware already takes 50 KB of the RAM",
        "wait our firmware takes 90 KB not 50, does it still fit?",
    )  # fmt: skip
    assert "beside 90 KB" in told
    assert "50" not in told.splitlines()[0].replace("90 KB", "")


def test_the_memory_of_one_board_is_not_that_of_the_next(planner: Planner) -> None:
    told = last(
        planner, "Does vww fit a STM32F446RE? it has 128 KB RAM there", "and on the STM32F746?",
    )  # fmt: skip
    assert "128 KB" not in told


def test_the_same_of_another_board_has_what_was_told_too(planner: Planner) -> None:
    first, second = (
        planner.ask(turn).answer
        for turn in ("vww on stm32h743zi: latency, ram, flash, what's it bound by", "same on the l4r5zi")
    )
    assert "of arena" in first
    assert "of arena" in second


def test_a_share_of_the_time_is_so_much_less_often_and_what_wakes_it_stays_on(planner: Planner) -> None:
    told = last(
        planner, "kws on nRF52840, 5 inferences a second, CR2032. How long does it last?",
        "what if it only wakes up on sound, maybe 2% of the time",
    )  # fmt: skip
    found = estimate_energy_budget("kws", "nrf52840", rate_hz=0.1, battery="CR2032").battery
    assert found is not None
    assert told.startswith(f"{found.life_days.value:.3g} days")
    assert "on all the time" in told


def test_what_the_computing_costs_beside_motors_is_told(planner: Planner) -> None:
    told = last(
        planner, "my robot drives with motors taking 40 W from a 24 V 10 Ah battery. how much runtime do I lose "
        "with a jetson orin nano running yolov8n at 15 fps?",
    )  # fmt: skip
    assert "with 40 W beside the chip" in told
    assert "ithout it 6 h, so it costs" in told


def test_of_several_it_is_told_whose_time_was_measured(planner: Planner) -> None:
    told = last(
        planner, "how much faster does resnet50 get on a jetson orin nano going from fp16 to int8 in TensorRT? and "
        "is that measured or your estimate",
    )  # fmt: skip
    assert "Measured: float16 and int8" in told
    assert "writing tokens" not in told


def test_a_type_that_the_file_has_is_no_other_type(planner: Planner, tmp_path: Path) -> None:
    CliRunner().invoke(whole_app(), ["models", "write", "ic", "-o", str(tmp_path / "ic.tflite")])
    assert "takes another" not in last(
        planner, "ic.tflite on nRF52840 vs ESP32-S3: latency, table please. int8"
    )


@pytest.mark.parametrize(
    "turns",
    [
        ("kws on an nRF52840: how fast?", "and the apollo3?", "how do I get that from the command line?"),
        ("yolov8n on 4 cameras at 10 fps on a jetson orin nano, ok?", "how would I see that from the cli"),
        ("qwen2.5 7b in q8 on an rtx 4090: tokens/s?", "how do I get that from the terminal?"),
        ("Which command gives tinyllama on a jetson orin nano and a raspberry pi 5?",),
        ("Which command gives the battery life of kws on nrf52840 at 2 per second with two AA cells?",),
        ("Which command gives the battery life of kws on nrf52840 at 2 per second with a 500 mAh LiPo?",),
    ],
)
def test_the_command_for_what_was_told_runs(planner: Planner, turns: tuple[str, ...]) -> None:
    told = last(planner, *turns)
    command = told.partition("`edgewright ")[2].partition("`")[0]
    ran = CliRunner().invoke(whole_app(), shlex.split(command))
    assert ran.exit_code in {0, 10, 11}, ran.output


def test_a_charge_without_a_voltage_is_said_to_be_left_out_and_none_is_invented(planner: Planner) -> None:
    asked = "Which command gives the battery life of kws on nrf52840 at 2 inferences a second with a 500 mAh cell?"
    told = last(planner, asked)
    assert "--battery" not in told
    assert "did not take into account: *500 mAh*" in told


def test_the_two_that_were_spoken_of_are_no_new_count(planner: Planner) -> None:
    told = last(
        planner,
        "Which of rk3588 and rpi5 with hailo-8 runs yolov8s at 30 fps on 4 cameras?",
        "price of the two?",
    )
    assert "4 times 30 fps" in told
    assert " USD a board" in told


def test_a_small_sum_beside_what_a_time_costs_is_of_a_kwh(planner: Planner) -> None:
    told = last(planner, "llama 3.1 8b on a 3060 12gb, what does it cost per year at 0.3 eur, 6 hours a day?")
    assert " eur per year" in told.splitlines()[0]


def test_of_a_board_in_place_of_another_the_life_is_compared_where_a_battery_is_spoken_of(
    planner: Planner,
) -> None:
    first = "ic on a stm32u585, one picture every 30 s from 2600 mAh at 3.7 V. how long?"
    told = last(planner, first, "the boss wants the nrf52840 instead. what changes")
    assert "| board | battery life |" in told
    sure = last(planner, "and how sure is the battery number of the nrf52840?")
    assert " days (" in sure.splitlines()[0]


def test_a_card_that_nobody_knows_is_said_to_be_unknown_first(planner: Planner) -> None:
    told = last(planner, "how many tok/s does the nvidia rtx 5095 super get with llama 3 8b q4?")
    assert told.startswith("I do not know the chip or board nvidia rtx 5095; nearest in spelling: rtx-5090")


def test_what_lasts_nonstop_lasts_at_a_rate_that_cannot_be_reached(planner: Planner) -> None:
    told = last(planner, "does a 5000 mAh pack at 3.7 V last a day with kws on nrf52840 10 times a second?")
    assert told.startswith("Yes, longer than a day: ")
