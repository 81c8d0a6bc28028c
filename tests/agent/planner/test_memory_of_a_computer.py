"""Language models on a computer whose memory modules are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace


def arguments(question: str, folder: Path) -> list[dict[str, object]]:
    turn = Planner(Workspace(folder)).ask(question)
    return [dict(call["arguments"]) for call in turn.tool_calls if call["name"] == "estimate_generation"]


@pytest.mark.parametrize(
    ("question", "bandwidth"),
    [
        ("llama 3.1 8b q4 on my ryzen 5 5600x with 32 GB of dual channel ddr4-3200?", 51.2),
        ("mistral 7b on an i5-12400, single channel DDR4 2666?", 21.328),
        ("how fast is llama 3.2 3b on a PC with 16 GB DDR5-5600", 89.6),
    ],
)
def test_the_modules_say_how_fast_the_weights_are_read(
    question: str, bandwidth: float, tmp_path: Path
) -> None:
    assert arguments(question, tmp_path)[-1]["bandwidth_gb_s"] == pytest.approx(bandwidth)


def test_the_memory_of_the_computer_is_not_that_of_its_card(tmp_path: Path) -> None:
    calls = arguments("llama 3 8b on an rtx 3060, the pc has ddr4-3200", tmp_path)
    assert calls
    assert all("bandwidth_gb_s" not in call for call in calls)


def test_two_kinds_of_modules_are_two_rows(tmp_path: Path) -> None:
    calls = arguments("how much slower is llama 3.1 8b with DDR4-3200 than with DDR5-6000", tmp_path)
    assert list(dict.fromkeys(call.get("bandwidth_gb_s") for call in calls)) == [51.2, 96.0]
