"""What a conversation keeps from turn to turn: restrictions, settings, changes, and which one is meant."""

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


def test_only_one_makers_parts_are_suggested_in_later_turns(planner: Planner) -> None:
    talk(planner, "vww on an stm32f746 at 5 fps? only ST parts are allowed", "and the energy?")
    (call, *_) = [
        c for c in planner.ask("which board would be better?").tool_calls if "recommend" in c["name"]
    ]
    assert {row["target"][:5] for row in call["result"]["ranking"]} == {"stm32"}


def test_another_board_of_a_maker_is_of_that_maker_this_once(planner: Planner) -> None:
    talk(planner, "kws on an stm32f446re, latency?")
    answer = talk(planner, "which Espressif chip would be faster?")
    assert "esp32" in answer
    assert " of Espressif" in answer
    assert "Espressif" not in talk(planner, "and the cheapest board of all?")


def test_only_microcontrollers_holds_until_a_board_is_chosen(planner: Planner) -> None:
    talk(planner, "what is the fastest chip for mobilenet_v2 under 20 dollars?", "no, only microcontrollers")
    answer = talk(planner, "and the most frugal one?")
    assert "imx93" not in answer
    assert "rv1103" not in answer


def test_no_other_hardware_is_suggested_where_none_is_wanted(planner: Planner) -> None:
    talk(planner, "vww on an esp32-s3 on 3000 mAh, every 2 seconds, how long?")
    answer = talk(planner, "what would make it last longer without buying another chip?")
    assert "runtime-" in answer
    assert "stm32" not in answer


def test_retraining_may_be_allowed_later(planner: Planner) -> None:
    first = talk(planner, "vww on an stm32f746 at 10 fps: what can I change without retraining?")
    assert "(retraining)" not in first
    assert "(retraining)" in talk(planner, "and if I may retrain?")


def test_the_best_two_changes_are_combined_and_judged(planner: Planner) -> None:
    talk(planner, "how can I make vww on an stm32f746 faster? I need 10 fps")
    answer = talk(planner, "combine the best two. do we get to 10 fps then?")
    assert answer.startswith("input-50 and prune-50 together (retraining) bring time")
    assert "Yes, against 10 fps." in answer


def test_type_and_size_of_a_network_change_together(planner: Planner) -> None:
    talk(planner, "yolov8s at 640x640 on an orin nx 16gb with tensorrt fp16, do i get 60 fps?")
    answer = talk(planner, "and with int8 and 416 px?")
    assert "against fp16 and 640x640" in answer
    assert "int8, 416x416 input" in answer


def test_a_setting_is_held_against_the_one_before(planner: Planner) -> None:
    talk(planner, "kws on an stm32l476, latency?", "and at 48 MHz?")
    assert "| 48 MHz |" in talk(planner, "what if it runs at 24 MHz?")


def test_a_size_is_of_the_model_that_the_user_named(planner: Planner) -> None:
    talk(
        planner,
        "the largest language model for my RTX 3060 12GB at 20 tokens per second?",
        "what about Qwen2.5 14B in particular?",
    )
    assert "qwen2.5-14b on rtx-3060" in talk(planner, "does it still fit with 8k context?")
    assert "qwen2.5-7b on rtx-3060" in talk(planner, "then the 7B. same context")


def test_a_rate_of_frames_is_none_of_tokens(planner: Planner) -> None:
    talk(planner, "mobilenet_v2 on a Raspberry Pi 5 at 30 fps?")
    assert "30 fps" not in talk(planner, "could a small llm run on it too?")


def test_the_usual_side_of_a_network_is_its_input(planner: Planner) -> None:
    talk(planner, "is a raspberry pi 5 enough for yolov8n at 10 fps?", "what about 320x320?")
    assert "640x640 input" in talk(planner, "and on a Hailo-8L, at the full 640?")


def test_the_clock_of_the_board_before_is_kept_in_a_comparison(planner: Planner) -> None:
    talk(planner, "kws on an nRF52840 at 32 MHz, latency?")
    answer = talk(planner, "would an Apollo4 be better?")
    assert "| nrf52840 at 32 MHz |" in answer
    assert "apollo4-plus at" not in answer


def test_what_is_least_sure_is_named(planner: Planner) -> None:
    talk(planner, "yolov5s on an orin nano and a hailo-8, fps?")
    answer = talk(planner, "which of these numbers are you least sure of?")
    assert answer.startswith("Least sure: ")
    decided = talk(planner, "which one would you take and what are you least sure about?")
    assert decided.startswith("I would take ")
    assert "Least sure: " in decided


def test_streams_are_still_counted_together_when_the_power_is_asked(planner: Planner) -> None:
    talk(planner, "4 camera streams at 15 fps each with yolov5s: orin nano or orin nx?")
    assert "for 4 times 15 fps" in talk(planner, "what power would the orin nx draw doing that?")


def test_another_network_of_the_same_input_keeps_type_and_size(planner: Planner) -> None:
    talk(planner, "yolov8n in int8 at 320x320 on an orin nano, fps?")
    (call, *_) = planner.ask("and yolov8m?").tool_calls
    assert call["arguments"]["dtype"] == "int8"
    assert call["arguments"]["input_size"] == 320


def test_another_board_than_the_unknown_one_is_said_to_stand_for_it(planner: Planner) -> None:
    talk(planner, "mobilenet_v2 on a galaxy s23, latency?", "and on a Snapdragon 665?")
    answer = talk(planner, "would int8 help there?")
    assert "Snapdragon 665 is not known here: this is for snapdragon-8-gen-2." in answer


def test_the_picture_of_a_camera_is_not_what_the_network_takes(tmp_path: Path) -> None:
    filmed, plain = (
        Planner(Workspace(tmp_path)).ask(f"can a jetson orin nano do yolov8n{what} at 30 fps")
        for what in (" on a 1080p stream", "")
    )
    assert filmed.answer.partition("\n")[0] == plain.answer.partition("\n")[0]
    assert "I took *1080p* to be the camera's picture" in filmed.answer


def test_a_peak_alone_is_answered_by_what_it_allows_at_most(tmp_path: Path) -> None:
    answer = (
        Planner(Workspace(tmp_path)).ask("is 8 TOPS enough for object detection in 1080p at 30 fps").answer
    )
    assert answer.startswith("8 TOPS alone do not tell")
    assert "For 30 fps it would have to reach" in answer


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("would the nrf5340 spend less on kws at 32 MHz than flat out at 128 MHz and asleep, every 4 s?",
         "Faster is better: 128 MHz takes least"),
        ("kws 3 times a second on an nrf52840: run it slow and steady or race to sleep? 8 MHz or 64 MHz",
         "Faster, as 8 MHz cannot keep up"),
        ("which clock of an stm32h743 takes the least energy for kws?", "480 MHz takes least"),
    ],
)  # fmt: skip
def test_a_slow_clock_is_weighed_with_the_sleep_that_it_leaves(
    planner: Planner, question: str, first: str
) -> None:
    assert talk(planner, question).startswith(first)


def test_hours_of_use_that_come_later_are_those_of_a_day(planner: Planner) -> None:
    days = talk(planner, "kws on an nrf5340, twice a second, 3000 mAh: how long?")
    nights = talk(planner, "only in the dark, then: 10 hours of listening and otherwise asleep")
    assert "10 hours a day" in nights
    assert float(nights.split()[0]) > 2 * float(days.split()[0])


def test_how_many_are_built_is_no_rate(planner: Planner) -> None:
    question = "for 3000 wildlife tags on a CR123A each, kws every 5 s for half a year: nrf52840 or esp32-s3?"
    answer = talk(planner, question)
    assert answer.startswith("nrf52840 lasts longest with ")
    assert "*3000* to be how many are built" in answer


@pytest.mark.parametrize(
    "refused", ["purchasing vetoed Ambiq.", "Ambiq is off the table.", "we won't accept Ambiq here."]
)
def test_a_maker_that_is_refused_is_out_of_the_choice(planner: Planner, refused: str) -> None:
    talk(planner, "kws every 2 s on two AA cells: apollo4, nrf52840 or stm32l4r5?")
    answer = talk(planner, f"{refused} Of the other two, which one wins?")
    assert answer.startswith("I would take nrf52840: it lasts longest")
    assert "apollo4" not in answer
    assert "apollo4" not in talk(planner, "sum it up in two lines: which chip, how many days")


def test_a_current_at_a_voltage_is_a_limit_of_what_is_recommended(planner: Planner) -> None:
    answer = talk(
        planner, "which microcontroller keeps below 1 mA at 3 V on average with kws 3 times a second?"
    )
    assert "3 times a second and 1 mA at 3 V" in answer.partition("\n")[0]


@pytest.mark.parametrize(
    "question",
    ["is esp-nn switched on for vww on an esp32-s3? how slow would it get without it?",
     "kws on an esp32-s3 with esp-nn, and without?"],
)  # fmt: skip
def test_kernels_are_weighed_against_their_absence(planner: Planner, question: str) -> None:
    answer = talk(planner, question)
    assert "| tflm-reference |" in answer
    assert "| tflm-esp-nn |" in answer


def test_what_no_number_holds_is_named_as_left_out(planner: Planner) -> None:
    assert "*1e999 ms*" in talk(planner, "does kws on an nrf52840 stay under 1e999 ms?")


def test_why_one_lasts_longer_is_told_by_power_time_and_sleep(planner: Planner) -> None:
    answer = talk(
        planner, "why does the nrf52840 last so much longer than the esp32-s3 with kws twice a second?"
    )
    assert answer.startswith("Mostly while computing: esp32-s3 draws ")
    assert "by the power while computing" in answer
    talk(planner, "ad every 5 minutes on apollo3 and esp32-c3, two AA: how long does each last?")
    answer = talk(planner, "why is there such a difference?")
    assert answer.startswith("Mostly asleep: esp32-c3 draws ")


@pytest.mark.parametrize(
    ("question", "first"),
    [
        (
            "days or weeks from 220 mAh at 3 V with kws on an stm32l4r5 every other second, so every 2 s?",
            "Days: ",
        ),
        ("one look of vww per minute on an nrf52840, two AA: months or years?", "Years: "),
        ("hours or days on 20 mAh at 3 V, kws nonstop on an esp32-s3?", "Hours: "),
        ("weeks or months on 1000 mAh at 3.7 V, kws twice a second on an esp32-s3?", "Rather days: "),
    ],
)
def test_a_life_is_told_in_the_span_that_is_asked_for(planner: Planner, question: str, first: str) -> None:
    assert talk(planner, question).startswith(first)


def test_a_radio_in_the_name_of_a_board_is_none_that_runs(planner: Planner) -> None:
    assert "SoftDevice" not in talk(planner, "does vww fit on an arduino nano 33 ble sense?")


def test_kernels_that_were_weighed_away_do_not_stay_away(planner: Planner) -> None:
    talk(planner, "vww on an esp32-s3", "is that with esp-nn? and how slow without it")
    answer = talk(planner, "we clocked 70 ms here, ok?")
    assert "tflm-esp-nn, for vww on esp32-s3" in answer.partition("\n")[0]


@pytest.mark.parametrize(
    ("question", "watts", "hours", "watt_hours"),
    [
        ("a drone battery of 3300 mAh at 11.1 V, yolov8n on a jetson orin nano 8gb, flight of 18 minutes. which "
         "share of the battery does it take?", 15, 0.3, 3.3 * 11.1),
        ("ssd mobilenet v2 on a raspberry pi 4, 5 fps. powerbank 10000 mAh 5V. What part of it is gone after 2 "
         "hours?", 3.6, 2, 50),
    ],
)  # fmt: skip
def test_what_a_time_of_use_takes_of_a_battery_is_its_share(
    planner: Planner, question: str, watts: float, hours: float, watt_hours: float
) -> None:
    first = talk(planner, question).splitlines()[0]
    share = re.search(r"take ([\d.]+) %", first)
    assert share
    assert f"{watts:g} W" in first
    assert float(share[1]) == pytest.approx(100 * watts * hours / watt_hours, rel=0.01)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (
            "kws twice a minute on an esp32-s3, an 18650 of 3000 mAh, must last half a year",
            "for half a year they may draw",
        ),
        ("kws twice a minute on an esp32-s3, an 18650 of 3000 mAh, how long?", "it lasts half as long"),
        ("kws twice a minute on an esp32-s3, an 18650 of 3000 mAh, how many days?", "in deep sleep"),
        ("nRF52840 runs kws once a second from a CR2450, will it see 3 months?", "for 3 months all together"),
        ("ad every 10 minutes on stm32l4r5 from 2 AA of 3000 mAh, how many years?", "they may draw"),
        ("how long does a CR2032 last with kws every 10 s on an stm32l4r5", "in pulses"),
    ],
)
def test_what_decides_beside_the_network_is_told_as_a_figure(
    planner: Planner, question: str, told: str
) -> None:
    assert re.search(rf"{told}[^;]* \d|\d[^;]*{told}", talk(planner, question))


@pytest.mark.parametrize(
    "question",
    [
        "stm32l4r5, kws once a second, 2 AA cells of 2500 mAh. How many days?",
        "kws four times a second on an nRF52840, 500 mAh lipo. how many days?",
    ],
)
def test_the_life_is_the_charge_by_the_current_that_is_told(planner: Planner, question: str) -> None:
    answer = talk(planner, question)
    current, charge = (
        re.search(r"\(([\d.]+) mA at", answer),
        re.search(r"(\d+) mAh lipo|of (\d+) mAh", question),
    )
    assert current
    assert charge
    days = float(charge[1] or charge[2]) / float(current[1]) / 24
    assert float(answer.split()[0]) == pytest.approx(days, rel=0.05)


@pytest.mark.parametrize(
    ("cell", "volts"),
    [
        ("an LS14500", 3.6),
        ("two C cells", 3),
        ("a 9V block", 9),
        ("one ER26500", 3.6),
        ("two 9V batteries", 18),
    ],
)
def test_cells_of_other_sizes_are_known_by_what_people_call_them(
    planner: Planner, cell: str, volts: float
) -> None:
    answer = talk(planner, f"kws on an nrf52840 every 10 seconds on {cell}: how long?")
    assert f"mAh) at {volts:g} V" in answer
    assert "did not take into account" not in answer


def test_a_battery_ends_with_its_shelf_life_where_the_load_would_take_longer(planner: Planner) -> None:
    question = "kws on an nrf52840 every minute on two AA cells, does it last {}?"
    assert "yes, longer than 4 years: 7 years (5–10 years) by its shelf life" in talk(
        planner, question.format("4 years")
    )
    later = talk(planner, question.format("12 years"))
    assert later.startswith("No, not 12 years: 7 years (5–10 years) by its shelf life")


def test_how_long_another_board_lasts_is_asked_by_the_life_that_is_wanted(planner: Planner) -> None:
    talk(
        planner,
        "kws on an stm32l4r5zi once a second on a CR2032, how long?",
        "we need a year, what to change?",
    )
    compared = talk(planner, "and if I take the nrf5340 for it? Or the stm32u575?")
    assert compared.startswith("None of them lasts a year; nrf5340 comes nearest")
    taken = talk(planner, "which of the three then, if it is triggered only 200 times a day?")
    assert taken.startswith("I would take nrf5340")


def test_how_often_it_runs_is_asked_by_the_life_that_is_wanted(planner: Planner) -> None:
    answer = talk(
        planner,
        "How long does a CR2477 last with ad on nrf52840 once a minute, if the board sleeps at 5 uA?",
        "My boss wants 5 years. What can we change without retraining the network?",
        "And if we only measure every ten minutes?",
    )
    assert "longer than 5 years: " in answer.partition("\n")[0]


def test_what_lasts_long_enough_needs_no_change(planner: Planner) -> None:
    talk(
        planner, "How long does a CR2477 last with ad on nrf52840 once a minute, if the board sleeps at 5 uA?"
    )
    answer = talk(planner, "My boss wants 5 years. What can we change without retraining the network?")
    assert answer.startswith(
        "Yes, longer than 5 years as it is: ten years and more, 9.42 years at the least, so nothing has to change."
    )
    talk(planner, "kws on an stm32l4r5zi once a second on a CR2032, how long?")
    assert talk(planner, "We need 1 year. What has to change?").startswith("No, not 1 year as it is: 3.")


def test_an_energy_at_a_pace_is_an_average_and_one_of_a_day_before_whether_it_is_kept(
    planner: Planner,
) -> None:
    first, kept = talk(planner, "kws on an stm32l4r5zi: energy, running it once a second?").split("\n")[:2]
    assert re.match(
        r"4\.93 mJ .*, an inference, 4\.9\d mW .* on average once a second, 427 J a day: kws", first
    )
    assert kept.startswith("Yes, kws meets that")
