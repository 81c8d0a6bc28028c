"""Language models and cards that nobody here knows: said first, and counted by their size."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace
from edgewright.tools import estimate_generation


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


def test_an_unknown_model_is_counted_by_its_parameters(planner: Planner) -> None:
    first = planner.ask('Will "Falcon Legal 45B" fit on an A100 80GB in 8 bit?').answer.split("\n")[0]
    near = estimate_generation("falcon-40b", "a100-sxm4-80gb", weights="Q8_0")
    takes = 45e9 * near.weights_bytes / near.parameters / 2**30
    rate = float(near.decode_tokens_per_s) * near.parameters / 45e9
    assert first.startswith(f"I do not know Falcon Legal 45B; by its size, 45B, it takes {takes:.1f} GiB")
    assert f"it fits and writes some {rate:.1f} tokens/s" in first
    assert first.endswith("What follows is of falcon-40b, the nearest in size that I know.")


def test_one_of_the_same_size_stands_for_an_unknown_name_and_a_size_alone_is_no_name(
    planner: Planner,
) -> None:
    assert planner.ask("Does Llama 5 70B run on 2x RTX 3090?").answer.startswith(
        "I do not know Llama 5 70B; llama-3.1-70b of the same size stands for it"
    )
    assert "do not know" not in planner.ask("a 13B model in fp16 on a 3090?").answer


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("B350 GPU with 192 GB: Llama 3.1 405B in FP8?", "B350"),
        ("Can the new Intel B60 run Qwen2.5 14B?", "Intel B60"),
    ],
)
def test_a_card_that_is_not_known_is_said_first(planner: Planner, question: str, name: str) -> None:
    assert planner.ask(question).answer.startswith(f"I do not know the chip or board {name}")
