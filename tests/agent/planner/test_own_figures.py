"""Figures of the user's own are calculated with, whatever order and words they come in."""

from __future__ import annotations

import re

import pytest

from edgewright.agent.answer import Answer
from edgewright.agent.planner.planner import Planner
from edgewright.agent.workspace import Workspace
from edgewright.tools import add_up_loads, compare_figures


def conversation(*questions: str) -> list[Answer]:
    planner = Planner(Workspace())
    return [planner.ask(question) for question in questions]


def told(question: str) -> Answer:
    return conversation(question)[0]


def result(answer: Answer, function: str = "add_up_loads") -> dict[str, object]:
    call = next(call for call in answer.tool_calls if call["name"] == function)
    assert call["result"] is not None
    return call["result"]


def arguments(answer: Answer) -> dict[str, object]:
    return next(call for call in answer.tool_calls if call["name"] == "add_up_loads")["arguments"]


@pytest.mark.parametrize(
    "question",
    [
        "I measured: inference 85 ms at 38 mA, once per minute, sleep current 6 uA, 3.3 V, cell 1200 mAh. "
        "How long will it last?",
        "sleep draws 6 µA, every 60 s one inference of 85 ms at 38 mA, all at 3.3 V, battery of 1200 mAh: runtime?",
        "38 mA for 85 ms every minute and 6 uA asleep at 3.3 V. How many days from a 1200 mAh battery?",
    ],
)
def test_a_life_is_that_of_the_figures_told_in_whatever_order(question: str) -> None:
    answer = told(question)
    expected = add_up_loads(["run=85ms,38mA,1/min", "sleep=6uA"], supply_v=3.3, battery_mah=1200)
    life = result(answer)["battery"]["life_days"]["value"]  # type: ignore[index, call-overload]
    assert life == pytest.approx(expected.battery.life_days.value)
    assert ("836 days" if "days" in question else "2.29 years") in answer.answer
    assert "did not take into account" not in answer.answer


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("112 ms at 6.8 mA and 3.0 V for an inference, how many mJ?", "2.28 mJ"),
        ("5.4 mA for 230 ms at 3 V on the PPK2. Energy of one inference?", "3.73 mJ"),
        ("My GPU serves 900 tokens/s at 310 W. Energy per token?", "344 mJ"),
        ("An inference costs 1.9 mJ and I have 5 J in a capacitor, how many inferences is that?", "2,632"),
        ("350 W, 8 hours a day 22 days a month, 0.32 €/kWh: cost per month?", "19.7 €"),
        ("100 gateways at 6 W each, 24/7, 0.28 $/kWh: what is that per year?", "1,473 $"),
        ("Budget is 3 mW on average. Inference 40 ms at 60 mW, sleep 50 uW. Maximum rate?", "1.23 /s"),
        ("A panel gives 50 mW for 5 hours a day. Inference 120 ms at 45 mA, 3.3 V. How often can it run?", "50,505"),
        ("It draws 22 mA at 5 V while detecting, 9 mA idle, a detection lasts 300 ms. Energy on top of idle?", "19.5 mJ"),
        ("PUE 1.4, server 1.2 kW, 60 % utilised, idle 300 W. kWh per day?", "28.2 kWh"),
    ],
)  # fmt: skip
def test_each_kind_of_figure_is_calculated_with(question: str, shown: str) -> None:
    answer = told(question)
    assert shown in answer.answer
    assert not answer.marked


def test_a_later_message_changes_one_figure_and_the_others_stay() -> None:
    first, second, third, fourth = conversation(
        "I measured 85 ms at 38 mA and 3.3 V for one inference.",
        "what energy is that?",
        "and once per minute, with 6 uA sleep and a 1200 mAh cell?",
        "what if every 10 seconds",
    )
    assert "10.7 mJ" in first.answer
    assert "10.7 mJ" in second.answer
    assert "2.29 years" in third.answer
    expected = add_up_loads(["run=85ms,38mA,0.1/s", "sleep=6uA"], supply_v=3.3, battery_mah=1200)
    assert f"{expected.battery.life_days.value:.0f} days" in fourth.answer


def test_cameras_share_what_the_users_own_latency_leaves() -> None:
    four, six, rate = conversation(
        "4 cameras at 15 fps share one Jetson, my model takes 12 ms per frame there. Does it fit?",
        "and with 6 cameras?",
        "what fps would be possible with 6?",
    )
    assert four.answer.startswith("Yes: busy 72 %")
    assert six.answer.startswith("No: busy 108 %")
    assert "13.9 fps" in rate.answer


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
    assert "unknown" not in answer.answer


def test_what_was_measured_outside_of_an_estimate_gets_causes_to_check() -> None:
    answer = told("I measure 212 ms, your tool says 95 ms for person detection on the Nano 33 BLE. Why?")
    assert "2.23x" in answer.answer
    assert all(word in answer.answer for word in ("kernels", "build", "clock", "first run"))


def test_before_and_after_are_told_as_a_share_and_a_factor() -> None:
    answer = told("Before: 43 ms, after the update: 51 ms. How much slower is that?")
    change = compare_figures(51, 43).change.value
    assert change is not None
    assert f"{100 * change:.1f} % more time" in answer.answer


def test_a_later_turn_scales_from_what_was_measured() -> None:
    _, answer = conversation(
        "I measure 212 ms for mobilenet_v1:0.25 at 128x128 on stm32h747xi, why so slow?",
        "does 96x96 do it for a part every 120 ms?",
    )
    estimates = [
        call["result"]["latency_ms"]["value"]  # type: ignore[index]
        for call in answer.tool_calls
        if call["name"] == "estimate_performance"
    ]
    scaled = 212 * estimates[1] / estimates[0]
    shown = re.search(r"([\d.]+) ms with 96x96, scaled from your 212 ms", answer.answer)
    assert shown is not None
    assert float(shown[1]) == pytest.approx(scaled, rel=0.01)
    assert answer.answer.startswith("No" if scaled > 120 else "Yes")


def test_what_is_missing_is_named_and_the_rest_is_computed() -> None:
    answer = told("I measured 85 ms at 38 mA, once per minute, sleep 6 uA. Energy of an inference?")
    assert "voltage" in answer.answer
    assert "59.8 µA" in told("85 ms at 38 mA once per minute, sleep 6 uA: average current?").answer


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


def test_an_instrument_is_no_board() -> None:
    for name in ("PPK2", "Joulescope JS220", "Otii Arc", "Nordic Power Profiler Kit II", "Saleae"):
        answer = told(f"{name} shows 64 ms at 7.2 mA and 3.0 V for an inference. Energy?")
        assert "1.38 mJ" in answer.answer, name
        assert "do not know" not in answer.answer


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("8.2 W with the model running and 5.1 W without. Cost of the model per year at 0.34 €/kWh?", "9.24 €"),
        ("2x 18650 in parallel, 3000 mAh each, draws 1.5 mA at 3.6 V all the time. How many days?", "on 6,000 mAh"),
        ("A solar panel brings 0.8 Wh per day. Idle 1.2 mW, 45 mJ per detection. How many a day?", "61,696"),
        ("int8 6.1 ms at 21 mA, fp32 19.8 ms at 24 mA, both 3.3 V. Which needs less energy?", "3.71x"),
        ("A request takes 350 ms at 180 W. Cost of 10 million requests at 0.22 €/kWh?", "38.5 €"),
        ("-O0 took 390 ms, -Os 96 ms. Which factor is that?", "4.06x as fast"),
        ("45 W idle, 95 W under load, loaded 30 % of the time. Euros a month at 0.35 €/kWh?", "15.3 €"),
        ("A box of 14 W, 24/7, at 2,500 sites, 0.21 € per kWh. Electricity per year?", "64,430 €"),
        ("It has to run 5 years from a 19 Ah cell of 3.6 V: what is the power budget?", "1.56 mW"),
        ("p50 18 ms, p99 64 ms. Can 30 requests per second be held?", "busy 54 %"),
        ("I trimmed it from 26.5 ms to 17.9 ms at 14 mA and 3.3 V. Percentage of energy saved?", "32.5 %"),
        ("My meter says 4.1 mA on average at 3.3 V. CR123A 1500 mAh, how many days?", "15.2 days"),
    ],
)  # fmt: skip
def test_pairs_parallels_and_prices_are_calculated_with(question: str, shown: str) -> None:
    assert shown in told(question).answer
