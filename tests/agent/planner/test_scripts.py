"""Code that is asked for is given whole, with the names of the question, and runs."""

import contextlib
import io
import re

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.planner.answers.operators import operators_in
from edgewright.agent.workspace import Workspace


def code(question: str, language: str) -> tuple[str, str]:
    """The answer, and the code in it."""
    answer = Planner(Workspace()).ask(question).answer
    found = re.search(rf"```{language}\n(.*?)\n```", answer, re.DOTALL)
    assert found, answer
    return answer, found[1]


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("python snippet please: latency of kws on esp32-s3 and stm32h743zi as csv", 2),
        ("write a python script: take kws, loop over 3 clocks (64, 100, 168 MHz) for an stm32f407vg, print latencies", 3),
        ("python code: check kws against stm32h743zi and nrf52840 w/ max latency 80 ms and max ram 200 KiB, PASS or FAIL",
         2),
        ("give me a python example that prints the energy of kws on nrf52840", 1),
        ("write a loop over batch 1, 8 and 32 for resnet50 on a T4 in python", 3),
        ("python: how do I get only the arena size of kws for the esp32", 1),
    ],
)  # fmt: skip
def test_python_runs_as_it_stands(question: str, rows: int) -> None:
    _, script = code(question, "python")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(script, "answer", "exec"), {})
    lines = printed.getvalue().splitlines()
    assert len(lines) == 1 + rows
    assert all(line.count(",") == lines[0].count(",") for line in lines)


def test_a_file_that_is_not_here_is_no_reason_for_no_code() -> None:
    answer, script = code(
        "python loop over 64, 100 and 168 MHz for gesture.tflite on an STM32F407, what's the code", "python"
    )
    assert '"gesture.tflite"' in script
    assert "[64, 100, 168]" in script
    assert "I cannot tell" not in answer


@pytest.mark.parametrize(
    ("text", "operators"),
    [
        ("Conv2D, DepthwiseConv2D and AveragePool2D", ("CONV_2D", "DEPTHWISE_CONV_2D", "AVERAGE_POOL_2D")),
        ("FULLY_CONNECTED, softmax", ("FULLY_CONNECTED", "SOFTMAX")),
        ("a dense layer, then max pooling", ("FULLY_CONNECTED", "MAX_POOL_2D")),
        ("if it fits while I add a board", ()),
    ],
)
def test_operators_are_known_however_they_are_written(text: str, operators: tuple[str, ...]) -> None:
    assert operators_in(text) == operators


@pytest.mark.parametrize(
    "question",
    ["is there a Python API?", "which Python version do you need?", "what does the op resolver do in tflm"],
)
def test_questions_about_python_and_the_resolver_get_words(question: str) -> None:
    assert "```cpp" not in Planner(Workspace()).ask(question).answer


def test_a_snippet_for_ci_is_whole() -> None:
    answer, workflow = code("GitLab CI yaml that checks our model on every merge request?", "yaml[^\n]*")
    assert "edgewright check" in workflow
    assert answer.count("```") == 2
