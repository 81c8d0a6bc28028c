"""What does not fit a board: smaller models that do, what is left for the system; cards and what is around them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace

GIB = 2**30


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


@pytest.mark.parametrize(
    ("question", "gib"),
    [
        ("Pi 4 with 4 GB, llama 3 8b, speed no matter. Going?", 4.0),
        ("llama 3 8b on my N100 with 4 GB RAM?", 4.0),
        ("qwen2.5 14b on jetson orin nano 8gb?", 7.44),
    ],
)
def test_smaller_models_that_fit_in_four_bits_are_named_with_their_speed(
    planner: Planner, question: str, gib: float
) -> None:
    told = planner.ask(question).answer
    line = next(line for line in told.splitlines() if line.startswith("Smaller ones fit in four bits: "))
    sizes = [float(size) for size in re.findall(r"([\d.]+) GiB at", line)]
    assert sizes
    assert max(sizes) <= 0.9 * gib


def test_what_below_four_bits_leaves_for_the_system_is_told(planner: Planner) -> None:
    told = planner.ask("Pi 4 with 4 GB, llama 3 8b, speed no matter. Going?").answer
    takes, left = re.search(r"it fits: ([\d.]+) GiB of 4 GiB.* leaving (\d+) MiB for all else", told).groups()
    assert float(left) == pytest.approx(4096 - 1024 * float(takes), abs=6)


def test_what_would_hold_it_is_of_the_kind_of_what_does_not(planner: Planner) -> None:
    told = planner.ask("Pi 4 with 4 GB, llama 3 8b, speed no matter. Going?").answer
    cheapest = next(line for line in told.splitlines() if line.startswith("The cheapest that holds"))
    assert "arc-" not in cheapest
    assert "rtx-" not in cheapest


def test_two_cards_need_no_nvlink_and_a_supply_for_both(planner: Planner) -> None:
    told = planner.ask("Two RTX 3090 in one box for Llama 3 70B q4. Fits? do I need nvlink? psu?").answer
    assert told.startswith("Yes, it fits")
    assert "NVLink is not needed" in told
    assert "700 W for 2 x rtx-3090" in told
