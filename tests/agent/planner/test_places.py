"""Shops or buses that have boards of their own, each with so many cameras."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.planner.query import Role
from edgewright.agent.planner.reading import read
from edgewright.agent.workspace import Workspace
from edgewright.tools import estimate_energy_budget, estimate_performance, get_target


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


@pytest.mark.parametrize(
    ("question", "streams", "rate"),
    [
        ("four gates, four cameras, each 12 fps with yolov8n on a hailo-8?", 4, 12),
        ("9 cameras, they deliver 30 fps, it is enough to analyse 6 fps each: yolov8s on a hailo-8?", 9, 6),
        ("9 cameras at 6 fps each, at night 30 fps: yolov8s on a hailo-8?", 9, 6),
    ],
)
def test_the_same_cameras_count_once_and_what_they_deliver_is_no_demand(
    question: str, streams: float, rate: float
) -> None:
    query = read(question)
    assert (query.number(Role.DEVICES), query.number(Role.RATE_HZ)) == (streams, rate)


def test_boards_and_prices_of_all_places_are_those_of_one_so_many_times(planner: Planner) -> None:
    first = planner.ask(
        "31 shops, 6 cameras each at 12 fps, yolov8n: is one jetson-orin-nano-8gb a shop enough?"
    )
    each = "31 jetson-orin-nano-8gb, one in each of 31 shops, for 6 times 12 fps with yolov8n"
    assert first.answer.startswith(f"Yes: {each}: ")
    assert (estimate_performance("yolov8n", "jetson-orin-nano-8gb").inferences_per_second.low or 0) > 72
    assert planner.ask("how many do I need in all?").answer.startswith(f"{each}: ")
    bill = planner.ask("and the electricity of a year for all shops at 0.25 eur/kWh?").answer
    budget = estimate_energy_budget("yolov8n", "jetson-orin-nano-8gb", rate_hz=72)
    costs = (budget.average_power_mw.value or 0) / 1e6 * 8766 * 31 * 0.25
    assert float(bill.split()[0].replace(",", "")) == pytest.approx(costs, rel=0.01)


def test_another_number_of_places_is_no_rate(planner: Planner) -> None:
    planner.ask("18 shops, 4 cameras per shop at 5 fps each, yolov8n on a jetson-orin-nano-8gb: enough?")
    told = planner.ask("and how many for 40 shops?").answer
    assert told.startswith("40 jetson-orin-nano-8gb, one in each of 40 shops, for 4 times 5 fps")


@pytest.mark.parametrize(
    ("later", "places"),
    [("we get 10 more shops", 35), ("and for 60 shops?", 60), ("so what do I order for 30 shops?", 30)],
)
def test_more_places_or_others_keep_what_each_has(planner: Planner, later: str, places: int) -> None:
    planner.ask("25 shops with 4 cameras each, yolov8s at 10 fps per camera: how many jetson-orin-nano-8gb?")
    planner.ask("and on a jetson-orin-nx-16gb?")
    planner.ask(later)
    answer = planner.ask("so which one do I buy?").answer
    price = get_target("jetson-orin-nano-8gb").price_usd or 0
    assert f"jetson-orin-nano-8gb, one in each of {places} shops for {places * price:,.0f} USD" in answer
    assert "4 times 10 fps" in answer


@pytest.mark.parametrize(
    ("first", "said"),
    [
        ("yolov8n on a jetson-orin-nano-8gb, 4 cameras at 10 fps?", "one in each of 30 sites"),
        ("yolov8n on a jetson-orin-nano-8gb, 4 sites at 10 fps?", "30 times 10 fps"),
    ],
)
def test_places_that_come_at_the_end_multiply_unless_they_are_the_streams(
    planner: Planner, first: str, said: str
) -> None:
    planner.ask(first)
    planner.ask("and on a jetson-orin-nx-16gb?")
    assert said in planner.ask("so which one do I buy for 30 sites?").answer
