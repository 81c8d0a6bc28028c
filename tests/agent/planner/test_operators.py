"""An operator that is named is looked up; a word of English is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.planner.answers.operators import operators_in
from edgewright.agent.workspace import Workspace
from edgewright.tools import get_runtime


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
        ("layernorm on stm32h7?", "tflm-cmsis-nn has no kernel", "RSQRT"),
        ("does esp-nn accelerate hard swish", "Yes, tflm-esp-nn", "none optimized"),
    ],
)
def test_of_a_board_its_own_libraries_tell_what_runs(
    tmp_path: Path, question: str, first: str, told: str
) -> None:
    answer = Planner(Workspace(tmp_path)).ask(question).answer
    assert answer.startswith(first)
    assert told in answer


def test_what_one_of_two_runs_alone_is_their_difference(tmp_path: Path) -> None:
    asked = "what ops does ethos-u85 support that ethos-u55 doesn't"
    answer = Planner(Workspace(tmp_path)).ask(asked).answer
    assert answer.startswith("Only ethos-u85")
    mine, theirs = ({row.op for row in get_runtime(name).operators} for name in ("ethos-u85", "ethos-u"))
    assert all(name in answer for name in mine - theirs)
    assert "CONV_2D" not in answer


def test_all_operators_of_a_board_are_counted_and_not_listed_whole(tmp_path: Path) -> None:
    answer = Planner(Workspace(tmp_path)).ask("which ops does the edge tpu support").answer
    assert f"{len(get_runtime('edgetpu').operators)} kinds of operators" in answer
    assert "`edgewright runtimes show edgetpu`" in answer
