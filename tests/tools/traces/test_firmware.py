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
from stubs import linker_maps
from stubs.elf import ALLOC, EXECUTE, WRITE, Named, Part, made
from stubs.linker_maps import ARMLINK, GNU

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


def test_a_real_map_of_iar_has_the_totals_that_its_linker_counts(tmp_path: Path) -> None:
    found = linked(tmp_path, linker_maps.IAR)
    assert found.format == "map of IAR's linker"
    assert found.flash_bytes == 1656 - 4 + 72 - linker_maps.IAR_HANDLERS
    assert found.ram_bytes == 1064
    named = {row.name_untrusted: row for row in found.symbols}
    assert (named["SystemInit"].bytes, named["main"].bytes) == (0xC4, 0x78)
    assert named["__exit"].object_untrusted == "shb_l.a(exit.o)"
    assert sizes(found)["C library"] == (192, 0)
    assert sizes(found)["stack and heap"] == (0, 1024)
    used = {region.name_untrusted: region.used_bytes for region in found.regions}
    assert used == {"P1": found.flash_bytes, "P2": 1064}


IAR_MODEL = """\
# IAR ELF Linker V9.40.1.364/W64 for ARM
*** PLACEMENT SUMMARY
***
"P1":  place in [from 0x800'0000 to 0x80f'ffff] { ro };
"P2":  place in [from 0x2000'0000 to 0x2004'ffff] { rw };
"P1":                                      0x1d00
  .text              ro code   0x800'0000   0x800  arm_convolve_s8.o [1]
  .text.of_a_function_whose_name_is_longer_than_its_column
                     ro code   0x800'0800   0x100  micro_interpreter.o [1]
  .rodata            const     0x800'0900  0x1400  model_data.o [1]
"P2":                                      0x5000
  .bss               zero     0x2000'0000  0x5000  main.o [1]
*** ENTRY LIST
***
arm_convolve_s8          0x800'0001   0x7f0  Code  Gb  arm_convolve_s8.o [1]
_ZN6tflite16MicroInterpreter6InvokeEv
                         0x800'0801    0xf0  Code  Gb  micro_interpreter.o [1]
g_model                  0x800'0900  0x1400  Data  Gb  model_data.o [1]
tensor_arena            0x2000'0000  0x4ff0  Data  Lc  main.o [1]
"""


def test_iars_newer_maps_tell_weights_arena_and_kernels(tmp_path: Path) -> None:
    found = linked(tmp_path, IAR_MODEL)
    roles = sizes(found)
    assert roles["weights"] == (0x1400, 0)
    assert roles["arena"] == (0, 0x4FF0)
    assert roles["kernels"] == (0x7F0, 0)
    assert roles["runtime"] == (0xF0, 0)
    assert found.flash_bytes == 0x1D00
    assert found.ram_bytes == 0x5000


def test_iars_map_that_ends_before_its_sections_is_refused(tmp_path: Path) -> None:
    cut = IAR_MODEL[: IAR_MODEL.index('"P1":   ')]
    assert "the map ends where its sections should begin" in refusal(tmp_path, cut.encode())


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(at=st.integers(0, len(IAR_MODEL)), noise=st.text(max_size=60))
def test_no_damage_to_iars_map_does_more_than_raise_an_error_of_ours(
    tmp_path: Path, at: int, noise: str
) -> None:
    damaged = IAR_MODEL[:at] + noise + IAR_MODEL[at + len(noise) :]
    assert "\x1b" not in refusal(tmp_path, damaged.encode("utf-8", "replace"))
