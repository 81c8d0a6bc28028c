"""How long a charge has to last, what saves most of it, what battery it takes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.planner.query import Role
from edgewright.agent.planner.reading import read
from edgewright.agent.workspace import Workspace
from edgewright.tools import estimate_energy_budget

_DAY_MS = 8.64e7


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


@pytest.mark.parametrize(
    ("words", "days"),
    [
        ("the user recharges it once a week", 7),
        ("I can charge it every 3 days", 3),
        ("we swap the batteries once a year", 365.25),
        ("it is put on the charger once a month", 30.44),
    ],
)
def test_a_battery_lasts_from_one_charge_to_the_next(words: str, days: float) -> None:
    query = read(f"kws on an nrf52840, {words}")
    assert (query.number(Role.LIFE_MS) or 0) / _DAY_MS == pytest.approx(days, rel=0.01)
    assert not query.has(Role.RATE_HZ)


@pytest.mark.parametrize(
    "words", ["it runs once a week", "inference every 3 days", "the bus wakes it once a day"]
)
def test_what_happens_seldom_without_a_charge_is_a_rate(words: str) -> None:
    assert not read(f"kws on an nrf52840, {words}").has(Role.LIFE_MS)


def test_a_recharge_is_held_against_the_life_at_the_rate_of_before(planner: Planner) -> None:
    planner.ask("kws on an nrf52840 at 4 per second, CR2032, how long does it live?")
    answer = planner.ask("the user recharges once a week, is that enough?").answer
    life = estimate_energy_budget("kws", "nrf52840", rate_hz=4, battery="CR2032").battery
    assert life is not None
    assert (life.life_days.value or 0) < 7
    assert answer.startswith("Probably not a week")


@pytest.mark.parametrize(
    ("job", "first"),
    [
        ("vww on an esp32-s3, 40 times a day, 2 AA cells", "Sleep takes most"),
        ("kws on an stm32l4r5zi, 4 times a second, CR2032", "Half as often it lasts"),
    ],
)
def test_what_saves_most_is_told_of_the_charge(planner: Planner, job: str, first: str) -> None:
    planner.ask(f"{job}: how long does it last?")
    answer = planner.ask("what saves most?").answer
    assert answer.startswith(first)
    assert "Half as often it lasts" in answer


def test_what_is_to_change_for_a_life_tells_how_often_it_may_run(planner: Planner) -> None:
    planner.ask("kws on an stm32l4r5zi, once per second, CR2032: how long does it last?")
    answer = planner.ask("It must live a year. How can I get there?").answer
    (rate,) = re.findall(r"for a year it may run ([\d.]+) /h", answer)
    spent = estimate_energy_budget("kws", "stm32l4r5zi", rate_hz=float(rate) / 3600, battery="CR2032").battery
    assert spent is not None
    assert spent.life_days.value == pytest.approx(365.25, rel=0.02)


def test_a_battery_that_is_asked_for_is_what_the_time_takes(planner: Planner) -> None:
    planner.ask("vww on an esp32-s3, 40 times a day, 2 AA cells: how long does it last?")
    answer = planner.ask("I can recharge once a month, what battery do I need?").answer
    mean = estimate_energy_budget("vww", "esp32-s3", rate_hz=40 / 86400).average_power_mw.value or 0
    found = re.match(r"A month takes ([\d.]+) Wh", answer)
    assert found is not None
    assert float(found[1]) == pytest.approx(mean * 30.44 * 24 / 1e3, rel=0.01)


def test_a_share_of_the_time_that_it_listens_is_its_use(planner: Planner) -> None:
    planner.ask("kws on an stm32l4r5zi, listening all the time, LiPo 300 mAh. How long?")
    answer = planner.ask("only listening 10 % of the time").answer
    life = estimate_energy_budget("kws", "stm32l4r5zi", hours_per_day=2.4, battery="LiPo 300 mAh").battery
    assert life is not None
    assert answer.startswith(f"{life.life_days.value:.2f} days")
