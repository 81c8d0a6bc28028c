"""A factor that is asked for comes first, with its interval."""

import re
from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace
from edgewright.tools import deployment, estimate_performance


@pytest.mark.parametrize(
    ("question", "better", "worse"),
    [
        ("How many times faster is an L4 than a T4 for resnet50?", ("l4", 1), ("t4", 1)),
        ("By which factor does batch 16 beat batch 1 on a T4 with resnet50?", ("t4", 16), ("t4", 1)),
        ("what do I gain if I go from a Jetson Nano to an Orin Nano with resnet50?",
         ("jetson-orin-nano-8gb", 1), ("jetson-nano", 1)),
    ],
)  # fmt: skip
def test_the_factor_comes_first(
    tmp_path: Path, question: str, better: tuple[str, int], worse: tuple[str, int]
) -> None:
    told = Planner(Workspace(tmp_path)).ask(question)
    rates = [
        estimate_performance("resnet50", deployment(target, batch=batch)).inferences_per_second.value
        for target, batch in (better, worse)
    ]
    assert re.match(r"[\d.]+x \([\d.]+–[\d.]+x\): ", told.answer)
    assert told.numbers[0].value == pytest.approx(rates[0] / rates[1])


def test_a_question_of_no_factor_keeps_its_first_words(tmp_path: Path) -> None:
    answer = Planner(Workspace(tmp_path)).ask("L4 or T4 for resnet50, which is faster?").answer
    assert answer.startswith("l4 is the fastest")
