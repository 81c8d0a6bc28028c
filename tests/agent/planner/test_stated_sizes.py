"""Figures that say which thing is meant, factors of sizes, pieces, what moves, and CO2 of a kWh."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.agent.planner.conftest import Ask


@pytest.mark.parametrize(
    "question",
    [
        "does mobilenet_v2:0.35 at 96 run on a raspberry pi pico (rp2040, 264 kB)?",
        "jetson nano (the old one, 4gb). do I get 25 img/s of yolov8n with TensorRT fp16?",
        "Is a T4 with its 70 W enough for 500 images per second of resnet50?",
    ],
)
def test_what_the_sheet_says_of_a_board_tells_which_one_is_meant(ask: Ask, question: str) -> None:
    assert "not take into account" not in ask(question)


def test_what_the_sheet_does_not_say_stays_named(ask: Ask) -> None:
    assert "*3 GB*" in ask("jetson nano with 3 GB. do I get 25 img/s of yolov8n with TensorRT fp16?")


def test_so_many_times_the_operations_stand_beside_those_that_are_counted(ask: Ask) -> None:
    answer = ask("Why is resnet50 slower than mobilenet_v2 on my Coral USB? It has only 9 times the MACs.")
    assert "resnet50 has 13.6x the MACs of mobilenet_v2, by what I know" in answer
    answer = ask("Why is resnet50 slower than mobilenet_v2 on my Coral USB? It has just 13x the MACs.")
    assert "resnet50 has 13.6x the MACs of mobilenet_v2." in answer


def test_so_many_times_the_peak_of_two_cards(ask: Ask) -> None:
    answer = ask("batch 1 resnet50 fp16: A100 barely quicker than my T4 although 5x TFLOPS. defect?")
    assert "a100-sxm4-80gb has 4.8x the peak of t4." in answer


def test_pieces_cost_what_one_does_so_many_times(ask: Ask) -> None:
    answer = ask("I need 20 nrf52840 for ds_cnn, does it fit and what do they cost together?")
    price = next(float(w) for w, unit in pairwise(answer.split()) if unit == "USD" and "." in w)
    assert f"20 of nrf52840 cost {20 * price:.0f} USD" in answer


def test_a_budget_for_all_is_so_much_for_each(ask: Ask) -> None:
    answer = ask(
        "24 pupils, budget 900 USD total, each pair gets a board for mobilenet_v1:0.25 at 96. Which?"
    )
    assert "what all 12 may cost together, 75 each" in answer


def test_boards_that_share_cameras_are_counted_together(ask: Ask) -> None:
    answer = ask("3 raspberry pi 5 boards share 6 cameras with yolov8n at 2 fps each. enough?")
    assert answer.partition("\n")[0].count("3 are enough") == 1


def test_what_moves_is_seen_so_often(ask: Ask) -> None:
    answer = ask("Robot at 2 m/s, the camera sees 50 cm: yolov8n on a jetson orin nano quick enough?")
    assert "*50 cm* at *2 m/s* leave time for 35" in answer
    assert "cm apart" in answer


def test_what_moves_alone_goes_so_far(ask: Ask) -> None:
    assert "At *36 km/h* it moves 7.06 cm in one inference" in ask(
        "36 km/h, yolov8n on a jetson orin nano, time of an inference?"
    )


def test_co2_is_reckoned_as_a_price_of_energy_is(ask: Ask) -> None:
    grams = ask("yolov8n on jetson orin nano 24/7 at 30 fps: CO2 per year at 400 g CO2 per kWh?")
    money = ask("yolov8n on jetson orin nano 24/7 at 30 fps: cost per year at 400 USD per kWh?")
    assert "g CO2 per year at 400 g CO2 per kWh" in grams
    assert grams.split()[0] == money.split()[0]


def test_round_the_clock_is_no_number_of_a_board(ask: Ask) -> None:
    answer = ask("yolov8n on jetson orin nano 24/7 at 30 fps, watts?")
    assert "I do not know" not in answer


def test_an_allocator_names_the_last_piece(ask: Ask) -> None:
    answer = ask("CUDA out of memory. Tried to allocate 112.00 MiB. Mistral 7B fp16 on an RTX 3060, why?")
    assert "*112.00 MiB* is the piece at which the memory was full" in answer


def test_a_load_that_is_compared_with_is_so_many_times_the_energy(ask: Ask) -> None:
    answer = ask(
        "How much electricity does an RTX 4090 use for 1,000 words of llama 3 8b, compared to a kettle of 2 kW "
        "for one minute?"
    )
    joules = float(answer.split()[0].replace(",", ""))
    said = float(answer.partition("*2 kW* for *one minute* take ")[2].partition("x")[0])
    assert said == pytest.approx(2_000 * 60 / joules, rel=0.02)


def test_a_size_in_billions_is_a_model_of_that_size(ask: Ask) -> None:
    answer = ask("Can an 8-billion-parameter model run on a Raspberry Pi 5?")
    assert "llama-3.1-8b on raspberry-pi-5" in answer
    assert "I took 8-billion to be llama-3.1-8b" in answer


def test_a_reply_of_no_length_is_taken_to_be_of_one(ask: Ask) -> None:
    answer = ask("How much does one answer of llama 3 8b cost me on a 4090 at 0.30 EUR/kWh?")
    assert "EUR for 256 tokens at 0.30 EUR/kWh" in answer
    assert "A reply is taken as 256 tokens" in answer


def test_who_is_asked_to_tell_gets_no_yes_or_no(ask: Ask) -> None:
    answer = ask("can you tell me in which case I'd ever be memory bound on a cortex m7 running a convnet?")
    assert not answer.startswith(("Yes", "No"))


def test_the_chance_of_an_interval_is_the_share_that_lay_inside(ask: Ask) -> None:
    answer = ask(
        "What is the chance that the real time is outside the range you give for an unmeasured board?"
    )
    assert "Inside their 90 % interval lay" in answer


def test_the_first_of_what_is_numbered_is_no_figure_and_none_is(ask: Ask) -> None:
    assert "*0*" not in ask("CUDA out of memory on GPU 0 with llama 3 70b on an rtx 4090, why?")
    assert "*0*" in ask("qty 0 of esp32-s3 for kws, price?")


def test_a_load_stands_beside_an_energy_in_kwh_too(ask: Ask) -> None:
    answer = ask(
        "How many kWh does an RTX 4090 use for 1,000 words of llama 3 8b, against a 2 kW kettle for one minute?"
    )
    kwh = float(answer.split()[0])
    assert float(answer.partition("take ")[2].partition("x")[0]) == pytest.approx(2 / 60 / kwh, rel=0.02)
