"""What a budget allows, what a measurement foretells, and what is ruled out: claims about the figures."""

from __future__ import annotations

import re

import pytest

from edgewright.agent.planner.query import Role
from edgewright.agent.planner.reading import read
from edgewright.agent.planner.want import Want

from .test_answers import holds_up, query, written

YEAR_MS = 365.25 * 8.64e7


def figure(text: str) -> float:
    return float(text.split(maxsplit=1)[0].replace(",", ""))


NO_SLEEP = "stm32f412zg"
"""No source tells what it draws asleep, so that computing alone counts."""


@pytest.mark.parametrize("milliwatts", [0.5, 2.0, 8.0])
def test_twice_the_power_allows_twice_the_rate(milliwatts: float) -> None:
    def rate(power: float) -> float:
        asked = query(Want.THROUGHPUT, MODEL="kws", TARGET=NO_SLEEP, POWER_MW=power)
        _, desk, _ = written(asked)
        budget = desk.records[0]["result"]
        assert budget is not None
        return min(power / budget["energy_uj"]["value"] * 1e3, budget["inferences_per_second"]["value"])

    answer = holds_up(query(Want.THROUGHPUT, MODEL="kws", TARGET=NO_SLEEP, POWER_MW=milliwatts))
    per = {"/s": 1, "/min": 60, "/h": 3600}
    told = answer.removeprefix("At most ").split()
    assert float(told[0]) == pytest.approx(rate(milliwatts) * per[told[1]], rel=0.01)


def test_a_budget_that_computing_nonstop_keeps_to_allows_as_often_as_it_can() -> None:
    answer = holds_up(query(Want.THROUGHPUT, MODEL="kws", TARGET="stm32l4r5zi", POWER_MW=500.0))
    assert answer.startswith("As often as it can, 9.0")


def test_a_cell_holds_its_energy_over_that_of_an_inference() -> None:
    asked = query(Want.HOW_MANY, MODEL="kws", TARGET="nrf52840", BATTERY="CR2032")
    answer = holds_up(asked)
    budget = written(asked)[1].records[0]["result"]
    assert budget is not None
    battery = budget["battery"]
    joules = battery["capacity_mah"]["value"] * battery["nominal_v"]["value"] * 3.6
    expected = joules / budget["energy_uj"]["value"] * 1e6
    assert figure(answer.removeprefix("About ")) == pytest.approx(expected, rel=0.001)


def test_cells_that_have_to_last_say_how_often_it_may_run() -> None:
    asked = query(Want.LIMIT, MODEL="vww", TARGET="stm32l4r5zi", BATTERY="AA", CELLS=2.0, LIFE_MS=YEAR_MS)
    one = query(Want.LIMIT, MODEL="vww", TARGET="stm32l4r5zi", BATTERY="AA", LIFE_MS=YEAR_MS)
    two, single = (figure(holds_up(each).removeprefix("At most ")) for each in (asked, one))
    assert single < two <= 2.03 * single, "a converter from 3 V loses more than one from 1.5 V"


def test_a_measured_network_foretells_another_and_nothing_is_kept() -> None:
    asked = query(
        Want.LATENCY,
        question="kws took 30 ms, so vww?",
        MODEL=("kws", "vww"),
        TARGET="stm32h743zi",
        CLAIMED_MS=30.0,
    )
    answer = holds_up(asked)
    record = written(asked)[1].records[0]
    assert record["name"] == "calibrate_target"
    assert record["arguments"]["keep"] is False
    assert record["result"] is not None
    assert record["result"]["file"] == ""
    assert "You measured 30 ms of kws" in answer


def test_at_a_rate_a_power_is_that_of_the_whole_cycle() -> None:
    asked = query(Want.MEETS, MODEL="kws", TARGET="stm32l4r5zi", POWER_MW=20.0, RATE_HZ=1.0)
    assert "average power" in holds_up(asked)


@pytest.mark.parametrize(
    ("question", "thing"),
    [
        ("kws in 5 ms, nothing from ST", "STMicroelectronics"),
        ("yolov8n at 30 fps, not NVIDIA please", "NVIDIA"),
        ("a board for vww, no GPU", "gpu"),
        ("kws in 20 ms without the h743", "stm32h743zi"),
    ],
)
def test_what_is_denied_is_ruled_out(question: str, thing: str) -> None:
    assert thing in read(question).all(Role.WITHOUT)


@pytest.mark.parametrize("question", ["does kws not fit on the nrf52840?", "why not the h743 for kws?"])
def test_a_board_whose_fit_is_denied_is_not_ruled_out(question: str) -> None:
    asked = read(question)
    assert asked.has(Role.TARGET)
    assert not asked.has(Role.WITHOUT)


def test_what_is_ruled_out_is_not_recommended() -> None:
    asked = query(Want.RECOMMEND, MODEL="kws", LATENCY_MS=50.0, WITHOUT="STMicroelectronics")
    ranking = written(asked)[1].records[-1]["result"]
    assert ranking is not None
    assert not any(row["target"].startswith("stm32") for row in ranking["ranking"])
    assert "stm32" not in holds_up(asked)


def test_members_of_a_list_share_unit_and_role() -> None:
    clocks = read("kws.tflite on stm32f446re at 64, 120 or 168 MHz").numbers(Role.CLOCK_MHZ)
    assert clocks == (64, 120, 168)
    assert read("kws.tflite in batch 8, 4 threads on a pi 5").number(Role.BATCH) == 8


def test_each_share_of_a_list_is_a_row() -> None:
    asked = read("prune 25, 50 or 75 % of ic.tflite on the nrf52840")
    slots = {"TECHNIQUE": asked.all(Role.TECHNIQUE)}
    assert {"prune-25", "prune-50", "prune-75"} <= set(slots["TECHNIQUE"])
    answer = holds_up(query(Want.WHAT_IF, Want.RAM, MODEL="ic", TARGET="nrf52840", **slots))
    assert all(f"| {name} |" in answer for name in ("now", "prune-25", "prune-50", "prune-75"))


def test_a_figure_below_zero_is_not_taken() -> None:
    asked = read("kws.tflite in -5 ms on stm32h743zi")
    assert asked.unread == ("-5 ms",)
    assert not asked.has(Role.LATENCY_MS)


def test_listed_settings_are_a_table_with_each_judged() -> None:
    answer = holds_up(
        query(Want.LIMIT, MODEL="ad", TARGET="stm32f446re", CLOCK_MHZ=(16.0, 168.0), LATENCY_MS=8.0)
    )
    rows = [line for line in answer.splitlines() if line.startswith("| 16")]
    assert [row.split("|")[-2].strip() for row in rows] == ["probably (latency)", "no"]


def test_a_network_of_another_kind_of_name_is_no_misspelling() -> None:
    assert [name.text for name in read("SqueezeDet on a pi 4, ms?").unknown] == ["SqueezeDet"]
    assert not read("squeezenett on a pi 4, ms?").unknown


def test_how_long_it_lasts_is_told_before_whether_the_pace_is_reached() -> None:
    asked = query(Want.BATTERY_LIFE, Want.MEETS, MODEL="vww", TARGET="esp32-s3", BATTERY="lipo", RATE_HZ=5.0,
                  CHARGE_MAH=1000.0)  # fmt: skip
    first, _, rest = holds_up(asked).partition("\n")
    assert re.match(r"[\d.]+ (?:days|h)", first)
    assert "can be reached" in rest
