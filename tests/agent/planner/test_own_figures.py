"""Figures of the user's own are calculated with, whatever order and words they come in."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.answer import Answer
from edgewright.agent.planner.planner import Planner
from edgewright.agent.workspace import Workspace
from edgewright.tools import add_up_loads


def conversation(*questions: str) -> list[Answer]:
    planner = Planner(Workspace())
    return [planner.ask(question) for question in questions]


def told(question: str) -> Answer:
    return conversation(question)[0]


def result(answer: Answer, function: str = "add_up_loads") -> dict[str, object]:
    call = next(call for call in answer.tool_calls if call["name"] == function)
    assert call["result"] is not None
    return call["result"]


def test_a_life_is_that_of_the_figures_told() -> None:
    answer = told(
        "I measured: inference 85 ms at 38 mA, once per minute, sleep current 6 uA, 3.3 V, cell 1200 mAh. "
        "How long will it last?"
    )
    expected = add_up_loads(["run=85ms,38mA,1/min", "sleep=6uA"], supply_v=3.3, battery_mah=1200)
    life = result(answer)["battery"]["life_days"]["value"]  # type: ignore[index, call-overload]
    assert life == pytest.approx(expected.battery.life_days.value)
    assert "2.29 years" in answer.answer
    assert "did not take into account" not in answer.answer


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("112 ms at 6.8 mA and 3.0 V for an inference, how many mJ?", "2.28 mJ"),
        ("5.4 mA for 230 ms at 3 V on the PPK2. Energy of one inference?", "3.73 mJ"),
        ("Budget is 3 mW on average. Inference 40 ms at 60 mW, sleep 50 uW. Maximum rate?", "1.23 /s"),
        ("4 cameras at 15 fps share one Jetson, my model takes 12 ms per frame there. Does it fit?", "busy 72 %"),
        ("I measured 85 ms at 38 mA, once per minute, sleep 6 uA. Energy of an inference?", "voltage"),
    ],
)  # fmt: skip
def test_each_kind_of_figure_is_calculated_with(question: str, shown: str) -> None:
    answer = told(question)
    assert shown in answer.answer
    assert not answer.marked


def test_a_later_message_changes_one_figure_and_the_others_stay() -> None:
    first, second, third = conversation(
        "I measured 85 ms at 38 mA and 3.3 V for one inference, what energy is that?",
        "and once per minute, with 6 uA sleep and a 1200 mAh cell?",
        "what if every 10 seconds",
    )
    assert "10.7 mJ" in first.answer
    assert "2.29 years" in second.answer
    expected = add_up_loads(["run=85ms,38mA,0.1/s", "sleep=6uA"], supply_v=3.3, battery_mah=1200)
    assert f"{expected.battery.life_days.value:.0f} days" in third.answer


def test_a_life_without_the_time_of_a_run_is_that_of_always_being_on_and_asks_for_it() -> None:
    answer = told("My board draws 20 mA at 3 V while it computes and runs every 10 s, on a CR2032. How long?")
    assert answer.answer.startswith("Were it on all the time, about 11 h")
    assert "how long one run takes" in answer.answer


@pytest.mark.parametrize(
    ("question", "inside"),
    [
        ("Edgewright said 28 ms (19 to 42) and I get 41: is it wrong?", True),
        ("The tool says 3.1 ms [2.4, 4.0]; my board says 4.4 ms. Is that outside?", False),
        ("112 ms at 6.8 mA average, 3.0 V per inference; Edgewright estimated 1.9 mJ (1.4–2.6). Fits together?", True),
        ("I measured 1.2 mJ with the Nordic profiler, Edgewright says 0.9 (0.6 to 1.5) mJ. ok?", True),
    ],
)  # fmt: skip
def test_a_measurement_lies_inside_or_outside_of_the_interval_that_is_stated(
    question: str, inside: bool
) -> None:
    answer = told(question)
    assert result(answer, "compare_figures")["inside"] is inside
    assert ("lies inside" in answer.answer) is inside
    assert answer.answer.startswith("They fit together" if inside else "Yes, 4.4 ms lies outside")
    assert "did not take into account" not in answer.answer


def test_what_was_measured_gets_causes_to_check() -> None:
    answer = told("I measure 212 ms for person detection on the Nano 33 BLE. Why so slow?")
    assert all(word in answer.answer for word in ("kernels", "build", "clock", "first run"))


@pytest.mark.parametrize(
    "question",
    [
        "kws on nrf52840, once per second from a CR2032: how long does it last?",
        "Does vww run on the esp32-s3 in under 50 ms with less than 300 mW?",
        "Which board runs yolov8n at 30 fps below 10 W?",
        "How much energy does an inference of kws need on the stm32l4r5zi?",
    ],
)
def test_demands_on_a_network_that_is_named_are_no_figures_of_its_own(question: str) -> None:
    assert {call["name"] for call in told(question).tool_calls}.isdisjoint(
        {"add_up_loads", "compare_figures"}
    )


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("file 250 kB, arena 90 kB, does my net fit an nrf52832?", "No, "),
        ("our tflite file has 1.1 MB, can an rp2040 hold it?", "Yes, 1.1 MB take "),
        ("does an arena of 700 KB fit on an esp32-c3?", "No, 700 KB take "),
        ("does an arena of 0 KB fit on an rp2040?", "RP2040: "),
    ],
)
def test_sizes_of_an_own_network_are_held_against_the_memories(
    question: str, first: str, tmp_path: Path
) -> None:
    assert Planner(Workspace(tmp_path)).ask(question).answer.startswith(first)


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("You say 15 ms with 9.3-24.2 in brackets. Can I write 20 ms in the contract?", "No, 20 ms lies inside"),
        ("the estimate is 8 ms [5 to 13 ms], may I sign 15 ms?", "Likely, not surely: 15 ms lies beyond"),
        ("the estimate is 8 ms [5 to 13 ms], may I sign 4 ms?", "No, 4 ms lies outside"),
        ("your figure: 100 fps (60-160). can i guarantee 50 fps?", "Likely, not surely: 50 fps lies beyond the lower"),
        ("for kws on an stm32h743zi you print 15 ms (9.3-24.2). may I cite the 15 ms?", "Yes, as an estimate"),
    ],
)  # fmt: skip
def test_what_is_promised_is_held_against_the_end_that_keeps_it(question: str, begins: str) -> None:
    assert told(question).answer.startswith(begins)
