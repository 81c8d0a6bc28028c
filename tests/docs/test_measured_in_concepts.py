"""What the pages on concepts say was measured is what the shipped measurements hold."""

import csv
import re
from collections import defaultdict
from pathlib import Path
from statistics import median

import pytest

from edgewright.hardware_db.loader import load_target
from edgewright.tools import analyze_roofline

from .pages import ROOT

ROWS = ROOT / "hardware_db" / "measurements" / "rows.csv"


def page(name: str) -> str:
    return " ".join((ROOT / "docs" / "concepts" / f"{name}.md").read_text(encoding="utf-8").split())


@pytest.fixture(scope="module")
def rows() -> list[dict[str, str]]:
    with ROWS.open(encoding="utf-8", newline="") as lines:
        return [row for row in csv.DictReader(lines) if row["latency_ms"]]


CASE = (
    "network",
    "dtype",
    "batch",
    "target",
    "kind",
    "threads",
    "clock_mhz",
    "runtime",
    "runtime_version",
    "repository",
)


def ratios(
    rows: list[dict[str, str]], differ: str, slow: str, fast: str, but: tuple[str, ...] = ()
) -> list[float]:
    """Latency with one value of a column over that with another, of cases that are the same `but` for these columns."""
    same = [column for column in CASE if column != differ and column not in but]
    times: dict[tuple[str, ...], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        times[tuple(row[column] for column in same)][row[differ]].append(float(row["latency_ms"]))
    return [median(of[slow]) / median(of[fast]) for of in times.values() if slow in of and fast in of]


@pytest.mark.parametrize(
    ("slow", "fast", "target", "count", "said"),
    [
        ("tflm-reference", "tflm-cmsis-nn", "stm32h743zi", 7, (10, 11.5)),
        ("tflm-reference", "x-cube-ai", "stm32h743zi", 7, (16, 20)),
        ("tflm-cmsis-nn", "x-cube-ai", "stm32h743zi", 7, (1.5, 1.9)),
        ("tflm-reference", "tflm-esp-nn", "esp32", 4, (7.9, 19)),
    ],
)
def test_a_library_is_as_much_faster_as_the_page_says(
    rows: list[dict[str, str]], slow: str, fast: str, target: str, count: int, said: tuple[float, float]
) -> None:
    of_target = [
        row
        for row in rows
        if row["target"].startswith(target) and row["kind"] == "core" and row["threads"] in ("", "1")
    ]
    measured = ratios(of_target, "runtime", slow, fast, but=("runtime_version", "repository", "threads"))
    assert len(measured) == count
    assert (min(measured), max(measured)) == pytest.approx(said, rel=0.03)
    assert re.search(rf"{said[0]:g} to {said[1]:g} times", page("kernel-libraries"))


@pytest.mark.parametrize(
    ("targets", "count", "said"),
    [(("raspberry-pi-4b", "rk3399"), 66, (1.8, 3.2)), (("jetson-agx-xavier",), 44, (0.64, 0.96))],
)
def test_int8_against_float32_is_as_the_page_says(
    rows: list[dict[str, str]], targets: tuple[str, ...], count: int, said: tuple[float, float]
) -> None:
    gains = ratios(
        [row for row in rows if row["runtime"] == "litert-builtin" and row["target"] in targets],
        "dtype",
        "float32",
        "int8",
    )
    assert len(gains) == count
    assert (min(gains), max(gains)) == pytest.approx(said, rel=0.02)
    assert f"{said[0]:g} to {said[1]:g} times" in page("quantization")


def test_a_batch_of_32_raises_throughput_of_an_a100_as_the_page_says(rows: list[dict[str, str]]) -> None:
    of_a100 = [row for row in rows if row["target"] == "a100-sxm4-80gb" and row["runtime"] == "tensorflow"]
    gains = [32 * ratio for ratio in ratios(of_a100, "batch", "1", "32")]
    assert len(gains) == 4
    assert (min(gains), max(gains)) == pytest.approx((7.6, 21), rel=0.02)
    assert "7.6 to 21 times the throughput" in page("batch")


def test_x_cube_ai_became_as_much_faster_as_the_page_says(rows: list[dict[str, str]]) -> None:
    times = {
        row["runtime_version"]: float(row["latency_ms"])
        for row in rows
        if row["runtime"] == "x-cube-ai"
        and row["target"] == "stm32l4r5zi"
        and Path(row["network"]).name == "vww_96_int8.tflite"
    }
    assert times["7.1.0"] / times["9.0"] == pytest.approx(2.9, rel=0.02)
    assert "From 7.1 to 9.0 X-CUBE-AI itself became 2.9 times as fast" in page("kernel-libraries")


def test_activations_of_x_cube_ai_are_as_safe_as_the_page_says() -> None:
    from ..tools.memory_planner.cube_activations import newest_published

    over = [estimate / published for estimate, published in newest_published()]
    assert len(over) == 24
    assert min(over) > 1
    assert median(over) == pytest.approx(1.15, abs=0.005)
    text = page("kernel-libraries")
    assert (
        "of 24 sizes published for 9.0 to 10.2 none is above it, and in the median it is 15 % too high"
        in text
    )


def test_an_m4_is_as_much_slower_than_an_m7_as_the_page_says(rows: list[dict[str, str]]) -> None:
    cores = {
        name: load_target(name).cores[0]
        for name in {row["target"] for row in rows if row["runtime"] == "bosch-hale"}
    }
    times: dict[tuple[str, str], dict[str, list[tuple[float, float]]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for row in rows:
        if row["runtime"] == "bosch-hale" and row["kind"] == "core":
            core, milliseconds = cores[row["target"]], float(row["latency_ms"])
            megahertz = float(row["clock_mhz"] or core.clock_max_mhz.value)
            times[row["network"], row["dtype"]][core.isa.value].append(
                (milliseconds, milliseconds * megahertz)
            )
    both = [of for of in times.values() if {"cortex-m4", "cortex-m7"} <= set(of)]
    assert len(both) == 6
    for at, said in enumerate([(3.3, 4.4), (1.7, 2.4)]):
        slower = [
            median(case[at] for case in of["cortex-m4"]) / median(case[at] for case in of["cortex-m7"])
            for of in both
        ]
        assert (min(slower), max(slower)) == pytest.approx(said, rel=0.03)
    assert "took 1.7 to 2.4 times the cycles on the M4, and 3.3 to 4.4 times the time" in page("cortex-m")


def test_the_ridge_in_plain_words_is_what_the_roofline_says() -> None:
    found, text = analyze_roofline("kws", "stm32h743zi"), page("roofline")
    assert f"does at most {found.peak_gops:g} billion operations" in text
    assert f"fetches {found.bandwidth_gb_s:g} billion bytes" in text
    assert (
        f"= {found.ridge_point:g} operations a byte. The network kws does {found.arithmetic_intensity:.3g}:"
        in text
    )
