"""What a conversation demanded holds to its end: counts that grow, hours of a battery, what was asked again."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace
from edgewright.tools import deployment, estimate_performance


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


def talk(planner: Planner, *questions: str) -> str:
    return [planner.ask(question).answer for question in questions][-1]


YARD = "yolov8n for 6 cameras at 4 fps each on a jetson orin nano, will that do?"


@pytest.mark.parametrize(
    ("turn", "rate"),
    [
        ("he wants another 4 cams in spring", "10 times 4 fps"),
        ("and with 4 more?", "10"),
        ("the second hall adds 10 cameras", "16"),
        ("only 3 cameras are left", "3"),
    ],
)
def test_cameras_that_are_added_are_added_to_those_before(planner: Planner, turn: str, rate: str) -> None:
    answer = talk(planner, YARD, "or an rk3588?", turn)
    assert rate in answer.partition("Decoding")[0]
    assert f"Decoding {rate.split(maxsplit=1)[0]} streams" in answer


@pytest.mark.parametrize(
    "turn",
    ["which do I order, 6 now and 20 later?", "which one do I buy: 6 now, perhaps 20 next year",
     "so which one? we grow from 6 to 20 cameras next year"],
)  # fmt: skip
def test_what_comes_later_decides_what_is_bought(planner: Planner, turn: str) -> None:
    answer = talk(planner, YARD, "or an rk3588?", turn)
    assert "20 times 4 fps" in answer.splitlines()[0]
    assert "Decoding 20 streams of 1080p30 is not counted: jetson-orin-nano-8gb cannot" in answer


def test_hours_beside_a_battery_are_how_long_it_lasts(planner: Planner) -> None:
    answer = talk(
        planner,
        "kws on an nrf52840 4 times a second, 300 mAh lipo 3.7 V: how long does it run?",
        "the same on an stm32u585",
        "so the cheapest one that gets through a night of 10 hours?",
    )
    first = answer.splitlines()[0]
    assert "10 hours" in first
    assert "time of" not in first
    assert first.startswith("I would take ")
    assert {row.split(" | ")[0].strip("| ") for row in answer.splitlines() if row.startswith("| ")} == {
        "board", "nrf52840", "stm32u585ai",
    }  # fmt: skip


def test_the_same_of_another_board_is_what_was_asked_of_the_first(planner: Planner) -> None:
    battery = "kws on an nrf52840 4 times a second, 300 mAh lipo 3.7 V: how long does it run?"
    answer = talk(planner, battery, "same on the stm32u585 please")
    assert "| board | battery life |" in answer
    assert "same" not in answer


def test_room_that_may_be_tight_does_not_outweigh_what_it_is_chosen_by(planner: Planner) -> None:
    answer = talk(
        planner,
        "mobilenet_v2 on an ESP32-CAM, 40 times a day, from a 5000 mAh power bank: how long does it last?",
        "a raspberry pi zero 2 w as well please, both",
        "so which one do I take?",
    )
    first = answer.splitlines()[0]
    assert first.startswith("I would take esp32-psram: it lasts longest with ")
    assert "its flash is probably enough, not surely" in first


def test_what_a_battery_allows_where_the_power_is_not_known(planner: Planner) -> None:
    answer = talk(
        planner,
        "vww on an nrf5340 once a second, how long does it take?",
        "and the alif ensemble E3?",
        "it has 6 Wh for a night of 12 hours, do both last?",
    )
    assert "Of ensemble-e3 no source gives the power: 6 Wh for 12 hours allow 500 mW on average" in answer


@pytest.mark.parametrize(
    ("turn", "says", "silent"),
    [
        ("the cabinet gets 55 °C in July, does that matter?", "I calculate no temperatures", "did not take"),
        ("and in winter at minus 15 degrees?", "a battery, which gives less in the cold", "becomes heat"),
        ("is the housing IP65 then?", "I know nothing of protection", "do not know the chip"),
        ("the lawyer asks for CE certification", "I know nothing of approvals", "did not take"),
        ("and the lead time?", "I do not know stock, lead times", "fitted"),
        ("does it need a fan, I want no noise", "I know nothing of noise", "did not take"),
    ],
)
def test_a_turn_on_what_is_not_calculated_says_so_by_name(
    planner: Planner, turn: str, says: str, silent: str
) -> None:
    answer = talk(planner, "yolov8n on an rk3588 within 30 ms?", "or a jetson orin nano?", turn)
    assert says in answer.splitlines()[0]
    assert silent not in answer
    assert "| board |" not in answer


def test_heat_leaves_room_as_far_as_the_demand_does(planner: Planner) -> None:
    answer = talk(planner, "yolov8n on an rk3588 within 40 ms?", "what if it gets too hot in the sun?")
    latency = estimate_performance("yolov8n", deployment("rk3588")).latency_ms.value
    assert latency is not None
    assert f"keeps 40 ms as long as {latency / 40 * 100:.3g} %" in answer


def test_a_choice_is_still_made_where_heat_is_spoken_of(planner: Planner) -> None:
    answer = talk(
        planner, "yolov8n on an rk3588 within 30 ms?", "or a jetson orin nano?",
        "so which one do I take, it is 50 °C in there",
    )  # fmt: skip
    assert answer.startswith("I would take ")
    assert "I calculate no temperatures" in answer


def test_a_rate_that_sags_after_a_while_is_the_clock_and_not_the_network(planner: Planner) -> None:
    answer = talk(
        planner, "yolov8n on a Pi 5 runs 12 fps for the first minute, then it drops to 8. is it the network?"
    )
    assert answer.startswith("A rate that falls after a while and stays low is no fault of the network")
    assert "8 in place of 12 is 1600 MHz in place of 2400 MHz" in answer


@pytest.mark.parametrize(
    "question",
    [
        "kws on an nrf52840: does the noise in the recordings change the time?",
        "how fast is llama-3.1-8b on an rtx-4090 at temperature 0?",
        "kws on an nrf52840 in a quiet room, how long does it take?",
    ],
)
def test_what_only_sounds_like_it_is_answered_as_before(planner: Planner, question: str) -> None:
    assert "I know nothing of" not in (answer := planner.ask(question).answer)
    assert "I calculate no temperatures" not in answer


def test_how_many_a_board_takes_is_asked_anew(planner: Planner) -> None:
    first = talk(planner, YARD, "or all on one t4: how many cameras can that take?").partition("\n")[0]
    rate = estimate_performance("yolov8n", deployment("t4")).inferences_per_second
    assert "streams at 4 fps" in first
    many = int(first.partition(" streams")[0].split()[-1])
    assert many >= float(rate) // 4
