"""What a reference is of has to be what the words around it speak of."""

from __future__ import annotations

import re
from typing import Any

import pytest

from edgewright.agent.references.review import review

Records = list[dict[str, Any]]
H, S = "{{r1.latency_ms}}", "{{r2.latency_ms}}"
RAM, FLASH = "{{r5.checks[ram].demand}}", "{{r5.checks[flash].demand}}"
HAS_RAM = "{{r5.checks[ram].bound}}"

TRUE = [
    f"The STM32H743 takes {H} and the ESP32-S3 {S}.",
    f"STM32H743 and ESP32-S3 take {H} and {S}.",
    f"On the ESP32-S3 it takes {S}, against {H} on the STM32H743.",
    f"The STM32H743 is {{{{r2.latency_ms/r1.latency_ms|x}}}} faster than the ESP32-S3: {H} instead of {S}.",
    f"Between stm32h743zi and esp32-s3 there is little doubt: {H} versus {S}.",
    f"At {H} an inference, stm32h743zi is the choice; with esp32-s3 each one takes {S}.",
    f"| board | latency |\n|---|---|\n| stm32h743zi | {H} |\n| esp32-s3 | {S} |",
    f"- STM32H743: {H}\n- ESP32-S3: {S}",
    f"It fits the STM32H743 well. It takes {H} there.",
    f"With CMSIS-NN on the H743 at 480 MHz it takes {H}.",
    "Layers 0 and 2 take {{r1.layers[0].latency_ms}} and {{r1.layers[2].latency_ms}} of " + H + ".",
    f"It needs {RAM} of {HAS_RAM} RAM and {FLASH} of flash.",
    f"RAM: {RAM}. Flash: {FLASH}.",
    f"kws takes {H}.",
    f"For speed yes: {S} against {H} on the STM32H743.",
    f"The arena is small: {H} (STM32H743), {S} (ESP32-S3).",
    f"The H743: {H} (fitted) against {S} (assumed) on the S3, {{{{r2.latency_ms/r1.latency_ms|x}}}} as long.",
    f"The STM32H743 takes {H} instead of {S}.",
    f"TFLM takes {H} on the STM32H743.",
    f"It was scaled from a measurement on a T4. Each takes {H}.",
    f"No ESP32-C3 was measured: {S} stands on others.",
    f"None of them on an ESP32-C3: {S} on an ESP32-S3.",
    "Layers 0, 2 and 3 take {{r1.layers[0].latency_ms}}, {{r1.layers[2].latency_ms}} and "
    "{{r1.layers[3].latency_ms}}.",
]
FALSE = [
    f"For speed yes: {H} against {S} on the STM32H743.",
    f"The arena is small: {S} (STM32H743), {H} (ESP32-S3).",
    f"The H743: {S} (fitted) against {H} (assumed) on the S3, {{{{r2.latency_ms/r1.latency_ms|x}}}} as long.",
    "Layers 0, 2 and 3 take {{r1.layers[0].latency_ms}}, {{r1.layers[3].latency_ms}} and "
    "{{r1.layers[2].latency_ms}}.",
    f"The STM32H743 takes {S} and the ESP32-S3 {H}.",
    f"STM32H743 and ESP32-S3 take {S} and {H}.",
    f"On the ESP32-S3 it takes {H}, against {S} on the STM32H743.",
    f"Between stm32h743zi and esp32-s3 there is little doubt: {S} versus {H}.",
    f"At {S} an inference, stm32h743zi is the choice; with esp32-s3 each one takes {H}.",
    f"| board | latency |\n|---|---|\n| stm32h743zi | {S} |\n| esp32-s3 | {H} |",
    f"- STM32H743: {H}\n- ESP32-S3: {H}",
    f"It fits the STM32H743 well. It takes {S} there.",
    f"On the H743 at 240 MHz it takes {H}.",
    f"With X-CUBE-AI it takes {H}.",
    "Layer 7 takes {{r1.layers[3].latency_ms}}.",
    "The slowest is layer 0, at " + H + ": the total is {{r1.layers[0].latency_ms}}.",
    f"It needs {FLASH} of RAM, and {RAM} of flash.",
    f"It needs {HAS_RAM} of {RAM} RAM.",
    f"ResNet-50 takes {H}.",
]


@pytest.mark.parametrize("text", TRUE)
def test_a_true_answer_is_not_marked(text: str, records: Records) -> None:
    assert review(text, records).marked == ()


@pytest.mark.parametrize("text", FALSE)
def test_a_reference_in_the_wrong_place_is_marked_or_has_its_own_subject_behind_it(
    text: str, records: Records
) -> None:
    found = review(text, records)
    assert found.marked or found.named


def test_exchanged_figures_are_shown_with_their_own_subjects(records: Records) -> None:
    found = review(f"The arena is small: {S} (STM32H743), {H} (ESP32-S3).", records)
    shown = [each.text for each in found.numbers]
    assert f"{shown[0]} (esp32-s3)" in found.text
    assert f"{shown[1]} (stm32h743zi)" in found.text


def test_what_surely_is_anothers_is_marked_with_what_it_is_of(records: Records) -> None:
    found = review(f"The STM32H743 takes {S} and the ESP32-S3 {H}.", records)
    assert found.problems[0].why == "It is of esp32-s3; the words around it speak of stm32h743zi."
    assert "ms ⚠ of esp32-s3" in found.shown
    assert "⚠" not in found.text


@pytest.mark.parametrize(
    "text",
    [
        f"It takes {H}.",
        f"kws takes {H} on the H743 and {RAM} of {HAS_RAM}.",
        f"| | kws |\n|---|---|\n| ms | {H} |",
    ],
)
def test_where_the_results_are_of_one_subject_no_figure_names_it(text: str, records: Records) -> None:
    alone = [record for record in records if record["id"] in ("r1", "r5")]
    assert not review(text, alone).named


def test_figures_of_one_subject_that_stand_together_have_one_label(records: Records) -> None:
    both = f"It takes {S} and {{{{r2.latency_ms.low}}}}, or {H} at most."
    assert review(both, records).text.count("esp32-s3") == 1


def test_an_interval_and_a_label_share_their_brackets(records: Records) -> None:
    found = review("Each takes {{r1.latency_ms|ms~}}.", records)
    assert re.search(r"ms \([\d.–]+ ms; stm32h743zi\)\.", found.text)
    assert found.numbers[0].path == "r1.latency_ms"
    assert "stm32" not in found.numbers[0].text


def test_a_number_that_nobody_gave_is_not_calculated_with(records: Records) -> None:
    assert review("Half of it is {{0.5*r1.latency_ms|ms}}.", records).marked
    assert not review("For your 20 images: {{20*r1.latency_ms|ms}}.", records, "20 images at once").marked
    assert not review("In an hour {{1h/r1.latency_ms|count}}.", records).marked
