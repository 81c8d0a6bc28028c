"""What several streams or places take: boards, price, power and bill in one answer."""

from pathlib import Path

import pytest

from edgewright.agent.planner.planner import Planner
from edgewright.agent.workspace import Workspace
from edgewright.tools import deployment, estimate_workload, get_target


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


def rows(answer: str) -> dict[str, list[str]]:
    table = [line.strip("| ").split(" | ") for line in answer.splitlines() if line.startswith("| ")]
    return {cells[0]: cells[1:] for cells in table[1:]}


def test_how_many_what_they_cost_and_draw_is_one_sentence(planner: Planner) -> None:
    told = planner.ask(
        "32 cameras at 12 fps with yolov8s on a jetson orin nano: how many of them, what do they cost and draw?"
    ).answer
    found = estimate_workload(
        "yolov8s", deployment("jetson-orin-nano", batch=4), rate_hz=12, streams=32, buys=True
    )
    many, price = int(found.devices_needed.value), get_target("jetson-orin-nano").price_usd
    assert told.startswith(f"{many} jetson-orin-nano-8gb (")
    assert f"{many * price:,.0f} USD to buy" in told.splitlines()[0]
    assert " W together" in told or " W (" in told.splitlines()[0]


def test_places_multiply_and_stay_in_the_talk(planner: Planner) -> None:
    first = planner.ask(
        "60 shops with 2 cameras each at 5 fps, yolov8n. Jetson Orin Nano or Raspberry Pi 5 with a Hailo-8L in "
        "each: what does the hardware cost, and the electricity per year at 0.32 EUR/kWh?"
    ).answer
    price = get_target("raspberry-pi-5-hailo-8l").price_usd
    shown = rows(first)
    assert shown["raspberry-pi-5-hailo-8l"][:2] == ["60", f"{60 * price:,.0f} USD"]
    assert "EUR" in shown["jetson-orin-nano-8gb"][-1]
    halved = rows(planner.ask("and if it runs 12 hours a day only?").answer)
    value = {name: float(cells[-1].split()[0].replace(",", "")) for name, cells in shown.items()}
    for name, cells in halved.items():
        assert float(cells[-1].split()[0].replace(",", "")) == pytest.approx(value[name] / 2, rel=0.01)
    chosen = planner.ask("which of them would you take then, over five years?").answer
    assert chosen.startswith("I would take raspberry-pi-5-hailo-8l: it is cheapest to buy")
    assert "over five years" in chosen


def test_another_board_is_set_beside_those_before_with_their_bill(planner: Planner) -> None:
    planner.ask(
        "What do 40 cameras at 15 fps with yolov8m cost me a year on RTX 4060 at 0.30 $/kWh, hardware too?"
    )
    shown = rows(planner.ask("does the same work on an orin agx? how many of those?").answer)
    assert set(shown) == {"rtx-4060", "jetson-agx-orin-64gb"}
    assert all(cells[-1].startswith("at least") for cells in shown.values())


def test_money_of_two_currencies_is_not_added(planner: Planner) -> None:
    told = planner.ask(
        "12 cameras at 10 fps, yolov8s: Orin Nano or RTX 3060, which is cheapest to buy and to run at 0.4 EUR per kWh?"
    ).answer
    assert "in all" not in told
    assert "which is not added to EUR" in told


def test_a_box_in_each_place_is_weighed_against_one_place_for_all(planner: Planner) -> None:
    told = planner.ask(
        "25 stables with 3 cameras each, yolov8n at 2 fps. A small computer in each stable or one server for all "
        "of them? What does it cost to buy?"
    ).answer
    where = {cells[0]: cells[1] for cells in rows(told).values()}
    assert where["in each of 25 stables"] == "25"
    assert where["in one place"].startswith("1")


def test_one_that_is_asked_whether_it_is_enough_is_judged(planner: Planner) -> None:
    told = planner.ask(
        "12 streams at 25 fps of yolov8s: is one RTX 3060 enough, and what does it draw?"
    ).answer
    assert told.startswith("Yes: one rtx-3060 is enough for 12 times 25 fps with yolov8s: ")


def test_cards_are_rented_as_many_as_it_takes(planner: Planner) -> None:
    told = planner.ask(
        "How many L4 do I need for 300 streams of yolov8s at 10 fps, and what would renting them cost per month?"
    ).answer
    many = int(told.split()[0])
    hour = get_target("l4").rents[0].hour_usd
    assert f"{many * hour * 730.5:,.0f} USD per month" in told.splitlines()[0]
