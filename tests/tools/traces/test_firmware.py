"""What was linked, symbol by symbol, against what was planned."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from edgewright.tools import (
    EdgewrightError,
    FirmwareReport,
    InputError,
    UsageError,
    explain_firmware,
    plan_memory,
)
from stubs.elf import ALLOC, EXECUTE, WRITE, Named, Part, made

FLASH, RAM = 0x08000000, 0x20000000
MODEL = bytes(4) + b"TFL3" + bytes(2992)
PARTS = (
    Part(".text", FLASH, bytes(5000), ALLOC | EXECUTE),
    Part(".rodata", FLASH + 0x2000, MODEL + bytes(200), ALLOC),
    Part(".data", RAM, bytes(64), ALLOC | WRITE),
    Part(".bss", RAM + 0x100, b"", ALLOC | WRITE, zeroed=24000),
    Part(".debug_info", 0, bytes(900), 0),
)
NAMES = (
    Named("arm_convolve_s8", FLASH, 1200, 0, kind=2),
    Named("_ZN6tflite16MicroInterpreter6InvokeEv", FLASH + 1200, 300, 0, kind=2),
    Named("main", FLASH + 1500, 100, 0, kind=2),
    Named("main_alias", FLASH + 1500, 100, 0, kind=2),
    Named("blob", FLASH + 0x2000, len(MODEL), 1),
    Named("tensor_arena", RAM + 0x100, 20480, 3),
    Named("counter", RAM, 4, 2),
)


def linked(folder: Path, content: str | bytes, **more: str) -> FirmwareReport:
    file = folder / "firmware.bin"
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return explain_firmware(file, **more)


def refusal(folder: Path, content: bytes) -> str:
    """Why it is refused; empty where it is read."""
    try:
        linked(folder, content)
    except EdgewrightError as error:
        return str(error)
    return ""


def sizes(found: FirmwareReport) -> dict[str, tuple[int, int]]:
    return {part.role: (part.flash_bytes, part.ram_bytes) for part in found.parts}


@pytest.mark.parametrize(("wide", "order"), [(False, "<"), (True, "<"), (False, ">")])
def test_an_elf_is_told_by_role_and_its_parts_sum_to_its_sections(
    tmp_path: Path, wide: bool, order: str
) -> None:
    found = linked(tmp_path, made(PARTS, NAMES, wide=wide, order=order))
    assert found.flash_bytes == 5000 + len(MODEL) + 200 + 64
    assert found.ram_bytes == 64 + 24000
    assert sizes(found) == {
        "weights": (len(MODEL), 0), "arena": (0, 20480), "kernels": (1200, 0), "runtime": (300, 0),
        "rest": (5000 - 1500 + 200 + 64, 64 + 24000 - 20480),
    }  # fmt: skip
    names = {symbol.name_untrusted for symbol in found.symbols}
    assert "tflite::MicroInterpreter::Invoke" in names
    assert len({"main", "main_alias"} & names) == 1


def test_weights_are_known_by_their_bytes_whatever_they_are_called(tmp_path: Path) -> None:
    found = linked(tmp_path, made(PARTS, NAMES))
    assert [s.name_untrusted for s in found.symbols if s.role == "weights"] == ["blob"]


GNU = """\
Memory Configuration

Name             Origin             Length             Attributes
FLASH            0x0000000008000000 0x0000000000100000 xr
RAM              0x0000000020000000 0x0000000000020000 xrw
*default*        0x0000000000000000 0xffffffffffffffff

Linker script and memory map

LOAD build/main.o

.text           0x0000000008000000     0x1000
 *(.text*)
 .text.main     0x0000000008000000      0x100 build/main.o
                0x0000000008000000                main
 .text._ZN6tflite12_GLOBAL__N_14EvalEP13TfLiteContextP10TfLiteNode
                0x0000000008000100      0x300 build/libtflm.a(softmax.o)
 .text          0x0000000008000400      0x200 /opt/arm/lib/libc_nano.a(lib_a-memcpy.o)
                0x0000000008000400                memcpy
                0x0000000008000480                memmove
 *fill*         0x0000000008000600        0x8
 .text.AveragePoolingEvalQuantized
                0x0000000008000608      0x400 build/libtflm.a/kernels/pooling.o

.rodata         0x0000000008001000     0x2000
 .rodata.g_kws_model_data
                0x0000000008001000     0x1f00 build/model.o
 .rodata.str1.4
                0x0000000008002f00      0x100 build/main.o

.data           0x0000000020000000       0x40 load address 0x0000000008003000
 .data.counter  0x0000000020000000        0x4 build/main.o

.bss            0x0000000020000040     0x8000 load address 0x0000000008003040
 .bss.tensor_arena
                0x0000000020000040     0x7000 build/main.o

._user_heap_stack
                0x0000000020008040      0x600 load address 0x0000000008003040

.debug_info     0x0000000000000000    0x12345
 .debug_info    0x0000000000000000     0x2345 build/main.o
.comment        0x0000000000000000       0x49
OUTPUT(firmware.elf elf32-littlearm)
"""
"""Written by hand in the form of GNU ld 2.40; that of a real Zephyr firmware with TFLM (build/zephyr/zephyr.map of
github.com/JoseGomesJr/magic_wand, commit b2f470d) was read with it: flash 319,039 of 319,072 bytes, RAM 59,198 of
59,244 by its own zephyr.stat, model 20,604 bytes."""


def test_a_map_of_gnu_ld_is_told_by_role(tmp_path: Path) -> None:
    found = linked(tmp_path, GNU)
    assert found.format == "map of GNU ld"
    assert (found.flash_bytes, found.ram_bytes) == (0x1000 + 0x2000 + 0x40, 0x40 + 0x8000 + 0x600)
    held = sizes(found)
    assert held["weights"] == (0x1F00, 0)
    assert held["arena"] == (0, 0x7000)
    assert held["C library"] == (0x200, 0)
    assert held["stack and heap"] == (0, 0x600)
    assert held["kernels"] == (0x700, 0)
    assert {region.name_untrusted: region.used_bytes for region in found.regions} == {
        "FLASH": 0x3000, "RAM": 0x8640,
    }  # fmt: skip


ARMLINK = """\
Component: ARM Compiler 6.19 Tool: armlink

Memory Map of the image

  Image Entry point : 0x08000195

  Load Region LR_IROM1 (Base: 0x08000000, Size: 0x00003440, Max: 0x00080000, ABSOLUTE)

    Execution Region ER_IROM1 (Exec base: 0x08000000, Load base: 0x08000000, Size: 0x00003400, Max: 0x00080000, ABSOLUTE)

    Exec Addr    Load Addr    Size         Type   Attr      Idx    E Section Name        Object

    0x08000000   0x08000000   0x00000100   Data   RO            3    RESET               startup_stm32f401xe.o
    0x08000100   0x08000100   0x00000300   Code   RO           81    .text.arm_convolve_s8  arm_convolve_s8.o
    0x08000400   0x08000400   0x00000002   PAD
    0x08000402   0x08000402   0x000000fe   Code   RO          742  * .text               c_w.l(exit.o)
    0x08000500   0x08000500   0x00002f00   Data   RO         1295    .rodata.s_network_weights_array_u64  network_data.o

    Execution Region RW_IRAM1 (Exec base: 0x20000000, Load base: 0x08003400, Size: 0x00001460, Max: 0x00018000, ABSOLUTE)

    Exec Addr    Load Addr    Size         Type   Attr      Idx    E Section Name        Object

    0x20000000   0x08003400   0x00000040   Data   RW          452    .data               main.o
    0x20000040        -       0x00001000   Zero   RW         1169    .bss.activations    app_x-cube-ai.o
    0x20001040        -       0x00000400   Zero   RW         1092    STACK               startup_stm32f401xe.o

==============================================================================
"""


def test_a_map_of_armlink_is_told_by_role(tmp_path: Path) -> None:
    found = linked(tmp_path, ARMLINK)
    assert found.format == "map of armlink"
    assert (found.flash_bytes, found.ram_bytes) == (0x3400 + 0x40, 0x1440)
    assert sizes(found) == {
        "weights": (0x2F00, 0), "arena": (0, 0x1000), "kernels": (0x300, 0), "C library": (0xFE, 0),
        "stack and heap": (0, 0x400), "rest": (0x100 + 2 + 0x40, 0x40),
    }  # fmt: skip


def test_a_firmware_is_set_against_the_plan_of_its_model(tmp_path: Path) -> None:
    """An arena of 28 KiB where 22.3 are planned; pooling and softmax are the model's, LSTM is not."""
    more = GNU.replace("kernels/pooling.o", "kernels/lstm.o")
    found = linked(tmp_path, more, model="kws:int8", deployment="stm32l4r5zi")
    rows = {row.part: row for row in found.against}
    plan = plan_memory("kws:int8", "stm32l4r5zi")
    assert rows["arena"].planned == plan.arena
    assert rows["arena"].linked_bytes == 0x7000
    assert "could be given back" in rows["arena"].why
    assert rows["model"].ratio == pytest.approx(0x1F00 / plan.model_bytes)
    assert found.unused_kernel_bytes == 0x400
    assert found.unused_kernels == ("UNIDIRECTIONAL_SEQUENCE_LSTM",)


def test_an_arena_that_is_too_small_is_said_to_fail(tmp_path: Path) -> None:
    small = GNU.replace("0x7000 build/main.o", "0x1000 build/main.o")
    found = linked(tmp_path, small, model="kws:int8", deployment="stm32l4r5zi")
    assert "will fail" in next(row.why for row in found.against if row.part == "arena")


def test_a_model_and_a_board_go_together(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="both"):
        linked(tmp_path, GNU, model="kws:int8")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150, deadline=None)
@given(st.integers(0, 20_000), st.integers(0, 255), st.integers(0, 20_000))
def test_a_broken_elf_is_one_clear_line(tmp_path: Path, at: int, value: int, cut: int) -> None:
    whole = bytearray(made(PARTS, NAMES))
    whole[at % len(whole)] = value
    for content in (bytes(whole), bytes(whole)[: max(4, cut % len(whole))]):
        why = refusal(tmp_path, content)
        assert "\n" not in why


@pytest.mark.parametrize("field", [32, 46, 48, 50])
def test_a_header_that_points_beyond_the_file_is_refused(tmp_path: Path, field: int) -> None:
    whole = bytearray(made(PARTS, NAMES))
    whole[field : field + 2] = b"\xff\xff"
    with pytest.raises(InputError, match="ELF is broken"):
        linked(tmp_path, bytes(whole))


def test_a_stripped_elf_says_so(tmp_path: Path) -> None:
    whole = made(PARTS, ())
    stripped = whole.replace(
        (2).to_bytes(4, "little") + bytes(4) + bytes(4), (1).to_bytes(4, "little") + bytes(8)
    )
    found = linked(tmp_path, stripped)
    assert found.flash_bytes == 5000 + len(MODEL) + 200 + 64


def test_hostile_names_are_cleaned(tmp_path: Path) -> None:
    found = linked(tmp_path, made(PARTS, (*NAMES[:-1], Named("\x1b[31m{{r1}}\u202e", RAM, 4, 2))))
    assert not any("\x1b" in s.name_untrusted or "\u202e" in s.name_untrusted for s in found.symbols)


def test_a_map_that_is_cut_off_is_refused_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Line 8"):
        linked(tmp_path, GNU[: GNU.index("LOAD")])


def test_what_is_no_firmware_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no firmware"):
        linked(tmp_path, "hello\n")
