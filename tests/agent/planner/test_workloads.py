"""Streams, jobs and prices: what is said of them goes into one figure."""

import re
from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.planner.words import counts_things
from edgewright.agent.workspace import Workspace
from edgewright.tools import deployment, estimate_energy_budget, estimate_performance, estimate_workload

from .test_turns import talk


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


@pytest.mark.parametrize(
    ("question", "demanded"),
    [
        ("3 cameras at 10 fps each, five crops per frame go through mobilenet_v2 on a Jetson Orin Nano. ok?", 150),
        ("5 lines where each have 2 cameras, 300 parts/min, resnet50 on a Jetson Xavier NX: does it keep up?", 50),
        ("eight lanes with an apple each every 400 ms, vww on a coral dev board, ok?", 20),
        ("We cut 4000x3000 pictures in 640x640 tiles, one picture every 2 seconds: is one Jetson Orin NX 16GB enough "
         "for yolov8n?", 17.5),
    ],
)  # fmt: skip
def test_streams_and_what_each_event_takes_multiply(planner: Planner, question: str, demanded: float) -> None:
    told = planner.ask(question)
    calls = [call for call in told.tool_calls if call["name"] == "estimate_workload"]
    assert calls[0]["result"]["demanded_per_second"]["value"] == pytest.approx(demanded)
    assert "did not take into account" not in told.answer


@pytest.mark.parametrize(
    ("question", "devices", "begins"),
    [
        ("Can one Jetson Orin NX 16GB take 34 cameras at 10 fps with yolov8n?", 1, "Probably not, though not"),
        ("26 cameras at 10 fps with yolov8s: are two Hailo-8 enough?", 2, "Yes, two are enough for 26 "),
        ("60 cameras at 30 fps with yolov8s: are three Hailo-8 enough?", 3, "No, three are not enough, it takes 4 "),
        ("yolov8s for 9 cameras at 20 fps, is one Hailo-8 enough or do I need two?", 1, "Yes, one is enough and two"),
    ],
)  # fmt: skip
def test_as_many_boards_as_there_are_are_judged_by_the_ends_of_the_estimate(
    planner: Planner, question: str, devices: int, begins: str
) -> None:
    told = planner.ask(question)
    works = [call["result"] for call in told.tool_calls if call["name"] == "estimate_workload"]
    alike = [work for work in works if work["devices"] == devices]
    work = max(alike, key=lambda work: work["deployment"]["batch"])
    assert told.answer.startswith(begins)
    assert "did not take into account" not in told.answer
    assert told.answer.startswith("Probably") == (work["load"]["low"] <= 1 < work["load"]["high"])


@pytest.mark.parametrize(
    ("pieces", "count"), [("40 million", 4e7), ("36 000 000", 3.6e7), ("25 lakh", 2.5e6), ("1.000.000", 1e6)]
)
def test_a_job_is_told_in_hours_and_money(planner: Planner, pieces: str, count: float) -> None:
    told = planner.ask(f"How long do {pieces} images take with resnet50 on a T4 at 0.40 dollars an hour?")
    work = estimate_workload("resnet50", "t4", items=count, price_per_hour=0.40)
    shown = {number.value for number in told.numbers}
    assert any(value == pytest.approx(work.duration_h.value) for value in shown)
    assert any(value == pytest.approx(work.cost_rent.value) for value in shown)


@pytest.mark.parametrize(
    ("words", "hours"), [("over a weekend", 48), ("within 6 hours", 6), ("overnight", 8)]
)
def test_a_job_is_judged_by_the_time_that_is_said(planner: Planner, words: str, hours: float) -> None:
    told = planner.ask(f"My T4 runs efficientnet_b0 on 200,000 pictures, can that be done {words}?")
    assert told.answer.startswith("Yes, 200,000 pictures take ")
    assert told.tool_calls[0]["result"]["within_h"] == hours


def test_another_card_and_price_are_of_the_same_job(planner: Planner) -> None:
    planner.ask("How long for 10 million images with resnet50 on a T4?")
    told = planner.ask("And what does this cost at 0.40 $ per hour?")
    assert told.tool_calls[0]["arguments"]["items"] == 1e7
    assert told.answer.startswith("At 0.40 $ per hour 10 million cost ")


def test_a_dollar_buys_as_many_images_as_a_dollar_of_hours_has(planner: Planner) -> None:
    told = planner.ask("How many images per dollar do I get with resnet50 on a T4 at 0.35 dollars per hour?")
    place = deployment("t4", batch=estimate_workload("resnet50", "t4", items=1e6).best_batch)
    a_second = estimate_performance("resnet50", place).inferences_per_second.value
    assert told.numbers[0].value == pytest.approx(a_second * 3600 / 0.35)


def test_buying_is_set_against_rent(planner: Planner) -> None:
    told = planner.ask(
        "RTX 4090 for 1600 dollars or rent an A100 at 1.79 an hour for resnet50, when does buying pay off?"
    )
    assert told.numbers[0].value == pytest.approx(1600 / 1.79)
    assert "amd-ryzen" not in told.answer


@pytest.mark.parametrize(("rent", "word"), [("0.11", "Perhaps never"), ("0.01", "Never")])
def test_what_is_bought_draws_the_electricity_that_is_counted(planner: Planner, rent: str, word: str) -> None:
    told = planner.ask(
        f"RTX 4090 for 1600 dollars or rent an A100 at {rent} an hour for resnet50, electricity is "
        "0.30 dollars per kWh, when does buying pay off?"
    )
    assert told.answer.startswith(word)
    assert "rtx-4090 at 0.30 dollars per kWh" in told.answer


@pytest.mark.parametrize(
    "question",
    [
        "how many nrf52840 do I need for 4 cameras at 5 fps with resnet50?",
        "1 million images through resnet50 on an nrf52840, how long?",
        "how fast is resnet50 on an nRF52840?",
        "how fast is mobilenet_v2 on a max78000?",
    ],
)
def test_what_does_not_fit_is_said_not_to(planner: Planner, question: str) -> None:
    assert "it does not fit: " in planner.ask(question).answer


def test_a_series_costs_its_number_times_the_price_of_one(planner: Planner) -> None:
    told = planner.ask("We need 500 boards with an ESP32-S3 running vww. What is the total price?")
    each = next(number.value for number in told.numbers[1:])
    assert told.numbers[0].value == pytest.approx(500 * each)


def test_a_cascade_gives_each_network_its_own_rate(planner: Planner) -> None:
    told = planner.ask(
        "yolov8n finds people at 10 fps on two streams and resnet18 then looks at 4 crops per frame, "
        "all on a Jetson Orin Nano. enough?"
    )
    rates = {step["name"]: step["rate_hz"] for step in told.tool_calls[0]["result"]["steps"]}
    assert rates == {"yolov8n": 20, "resnet18": 80}


def test_one_of_two_networks_is_no_cascade(planner: Planner) -> None:
    told = planner.ask(
        "A detector at 30 fps: yolo11n or yolov8s on a Jetson Orin Nano, which of them makes it?"
    )
    assert "together" not in told.answer


@pytest.mark.parametrize(
    ("words", "kib"),
    [
        ("a 160x120 grey frame stays in RAM", 18.75), ("3 frames of 96x96 grayscale are held in RAM", 27),
        ("a double buffered QVGA RGB565 frame buffer is kept", 300),
    ],
)  # fmt: skip
def test_pictures_that_stay_in_ram_are_ram_that_others_take(planner: Planner, words: str, kib: float) -> None:
    told = planner.ask(f"Does vww fit on an STM32H743 where {words}?")
    check = next(call for call in told.tool_calls if call["name"] == "check_constraints")
    assert check["arguments"]["reserve_bytes"] == kib * 1024


def test_a_panel_yields_its_watts_over_its_hours_of_sun(planner: Planner) -> None:
    told = planner.ask(
        "A solar panel of 10 W with 4 sun hours a day: can it feed a Raspberry Pi 5 that runs yolov8n "
        "once every 10 seconds?"
    )
    assert re.search(r"are 1\.67 W on average", told.answer)


def test_from_where_a_batch_stops_paying_is_the_first_that_no_larger_one_beats(planner: Planner) -> None:
    told = planner.ask(
        "resnet50 fp16 with TensorRT on a T4, batch 1, 8, 32, 128: from where does it stop paying?"
    )
    rates = {
        batch: estimate_performance(
            "resnet50", deployment("t4", "tensorrt", batch=batch)
        ).inferences_per_second.value
        for batch in (1, 8, 32, 128)
    }
    first = next(b for b in rates if max(rates.values()) < 1.1 * rates[b])
    assert told.answer.startswith(f"Beyond batch {first} it hardly pays")


def test_the_panel_that_is_needed_yields_the_mean_power_in_the_hours_of_sun(planner: Planner) -> None:
    told = planner.ask(
        "How big must a solar panel be for yolov8n at 5 fps on a Jetson Orin Nano with 3 hours of sun a day?"
    )
    mean = estimate_energy_budget("yolov8n", "jetson-orin-nano-8gb", rate_hz=5).average_power_mw.value
    assert told.numbers[0].value == pytest.approx(mean * 8)


def test_a_job_of_texts_is_read_and_written_one_by_one_and_together(planner: Planner) -> None:
    told = planner.ask("How long does qwen2.5-7b on an RTX 3060 need for 1,000 answers of 400 tokens each?")
    one = told.tool_calls[0]["result"]
    writes, reads = one["decode_tokens_per_s"]["value"], one["prefill_tokens_per_s"]["value"]
    assert told.numbers[0].value == pytest.approx(1e6 * (400 / writes + 64 / reads), rel=1e-3)
    assert "with 16 at once" in told.answer


@pytest.mark.parametrize(
    ("words", "threads"),
    [
        ("with three NPU cores", 1), ("with all 3 cores of the NPU", 1), ("with three cores", 1),
        ("with three CPU cores", 3), ("on three CPU cores", 3),
    ],
)  # fmt: skip
def test_cores_of_an_npu_are_no_threads(planner: Planner, words: str, threads: int) -> None:
    told = planner.ask(f"how many fps does yolov5s int8 reach on an rk3588 {words}?")
    one = next(call["result"] for call in told.tool_calls if call["name"] == "estimate_performance")
    assert one["deployment"]["threads"] == threads
    assert (f"{one['at_once']} at once" in told.answer) == (threads == 1)
    assert "did not take into account" not in told.answer


@pytest.mark.parametrize(("asked", "word"), [("2x", "Yes, 2x"), ("3x", "Nearly 3x"), ("5x", "No, not 5x")])
def test_whether_cores_of_an_npu_multiply_the_rate(planner: Planner, asked: str, word: str) -> None:
    told = planner.ask(f"do I get {asked} with three cores on the RK3588 NPU with yolov5s int8?")
    gain = estimate_performance("yolov5s:int8", "rk3588").at_once_gain
    assert told.answer.startswith(f"{word}: {gain.value:.3g}x")


def test_cameras_are_held_against_all_cores_of_an_npu(planner: Planner) -> None:
    told = planner.ask("yolov5s int8 on RK3588, six cameras at 15 fps: does it keep up?").answer
    assert told.startswith("Yes, one is enough for six at 15 fps")
    assert "3 at once" in told


FLEET = "340 cameras at 15 fps each, mobilenet_v2 on a Hailo-8. How many do I need?"


def test_what_all_devices_draw_and_cost_follows_from_how_many_they_are(planner: Planner) -> None:
    told = talk(planner, FLEET)
    many = int(told.split()[0])
    assert f"Together the {many} draw {many * 2.5:g} W" in told
    assert f"cost {many * 299} USD" in told


@pytest.mark.parametrize("question", ["and how many watts is that in total?", "what does that cost?"])
def test_streams_of_before_are_still_all_of_them_where_power_or_price_is_asked(
    planner: Planner, question: str
) -> None:
    talk(planner, FLEET)
    answer = talk(planner, question)
    first = answer.splitlines()[0]
    assert ": 2 hailo-8 (3 to be sure, by the lower end) for 340 times 15 " in first
    assert first.startswith("598 USD" if "cost" in question else "At least 2.45 W")


def test_how_many_watts_counts_no_streams_and_how_many_are_needed_no_more_of_them() -> None:
    assert not counts_things("and how many watts is that?")
    assert not counts_things("how many milliseconds more?")
    assert counts_things("how many cameras can it serve?")


def test_one_that_carries_all_streams_draws_at_the_rate_of_all(planner: Planner) -> None:
    answer = talk(planner, "mobilenet_v2 for 40 cameras with 5 fps each on hailo-8: how much power?")
    assert "on average: one hailo-8 for 40 times 5 fps" in answer
