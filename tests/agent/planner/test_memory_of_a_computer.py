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


@pytest.mark.parametrize(
    ("question", "gibibytes"),
    [
        ("My PC has a Ryzen 5600, 16 GB RAM and an RTX 4090. How fast does Qwen2.5 32B run in Q8?", 16),
        ("I have an RTX 3090 and 16 GB of system RAM. Does llama 3.3 70B run on it?", 16),
        ("2x RTX 3090 and 256 GB RAM for deepseek r1?", 256),
    ],
)
def test_ram_said_beside_a_card_is_the_computers_however_little(
    question: str, gibibytes: int, tmp_path: Path
) -> None:
    calls = arguments(question, tmp_path)
    assert [call.get("host_memory_bytes") for call in calls] == [gibibytes * 2**30] * len(calls)
    assert all("memory_bytes" not in call for call in calls)


def test_what_the_computers_memory_does_not_hold_does_not_run_until_more_is_bought(tmp_path: Path) -> None:
    planner = Planner(Workspace(tmp_path))
    planner.ask("I have an RTX 3090 and 16 GB of system RAM.")
    assert planner.ask("Can it run llama 3.3 70B in Q4?").answer.startswith(
        "No. The computer's memory does not hold the rest"
    )
    more = planner.ask("And if I buy 48 GB more RAM?")
    assert "44 of 80 layers on the card" in more.answer
    assert more.tool_calls[0]["arguments"]["host_memory_bytes"] == 64 * 2**30


def test_the_largest_that_is_fast_enough_may_lie_in_part_in_the_computers_memory(tmp_path: Path) -> None:
    asked = "What's the biggest model at 15 tokens/s or more on an RTX 4070 Ti Super with 64 GB DDR5?"
    said = Planner(Workspace(tmp_path)).ask(asked).answer
    assert said.startswith("gpt-oss-120b")
    assert "8 of its 36 layers on the card, the rest in the computer's memory" in said
