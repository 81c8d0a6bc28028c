"""A limit on the power at a rate: on average, in all turns of a conversation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace
from edgewright.hardware_db import load_target
from edgewright.tools import Limits, analyze_roofline, check_constraints, deployment, estimate_energy_budget


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


def power_of(rate_hz: float | None, target: str = "jetson-orin-nano-8gb") -> float:
    report = check_constraints("yolov8n", target, Limits(power_mw=9000, rate_hz=rate_hz))
    demand = next(check for check in report.checks if check.name == "power").demand
    assert demand is not None
    return demand


def test_a_power_at_a_rate_is_what_is_drawn_on_average_as_the_energy_budget_has_it() -> None:
    slow, fast, always = power_of(1), power_of(40), power_of(None)
    idle = max(
        mode.board_idle_w.value for mode in load_target("jetson-orin-nano-8gb").power if mode.board_idle_w
    )
    assert 1e3 * idle < slow < fast < always
    budget = estimate_energy_budget("yolov8n", "jetson-orin-nano-8gb", rate_hz=40)
    assert fast == pytest.approx(budget.average_power_mw.value, rel=0.02)


def test_a_mode_that_switches_units_off_computes_with_the_rest(planner: Planner) -> None:
    whole = analyze_roofline("yolov8n", deployment("jetson-orin-nx-16gb", clock_mhz=918)).peak_gops
    gated = analyze_roofline("yolov8n", deployment("jetson-orin-nx-16gb", clock_mhz=612)).peak_gops
    assert whole
    assert gated == pytest.approx(whole * 612 / 918 / 2, rel=0.01)
    answer = planner.ask("yolov8n on an Orin NX 16GB in the 15 W mode or in MAXN, fps?").answer
    assert "15 W mode runs it at 612 MHz with 50% of its units" in answer


def test_beyond_what_it_reaches_it_computes_all_the_time() -> None:
    assert power_of(1e9) == pytest.approx(power_of(None), rel=0.01)


def test_a_chip_below_a_watt_is_taken_to_sleep_in_between() -> None:
    report = check_constraints("kws", "ndp120", Limits(power_mw=1, rate_hz=1))
    power = next(check for check in report.checks if check.name == "power")
    assert power.verdict == "PASS"


def test_turns_of_a_conversation_hold_the_same_power_against_a_limit(planner: Planner) -> None:
    planner.ask("yolov5s at 20 fps on a jetson orin nano 8gb and on a pi 5 with a hailo-8: both below 10 W?")
    later = planner.ask("one more camera, so 40 fps in all. Do both still keep to it?").answer
    assert "average power" in later
    picked = planner.ask("which one do I take then?").answer
    assert not re.search(r"15 W \(4\.5–15 W\) against", picked)


@pytest.mark.parametrize("words", ["how much mA is that", "what current on average", "how many milliamps"])
def test_a_current_at_a_rate_is_the_mean_power_by_the_supply(planner: Planner, words: str) -> None:
    answer = planner.ask(f"kws on an stm32f411 4 times a second, {words}?").answer
    budget = estimate_energy_budget("kws", "stm32f411ce", rate_hz=4)
    volts = budget.power.supply_v
    assert budget.average_power_mw.value
    assert volts
    assert answer.startswith(f"{budget.average_power_mw.value / volts:.3g} mA (")


def test_a_rate_that_cannot_be_kept_has_no_mean_power(planner: Planner) -> None:
    answer = planner.ask("average power of kws on an stm32l4r5zi at 10 per second?").answer
    assert "10 a second cannot be reached" in answer
