"""The unit that an answer is asked in, and language models asked about side by side."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from edgewright.agent.asked_unit import Per, What, asked_unit, price_in
from edgewright.agent.planner.formats_said import weight_formats_in
from edgewright.agent.planner.planner import Planner
from edgewright.agent.planner.said_in import units_asked
from edgewright.agent.workspace import Workspace


def answered(directory: Path, *questions: str) -> list[str]:
    planner = Planner(Workspace(directory))
    return [planner.ask(question).answer for question in questions]


@pytest.mark.parametrize(
    ("question", "what", "per", "amount"),
    [
        ("Wh per week", What.ENERGY, Per.TIME, 168.0),
        ("what is the yearly electricity bill", What.MONEY, Per.TIME, 8766.0),
        ("cost per 1000 images", What.MONEY, Per.COUNT, 1000.0),
        ("tokens per joule", What.COUNT, Per.ENERGY, 1 / 3.6e6),
        ("how many pictures an hour", What.COUNT, Per.TIME, 1.0),
    ],
)
def test_a_unit_without_a_number_is_what_is_asked_for(
    question: str, what: What, per: Per, amount: float
) -> None:
    unit = asked_unit(question)
    assert unit is not None
    assert (unit.what, unit.per, unit.amount) == (what, per, pytest.approx(amount))


@pytest.mark.parametrize(
    "question", ["energy of ad and kws", "kws once a day", "at 30 frames per second", "at 0.30 € per kWh", ""]
)
def test_a_rate_or_a_price_that_is_stated_is_no_unit_that_is_asked_for(question: str) -> None:
    assert asked_unit(question) is None


def test_a_price_is_of_a_kwh_or_of_an_hour_in_the_users_own_currency() -> None:
    per_kwh, per_hour = price_in("electricity is 38 ct here"), price_in("we rent it for $1.20 an hour")
    assert per_kwh is not None
    assert (per_kwh.value, per_kwh.currency, per_kwh.per) == (38.0, "ct", Per.ENERGY)
    assert per_hour is not None
    assert (per_hour.value, per_hour.currency, per_hour.per) == (1.2, "$", Per.TIME)
    assert price_in("a board below 30 dollars") is None


@pytest.mark.parametrize(
    ("written", "value"), [("1,200 $", 1200.0), ("0,38 €", 0.38), ("1.50 $", 1.5), ("$1,200.50", 1200.5)]
)
def test_a_comma_before_three_digits_divides_thousands_in_a_price_too(written: str, value: float) -> None:
    price = price_in(f"{written} per hour")
    assert price is not None
    assert price.value == value


def test_per_nothing_is_no_unit() -> None:
    assert asked_unit("cost per 0 images") is None


@pytest.mark.parametrize("count", ["99999999999999999999", "1e300"])
def test_a_count_beyond_all_bounds_is_one_short_line(count: str, tmp_path: Path) -> None:
    for question in (f"llama 3 8b on {count} H100s", f"llama 3 8b on an l40s at {count} tokens of context"):
        (answer,) = answered(tmp_path, question)
        assert len(answer.partition("\n")[0]) < 200


def test_the_energy_of_a_day_is_the_power_over_24_hours(tmp_path: Path) -> None:
    day, hour = answered(tmp_path, "kWh a day for resnet50 on a T4, nonstop?", "and Wh an hour?")
    of_day, of_hour = (float(re.match(r"[\d.]+", text)[0]) for text in (day, hour))  # type: ignore[index]
    assert day.partition(":")[0].endswith("a day")
    assert of_day * 1000 == pytest.approx(24 * of_hour, rel=0.02)


def test_what_it_costs_needs_a_price_and_says_so(tmp_path: Path) -> None:
    without, priced = answered(
        tmp_path,
        "cost per million images of resnet50 on a raspberry pi 5?",
        "at 2 $ per hour, cost per million images?",
    )
    assert "I know no prices of electricity" in without
    assert " $ per million images at 2 $ per hour: resnet50 on raspberry-pi-5" in priced


def test_the_difference_of_two_boards_is_in_the_unit_that_is_asked_for(tmp_path: Path) -> None:
    (answer,) = answered(tmp_path, "kws on an esp32 or an stm32u585 every second, mAh per day?")
    first = answer.partition("\n")[0]
    assert re.search(r"takes least, [\d.]+ .*mAh.* per day at 3 V, [\d.]+ mAh less than", first)


def test_formats_of_weights_go_by_the_names_that_people_write() -> None:
    assert weight_formats_in("q4 or 8-bit, fp8 as well") == ("Q4_K_M", "Q8_0", "FP8")
    assert weight_formats_in("Q4_K and IQ4_XS with a q8_0 cache") == ("Q4_K_M", "IQ4_XS")


def test_two_formats_of_a_language_model_stand_side_by_side(tmp_path: Path) -> None:
    (answer,) = answered(tmp_path, "fp8 versus bf16 on H100 for Llama 3 8B: gain in tokens per second?")
    assert answer.startswith("FP8 is the fastest with ")
    assert "x as fast as BF16" in answer


def test_the_time_to_the_first_token_is_shown_from_one_length_to_the_other(tmp_path: Path) -> None:
    (answer,) = answered(tmp_path, "time to first token of Llama 3 8B from 1k to 16k prompt on an L40S?")
    assert answer.startswith("At 1k tokens of prompt the first token comes after ")
    assert "at 16k tokens of prompt" in answer


def test_a_format_of_weights_stays_for_the_questions_that_follow(tmp_path: Path) -> None:
    *_, last = answered(
        tmp_path, "mistral 7b q4 on an rtx 3060?", "the longest context there?", "and on an rtx 4090?"
    )
    assert "Q4_K_M" in last


def test_why_a_language_model_is_no_faster_is_its_weights_over_the_bandwidth(tmp_path: Path) -> None:
    (answer,) = answered(tmp_path, "memory bandwidth ceiling for Phi-3-mini in 4 bit on a raspberry pi 5?")
    assert answer.startswith("Memory-bound: every token reads the ")
    assert "that is at most " in answer


def test_what_does_not_fit_one_card_is_told_how_many_hold_it(tmp_path: Path) -> None:
    (answer,) = answered(tmp_path, "Llama 3.1 70B Q4 on an RTX 4090?")
    assert answer.startswith("No, it does not fit")
    assert "2 x " in answer
    assert "The cheapest that holds " in answer


def test_the_noun_before_a_number_names_its_role(tmp_path: Path) -> None:
    first, other = answered(
        tmp_path, "bert_large at batch 8, sequence 384, on an L4 in int8?", "what does sequence 128 change?"
    )
    assert "batch 8" in first
    assert "384 tokens" in first
    assert "batch 8" in other
    assert "128 tokens" in other


def test_the_charge_of_a_cell_is_no_unit_that_is_asked_for() -> None:
    assert asked_unit("a CR2032 (220 mAh). Will it last a year?") is None


def test_energy_is_paid_for_where_a_price_of_it_is_said(tmp_path: Path) -> None:
    (said,) = answered(tmp_path, "electricity per month of llama 3.1 8b on an L40S at 0.30 euro/kwh?")
    assert " euro per month (its rating, around the clock) at 0.30 euro/kwh" in said
    assert "That is " in said


def test_what_a_data_centre_draws_beside_is_paid_for_too(tmp_path: Path) -> None:
    plain, more = (
        answered(
            tmp_path, f"electricity cost of 1 million images of resnet50 on a T4 at 0.20 $ per kWh{pue}"
        )[0]
        for pue in ("", ", PUE 2")
    )
    cost = [float(re.match(r"[\d.]+", text)[0]) for text in (plain, more)]  # type: ignore[index]
    assert cost[1] == pytest.approx(2 * cost[0], rel=0.02)


@pytest.mark.parametrize(
    ("question", "unit"),
    [
        ("how many months does kws on an nrf52840 last on 1200 mAh, every 5 s?", "months"),
        ("how many milliwatt hours does one inference of vww take on an nrf52840?", "mWh"),
        ("latency of vww on an esp32-s3 in seconds", "s"),
    ],
)
def test_a_figure_is_said_in_the_unit_that_is_asked_for(tmp_path: Path, question: str, unit: str) -> None:
    answer = Planner(Workspace(tmp_path)).ask(question)
    assert f" {unit}" in answer.numbers[0].text
    assert "missed" not in answer.answer


def test_a_unit_that_a_figure_cannot_be_read_in_is_not_taken(tmp_path: Path) -> None:
    assert "months" not in Planner(Workspace(tmp_path)).ask("latency of kws on an nrf52840 in months").answer


def test_a_figure_of_the_question_asks_for_no_unit() -> None:
    assert units_asked("does kws on an nrf52840 answer in 5 ms?") == ()


@pytest.mark.parametrize("micro", ["\u00b5", "\u03bc", "u"])
def test_micro_is_written_in_three_ways(micro: str) -> None:
    assert units_asked(f"latency of kws on an nrf52840 in {micro}s")[0] in ("us", "\u00b5s")


def test_of_a_board_whose_sleep_is_not_known_a_comparison_says_the_most(tmp_path: Path) -> None:
    answer = answered(
        tmp_path, "nrf5340 or stm32h750vb for vww on a 3000 mAh lipo, every 30 s: which lasts longer?"
    )[0]
    assert re.search(r"\| stm32h750vb \| at most [\d.]+ days", answer)


def test_a_life_says_what_the_battery_was_taken_to_give(tmp_path: Path) -> None:
    (answer,) = answered(tmp_path, "how long does kws on an nrf52840 last on a cr2032, once a minute?")
    assert "the battery gives 220 mAh (154–240 mAh) at 3 V" in answer


def test_a_bill_without_a_time_is_that_of_a_year(tmp_path: Path) -> None:
    question = "what is the energy bill of resnet-50 24/7 on a jetson orin nano at 0.30 eur per kWh?"
    (answer,) = answered(tmp_path, question)
    assert re.match(r"[\d.]+ \([\d.]+–[\d.]+\) eur a year \(24/7\) at 0.30 eur per kWh", answer)


def test_a_battery_is_chosen_for_by_lives_that_are_known(tmp_path: Path) -> None:
    (answer,) = answered(tmp_path, "person detection on 2 AA batteries, 40 times a day: which chip?")
    first = next(line for line in answer.splitlines() if line.startswith("| efr32") or "not known |" in line)
    assert not first.endswith("not known |")


@pytest.mark.parametrize("question", ["energy of kws in millijoule?", "how many megs of RAM does vww take?"])
def test_a_unit_that_references_do_not_know_is_none_asked_for(question: str) -> None:
    assert units_asked(question) == ()


def test_efficiency_of_what_computes_nonstop_is_frames_a_second_per_watt(tmp_path: Path) -> None:
    large, small = answered(
        tmp_path,
        "mobilenet_v2 on Orin Nano vs Xavier NX, I care about efficiency and power",
        "now something else: kws on nrf52840 or stm32l4r5, which is more efficient?",
    )
    assert "| board | fps per watt | power | energy | throughput |" in large
    assert small.startswith("nrf52840 takes the least energy")
