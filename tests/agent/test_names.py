"""What a sentence names: known, misspelt, unknown, and ordinary words that are no names."""

from __future__ import annotations

import pytest

from edgewright.agent.names import Kind, Name, find_names
from stubs.work import TWELVE, times_as_long


def only(text: str) -> Name:
    (name,) = find_names(text)
    return name


@pytest.mark.parametrize(
    ("text", "kind", "named"),
    [
        ("on an STM32H743", Kind.TARGET, "stm32h743zi"),
        ("throughput on an L4?", Kind.TARGET, "l4"),
        ("the Raspberry Pi Zero 2 W", Kind.TARGET, "raspberry-pi-zero-2w"),
        ("Arduino Nano 33 BLE Sense", Kind.TARGET, "nrf52840"),
        ("with CMSIS-NN", Kind.RUNTIME, "tflm-cmsis-nn"),
        ("for moblienet v2", Kind.MODEL, "mobilenet_v2"),
        ("for mobilenet_v1:0.25", Kind.MODEL, "mobilenet_v1:0.25"),
        ("yolov8n_256", Kind.MODEL, "yolov8n:256"),
        ("ViT-B/16", Kind.MODEL, "vit_base_patch16"),
        ("person detection", Kind.TASK, "vww"),
        ("models/kws_ref_model.tflite", Kind.FILE, "models/kws_ref_model.tflite"),
        ("in half precision", Kind.DTYPE, "float16"),
        ("a CR2032", Kind.BATTERY, "CR2032"),
    ],
)
def test_a_known_name_is_found_where_it_stands(text: str, kind: Kind, named: str) -> None:
    name = only(text)
    assert (name.kind, name.ids, text[name.start : name.end]) == (kind, (named,), name.text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("ATmega8A", Kind.TARGET), ("Pixel 12", Kind.TARGET), ("iPhone 6", Kind.TARGET),
        ("Apple A11", Kind.TARGET), ("PIC18F4550", Kind.TARGET), ("STM32X999", Kind.TARGET),
        ("GPT-4", Kind.MODEL), ("Llama-3-8B", Kind.MODEL), ("Llama 2 7B", Kind.MODEL),
        ("Stable Diffusion", Kind.MODEL),
    ],
)  # fmt: skip
def test_what_is_spelt_like_hardware_or_a_network_and_is_not_known_is_called_unknown(
    text: str, kind: Kind
) -> None:
    name = only(f"does it run, {text}?")
    assert (name.text, name.kind, name.known) == (text, kind, False)


def test_an_unknown_name_comes_with_at_most_three_that_are_spelt_like_it() -> None:
    assert 0 < len(only("an STM32F747").nearest) <= 3


def test_a_family_names_all_its_members() -> None:
    name = only("on a Cortex-M55")
    assert name.family
    assert len(name.ids) > 1


@pytest.mark.parametrize(
    "text",
    ["What is a gap in the ensemble of my apollo?", "an ad, and the MACs of 5 fps", "int the same way"],
)
def test_ordinary_words_name_nothing(text: str) -> None:
    assert find_names(text) == ()


def test_a_digit_more_makes_another_board() -> None:
    name = only("on a Raspberry Pi 9")
    assert not name.known
    assert "raspberry-pi" in name.nearest[0]


@pytest.mark.parametrize(
    ("piece", "times"), [("a", 100_000), ("x1 ", 30_000), ("STM32", 5_000), ("yolo ", 6_000), ("🙂", 20_000)]
)
def test_a_text_of_any_length_is_searched_for_names_in_linear_time(piece: str, times: int) -> None:
    assert times_as_long(lambda many: lambda: find_names(piece * many), times) <= TWELVE


@pytest.mark.parametrize(
    ("text", "unknown"),
    [("mobilenet_v2 on a Snapdragon 712?", "Snapdragon 712"), ("on an Intel Core Ultra 7 265K", "Intel Core Ultra 7 265K"),
     ("a Xeon Gold 6226R", "Xeon Gold 6226R"), ("on a Snapdragon 8s Gen 3", "Snapdragon 8s Gen 3"), ("four Ryzen 9 cores", None),
     ("a Jetson 640x640", None), ("Jetson 4 GB", None),
     ("an STM32 480 MHz", None), ("a Jetson 200 times a second", None)],
)  # fmt: skip
def test_a_family_with_a_number_that_none_of_it_has_is_unknown(text: str, unknown: str | None) -> None:
    strangers = [name.text for name in find_names(text) if not name.known]
    assert strangers == ([] if unknown is None else [unknown])


def test_the_m4_of_a_mac_is_no_cortex() -> None:
    assert [name.ids for name in find_names("kws on a Mac mini M4")][-1] == ("apple-m4",)
    assert not [name.ids for name in find_names("an Apple M7 chip") if name.known]
    assert find_names("an M7 at 400 MHz")[0].family


@pytest.mark.parametrize(
    ("text", "chip"),
    [
        ("on my m2 macbook", "apple-m2"),
        ("an M4 Pro Mac mini", "apple-m4-pro"),
        ("macbook air m1", "apple-m1"),
        ("iMac M3", "apple-m3"),
    ],
)
def test_a_mac_is_known_by_its_chip_before_or_behind(text: str, chip: str) -> None:
    assert [name.ids for name in find_names(text)] == [(chip,)]


def test_the_macs_of_a_cortex_m4_are_no_mac() -> None:
    (name,) = find_names("how many MACs on an M4, MAC for MAC?")
    assert "apple-m4" not in name.ids


@pytest.mark.parametrize(
    "text", ["for a 1000 token prompt", "a 4000 token context", "on 2000 images", "the 5000 boards"]
)
def test_a_number_is_no_card_whose_letter_is_left_out(text: str) -> None:
    assert find_names(text) == ()


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("a Jetson Orin Nano or the NX 16GB?", ["jetson-orin-nano-8gb", "jetson-orin-nx-16gb"]),
        ("Orin NX 8GB vs AGX", ["jetson-orin-nx-8gb", "jetson-agx-orin-64gb"]),
        ("raspberry pi 3, 4 and 5 for a doorbell", ["raspberry-pi-3b", "raspberry-pi-4b", "raspberry-pi-5"]),
        ("the Hailo-8/8L", ["hailo-8", "hailo-8l"]),
        ("Snapdragon 8 Gen 2 or Gen 3", ["snapdragon-8-gen-2", "snapdragon-8-gen-3"]),
        ("It fits the Arduino Due. And, honestly, an Uno?", ["sam3x8e", "atmega328p"]),
        ("an Orin Nano 8GB or 4GB", ["jetson-orin-nano-8gb", "jetson-orin-nano-4gb"]),
        ("Coral USB on a mini PC", ["coral-usb"]),
        ("a Coral Dev Board and a USB camera", ["coral-dev-board"]),
        ("a Raspberry Pi 4 and 5 cameras", ["raspberry-pi-4b"]),
        ("the Raspberry Pi 4, 5 fps", ["raspberry-pi-4b"]),
        ("the Jetson Orin Nano: is the Nano slow?", ["jetson-orin-nano-8gb"]),
        ("RTX 3060, 12 GB of it free", ["rtx-3060"]),
    ],
)
def test_hardware_goes_by_what_differs_from_hardware_before_it(text: str, targets: list[str]) -> None:
    assert [name.ids[0] for name in find_names(text)] == targets
