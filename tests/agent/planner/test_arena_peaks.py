"""Which layer makes the peak of the arena, and what brings it below a limit."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace
from edgewright.tools import plan_memory

from .test_turns import talk


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


@pytest.mark.parametrize("where", ["", " on the nrf52840"])
def test_the_layer_that_makes_the_peak_is_named_with_what_brings_the_arena_below(
    planner: Planner, where: str
) -> None:
    answer = talk(planner, f"which layer makes the arena of ic so big{where}? I need to be under 40 KB")
    first, second, *_ = (line for line in answer.splitlines() if not line.startswith("I took"))
    assert first.startswith("No, ic does not fit")
    assert second.startswith("Least effort that reaches your limits: ")
    plan = plan_memory("ic", "nrf52840")
    assert plan.peak_layer is not None
    assert f"The peak is layer {plan.peak_layer.index} ({plan.peak_layer.op}), where " in answer


def test_what_lives_at_the_peak_is_no_more_than_the_arena_without_what_lasts(planner: Planner) -> None:
    plan = plan_memory("vww", "nrf52840")
    assert plan.peak_layer is not None
    live = plan.timeline[plan.peak_layer.index].live_bytes
    assert sum(tensor.bytes for tensor in plan.peak_tensors) <= live <= plan.arena_nonpersistent_bytes
    answer = talk(planner, "can I get vww on an nrf52840 under 40 KB of arena?")
    assert f"{live / 1024:g} KiB live at once" in answer


def test_a_layer_to_blame_after_a_limit_on_ram_is_the_one_of_the_peak(planner: Planner) -> None:
    talk(planner, "does ic fit on an stm32l4r5 in 40 KB of RAM?")
    assert "The peak is layer" in talk(planner, "which layer is to blame?")
