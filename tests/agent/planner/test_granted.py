"""What an answer takes for granted stands in one line, whatever kind of answer it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace
from edgewright.tools.model_zoo.named import side_of, type_of


def granted(folder: Path, question: str) -> str:
    """The last of its lines that says so; empty where none does."""
    lines = Planner(Workspace(folder)).ask(question).answer.split("\n")
    told = [line for line in lines if line.startswith("Assumed: ")]
    assert len(told) < 2
    return told[0].removeprefix("Assumed: ") if told else ""


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("how long does mobilenet_v2 take on an stm32h743?", "int8, 224x224 input, tflm-cmsis-nn, 480 MHz."),
        ("how fast is resnet50 in fp16 on an rtx 3060?", "224x224 input, tensorrt, batch 1"),
        ("resnet50 on an rtx 3060 or a t4, which is quicker?", "float16, 224x224 input, tensorrt, batch 1."),
        ("how many tokens a second does llama 3.1 8b write on an rtx 4070?", "one session."),
        ("how much RAM do kws and vww take together on an stm32h743?", "tflm-cmsis-nn"),
    ],
)
def test_it_names_in_a_fixed_order_what_nobody_said(tmp_path: Path, question: str, said: str) -> None:
    assert said in granted(tmp_path, question)


def test_what_differs_between_the_rows_stands_with_each(tmp_path: Path) -> None:
    said = granted(tmp_path, "mobilenet_v2 on a jetson orin nano or on an stm32n6, which is faster?")
    assert said.startswith("224x224 input; ")
    assert "float16, tensorrt, batch 1 on jetson-orin-nano-8gb" in said
    assert "int8, neural-art on stm32n657x0" in said


def test_a_table_of_formats_names_neither_the_formats_nor_the_engine_again(tmp_path: Path) -> None:
    said = granted(tmp_path, "llama 3.1 8b on an rtx 4070 in Q4_K_M or Q8_0 with llama.cpp and 2 users?")
    assert "Q4_K_M" not in said
    assert "llama.cpp" not in said
    assert "session" not in said


def test_a_bill_of_a_language_model_says_that_the_card_works_all_day(tmp_path: Path) -> None:
    question = "what does mistral 7b on an rtx 3090 cost me in electricity a month at 0.30 EUR/kWh?"
    answer = Planner(Workspace(tmp_path)).ask(question).answer
    assert "its rating, around the clock" in answer.partition("\n")[0]


def test_type_and_side_are_those_that_a_network_is_built_with() -> None:
    assert (side_of("yolov8n"), side_of("yolov8n:320:float16"), side_of("bert_base")) == (640, 320, None)
    assert (type_of("mobilenet_v2:int8"), type_of("kws"), type_of("no network")) == ("int8", "int8", "")
