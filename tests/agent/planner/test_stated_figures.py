"""Figures that the user states: how long a day it works, what draws beside the chip, what a kWh costs."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.names import find_names
from edgewright.agent.planner import Planner
from edgewright.agent.planner.query import Role
from edgewright.agent.planner.reading import read
from edgewright.agent.quantities import Family, find_figures
from edgewright.agent.workspace import Workspace

from .test_turns import talk


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("on 4 minutes a day", 1 / 15), ("eight hours per working day", 40 / 7), ("10 h a night", 10),
        ("40 hours a week", 40 / 7), ("half an hour each day", 0.5), ("all night (10 h)", 10),
        ("5 days a week", 24 * 5 / 7), ("24/7", 24), ("around the clock", 24), ("2 h daily", 2),
    ],
)  # fmt: skip
def test_a_time_of_a_longer_time_is_how_long_it_is_in_use(text: str, hours: float) -> None:
    (figure,) = find_figures(text)
    assert figure.family is Family.DUTY
    assert figure.value == pytest.approx(hours)


def test_hours_of_a_day_and_days_of_a_week_go_together() -> None:
    query = read("kws on an nrf52840, 8 hours a day, 5 days a week")
    assert query.hours_a_day == pytest.approx(8 * 5 / 7)


@pytest.mark.parametrize(
    ("text", "family"),
    [
        ("29 cents a kWh", Family.TARIFF), ("electricity is 0.30 €", Family.TARIFF), ("$1.20/h", Family.RENT),
        ("it rents at 2.80 dollars", Family.RENT), ("it costs 200 dollars", Family.MONEY),
    ],
)  # fmt: skip
def test_what_a_kwh_or_an_hour_costs_is_no_budget(text: str, family: Family) -> None:
    assert [figure.family for figure in find_figures(text)] == [family]


@pytest.mark.parametrize(
    ("question", "role"),
    [
        ("the microphone takes 1.2 mA on its own", Role.SENSOR_UA),
        ("add 15 uA for the accelerometer", Role.SENSOR_UA),
        ("without the mic, right? it takes 600 uA", Role.SENSOR_UA),
        ("the camera draws 0.8 W", Role.SENSOR_MW),
        ("the mic is off, and the chip sleeps at 2 uA", Role.SLEEP_UA),
    ],
)
def test_what_the_words_before_a_current_name_draws_it(question: str, role: Role) -> None:
    assert read(question).has(role)


def test_volts_before_a_figure_are_no_card() -> None:
    assert not find_names("from a 24 V 100 Wh pack")
    assert find_names("on a V100")


def days(planner: Planner) -> float:
    """The life of the last budget that was reckoned."""
    calls = reversed(planner.tool_results())
    budgets = (call["result"] for call in calls if not call["arguments"].get("sensor"))
    budget = next(each for each in budgets if each and each.get("battery"))
    return float(budget["battery"]["life_days"]["value"])


def test_use_and_sensors_stay_through_a_conversation_about_a_battery(planner: Planner) -> None:
    talk(planner, "kws on an nrf5340, 5 runs a second, 4 minutes a day, 300 mAh lipo: how long does it last?")
    short = days(planner)
    talk(planner, "the mic needs another 600 uA")
    with_mic = days(planner)
    talk(planner, "and if it listens all 24 hours?")
    always = days(planner)
    talk(planner, "without the mic?")
    assert always < with_mic < short
    assert always < days(planner) < with_mic


def test_the_life_that_is_wanted_still_counts_where_only_the_rate_changes(planner: Planner) -> None:
    talk(planner, "kws on an nrf52840 every 10 minutes on a CR2032, must last two years")
    assert talk(planner, "now they want one every second. still two years?").startswith("No, not two years")


def test_a_battery_is_its_energy_in_watt_hours(planner: Planner) -> None:
    talk(planner, "yolov8n on a raspberry pi zero 2w at 1 fps from a 10 Wh power bank, how many hours?")
    budget = planner.tool_results()[-1]["result"]
    assert budget is not None
    battery = budget["battery"]
    assert battery["capacity_mah"]["value"] * battery["nominal_v"]["value"] == pytest.approx(10_000)


def test_a_price_of_electricity_is_kept_for_what_is_asked_next(planner: Planner) -> None:
    talk(planner, "resnet-50 on an rtx 4060 at 30 fps, 30 cents a kWh: what does a year cost in euros?")
    year = planner.session.turns[-1].answer["numbers"][0]["value"]
    talk(planner, "over three years?")
    assert planner.session.turns[-1].answer["numbers"][0]["value"] == pytest.approx(3 * year, rel=0.01)
    assert "at 30 cents a kWh" in talk(planner, "and on a jetson orin nano?")


def test_the_rent_of_another_card_is_its_own(planner: Planner) -> None:
    talk(planner, "llama 3.1 8b on an L4 that rents at 0.80 $/h: what do a million tokens cost?")
    said = talk(planner, "and on an A100 80GB at 1.90 an hour?")
    assert "a million tokens at 1.90 an hour" in said


def test_of_two_rents_each_is_of_its_own_card(planner: Planner) -> None:
    said = talk(planner, "resnet-50 on a T4 at 0.35 $/h or an L4 at 7 $/h: cost of a million images?")
    alone = talk(planner, "resnet-50 on an L4 that rents at 7 $/h: cost of a million images?")
    assert said.startswith("t4, batch 6 takes least")
    assert alone.split(maxsplit=1)[0] in said


def test_frames_and_windows_of_a_second_are_rates_of_their_own() -> None:
    assert [f.value for f in find_figures("10 frames and 4 sound windows a second")] == [10, 4]


def test_the_size_of_a_picture_is_no_clock(planner: Planner) -> None:
    said = talk(planner, "yolov8n on a raspberry pi 5, fps?", "and at 320 instead?")
    assert "320x320" in said


def test_a_sensor_of_what_is_in_use_some_minutes_a_day_is_said_to_draw_only_then(planner: Planner) -> None:
    asked = (
        "kws on an nrf52840, once a second, 4 minutes a day, the mic draws 1.2 mA, 300 mAh lipo: how long?"
    )
    assert "1.2 mA beside the chip while in use" in planner.ask(asked).answer


@pytest.mark.parametrize(
    ("question", "boards"),
    [
        ("400 sensors, each on a Raspberry Pi 4 running mobilenet_v2 once per second: cost a year at 0.32 EUR per kWh?", 400),
        ("20 machines, each with its own raspberry pi 4 doing mobilenet_v2 at 2 fps: kWh a year in all?", 20),
    ],
)  # fmt: skip
def test_devices_with_boards_of_their_own_are_so_many_boards(
    tmp_path: Path, question: str, boards: int
) -> None:
    answer = Planner(Workspace(tmp_path)).ask(question).answer
    assert f"{boards} raspberry-pi-4b for " in answer


def test_a_pair_of_cells_is_two(planner: Planner) -> None:
    answer = planner.ask(
        "mobilenet_v1 once a minute on an nrf52840, how long does a pair of AA lithium cells last?"
    )
    assert "on 2 x AA lithium" in answer.answer


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("my logger printed 21 ms for kws on an stm32f411 with cmsis-nn, weird, isn't it?", "Yes, 21 ms is "),
        ("we clocked ad at 11 ms on an nrf52840. Fishy?", "No, 11 ms is plausible"),
        ("saw 2 s for ic on an stm32f446, did we mess up somewhere?", "Yes, "),
        ("kws on an stm32h743 shows 16 ms at 480 MHz - matches what you think?", "Yes, 16 ms is plausible"),
        ("measured 9 mA at 3 V while kws runs on an nrf52840: odd?", "Yes, 9 mA is "),
    ],
)
def test_the_word_of_a_verdict_follows_what_is_asked(planner: Planner, question: str, first: str) -> None:
    assert talk(planner, question).startswith(first)


def test_what_is_faster_than_the_arithmetic_allows_is_said_so(planner: Planner) -> None:
    answer = talk(planner, "got 9 ms for vww on an nrf52840 with cmsis-nn, suspicious?")
    assert "of the peak arithmetic, which cannot be" in answer


def test_a_measurement_is_judged_before_the_choice_that_it_is_for(planner: Planner) -> None:
    talk(planner, "ad once a second on nrf52840 or apollo3: which takes less energy?")
    answer = talk(planner, "we measured 13 ms on the nrf52840, is that ok, and which of the two do we take?")
    assert answer.startswith("Yes, 13 ms is plausible")
    assert "\nI would take apollo3: it takes the least energy" in answer


@pytest.mark.parametrize(
    "question",
    [
        "yolov8n on my raspberry pi 5 does 3 fps with ultralytics. what am i doing wrong?",
        "torchvision mobilenet_v2 on a raspberry pi 4 takes 150 ms, isn't that too slow?",
    ],
)
def test_a_network_in_the_framework_that_trained_it_is_held_against_that_and_what_export_brings(
    planner: Planner, question: str
) -> None:
    first, *rest = planner.ask(question).answer.splitlines()
    assert "with pytorch" in first
    assert any(line.startswith("Exported: ") and "with litert-xnnpack" in line for line in rest)


@pytest.mark.parametrize(
    ("turn", "tells"),
    [
        ("and what if I need 2000?", "2000 images per second"),
        ("what if it is 900 instead?", "900 images per second"),
        ("and at 320 px?", "320x320"),
    ],
)
def test_a_number_that_no_input_is_wide_takes_the_place_of_the_rate(
    planner: Planner, turn: str, tells: str
) -> None:
    assert tells in talk(planner, "can a jetson orin nano do 300 images per second of resnet50?", turn)
