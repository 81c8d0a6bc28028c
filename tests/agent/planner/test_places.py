"""Shops or buses that have boards of their own, each with so many cameras."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.planner.query import Role
from edgewright.agent.planner.reading import read
from edgewright.agent.workspace import Workspace
from edgewright.tools import estimate_energy_budget, estimate_performance


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


@pytest.mark.parametrize(
    ("question", "places", "streams"),
    [
        ("18 shops, 4 cameras per shop at 5 fps each, yolov8n on a raspberry pi 5: enough?", 18, 4),
        ("12 buses with 3 cameras each, yolov5s at 10 fps per camera on a hailo-8", 12, 3),
        ("We have 25 farms, one camera each at 2 fps, mobilenet_v2: will a raspberry pi 4 do?", 25, None),
        ("40 stores, 4 cameras each at 5 fps, all on one L4 in the data centre with yolov8n", None, 160),
        ("two belts with 3 cameras each at 20 fps, yolov8n on a jetson-orin-nx-16gb: enough?", None, 6),
    ],
)
def test_what_one_place_has_is_held_against_a_board_unless_all_goes_to_one(
    question: str, places: float | None, streams: float | None
) -> None:
    query = read(question)
    assert (query.number(Role.PLACES), query.number(Role.DEVICES)) == (places, streams)


def test_boards_and_prices_of_all_places_are_those_of_one_so_many_times(planner: Planner) -> None:
    first = planner.ask(
        "31 shops, 6 cameras each at 12 fps, yolov8n: is one jetson-orin-nano-8gb a shop enough?"
    )
    assert first.answer.startswith("Yes, one is enough for 6 at 12 fps, 72 /s together")
    assert "31 shops take 31 of them" in first.answer
    assert (estimate_performance("yolov8n", "jetson-orin-nano-8gb").inferences_per_second.low or 0) > 72
    assert planner.ask("how many do I need in all?").answer.startswith("31 of them, 1 in each of 31 shops")
    bill = planner.ask("and the electricity of a year for all shops at 0.25 eur/kWh?").answer
    budget = estimate_energy_budget("yolov8n", "jetson-orin-nano-8gb", rate_hz=72)
    costs = (budget.average_power_mw.value or 0) / 1e6 * 8766 * 31 * 0.25
    assert float(bill.split()[0].replace(",", "")) == pytest.approx(costs, rel=0.01)


def test_another_number_of_places_is_no_rate(planner: Planner) -> None:
    planner.ask("18 shops, 4 cameras per shop at 5 fps each, yolov8n on a jetson-orin-nano-8gb: enough?")
    assert planner.ask("and how many for 40 shops?").answer.startswith("40 of them, 1 in each of 40 shops")
