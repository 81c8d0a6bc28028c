"""What changes bring for their effort, and clocks by energy and time together."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace


@pytest.mark.parametrize(
    "question",
    [
        "Show me an ROI table of optimisations for kws on the stm32h743zi",
        "What is the return on investment of optimising kws for the stm32h743zi?",
    ],
)
def test_changes_are_ranked_by_what_they_save_for_a_step_of_effort(tmp_path: Path, question: str) -> None:
    found = Planner(Workspace(tmp_path)).ask(question)
    (call,) = found.tool_calls
    options = {option["technique"]: option for option in call["result"]["options"]}
    lines = [line for line in found.answer.splitlines() if line.startswith("| ")][1:]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    steps = {"minutes": 1, "retraining": 2, "redesign": 3}
    shares = [-100 * options[row[0]]["gain"]["latency"] / steps[row[1]] for row in rows]
    assert shares == sorted(shares, reverse=True)
    assert [float(row[-1].removesuffix(" %")) for row in rows] == pytest.approx(shares, rel=0.01)


def test_the_clock_of_least_energy_and_time_together_is_told(tmp_path: Path) -> None:
    found = Planner(Workspace(tmp_path)).ask("At which clock is the EDP of kws on the stm32l4r5zi least?")
    result = found.tool_calls[0]["result"]
    assert f"{result['best_energy_delay_mhz']:g} MHz has the least product of energy and time" in found.answer
