"""What several boards take at a rate is ordered by what is drawn on average, idle included."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace
from edgewright.tools import estimate_performance


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


def test_the_least_bill_comes_first_and_no_difference_is_below_zero(planner: Planner) -> None:
    answer = planner.ask(
        "resnet50 every ten seconds all year: electricity of a jetson orin nano 8gb and a raspberry pi zero 2 w "
        "at 0.25 EUR per kWh?"
    ).answer
    bills = {
        name: float(value) for name, value in re.findall(r"^\| ([\w-]+) \| ([\d.]+) ", answer, re.MULTILINE)
    }
    assert answer.startswith(f"{min(bills, key=bills.__getitem__)} takes least")
    assert "-" not in answer.partition(" less than")[0].rpartition(", ")[2]


def test_bills_that_cannot_be_told_apart_are_said_to_be_so(planner: Planner) -> None:
    answer = planner.ask(
        "yolov8n at 5 fps around the clock, euros of electricity a year at 0.3 EUR/kWh: raspberry pi 5 or "
        "jetson orin nano 8gb?"
    ).answer
    assert "hardly differ" in answer.partition("\n")[0]


def test_a_card_that_is_filled_with_streams_is_paid_for_nonstop(planner: Planner) -> None:
    told = planner.ask(
        "How many streams of 8 fps does an L4 do with yolov8m, and what does a year cost at 0.30 EUR/kWh?"
    )
    work = next(call["result"] for call in told.tool_calls if call["name"] == "estimate_workload")
    assert told.answer.startswith(f"{work['streams_served']['value']:g} streams at 8 fps")
    watts = estimate_performance("yolov8m", "l4").power_mw.value / 1e3
    assert any(number.value == pytest.approx(watts * 8.76 * 0.30, rel=0.01) for number in told.numbers)
