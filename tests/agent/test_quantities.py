"""Figures of English sentences: value, family, and what is none."""

from __future__ import annotations

import re

import pytest

from edgewright.agent.planner.query import Role
from edgewright.agent.planner.reading import read
from edgewright.agent.planner.roles import likeliest
from edgewright.agent.quantities import Family, find_figures
from stubs.work import TWELVE, times_as_long

READ = {
    "takes 180 ms": [(180, Family.TIME)],
    "within half a second": [(500, Family.TIME)],
    "a hundred milliseconds": [(100, Family.TIME)],
    "2 min 30 s": [(150_000, Family.TIME)],
    "one and a half seconds": [(1500, Family.TIME)],
    "20 times a second": [(20, Family.RATE)],
    "one frame every 10 seconds": [(0.1, Family.RATE)],
    "every 10 seconds": [(0.1, Family.RATE)],
    "every half second": [(2, Family.RATE)],
    "every other minute": [(1 / 120, Family.RATE)],
    "every second minute": [(1 / 120, Family.RATE)],
    "each quarter of an hour": [(1 / 900, Family.RATE)],
    "runs all 5 seconds": [(0.2, Family.RATE)],
    "One inference in 10 seconds": [(0.1, Family.RATE)],
    "40 bottles in the second": [(40, Family.RATE)],
    "one inference in 20 ms": [(1, Family.COUNT), (20, Family.TIME)],
    "four frames in 2 seconds": [(2, Family.RATE)],
    "16 images in 30 ms": [(16, Family.COUNT), (30, Family.TIME)],
    "900 images in 2 hours": [(900, Family.COUNT), (7.2e6, Family.TIME)],
    "25 pict./s": [(25, Family.RATE)],
    "the parcel is in view for 0.5 s, and I want two pictures of it": [(4, Family.RATE)],
    "it passes the gate in 2 s and takes 5 seconds to stop": [(2000, Family.TIME), (5000, Family.TIME)],
    "1 kWh in 2 hours": [(3.6e12, Family.ENERGY), (7.2e6, Family.TIME)],
    "twice a minute": [(2 / 60, Family.RATE)],
    "12 floors with 3 sensors each": [(36, Family.COUNT)],
    "4 users, 500 tokens each": [(4, Family.COUNT), (500, Family.COUNT)],
    "the old one to 200 MHz": [(1, Family.COUNT), (200, Family.CLOCK)],
    "clocked from 120 to 80": [(120, Family.CLOCK)],
    "beside a 64k network stack": [(65536, Family.BYTES)],
    "the ELF grew to 300K, flash is tight": [(300 * 1024, Family.BYTES)],
    "in use a quarter of the day": [(6, Family.DUTY)],
    "loaded 40% of the time": [(9.6, Family.DUTY)],
    "11 hours of recording, the rest off": [(11, Family.DUTY)],
    "awake by day, 14 hours": [(14, Family.DUTY)],
    "opening hours, 9 to 19": [(10, Family.DUTY)],
    "from 9 pm until 5 am": [(8, Family.DUTY)],
    "runs for 11 hours": [(11 * 3.6e6, Family.TIME)],
    "25 to 40 fps": [(25, Family.RATE)],
    "80 parking events a day": [(80 / 86400, Family.RATE)],
    "3,000 units a year": [(3000, Family.COUNT)],
    "for a whole month": [(365.25 / 12 * 8.64e7, Family.TIME)],
    "18 ms and 19 ms": [(18, Family.TIME), (19, Family.TIME)],
    "promised 900 fps, we got 300": [(900, Family.RATE), (300, Family.RATE)],
    "1000 images per second": [(1000, Family.RATE)],
    "30fps": [(30, Family.RATE)],
    "2k images/s": [(2000, Family.RATE)],
    "at 64 MHz": [(64, Family.CLOCK)],
    "96 KB of 1.5MiB": [(96 * 1024, Family.BYTES), (1.5 * 1024**2, Family.BYTES)],
    "under 5 W and $1,500.50": [(5000, Family.POWER), (1500.5, Family.MONEY)],
    "3 uA asleep, 3.3 mA at 3 V": [(3, Family.CURRENT), (3300, Family.CURRENT), (3, Family.VOLTAGE)],
    "a 4S 5000 mAh pack": [(4, Family.CELLS), (5000, Family.CHARGE)],
    "a 7B network in 8k": [(7e9, Family.COUNT), (8000, Family.COUNT)],
    "128x128 pixels": [(128, Family.SIDE)],
    "0.5 mJ, or 2 J": [(500, Family.ENERGY), (2e6, Family.ENERGY)],
    "0,5 s": [(500, Family.TIME)],
    "1e6 of 1,024": [(1e6, Family.COUNT), (1024, Family.COUNT)],
    "twenty-five layers": [(25, Family.COUNT)],
    "30 percent": [(30, Family.PERCENT)],
    "DDR4-3200": [(51.2, Family.BANDWIDTH)],
    "single channel DDR5 at 5600 MT/s": [(44.8, Family.BANDWIDTH)],
    "ddr4 2666, eight channels": [(170.624, Family.BANDWIDTH)],
    "LPDDR5-6400 and 90 GB/s": [(102.4, Family.BANDWIDTH), (90, Family.BANDWIDTH)],
}
NO_FIGURES = (
    "ResNet-50 and STM32F746 in int8 on a Cortex-M7",
    "kws_96_int8.tflite",
    "release 1.2.3 in 3D, the 2nd",
    "a second model",
    "",
    "🙂🙂",
)


@pytest.mark.parametrize("text", READ)
def test_a_figure_is_read_in_the_unit_of_its_family(text: str) -> None:
    assert [(f.value, f.family) for f in find_figures(text)] == [(pytest.approx(v), k) for v, k in READ[text]]


@pytest.mark.parametrize("text", NO_FIGURES)
def test_digits_within_a_name_are_no_figure(text: str) -> None:
    assert find_figures(text) == ()


def test_a_range_has_two_ends() -> None:
    (figure,) = find_figures("takes 10-20 ms")
    assert (figure.value, figure.upper) == (10, 20)


def test_what_is_counted_stands_beside_the_number() -> None:
    assert [f.noun for f in find_figures("4 threads, 50 events a day")] == ["threads", "events"]


def test_a_name_holds_no_figure() -> None:
    text = "a Pi 4 at 4 fps"
    assert [f.text for f in find_figures(text, taken=[(2, 6)])] == ["4 fps"]


@pytest.mark.parametrize(
    ("piece", "times"), [("9", 1_000_000), ("1 ", 50_000), ("every ", 20_000), ("a hundred ", 10_000)]
)
def test_a_text_of_any_length_is_read_in_linear_time(piece: str, times: int) -> None:
    assert times_as_long(lambda many: lambda: find_figures(piece * many), times) <= TWELVE


@pytest.mark.parametrize(
    "text", ["1.4 m/s", "80 km/h", "-20 °C", "7 inch", "40 degrees", "5 kg", "100 Mbit/s"]
)
def test_units_of_nothing_that_is_calculated_make_no_figure_of_another_kind(text: str) -> None:
    (figure,) = find_figures(f"it drives {text} here")
    assert figure.family is Family.FOREIGN


@pytest.mark.parametrize("text", ["50 extra bucks", "$50 more", "20 dollars more", "30 additional dollars"])
def test_what_one_thing_costs_beyond_another_is_no_price_of_its_own(text: str) -> None:
    (figure,) = find_figures(f"is it worth {text}")
    assert (figure.family, bool(figure.noun)) == (Family.MONEY, True)
    assert likeliest(("price_limit", "price", "other"), figure) == "other"


def test_a_million_runs_a_second_are_no_speed() -> None:
    (figure,) = find_figures("at 3 M/s")
    assert (figure.family, figure.value) == (Family.RATE, 3e6)


def test_a_picture_whose_size_has_a_name_has_both_sides() -> None:
    (figure,) = find_figures("a QVGA sensor")
    assert (figure.value, figure.upper, figure.family) == (320, 240, Family.SIDE)


def test_the_number_of_bs64_is_a_batch() -> None:
    (figure,) = find_figures("resnet50 L4 int8 bs64", [(0, 12)])
    assert (figure.text, figure.value) == ("64", 64)
    query = read("throughput of resnet50 on an L4, int8 bs64")
    assert query.numbers(Role.BATCH) == (64,)


def test_a_bound_without_a_unit_has_that_of_the_figure_before_it() -> None:
    first, second = find_figures("it runs in 340 ms, I want below 100.")
    assert (second.family, second.value) == (first.family, 100)


def test_round_the_clock_is_no_pair_of_figures() -> None:
    (figure,) = find_figures("it runs 24/7")
    assert (figure.family, figure.value) == (Family.DUTY, 24)


def test_a_plus_between_number_and_unit_says_at_least() -> None:
    (figure,) = find_figures("at 20+ fps")
    assert (figure.family, figure.value) == (Family.RATE, 20)


@pytest.mark.parametrize(
    ("text", "rates"),
    [
        ("kws 10x per second, vww 2x, ad once. Enough?", [10.0, 2.0, 1.0]),
        ("kws twice a minute and vww once on it", [2 / 60, 1 / 60]),
        ("kws 4 times a second. Is vww 2x", [4.0]),
    ],
)
def test_so_often_of_another_network_is_of_the_same_time(text: str, rates: list[float]) -> None:
    names = [found.span() for found in re.finditer(r"kws|vww|\bad\b", text)]
    found = [one.value for one in find_figures(text, names) if one.family is Family.RATE]
    assert found == pytest.approx(rates)


@pytest.mark.parametrize(
    "text", ["a Core i5 from 2021, no card", "an iMac, late 2015", "built in 2019 and slow"]
)
def test_the_year_of_a_thing_is_no_figure(text: str) -> None:
    assert not [figure for figure in find_figures(text) if figure.value > 1900]


@pytest.mark.parametrize("text", ["from 2000 to 2040 tokens", "in 2010 ms", "made in 2000 ms"])
def test_a_number_like_a_year_with_a_unit_is_one(text: str) -> None:
    assert find_figures(text)


def test_hours_and_days_of_what_is_paid_are_a_share_of_the_time() -> None:
    hours, days = [
        figure
        for figure in find_figures("$2 an hour, office hours alone (9h, 21 days)")
        if figure.family is Family.DUTY
    ]
    assert hours.value == 9
    assert days.value == pytest.approx(24 * 21 / 30.4375)
    week = [f.value for f in find_figures("rent per month for 8 h x 5 days") if f.family is Family.DUTY]
    assert week == [8.0, pytest.approx(24 * 5 / 7)]


def test_hours_and_days_of_a_single_trip_are_no_share() -> None:
    assert Family.DUTY not in {figure.family for figure in find_figures("a battery for 10 h, 3 days at most")}


@pytest.mark.parametrize("does", ["cost", "costs", "use", "draw", "need"])
def test_what_a_card_costs_a_month_is_no_rate(does: str) -> None:
    figures = find_figures(f"what does mistral on an rtx 4060 {does} a month?")
    assert Family.RATE not in {figure.family for figure in figures}
