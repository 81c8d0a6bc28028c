from __future__ import annotations

import pytest

from edgewright.hardware_db import Mention, find_runtime_names, find_target_names

H7 = ("stm32h743zi", "stm32h747xi", "stm32h7a3zi")


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        (
            "Will kws.tflite fit on an STM32H743 and what holds it back?",
            [("STM32H743", "stm32h743zi")],
        ),
        ("Is ResNet-50 compute-bound or memory-bound on an A100?", [("A100", "a100-sxm4-80gb")]),
        ("How fast is it on a Nucleo H743?", [("Nucleo H743", "stm32h743zi")]),
        ("what about the L4R5", [("L4R5", "stm32l4r5zi")]),
        ("run it on my nano 33 ble, please", [("nano 33 ble", "nrf52840")]),
        ("the order code is STM32L4R5ZIT6 with 100 KiB free", [("STM32L4R5ZIT6", "stm32l4r5zi")]),
        (
            "compare RP2040, ESP32-S3 and nRF5340",
            [("RP2040", "rp2040"), ("ESP32-S3", "esp32-s3"), ("nRF5340", "nrf5340")],
        ),
        (
            "Portenta H7 or Arduino Nano 33 BLE Sense Rev2",
            [("Portenta H7", "stm32h747xi"), ("Arduino Nano 33 BLE Sense Rev2", "nrf52840")],
        ),
        ('does it fit "H100 SXM"?', [("H100 SXM", "h100-sxm5")]),
    ],
)
def test_targets_are_found_in_a_sentence(sentence: str, found: list[tuple[str, str]]) -> None:
    assert find_target_names(sentence) == [Mention(text, target, True) for text, target in found]


@pytest.mark.parametrize(
    ("sentence", "text", "members"),
    [
        ("any STM32H7 or so", "STM32H7", H7),
        ("on an H7", "H7", H7),
        ("which Cortex-M7 board", "Cortex-M7", ("stm32f746ng", *H7)),
        ("a Jetson Orin", "Jetson Orin", ("jetson-agx-orin-64gb",)),
    ],
)
def test_a_family_is_found_with_its_members(sentence: str, text: str, members: tuple[str, ...]) -> None:
    (mention,) = find_target_names(sentence)
    assert (mention.text, mention.exact) == (text, True)
    assert set(members) <= set(mention.meaning)


@pytest.mark.parametrize(
    ("sentence", "text", "nearest"),
    [
        ("fit on an STM32H473?", "STM32H473", "stm32h743zi"),
        ("on the nrf5284 at 64 MHz", "nrf5284", "nrf52840"),
        ("a jetson agx orrin maybe", "jetson agx orrin", "jetson-agx-orin-64gb"),
        ("nano 33 bel", "nano 33 bel", "nrf52840"),
    ],
)
def test_a_misspelt_target_is_offered_but_not_taken(sentence: str, text: str, nearest: str) -> None:
    (mention,) = find_target_names(sentence)
    assert (mention.text, mention.exact) == (text, False)
    assert mention.meaning[0] == nearest


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("on a Raspberry Pi Pico 3", "Raspberry Pi Pico 3"),
        ("the Jetson AGX Orin 16GB", "Jetson AGX Orin 16GB"),
        ("an H100 NVL", "H100 NVL"),
    ],
)
def test_a_variant_is_not_taken_for_the_target_that_it_is_named_after(sentence: str, text: str) -> None:
    (mention,) = find_target_names(sentence)
    assert mention.text == text
    assert not mention.exact


@pytest.mark.parametrize(
    "sentence",
    [
        "Will models/stm32h743zi.tflite fit in 256 KiB of RAM within 50 ms?",
        "What is the best board for keyword spotting? The first that answers in 10 ms and is cheap.",
        "Quantise it to int8, prune half of the weights, and tell me how much energy that saves per inference.",
        "Is there a difference between 2 and 4 threads at 480 MHz with batch 16?",
        "",
    ],
)
def test_nothing_is_found_where_no_target_is_named(sentence: str) -> None:
    assert find_target_names(sentence) == []


@pytest.mark.parametrize(
    ("sentence", "text", "runtime"),
    [
        ("with CMSIS-NN", "CMSIS-NN", "tflm-cmsis-nn"),
        ("using TFLM with CMSIS-NN on it", "TFLM with CMSIS-NN", "tflm-cmsis-nn"),
        ("with TFLM reference kernels", "TFLM reference kernels", "tflm-reference"),
        ("X-CUBE-AI?", "X-CUBE-AI", "x-cube-ai"),
        ("through TensorRT at batch 8", "TensorRT", "tensorrt"),
        ("in PyTorch", "PyTorch", "pytorch"),
    ],
)
def test_runtimes_are_found_in_a_sentence(sentence: str, text: str, runtime: str) -> None:
    assert find_runtime_names(sentence) == [Mention(text, runtime, True)]


def test_the_name_of_a_file_format_is_no_runtime() -> None:
    assert find_runtime_names("a tflite file, kws.tflite, or an onnx model") == []
