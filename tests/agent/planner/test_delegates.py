"""Runtimes and delegates of phones and computers: the one that is named, or that it is not known."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.planner.query import Role
from edgewright.agent.planner.reading import read
from edgewright.agent.workspace import Workspace


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


def runtimes(planner: Planner, question: str) -> set[str]:
    calls = planner.ask(question).tool_calls
    return {str((call["result"] or {}).get("deployment", {}).get("runtime", "")) for call in calls} - {""}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Pixel 8, efficientnet_lite0: GPU delegate or two CPU threads?", {"tflite-gpu", "litert-xnnpack"}),
        (
            "mobilenet_v1 on a Pixel 7 by the NNAPI delegate, the GPU delegate or 4 threads?",
            {"litert-nnapi", "tflite-gpu", "litert-xnnpack"},
        ),
        ("resnet50 via Core ML on an iPhone 14 Pro, ms?", {"onnxruntime-coreml"}),
        ("resnet50 with OpenVINO on an Arc A750, ms?", {"onnxruntime-openvino"}),
    ],
)
def test_what_is_named_is_what_computes(planner: Planner, question: str, expected: set[str]) -> None:
    assert expected <= runtimes(planner, question)


def test_more_threads_than_the_fast_core_has_do_not_stop_a_delegate(planner: Planner) -> None:
    answer = planner.ask("mobilenet_v3_small on a Pixel 8 with 8 threads or on its GPU delegate?").answer
    assert "cannot run" not in answer
    assert "tflite-gpu" in answer


def test_a_library_without_figures_is_said_first_and_named_apart_from_what_is_told(planner: Planner) -> None:
    answer = planner.ask("yolov8s with tengine on an rk3588, fps?").answer
    assert answer.startswith("Not known with tengine")
    assert "did not take into account" not in answer


def test_where_the_kernels_named_have_no_time_others_of_the_board_are_told(planner: Planner) -> None:
    answer = planner.ask("How fast is resnet50 with DirectML on an RX 6800 XT?").answer
    assert answer.startswith("not known")
    assert re.search(r"^Nearest: [\d.,]+ m?s .* with ncnn-vulkan", answer, re.MULTILINE)


def test_which_of_two_is_answered_without_yes_or_no(planner: Planner) -> None:
    answer = planner.ask("Does resnet50 run faster with onnxruntime or openvino on an i7-12700?").answer
    assert answer.startswith("openvino is the fastest")


@pytest.mark.parametrize("words", ["make mobilenet_v2 faster", "speed mobilenet_v2 up"])
def test_whether_a_delegate_helps_is_held_against_the_cores(planner: Planner, words: str) -> None:
    answer = planner.ask(f"Does the GPU delegate {words} on a Pixel 8?").answer
    assert "| litert-xnnpack (its cores) |" in answer


def test_processors_without_figures_are_said_first(planner: Planner) -> None:
    answer = planner.ask("Does yolov8s run faster on the NPU or the iGPU of my i7-1260P?").answer
    assert answer.startswith("Not known: I have no figures for the ")
    assert "instead of" not in answer


def test_one_of_two_sizes_is_taken_alone(planner: Planner) -> None:
    planner.ask("yolov5n or s on a Hailo-8 at 30 fps?")
    answer = planner.ask("keep n only: how many cameras at 15 fps?").answer
    assert "yolov5n" in answer
    assert "yolov5s" not in answer


def test_what_is_ruled_out_is_neither_looked_for_nor_among_what_is_found(planner: Planner) -> None:
    answer = planner.ask(
        "which cheap board writes 6 tokens a second with llama-3.2-1b, without a GPU?"
    ).answer
    assert not re.search(r"^\| (?:gtx|rtx|arc|rx)-", answer, re.MULTILINE)
    kept = (
        Planner(planner.workspace).ask("which cheap GPU writes 6 tokens a second with llama-3.2-1b?").answer
    )
    assert re.search(r"^\| (?:gtx|rtx|arc|rx)-", kept, re.MULTILINE)


def test_where_a_batch_stops_paying_comes_first(planner: Planner) -> None:
    answer = planner.ask("From which batch on does resnet50 gain nothing more on a T4?").answer
    assert re.match(r"Batch \d+ is enough", answer)


@pytest.mark.parametrize(
    ("words", "network"),
    [
        ("DeepLabV3 on ResNet-50", "deeplab_v3_resnet50"),
        ("ssd with a mobilenet v1", "ssd_mobilenet_v1"),
        ("faster r-cnn with resnet50", "resnet50"),
        ("efficientdet", "efficientdet_lite0"),
    ],
)
def test_a_head_and_its_backbone_are_one_network_where_that_is_known(words: str, network: str) -> None:
    assert read(f"{words} on an rtx 3060, ms?").all(Role.MODEL) == (network,)


@pytest.mark.parametrize("words", ["MobileSAM", "PP-OCRv4", "paddleocr"])
def test_a_network_that_is_not_known_is_said_first(planner: Planner, words: str) -> None:
    assert planner.ask(f"{words} on an rk3588, fps?").answer.startswith("I do not know the network")


def test_one_of_two_that_is_not_known_is_said_before_the_other(planner: Planner) -> None:
    answer = planner.ask("yolo13s versus yolov8s on an RTX 3060").answer
    assert answer.startswith("Not known with yolo13s")


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("resnet18 on an RK3588 and an RK3566, NPU or CPU?",
         {"rk3588, rknn (NPU)", "rk3588, litert-xnnpack (CPU)", "rk3566, rknn (NPU)", "rk3566, litert-xnnpack (CPU)"}),
        ("Pixel 7 and Galaxy S22 with mobilenet_v1: should I use the CPU or the GPU?",
         {"tensor-g2, litert-xnnpack (CPU)", "tensor-g2, tflite-gpu (GPU)", "snapdragon-8-gen-1, litert-xnnpack (CPU)",
          "snapdragon-8-gen-1, tflite-gpu (GPU)"}),
    ],
)  # fmt: skip
def test_processors_are_weighed_on_each_of_several_chips(
    planner: Planner, question: str, rows: set[str]
) -> None:
    told = planner.ask(question).answer
    assert {line.split(" | ")[0].strip("| ") for line in told.split("\n") if line.startswith("| ")} >= rows


@pytest.mark.parametrize("card", ["T4", "RTX 3060"])
def test_cores_beside_a_card_are_of_another_processor(planner: Planner, card: str) -> None:
    told = planner.ask(f"resnet50 at 40 images a second: is our 12 core server enough, or a {card}?")
    checks = [call["arguments"] for call in told.tool_calls if call["name"] == "check_constraints"]
    assert checks
    assert all("threads" not in each for each in checks)
    assert "has no *12* cores" in told.answer


@pytest.mark.parametrize(
    ("claim", "word"),
    [("450 fps of resnet50 on a Xavier NX at 10 W", "No"), ("80 fps of yolov8s on an Orin Nano 8GB in its 7 W mode", "Yes")],
)  # fmt: skip
def test_a_claim_is_judged_in_the_power_mode_that_it_is_of(planner: Planner, claim: str, word: str) -> None:
    told = planner.ask(f"A seller claims {claim}. Is that believable?")
    assert told.answer.startswith(word)
    assert "did not take into account" not in told.answer
    assert told.tool_calls[0]["arguments"]["clock_mhz"] < 1_000
