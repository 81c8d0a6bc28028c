"""Figures of English sentences: value, family, and what is none."""

from __future__ import annotations

import time

import pytest

from edgewright.agent.quantities import Family, find_figures

READ = {
    "takes 180 ms": [(180, Family.TIME)],
    "within half a second": [(500, Family.TIME)],
    "a hundred milliseconds": [(100, Family.TIME)],
    "2 min 30 s": [(150_000, Family.TIME)],
    "one and a half seconds": [(1500, Family.TIME)],
    "20 times a second": [(20, Family.RATE)],
    "one frame every 10 seconds": [(0.1, Family.RATE)],
    "every 10 seconds": [(0.1, Family.RATE)],
    "twice a minute": [(2 / 60, Family.RATE)],
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


@pytest.mark.parametrize("text", ["9" * 1_000_000, "1 " * 50_000, "every " * 20_000, "a hundred " * 10_000])
def test_a_text_of_any_length_is_read_in_linear_time(text: str) -> None:
    started = time.process_time()
    find_figures(text)
    assert time.process_time() - started < 2
