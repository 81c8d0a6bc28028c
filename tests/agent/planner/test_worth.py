"""Whether the dearer is needed or a change pays: the verdict is on what is asked, with the sign of the figures."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from edgewright.agent.planner.conversation import understood
from edgewright.agent.planner.planner import Planner
from edgewright.agent.planner.query import Role
from edgewright.agent.workspace import Workspace


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


@pytest.mark.parametrize(
    ("question", "verdict"),
    [("is going from fp32 to int8 worth it for mobilenet_v2 on a Pi 4?", "Yes, int8 is worth it"),
     ("Is it worth moving from the ESP32-S3 to the ESP32 for vww?", "No, esp32 is not worth it"),
     ("Is it worth moving from the ESP32 to the ESP32-S3 for vww?", "Yes, esp32-s3 is worth it")],
)  # fmt: skip
def test_of_a_change_it_is_what_one_changes_to_that_is_judged(
    planner: Planner, question: str, verdict: str
) -> None:
    assert planner.ask(question).answer.startswith(verdict)


@pytest.mark.parametrize(
    ("question", "verdict"),
    [("does vww squeeze into a plain Pico or do I have to buy the Pico 2", "No, rp2350 is not needed: both fit"),
     ("Will kws do on an nRF52832 or must I get the nRF5340?", "No, nrf5340 is not needed"),
     ("vww under 100 ms: do I need an STM32H743 or is an F446 enough?", "Yes, it takes stm32h743zi")],
)  # fmt: skip
def test_whether_the_larger_has_to_be_bought_is_told_by_what_the_smaller_does(
    planner: Planner, question: str, verdict: str
) -> None:
    assert planner.ask(question).answer.startswith(verdict)


def test_the_factors_of_a_reason_multiply_to_the_ratio(planner: Planner) -> None:
    answer = planner.ask("Why is vww so much slower on the nRF52840 than on the STM32H743?").answer
    against, _, in_favour = answer.partition("\n")[0].partition("in its favour")
    ratio, *factors = map(float, re.findall(r"([\d.]+)x ", against))
    gains = [float(gain) for gain in re.findall(r"([\d.]+)x ", in_favour)]
    assert len(factors) >= 1 <= len(gains)
    assert math.prod(factors) / math.prod(gains) == pytest.approx(ratio, rel=0.05)


@pytest.mark.parametrize("off", ["I never switched on ESP-NN", "with ESP-NN turned off", "with plain TFLM"])
def test_a_figure_without_optimised_kernels_is_held_against_the_reference_ones(
    planner: Planner, off: str
) -> None:
    answer = planner.ask(f"My ESP32-S3 needs 1.9 s for one vww frame, {off}. Is that believable?").answer
    assert answer.startswith("Yes, 1.9 s is plausible")
    assert "with tflm-reference" in answer
    assert re.search(r"^Optimised: .* with tflm-esp-nn", answer, re.MULTILINE)


@pytest.mark.parametrize(
    ("question", "targets"),
    [("Pi 5 with the AI hat (the 13 TOPS one): fps of yolov8s?", ["raspberry-pi-5-hailo-8l"]),
     ("The AI HAT+ comes with 13 or 26 TOPS, which for yolov8s at 30 fps?",
      ["raspberry-pi-5-hailo-8", "raspberry-pi-5-hailo-8l"]),
     ("We doubled the Ethos-U55 from 128 to 256 MACs, how much faster is vww?", ["ethos-u55-128", "ethos-u55-256"]),
     ("A 24 V 100 Wh pack feeds a jetson-orin-nano-8gb with yolov8n", ["jetson-orin-nano-8gb"])],
)  # fmt: skip
def test_a_family_is_told_apart_by_the_numbers_of_its_members_and_a_voltage_is_no_name(
    question: str, targets: list[str]
) -> None:
    assert sorted(understood(question, None, {}).all(Role.TARGET)) == targets


def test_weights_beyond_what_an_edge_tpu_keeps_are_fetched_at_each_inference(planner: Planner) -> None:
    spilled = planner.ask("Why is resnet50 so slow on the Coral USB?").answer
    assert "exceed the 8 MiB that the chip keeps" in spilled
    seconds = float(re.search(r"at least ([\d.]+) ms", spilled)[1]) / 1e3  # type: ignore[index]
    assert seconds == pytest.approx((25.6e6 - 8 * 2**20) / 500e6, rel=0.01)
    assert "exceed" not in planner.ask("Why is mobilenet_v2 so slow on the Coral USB?").answer


def test_what_takes_seconds_is_no_plain_yes_where_no_time_is_demanded(planner: Planner) -> None:
    assert planner.ask("Boss wants ViT-B/16 on an Ethos-U55. Talk me out of it, or don't.").answer.startswith(
        "Hardly"
    )
