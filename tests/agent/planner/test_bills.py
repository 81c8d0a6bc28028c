"""What several boards take at a rate is ordered by what is drawn on average, idle included."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace


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
