"""How accurate networks are is answered by what was published, and only alike is compared."""

from __future__ import annotations

import re

import pytest

from edgewright.agent.answer import Answer
from edgewright.agent.planner.planner import Planner
from edgewright.agent.workspace import Workspace
from edgewright.tools import published_accuracy


def told(*questions: str) -> Answer:
    planner = Planner(Workspace())
    return [planner.ask(question) for question in questions][-1]


def calls(answer: Answer) -> list[str]:
    return [call["name"] for call in answer.tool_calls]


def test_the_accuracy_of_a_network_is_told_with_dataset_type_and_publisher() -> None:
    answer = told("how accurate is mobilenet_v2")
    row = published_accuracy("mobilenet_v2").rows[0]
    first = answer.answer.partition("\n")[0]
    assert all(
        text in first for text in (f"{100 * row.accuracy:g} %", row.dataset, row.metric, row.publisher)
    )
    assert row.precision in first
    assert "I cannot tell" not in answer.answer
    assert calls(answer) == ["published_accuracy"]
    assert not answer.marked


def test_its_figures_are_references_into_the_record() -> None:
    answer = told("which is more accurate, mobilenet_v2 or efficientnet_lite0")
    paths = [number.path for number in answer.numbers]
    assert any("compared[#0].accuracy" in path for path in paths)
    assert any("compared[#1].behind" in path for path in paths)


def test_of_two_the_better_one_is_named_by_how_much_and_nothing_else_is_compared() -> None:
    answer = told("which is more accurate, mobilenet_v2 or efficientnet_lite0").answer
    best, other = published_accuracy(["mobilenet_v2", "efficientnet_lite0"]).compared
    assert answer.startswith(f"{best.model} is more accurate, {100 * best.accuracy:.1f} %")
    assert f"{float(other.behind):.2f} points less" in answer
    assert "latency" not in answer


def test_it_is_the_second_half_of_a_comparison_of_speed() -> None:
    answer = told(
        "which is faster on a raspberry pi 4, mobilenet_v2 or efficientnet_lite0, and which is more accurate"
    )
    assert answer.answer.startswith("mobilenet_v2 is the fastest")
    assert "efficientnet_lite0 is more accurate" in answer.answer
    assert "published_accuracy" in calls(answer)


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("is yolov8s much better than yolov8n", "Yes: yolov8s is more accurate"),
        ("is yolov8n more accurate than yolov8s", "No: yolov8s is more accurate"),
        ("is yolov8n worse than yolov8s", "Yes: yolov8s is more accurate"),
        ("does yolov8m detect better than yolov8s", "Yes: yolov8m is more accurate"),
    ],
)
def test_whether_one_is_better_is_answered_by_accuracy(question: str, word: str) -> None:
    answer = told(question).answer
    assert answer.startswith(word)
    assert "\nNo:" not in answer


@pytest.mark.parametrize(
    ("question", "variants"),
    [
        ("what accuracy do I lose with width 0.5 of mobilenet_v2", ["mobilenet_v2", "mobilenet_v2:0.5"]),
        ("what accuracy do I lose with 160 px input for mobilenet_v2", ["mobilenet_v2", "mobilenet_v2:160"]),
        ("how much accuracy do I lose with int8 on kws_dnn_s", ["kws_dnn_s:float32", "kws_dnn_s:int8"]),
        ("mobilenet_v2 0.35 vs 1.0: how much accuracy do I give up", ["mobilenet_v2", "mobilenet_v2:0.35"]),
    ],
)
def test_what_a_change_loses_is_the_difference_of_the_two_as_published(
    question: str, variants: list[str]
) -> None:
    answer = told(question).answer
    best, other = published_accuracy(variants).compared
    points = re.search(r"([\d.]+) points", answer)
    assert points is not None
    assert float(points[1]) == pytest.approx(float(other.behind), rel=0.01)
    assert f"{100 * best.accuracy:g} %" in answer
    assert f"{100 * other.accuracy:g} %" in answer


def test_accuracies_on_other_data_are_told_and_not_compared() -> None:
    answer = told("is kws more accurate than resnet50").answer
    assert "92 %" in answer
    assert "not to be compared" in answer
    assert not re.search(r"points|^Yes|^No\b", answer)


def test_a_type_that_nobody_published_is_not_said_to_be_as_accurate() -> None:
    answer = told("will int8 hurt the accuracy of resnet50").answer
    assert "as accurate" not in answer
    assert "I cannot tell: of resnet50:int8 I know no published accuracy" in answer


def test_an_input_that_nobody_published_is_said_to_be_unknown() -> None:
    answer = told("what accuracy do I lose with mobilenet_v2 at 100 px").answer
    assert answer.startswith("I cannot tell: of mobilenet_v2:100 I know no published accuracy")
    assert "train and measure it" in answer


def test_what_was_set_before_is_what_the_accuracy_is_of() -> None:
    answer = told("mobilenet_v2 width 0.5 on a pi 4", "how accurate is it then?")
    assert answer.answer.startswith("mobilenet_v2:0.5 reaches 65.4 %")


def test_of_networks_of_which_nothing_was_published_it_cannot_be_told() -> None:
    answer = told("how accurate is my_model.tflite")
    assert answer.answer.startswith("I cannot tell")
    assert "published_accuracy" not in calls(answer)


def test_how_far_estimates_are_off_is_no_accuracy_of_a_network() -> None:
    answer = told("how accurate are your latency estimates for mobilenet_v2")
    assert "ImageNet" not in answer.answer.partition("\n")[0]


def test_which_language_model_is_better_is_told_before_what_they_take() -> None:
    answer = told("which is better, llama-3-8b or qwen2.5-7b").answer
    assert answer.startswith("qwen2.5-7b is more accurate")
    assert "MMLU" in answer
    assert "key-value cache" in answer


def test_what_fewer_bits_cost_a_language_model_is_no_published_accuracy_of_it() -> None:
    answer = told("how much worse is llama-3-8b in Q4").answer
    assert "perplexity" in answer


@pytest.mark.parametrize(
    ("turn", "start"),
    [
        ("and efficientnet_lite0?", "efficientnet_lite0 reaches 75.5 %"),
        ("and with 160 px?", "It loses 3 points with mobilenet_v2:160"),
    ],
)
def test_a_short_turn_after_an_accuracy_asks_for_that_of_another(turn: str, start: str) -> None:
    assert told("how accurate is mobilenet_v2", turn).answer.startswith(start)


def test_a_turn_on_a_board_after_an_accuracy_is_no_accuracy() -> None:
    answer = told("mobilenet_v2 on a pi 4, how fast", "how accurate is it?", "and on a pi 5?").answer
    assert "ms" in answer.partition("\n")[0]


def test_a_metric_that_is_named_is_told_beside_the_speed() -> None:
    answer = told("how fast are yolov8n and yolov8s on a rtx 3060 and what mAP do they have")
    assert "yolov8s is more accurate, 44.9 %" in answer.answer
    assert "| yolov8n |" in answer.answer


def test_where_no_type_asked_for_was_published_that_is_said_beside_the_one_that_was() -> None:
    answer = told(
        "resnet50 on a jetson orin nano, fp16 versus int8, what is the gain, and do I lose accuracy"
    )
    untold, known = answer.answer.partition("I cannot tell: of ")[2].split("\n")[:2]
    assert "resnet50:int8" in untold
    assert known.startswith("resnet50:float32 reaches")


def test_the_usual_size_in_a_name_leaves_a_change_of_type_one_of_type() -> None:
    answer = told("How much accuracy do I lose if I quantise MobileNetV1 1.0 224 to int8?").answer
    wide, narrow = published_accuracy(["mobilenet_v1:float32", "mobilenet_v1:int8"]).compared
    assert f"loses {float(narrow.behind):g} points with {narrow.model}" in answer
    assert wide.model in answer


def test_what_int8_loses_is_told_by_its_figures_and_not_by_a_page_where_they_were_published() -> None:
    answer = told("how many percent accuracy will I lose if I quantise mobilenet_v1 to int8").answer
    assert answer.startswith("It loses 1.2 points with mobilenet_v1:int8")
