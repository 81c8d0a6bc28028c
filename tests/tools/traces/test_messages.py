"""A message of a runtime, a linker or a compiler is read for its figures and its operator, whatever its wording."""

import pytest

from edgewright.tools import explain_message

NEEDED = ["needed_bytes", "available_bytes", "missing_bytes"]


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        (
            "Arena size is too small for all buffers. Needed 136704 but only 98304 was available.",
            (136704, 98304, 38400),
        ),
        (
            "Failed to resize buffer. Requested: 143216, available 81920, missing: 61296",
            (143216, 81920, 61296),
        ),
        ("region `RAM' overflowed by 12880 bytes", (None, None, 12880)),
        (
            "Sketch uses 1123456 bytes (107%) of program storage space. Maximum is 1048576 bytes.",
            (1123456, 1048576, 74880),
        ),
        (
            "CUDA out of memory. Tried to allocate 2.50 GiB (GPU 0; 23.65 GiB total capacity; 21.90 GiB already allocated)",
            (2684354560, 1879048192, 805306368),
        ),
        ("llama.cpp: failed to allocate buffer of size 4831838208", (4831838208, None, None)),
        ("Unsupported model IR version: 10, max supported IR version: 9", (None, None, None)),
        ("schema version 0 not equal to supported version 3", (None, None, None)),
    ],
)
def test_bytes_are_read_by_the_words_beside_them(text: str, figures: tuple[int | None, ...]) -> None:
    found = explain_message(text)
    assert tuple(getattr(found, name) for name in NEEDED) == figures


@pytest.mark.parametrize(
    ("text", "operator", "call"),
    [
        ("Didn't find op for builtin opcode 'MEAN'", "MEAN", "AddMean()"),
        ("Failed to get registration from op code RESIZE_BILINEAR", "RESIZE_BILINEAR", "AddResizeBilinear()"),
        ("undefined reference to `tflite::MicroMutableOpResolver<6>::AddMean()'", "MEAN", "AddMean()"),
        ("Didn't find op for builtin opcode 'TOPK_V2' version '1'", "TOPK_V2", ""),
        ("Failed to get registration from op code CUSTOM", "", ""),
        ("my mean opinion on operators", "", ""),
    ],
)
def test_the_operator_is_named_with_the_method_that_registers_it(text: str, operator: str, call: str) -> None:
    found = explain_message(text)
    assert (found.operator, found.register_call) == (operator, call)


def test_a_declared_arena_grows_by_what_is_missing_and_shrinks_by_what_overflows() -> None:
    grown = explain_message("tensor_arena[60*1024]: Needed 70000 but only 61000 was available")
    assert (grown.arena_bytes, grown.least_arena_bytes) == (61440, 61440 + 9000)
    cut = explain_message(
        "region dram0_0_seg overflowed by 21456 bytes, static uint8_t tensor_arena[180*1024]"
    )
    assert cut.largest_arena_bytes == 184320 - 21456


def test_the_memory_of_the_board_stands_beside_what_was_needed() -> None:
    found = explain_message("Needed 136704 but only 98304 was available", "nano-33-ble")
    assert (found.target, found.ram_bytes, found.left_bytes) == ("nrf52840", 262144, 262144 - 136704)
