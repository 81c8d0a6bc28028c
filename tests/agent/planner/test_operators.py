"""An operator that is named is looked up; a word of English is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.planner.answers.operators import operators_named
from edgewright.agent.workspace import Workspace


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("is Softmax supported?", "SOFTMAX"),
        ("any kernel for depthwise convs", "DEPTHWISE_CONV_2D"),
        ("ADD in int16?", "ADD"),
        ("do you have an lstm", "UNIDIRECTIONAL_SEQUENCE_LSTM"),
    ],
)
def test_an_operator_is_found_by_the_words_of_its_name(question: str, named: str) -> None:
    assert named in operators_named(question)


def test_words_of_english_are_no_operators() -> None:
    assert not operators_named("which and what, if not all, can I add to the list where the size is less?")


def test_whether_kernels_run_an_operator_is_answered_with_its_types(tmp_path: Path) -> None:
    answer = Planner(Workspace(tmp_path)).ask("does CMSIS-NN have a kernel for GELU?").answer
    assert answer.startswith("No: ")
    assert "GELU" in answer
    answer = Planner(Workspace(tmp_path)).ask("does tflite micro support LSTM?").answer
    assert answer.startswith("Yes, ")
    assert "int8" in answer
