"""What an accelerator takes of a network, and which hardware a core or an addition means."""

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace


@pytest.fixture
def planner() -> Planner:
    return Planner(Workspace())


def targets(question: str) -> set[str]:
    calls = Planner(Workspace()).ask(question).tool_calls
    return {call["arguments"]["target"] for call in calls if "target" in call["arguments"]}


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("kws on a Cortex-M4 (STM32L4R5) against a Cortex-M55 with Ethos-U55-128: what latency?",
         {"stm32l4r5zi", "ethos-u55-128"}),
        ("what latency has kws on an nRF52840 (Cortex-M4)?", {"nrf52840"}),
        ("Pi 5 plus the AI Kit (13 TOPS Hailo), yolov8s at 30 fps?", {"raspberry-pi-5-hailo-8l"}),
        ("yolov8n on an Orange Pi 5 Plus, fps?", {"rk3588"}),
        ("compare an STM32H743 with a Cortex-M4 for kws", {"stm32h743zi", "stm32l4r5zi"}),
    ],
)  # fmt: skip
def test_a_core_or_an_addition_is_what_stands_beside_it(question: str, meant: set[str]) -> None:
    assert targets(question) == meant


@pytest.mark.parametrize(
    "question",
    [
        "cheap Android, quad core Cortex-A53 1.3 GHz with 2 GB RAM: mobilenet_v2 in half a second?",
        "a phone with four Cortex-A53 at 1.4 GHz, mobilenet_v2: under 300 ms?",
    ],
)
def test_a_core_of_a_phone_is_no_accelerator_with_that_core(question: str) -> None:
    answer = Planner(Workspace()).ask(question)
    runtimes = {call["result"]["deployment"]["runtime"] for call in answer.tool_calls if call["result"]}
    assert runtimes == {"litert-xnnpack"}
    assert len({call["arguments"]["target"] for call in answer.tool_calls}) == 1


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("does all of kws run on the NPU of the Alif Ensemble E7?", "all 13 operators run on u55-hp"),
        ("how much of mobilenet_v2 ends up on the Coral Edge TPU?", "all 65 operators run on npu"),
        ("kws on an ethos-u55-128 or an STM32L4R5, and does the whole network land on the NPU?",
         "All 13 operators run on ethos-u55, none on the CPU"),
    ],
)  # fmt: skip
def test_how_much_lands_on_an_npu_is_told_from_the_operators(question: str, said: str) -> None:
    assert said in Planner(Workspace()).ask(question).answer


def test_the_size_of_the_model_stands_beside_its_speed_where_it_is_asked() -> None:
    answer = (
        Planner(Workspace())
        .ask("mobilenet_v2 in int8 instead of fp32 on a Raspberry Pi 4: speed, size?")
        .answer
    )
    rows = [line.split(" | ") for line in answer.splitlines() if line.startswith("|")]
    assert rows[0][-1] == "model |"
    assert [row[-1] for row in rows[2:]] == ["3.83 MiB |", "13.3 MiB |"]


def test_what_an_accelerator_does_not_run_has_no_life_there_but_on_the_other_cores(planner: Planner) -> None:
    told = planner.ask("how long does a 400 mAh lipo last with kws on a max78000, once a second?").answer
    assert told.startswith("It does not run there as it is: 2 operators without a kernel in ai8x (layer 0")
    assert "kws on max78000 with tflm-cmsis-nn" in told
    both = planner.ask("and beside an nrf52840, which lasts longer?").answer
    assert "| max78000 | does not run |" in both
    assert "trained anew it may; with tflm-cmsis-nn it takes" in both
