"""What is named side by side is exactly the rows: processors, power modes, kernels, bits; factors are resolved."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner.planner import Planner
from edgewright.agent.workspace import Workspace
from edgewright.hardware_db.processors import CPU, kernels_by_processor
from edgewright.tools import deployment, estimate_performance


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


def firsts(answer: str) -> set[str]:
    """The first cell of each row under the heads."""
    rows = [line.strip("| ").partition(" |")[0] for line in answer.splitlines() if line.startswith("| ")]
    return set(rows[1:])


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("resnet18 on a rock 5b: the npu or the big cores?", {"rknn (npu)", "litert-xnnpack (big cores)"}),
        ("mobilenet_v2 on an i.MX 8M Plus, NPU versus its four A53", {"openvx (NPU)", "litert-xnnpack (four A53)"}),
        ("mobilenet_v3_large, snapdragon 8 gen 2: hexagon, gpu delegate or just 4 threads",
         {"qnn (hexagon)", "tflite-gpu", "litert-xnnpack (4 threads)"}),
        ("resnet50 on a Jetson AGX Orin: GPU or DLA?", {"tensorrt (GPU)", "tensorrt-dla (DLA)"}),
        ("kws on stm32n6: its npu against the cortex-m55", {"neural-art (npu)", "tflm-cmsis-nn (cortex-m55)"}),
        ("mobilenet_v2 on a pi 4: ncnn vs tflite vs onnx runtime", {"ncnn", "litert-xnnpack", "onnxruntime"}),
        ("vww on rp2040: reference kernels vs cmsis-nn", {"tflm-reference", "tflm-cmsis-nn"}),
        ("yolov8s on a jetson orin nano in 7W mode against 15W mode", {"408 MHz (7W mode)", "625 MHz (15W mode)"}),
        ("jetson xavier nx 10W or 15W for yolov5s?", {"803.25 MHz (10W)", "1109.25 MHz (15W)"}),
        ("phi-3 mini 3 vs 4 bit on a raspberry pi 5", {"Q3_K_M", "Q4_K_M"}),
    ],
)  # fmt: skip
def test_the_rows_are_what_is_named_and_nothing_else(planner: Planner, question: str, rows: set[str]) -> None:
    assert firsts(planner.ask(question).answer) == rows


@pytest.mark.parametrize(
    ("question", "kernels"),
    [("resnet50 on the orange pi 5's cpu", "litert-xnnpack"), ("mobilenet_v2 on the gpu of a rock 5b", "tflite-gpu"),
     ("mobilenet_v2 on a snapdragon 8 gen 2 with 4 threads", "litert-xnnpack")],
)  # fmt: skip
def test_the_processor_that_is_named_runs_it(planner: Planner, question: str, kernels: str) -> None:
    calls = [one for one in planner.ask(question).tool_calls if one["name"] == "estimate_performance"]
    assert calls[0]["arguments"]["runtime"] == kernels


def test_what_falls_back_to_the_cpu_is_asked_of_the_npu(planner: Planner) -> None:
    answer = planner.ask("does anything of yolov8n fall back to the cpu on an i.mx8m plus npu?").answer
    assert "litert-xnnpack" not in answer


def test_each_kernel_library_of_a_chip_runs_on_one_of_its_processors() -> None:
    kernels = kernels_by_processor("rk3588")
    assert kernels["npu"] == ("rknn",)
    assert "litert-xnnpack" in kernels[CPU]
    assert "tflite-gpu" in kernels["gpu"]


def test_what_is_taken_instead_stands_against_what_it_replaces(planner: Planner) -> None:
    answer = planner.ask(
        "what do I lose on kws if I use the reference kernels instead of cmsis-nn on stm32l476rg?"
    ).answer
    assert firsts(answer) == {"tflm-reference", "tflm-cmsis-nn"}
    assert "with tflm-reference" in answer.partition("\n")[0]


@pytest.mark.parametrize(
    ("question", "change", "first"),
    [("my images got twice as large: vww on nrf52840, what does that do to ram", "input-200", "No, "),
     ("if I doubled all the channels in kws would a Nucleo-F446RE still take it?", "width-200", "Yes, "),
     ("mobilenet_v1 on a raspberry pi 4 with a quarter of the width", "width-25", "width-25")],
)  # fmt: skip
def test_a_size_by_a_factor_is_a_change_and_growth_is_held_against_the_memory(
    planner: Planner, question: str, change: str, first: str
) -> None:
    found = planner.ask(question)
    simulated = [one["arguments"] for one in found.tool_calls if one["name"] == "simulate_optimizations"]
    assert [one["technique"] for one in simulated] == [change]
    assert found.answer.startswith(first)


def test_a_module_in_a_lower_power_mode_draws_no_more_than_it_allows() -> None:
    full, low = (
        estimate_performance("resnet50", deployment("jetson-orin-nano-8gb", clock_mhz=clock)).power_mw
        for clock in (None, 408)
    )
    assert low.high == 7_000  # "mode 7W, by its name": hardware_db/targets/jetson-orin-nano-8gb.yaml
    assert full.high == 15_000


def test_a_core_that_alone_says_where_it_runs_stays_the_target(tmp_path: Path) -> None:
    answer = Planner(Workspace(tmp_path)).ask(
        "They say it needs an NPU. Could a Cortex-M7 at 600 MHz run MobileNetV2 0.35 at 96 pixels three times a second?"
    )
    assert {call["arguments"].get("target") for call in answer.tool_calls} >= {"imxrt1060"}
    assert "edgetpu" not in answer.answer
