from __future__ import annotations

import pytest

from edgewright.hardware_db import resolve_runtime, resolve_target, suggest_target, target_ids
from edgewright.hardware_db.errors import AmbiguousNameError, UnknownNameError
from edgewright.hardware_db.index import read_index
from edgewright.hardware_db.resolver import target_words

SPELLINGS = {
    "a100-sxm4-80gb": [
        "a100-sxm4-80gb",
        "A100",
        "NVIDIA A100",
        "nvidia a100 80gb",
        "A100 SXM",
        "A100-SXM4",
        "an A100 GPU",
        "Tesla A100",
    ],
    "esp32-s3": [
        "esp32-s3",
        "ESP32S3",
        "esp32 s3",
        "Espressif ESP32-S3",
        "ESP32-S3-DevKitC-1",
        "ESP32-S3FN8",
        "esp32-s3-wroom-1",
        "ESP32-S3-DevKitM-1",
    ],
    "h100-sxm5": ["H100", "h100 sxm", "NVIDIA H100 80GB HBM3", "H100-SXM5", "the H100 card"],
    "host-x86-64": ["host", "x86-64", "x86_64", "this machine", "my laptop", "host-x86-64", "AMD64"],
    "jetson-agx-orin-64gb": [
        "Jetson AGX Orin",
        "jetson_agx_orin_64gb",
        "AGX Orin",
        "NVIDIA Jetson AGX Orin 64GB",
        "Orin AGX",
        "Jetson AGX Orin Developer Kit",
    ],
    "max78002": [
        "MAX78002",
        "max 78002",
        "ADI MAX78002",
        "MAX78002EVKIT",
        "MAX78002GXE+",
        "Analog Devices MAX78002",
    ],
    "nrf52840": [
        "nRF52840",
        "nrf 52840",
        "Nordic nRF52840",
        "nRF52840-DK",
        "nRF52840 Dongle",
        "Arduino Nano 33 BLE",
        "nano33ble",
        "Nano 33 BLE Sense",
        "Arduino Nano 33 BLE Sense Rev2",
        "nRF52840-QIAA",
        "PCA10056",
    ],
    "nrf5340": ["nRF5340", "nRF5340 DK", "nrf5340-qkaa", "Nordic Semiconductor nRF5340", "Thingy:53"],
    "rp2040": [
        "RP2040",
        "rp-2040",
        "Raspberry Pi Pico",
        "Pi Pico",
        "pico",
        "Raspberry Pi Pico W",
        "Arduino Nano RP2040 Connect",
    ],
    "stm32f746ng": ["STM32F746NG", "stm32f746nGh6", "F746", "STM32F746G-DISCO", "32F746GDISCOVERY"],
    "stm32h743zi": [
        "stm32h743zi",
        "STM32H743ZIT6",
        "STM32H743ZIT6U",
        "STM32H743",
        "stm32 h743 zi",
        "H743",
        "Nucleo H743",
        "NUCLEO-H743ZI2",
        "ST Nucleo H743ZI",
        "STMicroelectronics STM32H743ZI",
        "my Nucleo-H743ZI board",
    ],
    "stm32h747xi": ["STM32H747XIH6", "STM32H747I-DISCO", "Arduino Portenta H7", "Portenta H7", "GIGA R1"],
    "stm32h7a3zi": ["STM32H7A3ZIT6Q", "Nucleo H7A3ZI-Q", "H7A3", "stm32h7a3"],
    "stm32l4r5zi": ["STM32L4R5ZIT6", "STM32L4R5ZIY6TR", "L4R5", "nucleo_l4r5zi", "Nucleo-L4R5ZI-P"],
    "stm32u575zi": ["STM32U575ZIT6Q", "Nucleo U575ZI-Q", "u575", "stm32u575"],
}


@pytest.mark.parametrize(
    ("name", "target"), [(name, target) for target, names in SPELLINGS.items() for name in names]
)
def test_a_name_resolves_however_it_is_spelt(name: str, target: str) -> None:
    assert resolve_target(name).id == target


def test_the_spellings_are_of_targets_that_exist() -> None:
    assert set(SPELLINGS) <= set(target_ids())
    assert sum(map(len, SPELLINGS.values())) >= 60


H7 = ("stm32h743zi", "stm32h747xi", "stm32h7a3zi")
STM32 = ("stm32f746ng", *H7, "stm32l4r5zi", "stm32u575zi")


@pytest.mark.parametrize(
    ("family", "members"),
    [
        ("STM32H7", H7),
        ("H7", H7),
        ("stm32 h7 series", H7),
        ("STM32", STM32),
        ("Jetson Orin", ("jetson-agx-orin-64gb",)),
        ("NVIDIA Jetson", ("jetson-agx-orin-64gb",)),
        ("nRF", ("nrf52840", "nrf5340")),
        ("NVIDIA GPU", ("a100-sxm4-80gb", "h100-sxm5", "jetson-agx-orin-64gb")),
        ("Cortex-M7", ("stm32f746ng", *H7)),
    ],
)
def test_a_family_asks_back_with_its_members(family: str, members: tuple[str, ...]) -> None:
    with pytest.raises(AmbiguousNameError) as caught:
        resolve_target(family)
    assert set(members) <= set(caught.value.candidates)
    assert all(member in str(caught.value) for member in caught.value.candidates)


@pytest.mark.parametrize(("family", "only"), [("nRF53", "nrf5340"), ("STM32N6", "stm32n657x0")])
def test_a_family_with_one_known_member_means_it(family: str, only: str) -> None:
    assert resolve_target(family).id == only


@pytest.mark.parametrize(
    ("misspelt", "first"),
    [
        ("STM32H473", "stm32h743zi"),
        ("stm32h7434zi", "stm32h743zi"),
        ("nrf5284", "nrf52840"),
        ("nrf52480", "nrf52840"),
        ("jetson agx orrin", "jetson-agx-orin-64gb"),
        ("STM32L4R5ZL", "stm32l4r5zi"),
        ("MAX7802", "max78002"),
        ("rp240", "rp2040"),
        ("esp32-s33", "esp32-s3"),
        ("Raspbery Pi Pico", "rp2040"),
        ("a100-sxm4-800gb", "a100-sxm4-80gb"),
    ],
)
def test_a_misspelt_name_gets_the_nearest_first(misspelt: str, first: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        resolve_target(misspelt)
    assert caught.value.candidates[0] == first
    assert suggest_target(misspelt)[0] == first


@pytest.mark.parametrize(
    "other_part", ["STM32H743ZG", "ESP32-S31", "nRF52811", "Raspberry Pi Pico 3", "A100 40GB"]
)
def test_another_product_is_not_taken_for_one_that_is_known(other_part: str) -> None:
    with pytest.raises(UnknownNameError):
        resolve_target(other_part)


@pytest.mark.parametrize("nonsense", ["", " ", "---", "🙂", "x" * 10_000])
def test_what_is_no_name_at_all_is_unknown(nonsense: str) -> None:
    with pytest.raises(UnknownNameError):
        resolve_target(nonsense)


@pytest.mark.parametrize(
    ("name", "runtime"),
    [
        ("tflm-cmsis-nn", "tflm-cmsis-nn"),
        ("CMSIS-NN", "tflm-cmsis-nn"),
        ("cmsis nn", "tflm-cmsis-nn"),
        ("TFLM with CMSIS-NN", "tflm-cmsis-nn"),
        ("TFLM", "tflm-reference"),
        ("reference kernels", "tflm-reference"),
        ("X-CUBE-AI", "x-cube-ai"),
        ("STM32Cube.AI", "x-cube-ai"),
        ("TensorRT", "tensorrt"),
        ("NVIDIA TensorRT", "tensorrt"),
        ("XNNPACK", "litert-xnnpack"),
        ("LiteRT", "litert-xnnpack"),
        ("torch", "pytorch"),
    ],
)
def test_a_runtime_resolves_by_its_nicknames(name: str, runtime: str) -> None:
    assert resolve_runtime(name).id == runtime


def test_an_unknown_runtime_names_the_nearest() -> None:
    with pytest.raises(UnknownNameError) as caught:
        resolve_runtime("cmsisnnn")
    assert caught.value.candidates[0] == "tflm-cmsis-nn"
    assert "runtimes list" in caught.value.hint


def test_every_name_is_found_by_its_words_and_each_alone() -> None:
    known = target_words()
    for name, identifier in read_index().target_names.written.items():
        words = known.words(name)
        assert all(known.knows(word) for word in words), name
        assert not words or known.begin_with(words[0], [identifier]), name
        assert not words or known.meaning(words).more == 0, name
