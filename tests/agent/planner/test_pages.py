"""Answers from the pages: what they begin with, what stands beside them, and when they are not asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace


@pytest.fixture
def ask(tmp_path: Path) -> Callable[[str], str]:
    return lambda question: Planner(Workspace(tmp_path)).ask(question).answer


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("would unstructured pruning make my net faster on a cortex-m33?", "No. "),
        ("does structured pruning make it any faster?", "Yes. "),
        ("ended with exit code 11, did it crash?", "11: no crash"),
        ("did the job crash with exit code 10?", "10: no crash"),
    ],
)
def test_a_page_begins_with_what_was_asked(ask: Callable[[str], str], question: str, begins: str) -> None:
    assert ask(question).startswith(begins)


def test_a_doubt_about_a_board_gets_the_error_of_its_kernels_and_of_no_other_class(
    ask: Callable[[str], str],
) -> None:
    answer = ask("can I order 5000 nrf52840 by your numbers, with no prototype?")
    assert answer.startswith("Not without one measurement")
    assert "Median error of the latency with tflm-cmsis-nn" in answer
    assert "GPUs" not in answer


def test_evidence_names_the_very_network_and_the_file_it_was_read_in(ask: Callable[[str], str]) -> None:
    answer = ask("where does your figure for resnet50 on a T4 come from?")
    assert "such as" in answer.casefold()
    assert "for resnet50 on NVIDIA T4" in answer
    assert "https://github.com/" in answer


def test_why_one_board_is_slower_is_told_at_a_known_network_where_none_is_named(
    ask: Callable[[str], str],
) -> None:
    answer = ask("why is my rp2040 slower than an rp2350 with the same model?")
    assert answer.startswith("Why: ")
    assert "No network was named: kws stands for yours." in answer


def test_a_question_beside_a_message_is_answered_too(ask: Callable[[str], str]) -> None:
    answer = ask("Didn't find op for builtin opcode 'TRANSPOSE_CONV'. What could do the upsampling instead?")
    assert "AddTransposeConv" in answer
    assert "AddResizeNearestNeighbor" in answer


def test_a_full_card_is_told_first_where_the_model_does_not_fit_it(ask: Callable[[str], str]) -> None:
    answer = ask("torch.OutOfMemoryError: CUDA out of memory, llama 3 70b in fp16 on an rtx 4090")
    assert "No, it does not fit" in answer.splitlines()[0]


def test_a_command_for_several_has_the_names_that_were_said(ask: Callable[[str], str]) -> None:
    answer = ask("what command gives me a csv of kws and vww on the nrf52840 and the rp2040?")
    assert "models: [kws, vww]" in answer
    assert "targets: [nrf52840, rp2040]" in answer


def test_a_build_is_to_keep_the_limits_that_were_just_judged(tmp_path: Path) -> None:
    planner = Planner(Workspace(tmp_path))
    planner.ask("does kws stay under 25 ms on an stm32h743?")
    assert (
        "check kws -t stm32h743zi --max-latency 25ms" in planner.ask("how do I check that in GitLab?").answer
    )
