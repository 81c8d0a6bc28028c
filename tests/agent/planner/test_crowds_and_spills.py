"""Language models: what one user and many cost, and what lies beside the card."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


@pytest.mark.parametrize(
    "question",
    [
        "An A100 80GB at 1.80 $ per hour: what do a million tokens of Qwen3 8B cost, a single user or 24 at once?",
        "what does a million tokens of qwen3 8b cost on an a100 80gb rented for $1.80 an hour, for one person and for 24 people at the same time?",
    ],
)
def test_one_and_many_at_once_are_both_told_with_what_they_cost(planner: Planner, question: str) -> None:
    answer = planner.ask(question)
    first = answer.answer.partition("\n")[0]
    assert "with 1 at once" in first
    assert "with 24 at once" in first
    assert "pay" in answer.answer


def test_where_layers_lie_in_the_computers_memory_its_speed_comes_first(planner: Planner) -> None:
    said = planner.ask("mixtral 8x7b q4 on a 4070, the rest in DDR4-3600: how many tokens a second?").answer
    assert "layers on the card and the rest" in said.partition("\n")[0]
    assert "DDR4-3600 on 2 channels (57.6 GB/s)" in said


def test_what_only_just_goes_in_is_said_to_spill_with_what_would_do(planner: Planner) -> None:
    said = planner.ask("qwen2.5 14b q4_k_m with 16384 tokens of context on an rtx 3060, does it fit?").answer
    assert said.startswith("Hardly")
    assert "With the cache in q8_0 it fits" in said


def test_a_second_card_that_is_not_needed_is_said_so(planner: Planner) -> None:
    no = planner.ask("phi-4 on two rtx 4090, do I need both?").answer
    assert no.startswith("No, one is enough")
    yes = planner.ask("llama 3.3 70b q4 on two rtx 3090: do I really need the second one?").answer
    assert yes.startswith("Yes, more than one is needed")
