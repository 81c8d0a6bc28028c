"""A word that is to be explained is defined first; what is only near is named, not quoted."""

import pytest

from edgewright.agent.definitions import definition, definitions
from edgewright.agent.library import search_pages
from edgewright.agent.planner import Planner
from edgewright.agent.planner.answers.passages import quoted
from edgewright.agent.workspace import Workspace


def answered(question: str) -> str:
    return Planner(Workspace()).ask(question).answer


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("what's TTFT", "TTFT"),
        ("What exactly is the tensor arena?", "The tensor arena is"),
        (
            "What exactly is the tensor arena? My file is 300 kB but I need only 90 kB of RAM.",
            "The tensor arena is",
        ),
        ("Can you explain roofline in short? It is for my thesis.", "The roofline model bounds"),
        ("whats a delegate in tflite", "A delegate is"),
        ("what is CMSIS-NN", "CMSIS-NN is Arm's library"),
        ("dumb question: what's a kernel", "kernel: the code of a library"),
        ("what is meaning of memory bound", "Memory-bound means that "),
        ("They keep on about the arena. What is that, and is it large?", "The tensor arena is"),
        ("Everybody here says KV cache. What's that?", "The KV cache keeps"),
    ],
)
def test_the_sentence_that_defines_comes_first(question: str, begins: str) -> None:
    assert answered(question).startswith(begins)


def test_a_word_that_only_occurs_is_not_defined_too() -> None:
    assert "parameter" not in answered("What's PSRAM and how much slower is it for weights?")


def test_each_of_two_words_is_defined() -> None:
    said = [
        definition(one).partition(":")[0]
        for one in definitions("difference between an operator, a kernel and a layer")
    ]
    assert said == ["operator", "kernel", "layer"]


@pytest.mark.parametrize(
    "question",
    [
        "what is the latency of kws on nrf52840",
        "how fast is yolov8n",
        "what is the arena of vww on rp2040 in bytes",
    ],
)
def test_a_question_for_a_figure_asks_no_meaning(question: str) -> None:
    assert definitions(question) == ()


@pytest.mark.parametrize(
    ("question", "block"),
    [
        ("GitHub Actions workflow", "uses: OWNER/edgewright@main"),
        ("A budget that a build must keep", "limits: {latency"),
    ],
)
def test_what_a_colon_announces_comes_along_whole(question: str, block: str) -> None:
    text = quoted(search_pages(question)[0])
    assert block in text
    assert text.count("```") == 2


def test_a_passage_ends_where_a_sentence_ends() -> None:
    for question in (
        "which file formats can it read",
        "what leaves the machine",
        "how accurate are the predictions",
    ):
        first = quoted(search_pages(question)[0]).partition("\n")[0]
        assert first.endswith((".", ":", "?"))
        assert "…" not in first[-3:]


def test_why_something_is_so_is_explained_before_any_figure() -> None:
    answer = answered("my phone gets slower after some minutes of running yolov8, same input. Reason?")
    assert answer.startswith("The chip is throttling")
    assert "ms" not in answer.split()


@pytest.mark.parametrize(
    "question",
    [
        "legal asks: if we use the chat with openai key, does the customer's model file get uploaded somewhere?",
        "Does the chat mode send my prompts to OpenAI?",
        "will you train models with the files I give?",
    ],
)
def test_what_leaves_the_machine_is_said_first(question: str) -> None:
    assert answered(question).startswith("Your model file is never uploaded")


def test_a_known_board_that_is_thought_unknown_gets_the_way_to_describe_ones_own() -> None:
    answer = answered("our PCB has an STM32H723 at 500 MHz, you won't have it in your list. what do I do?")
    assert answer.startswith("It is known: STM32H723ZG")
    assert "edgewright targets add my-board --like stm32h723zg --clock 500MHz" in answer
