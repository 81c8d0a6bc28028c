"""A battery life is told with what the network listens or looks with, which mostly draws more."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.planner.answers.sensed import sensor_of
from edgewright.agent.planner.reading import read
from edgewright.agent.workspace import Workspace
from edgewright.tools import estimate_energy_budget


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("kws on an nrf52840 from a CR2032 once a second", "microphone"),
        ("vww on an nrf52840 from 2 AA cells every minute", "camera"),
        ("kws on an nrf52840, our accelerometer wakes it", "accelerometer"),
        ("a tiny net on an nrf52840 listens for glass that breaks", "microphone"),
        ("a tiny net on an nrf52840 from a CR2032", ""),
    ],
)
def test_the_kind_is_what_is_said_else_what_such_a_network_is_for(question: str, kind: str) -> None:
    assert sensor_of(read(question)) == kind


def test_the_life_is_told_with_it_on_always_and_for_a_second_of_each(planner: Planner) -> None:
    said = planner.ask("How long does kws on an nrf52840 last on 2x AA, once every 20 seconds?").answer
    always = estimate_energy_budget("kws", "nrf52840", rate_hz=0.05, battery="2x AA", sensor="mic").battery
    each = estimate_energy_budget(
        "kws", "nrf52840", rate_hz=0.05, battery="2x AA", sensor="mic", sensor_on_s=1.0
    ).battery
    assert always is not None
    assert each is not None
    shown = re.search(r"microphone \(such as MP34DT05\) of 650 µA on all the time (\d+) days", said)
    assert shown is not None
    assert float(shown[1]) == pytest.approx(float(always.life_days), rel=0.01)
    assert "for 1 s of each inference" in said
    assert float(each.life_days) > float(always.life_days)


def test_what_the_chip_alone_would_last_is_no_yes(planner: Planner) -> None:
    said = planner.ask("Does ad on an nrf52840 last 3 years on 2x AA, once every 20 seconds?").answer
    assert said.startswith("The chip alone yes")


def test_a_cell_that_cannot_give_the_current_is_told_first(planner: Planner) -> None:
    said = planner.ask("How long does kws on an esp32-s3 last on a CR2032, once a minute?").answer
    assert said.startswith("Not from that cell alone: computing draws ")


def test_a_sensor_that_the_user_states_is_taken_as_it_is(planner: Planner) -> None:
    said = planner.ask("kws on an nrf52840, 2x AA, once every 20 s, the mic takes 300 uA: how long?").answer
    assert "such as" not in said
