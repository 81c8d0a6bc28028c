"""Answers from the pages: what they begin with, what stands beside them, and when they are not asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace


def answered(question: str) -> str:
    return Planner(Workspace()).ask(question).answer


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


def test_a_build_is_to_keep_the_limits_that_were_just_judged(tmp_path: Path) -> None:
    planner = Planner(Workspace(tmp_path))
    planner.ask("does kws stay under 25 ms on an stm32h743?")
    assert (
        "check kws -t stm32h743zi --max-latency 25ms" in planner.ask("how do I check that in GitLab?").answer
    )


@pytest.mark.parametrize(
    "question",
    [
        "what does the arena mean in tflite micro?",
        "explain the arena to me as if I were in school, on an rp2040",
    ],
)
def test_who_asks_what_a_word_means_gets_its_page_whatever_else_is_named(
    ask: Callable[[str], str], question: str
) -> None:
    assert "docs/concepts/tensor-arena.md" in ask(question)


def test_a_concept_is_applied_to_the_network_that_is_spoken_of(tmp_path: Path) -> None:
    planner = Planner(Workspace(tmp_path))
    planner.ask("kws on an stm32h743, how long does one inference take?")
    assert (
        "Here, kws on stm32h743zi: it is compute-bound" in planner.ask("what does compute-bound mean").answer
    )
    assert planner.ask("and is it that here?").answer.startswith(
        "Here, kws on stm32h743zi: it is compute-bound"
    )


def test_a_fault_at_run_time_is_held_against_the_memory_of_the_board(ask: Callable[[str], str]) -> None:
    first = ask("hard fault after a minute with kws on a nucleo f446, out of memory?").splitlines()[0]
    assert "of 128 KiB RAM" in first


def test_how_sure_a_comparison_is_holds_the_intervals_of_both(tmp_path: Path) -> None:
    planner = Planner(Workspace(tmp_path))
    planner.ask("compare nrf52840 and stm32l4r5zi for kws")
    overlap = planner.ask("how sure are you that the first is better?").answer
    assert overlap.startswith("Not sure of stm32l4r5zi")
    assert "overlap" in overlap
    assert "nrf52840" in overlap


def test_what_is_not_calculated_is_said_first(ask: Callable[[str], str]) -> None:
    assert ask("how much does 2:4 sparsity give for resnet-50 on an a100").startswith("I do not calculate")


@pytest.mark.parametrize(
    ("question", "places"),
    [
        ("what is the kv cache, and what makes decoding faster?", ("KV cache", "What makes decoding faster")),
        (
            "Our GitLab job should stop if the net grows. How do we set that up, and what if it is a close call?",
            ("GitLab, Jenkins, Make, pre-commit", "Borderline cases"),
        ),
        (
            "is a MAC one operation or two, and why do nets with as many MACs take different times?",
            ("concepts/units-of-work.md", "FLOPs as a measure of time"),
        ),
    ],
)
def test_each_half_of_a_message_has_its_own_section(
    ask: Callable[[str], str], question: str, places: tuple[str, ...]
) -> None:
    answer = ask(question)
    assert all(place in answer for place in places)
    assert "I did not answer" not in answer


def test_what_a_word_points_at_stays_on_the_page_that_the_message_speaks_of(
    ask: Callable[[str], str],
) -> None:
    assert "tensor-arena.md" not in ask("what is the kv cache and how do I make it smaller?")


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        (
            "someone wrote that MACs are the same as latency, true for ic against ad on an stm32l4r5zi?",
            "No. ",
        ),
        (
            "I read int4 is always twice as fast as int8 for an LLM. Right for mistral 7b on an orin nano?",
            "No",
        ),
    ],
)
def test_a_claim_is_judged_in_general_before_the_figures_of_the_case(
    ask: Callable[[str], str], question: str, verdict: str
) -> None:
    answer = ask(question)
    assert answer.startswith(verdict)
    assert "|" in answer


def test_what_is_asked_of_the_case_alone_is_judged_by_its_figures_alone(ask: Callable[[str], str]) -> None:
    assert "docs/" not in ask("is int8 faster than float32 for resnet50 on a T4?")


def test_how_far_off_figures_are_goes_on_with_another_quantity_of_the_same_class(tmp_path: Path) -> None:
    planner = Planner(Workspace(tmp_path))
    planner.ask("how far off is your energy on microcontrollers?")
    latency = planner.ask("and the latency?").answer
    assert latency.startswith("Median error of the latency")
    assert "GPUs" not in latency


def test_limits_of_several_boards_are_checked_on_each(tmp_path: Path) -> None:
    planner = Planner(Workspace(tmp_path))
    planner.ask("does kws stay under 60 ms on an stm32f746 and an nrf52840?")
    answer = planner.ask("how do I put that into a GitLab job?").answer
    assert "check kws -t stm32f746ng --max-latency 60ms" in answer
    assert "check kws -t nrf52840 --max-latency 60ms" in answer


@pytest.mark.parametrize(
    ("question", "tells"),
    [
        ("what are KV heads good for", "share one head of keys and values"),
        ("how are the experts of an MoE chosen", "a small router picks"),
        (
            "two people use the model on my card at once, is it half the speed for each",
            "two write nearly as fast",
        ),
        ("is the loudspeaker in the battery life, or the radio", "Left out: microphone"),
        ("an answer ends with Assumed: tensorrt, 625 MHz; who says so", "what you left open"),
        ("name the publication your milliseconds come from", "Only a figure marked *published* has one"),
    ],
)
def test_what_people_ask_of_ideas_and_of_figures_is_on_a_page(question: str, tells: str) -> None:
    assert tells in answered(question)


def test_the_worst_miss_of_a_class_is_of_that_class() -> None:
    gpu, all_ = answered("where are your GPU estimates worst"), answered("where are your estimates worst")
    assert "The worst misses on GPUs" in gpu
    assert "The worst misses:" in all_
    assert gpu.split("measured")[0] != all_.split("measured")[0]


def test_a_vision_network_stands_for_no_language_model() -> None:
    told = answered(
        "why does an RTX 5090 write tokens hardly faster than its TFLOPS over an RTX 4090 promise?"
    )
    assert "bandwidth sets the pace" in told
    assert "mobilenet" not in told


def test_two_caches_are_compared_by_what_a_token_takes_in_each() -> None:
    told = answered("why does llama 3 8b need less KV cache than llama 2 7b?")
    assert "128 KiB a token" in told
    assert "512 KiB a token" in told


def test_who_wants_to_add_a_chip_that_is_known_is_told_so() -> None:
    assert "Known already: STM32F767ZI" in answered(
        "how do I add my own board with an STM32F767, which fields?"
    )
