"""A message of several questions: each is answered, or named as one that is not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from edgewright.agent.planner.answers.still_open import still_open
from edgewright.agent.planner.parts import parts_of
from edgewright.agent.planner.planner import Planner
from edgewright.agent.planner.query import Query
from edgewright.agent.planner.want import Want
from edgewright.agent.workspace import Workspace
from edgewright.tools import estimate_performance, parse_model, summarize_model


def answered(directory: Path, question: str) -> str:
    return Planner(Workspace(directory)).ask(question).answer


def test_one_question_has_no_parts() -> None:
    assert parts_of(Query(question="Our board is an nRF52840. How fast does kws run on it?")) == ()


@pytest.mark.parametrize(
    "question",
    [
        "Does it fit? How fast is it?",
        "does it fit and how fast is it",
        "does it fit, also what does it cost",
        "I have kws here: does it fit?\nwhich board is cheaper?",
    ],
)
def test_every_question_of_a_message_is_a_part(question: str) -> None:
    assert len(parts_of(Query(question=question))) == 2


def test_a_message_of_a_thousand_questions_has_few_parts() -> None:
    assert len(parts_of(Query(question="how fast is it? " * 1000))) <= 5


def test_where_a_figure_comes_from_is_told_beside_the_figure(tmp_path: Path) -> None:
    said = answered(tmp_path, "can an stm32n6 run yolov8n at 10 fps, and where do those numbers come from?")
    assert "measurements on this very target" in said


def test_a_question_that_nothing_answers_is_named(tmp_path: Path) -> None:
    said = answered(tmp_path, "llama 3 8b on an rtx 4070, tokens/s? would a quieter fan of the card help?")
    assert "I did not answer: *would a quieter fan of the card help*" in said


def test_two_questions_on_the_program_have_a_passage_each(tmp_path: Path) -> None:
    said = answered(tmp_path, "does it run without internet? can I use it in a commercial product?")
    assert "Apache-2.0" in said
    assert "without internet" in said


def test_tokens_a_second_that_somebody_measured_are_held_against_the_interval(tmp_path: Path) -> None:
    slow = answered(tmp_path, "I get 4 tok/s with llama 3 8b on an rtx 4090, is that normal?")
    assert re.match(r"No, 4 tok/s is [\d.]+x slower than I expect: 90.8 tokens/s", slow)
    assert "whether all layers are on the card" in slow


def test_how_many_of_each_keep_up_stands_side_by_side(tmp_path: Path) -> None:
    said = answered(tmp_path, "How many L4 or A10 cards do we need for resnet50 at 9000 images per second?")
    assert "needed for 9000 images per second" in said
    assert "meets your limits" not in said


def test_a_life_that_is_asked_for_is_judged_first(tmp_path: Path) -> None:
    said = answered(
        tmp_path, "kws on a nRF5340, one inference every second from a CR2032 (220 mAh). Will it last a year?"
    )
    assert said.startswith("No, not a year")


def test_a_network_on_a_backbone_is_said_to_be_taken_for_the_backbone(tmp_path: Path) -> None:
    said = answered(tmp_path, "faster rcnn resnet50 on an orin nano, how fast?")
    assert "I took faster rcnn resnet50 to be resnet50, its backbone alone" in said


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        (
            "Our CNN has 1.2M parameters, int8, about 45 million MACs. Does it go on an STM32F746?",
            "No: its 1.2M",
        ),
        ("the net has 38k parameters and 1.1 million MACs. how long does it take on an nRF52840?", "About "),
    ],
)
def test_a_network_without_a_name_is_reckoned_by_its_macs(
    tmp_path: Path, question: str, verdict: str
) -> None:
    said = answered(tmp_path, question)
    assert said.startswith(verdict)
    assert "at the rates at which ic, kws and vww compute" in said


def test_the_macs_of_a_known_network_take_what_it_takes(tmp_path: Path) -> None:
    macs = summarize_model(parse_model("kws")).macs
    said = answered(tmp_path, f"a net of {macs} MACs on an nRF52840, how long for one inference?")
    least, most = (float(number) for number in re.findall(r"([\d.]+) ms \(", said)[:2])
    assert least <= float(estimate_performance("kws", "nrf52840").latency_ms) * 1.01
    assert most >= float(estimate_performance("kws", "nrf52840").latency_ms) * 0.99


def test_a_job_tells_which_network_of_a_family_is_meant(tmp_path: Path) -> None:
    said = answered(tmp_path, "the MLPerf Tiny image classification ResNet on a Teensy 4.1, latency?")
    assert ": ic on teensy-4.1" in said
    assert "resnet50" not in said


def test_the_14b_is_of_the_family_that_was_spoken_of(tmp_path: Path) -> None:
    planner = Planner(Workspace(tmp_path))
    planner.ask("Qwen2.5 7B in 4 bit on an RTX 4090, tokens/s?")
    assert "qwen2.5-14b on rtx-4090" in planner.ask("And the 14B, does it still fit?").answer


@pytest.mark.parametrize("count", ["0", "9" * 40])
def test_counts_that_no_network_has_are_not_reckoned_with(tmp_path: Path, count: str) -> None:
    assert "at the rates" not in answered(tmp_path, f"a net of {count} MACs on an nRF52840, how long?")


def test_a_reference_in_a_question_stays_words_where_the_question_is_named() -> None:
    asked = Query(
        question="tokens/s of llama? would {{r1.model}} help a faster core clock?", wants=(Want.GENERATION,)
    )
    answering = still_open(asked, "")
    with pytest.raises(StopIteration) as done:
        next(answering)
    assert "I did not answer: *would { {r1.model} } help" in str(done.value.value)


def test_what_is_assumed_for_several_parts_is_said_once_and_the_tensors_of_the_peak_stay(
    tmp_path: Path,
) -> None:
    answer = (
        Planner(Workspace(tmp_path))
        .ask("which layer of ic makes the RAM peak, and can I lower it without retraining?")
        .answer
    )
    assert answer.count("Assumed: ") == 1
    assert answer.count("You named no board") == 1
    assert "| of layer 2 (CONV_2D) until layer 3 | 16 KiB |" in answer
    assert "runtime-plumerai" in answer


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("t4 or l4 for yolov8n: which is faster and which gives more frames per joule?", "is the fastest with"),
        ("llama 3.1 8b q4 on an rtx 3060: how long a context can I use, how many words per minute?", "context"),
        ("how many streams of 25 fps yolov8s fit on an orin nx 16gb with int8, how many watts is that?", "streams at"),
        ("ad every 200 ms on an stm32l4r5zi at 80 MHz or 48 MHz: how much of the CPU is left?", "of the time left"),
    ],
)  # fmt: skip
def test_every_figure_that_is_asked_for_stands_there(tmp_path: Path, question: str, words: str) -> None:
    assert words in answered(tmp_path, question)


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        (
            "Does mistral 7b at 4 bit fit an 8 GB card? If not, would a quieter fan of the card help?",
            False,
        ),
        (
            "Does mixtral 8x7b at 8 bit fit an 8 GB card? If not, would a quieter fan of the card help?",
            True,
        ),
    ],
)
def test_what_is_asked_on_a_condition_is_open_only_where_it_is_met(
    tmp_path: Path, question: str, asks: bool
) -> None:
    assert ("quieter fan" in answered(tmp_path, question)) is asks


def test_of_criteria_in_their_order_the_next_decides_where_two_are_alike(tmp_path: Path) -> None:
    said = answered(tmp_path, "RAM first, then energy, speed last: nrf5340, stm32u585 or esp32-s3 for kws?")
    assert said.startswith("stm32u585ai takes the least RAM")
    assert "the same as nrf5340; of the two stm32u585ai takes the least energy" in said
    assert "| board | arena | energy | latency |" in said


def test_another_rate_of_the_same_question_is_answered_too(tmp_path: Path) -> None:
    said = answered(
        tmp_path,
        "how long does a 500 mAh LiPo last on an esp32-s3 with vww once a minute, and every ten seconds?",
    )
    lines_of = [line for line in said.splitlines() if "days" in line]
    assert any("once a minute" in line for line in lines_of)
    assert any(line.startswith("every ten seconds: ") for line in lines_of)


def test_a_price_is_a_criterion_in_its_turn(tmp_path: Path) -> None:
    ask = "{}: esp32-s3, stm32h743zi or rp2350 for ic?"
    assert " is the fastest" in answered(tmp_path, ask.format("speed first, then price"))[:40]
    assert " is the cheapest" in answered(tmp_path, ask.format("price first, then speed"))[:40]


def test_a_time_shorter_than_expected_is_not_blamed_on_slow_kernels(tmp_path: Path) -> None:
    said = answered(tmp_path, "I measured 41 ms for ic on a nucleo-f746zg with cmsis-nn. is that normal?")
    assert "So fast, check that" in said
    assert "reference ones" not in said
