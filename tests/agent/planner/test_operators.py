"""An operator that is named is looked up; a word of English is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.planner.answers.operators import operators_in
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
    assert named in operators_in(question)


def test_words_of_english_are_no_operators() -> None:
    assert not operators_in("which and what, if not all, can I add to the list where the size is less?")


def test_whether_kernels_run_an_operator_is_answered_with_its_types(tmp_path: Path) -> None:
    answer = Planner(Workspace(tmp_path)).ask("does CMSIS-NN have a kernel for GELU?").answer
    assert answer.startswith("No: ")
    assert "GELU" in answer
    answer = Planner(Workspace(tmp_path)).ask("does tflite micro support LSTM?").answer
    assert answer.startswith("Yes, ")
    assert "int8" in answer


@pytest.mark.parametrize(
    ("question", "first", "told"),
    [
        ("can the coral run a transpose conv?", "Yes, edgetpu", "int8"),
        ("is GELU supported on the RT1062?", "No: tflm-cmsis-nn", "RT1062"),
        ("does hailo support layernorm", "Not known: LAYER_NORMALIZATION", "that I read of hailort"),
        ("will LSTM layers work on max78000", "No: ai8x", "tflm-cmsis-nn has kernels for"),
        ("does esp-nn accelerate hard swish", "Yes, tflm-esp-nn", "none optimized"),
    ],
)
def test_of_a_board_its_own_libraries_tell_what_runs(
    tmp_path: Path, question: str, first: str, told: str
) -> None:
    answer = Planner(Workspace(tmp_path)).ask(question).answer
    assert answer.startswith(first)
    assert told in answer
