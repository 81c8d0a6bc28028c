"""Where arena, weights and code go, on hand-made targets."""

import datetime as dt
from typing import Any

import pytest

from edgewright.hardware_db import Core, Leaf, MemoryKind, Region, Source, Target
from edgewright.tools.core.quantity import Basis, Quantity
from edgewright.tools.memory_planner.region_placement import Placement, place

KIB = 1024


def leaf(value: Any) -> Leaf[Any]:
    return Leaf(value=value, unit="1", source="made", locator="here")


def region(name: str, kind: MemoryKind, kib: int, **more: Any) -> Region:
    return Region(id=name, kind=kind, size_bytes=leaf(kib * KIB), **more)


def board(*memories: Region) -> Target:
    source = Source(title="made", where="here", date=dt.date(2026, 1, 1), kind="assumed")
    core = Core(id="core", isa=leaf("cortex-m7"), count=leaf(1), clock_max_mhz=leaf(100.0))
    return Target(
        id="made", name="Made", vendor="nobody", **{"class": "mcu"}, sources={"made": source},
        cores=(core,), memories=memories, runtimes=("tflm-reference",),
    )  # fmt: skip


def placed(target: Target, arena_kib: float, model_kib: float = 10, code_kib: float | None = 10) -> Placement:
    code = Quantity.unknown("B") if code_kib is None else Quantity.exact(code_kib * KIB, "B")
    arena, model = Quantity.exact(arena_kib * KIB, "B"), Quantity.exact(model_kib * KIB, "B")
    return place(target, 100.0, arena, model, code)


def holder(placement: Placement, part: str) -> list[str]:
    return [use.region for use in placement.regions if part in use.holds]


FLASH = region("flash", MemoryKind.FLASH, 2048)
H743 = board(
    region("dtcm", MemoryKind.DTCM, 128),
    region("itcm", MemoryKind.ITCM, 64),
    region("axi", MemoryKind.SRAM, 512),
    region("sram1", MemoryKind.SRAM, 128, contiguous_with=("sram2",)),
    region("sram2", MemoryKind.SRAM, 128, contiguous_with=("sram3",)),
    region("sram3", MemoryKind.SRAM, 32),
    region("backup", MemoryKind.BACKUP, 4),
    FLASH,
)


@pytest.mark.parametrize(("kib", "where"), [(100, ["dtcm"]), (200, ["axi"]), (500, ["axi"])])
def test_the_arena_goes_into_the_fastest_region_that_holds_it_in_one_piece(
    kib: int, where: list[str]
) -> None:
    found = placed(H743, kib)
    assert found.fits is True
    assert holder(found, "arena") == where


def test_a_600_kib_arena_does_not_fit_though_the_regions_add_up_to_more() -> None:
    found = placed(H743, 600)
    assert found.fits is False
    assert (
        found.why_not == "600 KiB of arena: the largest contiguous RAM is axi with 512 KiB: 88 KiB too little"
    )
    assert holder(found, "arena") == []


def test_regions_that_follow_each_other_hold_one_arena_together() -> None:
    found = placed(board(*H743.memories[3:6], FLASH), 270)
    assert found.fits is True
    assert {use.region: use.used_bytes // KIB for use in found.regions if "arena" in use.holds} == {
        "sram1": 128, "sram2": 128, "sram3": 14,
    }  # fmt: skip


def test_the_arena_never_goes_into_backup_memory_or_an_accelerators_own() -> None:
    private = board(
        region("backup", MemoryKind.BACKUP, 64), region("npu", MemoryKind.ACCELERATOR, 512), FLASH
    )
    found = placed(private, 1)
    assert found.fits is None
    assert "no source gives the RAM of made" in found.why_not


def test_internal_memory_comes_before_external() -> None:
    psram = region("psram", MemoryKind.PSRAM, 8192, external=True)
    target = board(psram, region("sram", MemoryKind.SRAM, 320), FLASH)
    assert holder(placed(target, 300), "arena") == ["sram"]
    assert holder(placed(target, 600), "arena") == ["psram"]


def test_the_wider_of_two_memories_is_taken() -> None:
    slow = region("slow", MemoryKind.SRAM, 64, bytes_per_cycle=leaf(4.0))
    fast = region("fast", MemoryKind.SRAM, 64, bytes_per_cycle=leaf(8.0))
    assert holder(placed(board(slow, fast, FLASH), 32), "arena") == ["fast"]


def test_weights_and_code_share_the_flash() -> None:
    target = board(region("sram", MemoryKind.SRAM, 64), region("flash", MemoryKind.FLASH, 100))
    assert holder(placed(target, 10, model_kib=60, code_kib=40), "code") == ["flash"]
    full = placed(target, 10, model_kib=60, code_kib=41)
    assert full.fits is False
    assert (
        full.why_not
        == "41 KiB of code: the largest contiguous flash is flash with 100 KiB, 40 KiB of it free: "
        "1 KiB too little"
    )


def test_a_machine_without_flash_keeps_the_weights_in_its_memory() -> None:
    target = board(region("hbm", MemoryKind.HBM, 1000))
    assert holder(placed(target, 100, model_kib=800, code_kib=None), "weights") == ["hbm"]
    assert placed(target, 100, model_kib=800, code_kib=None).fits is True
    assert placed(target, 300, model_kib=800, code_kib=None).fits is False


def test_an_unknown_code_size_leaves_open_whether_the_flash_is_enough() -> None:
    assert placed(H743, 10, code_kib=None).fits is None
    assert placed(H743, 10, model_kib=4000, code_kib=None).fits is False


@pytest.mark.parametrize(("low", "high", "fits"), [(100, 400, True), (400, 700, None), (600, 900, False)])
def test_whether_it_fits_is_open_where_the_interval_straddles_the_room(
    low: int, high: int, fits: bool | None
) -> None:
    arena = Quantity(
        value=(low + high) / 2 * KIB, low=low * KIB, high=high * KIB, unit="B", basis=Basis.FITTED
    )
    small = Quantity.exact(KIB, "B")
    assert place(H743, 100.0, arena, small, small).fits is fits
