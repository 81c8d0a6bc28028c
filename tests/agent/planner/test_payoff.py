"""What changes bring for their effort, and clocks by energy and time together."""

from __future__ import annotations

from pathlib import Path

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace


def test_the_clock_of_least_energy_and_time_together_is_told(tmp_path: Path) -> None:
    found = Planner(Workspace(tmp_path)).ask("At which clock is the EDP of kws on the stm32l4r5zi least?")
    result = found.tool_calls[0]["result"]
    assert f"{result['best_energy_delay_mhz']:g} MHz has the least product of energy and time" in found.answer
