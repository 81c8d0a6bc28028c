"""Where else arena and weights could lie, how the linker is told, and what that costs."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from edgewright.hardware_db import Core, Leaf, MemoryKind, Region, Source, Target
from edgewright.hardware_db.errors import UsageError
from edgewright.tools import deployment, estimate_performance, plan_memory
from edgewright.tools.graph import ModelGraph
from edgewright.tools.memory_planner.memory_plan import MemoryPlan, PlacementOption
from edgewright.tools.memory_planner.region_placement import arena_room
from edgewright.tools.model_zoo.named import build_architecture

KIB = 1024


def leaf(value: Any) -> Leaf[Any]:
    return Leaf(value=value, unit="1", source="made", locator="here")


def region(name: str, kind: MemoryKind, kib: int, rate: float | None = 4.0, **more: Any) -> Region:
    wide = {} if rate is None else {"bytes_per_cycle": leaf(rate)}
    return Region(id=name, kind=kind, size_bytes=leaf(kib * KIB), **wide, **more)


def board(*memories: Region, vendor: str = "nobody") -> Target:
    source = Source(title="made", where="here", date="2026-01-01", kind="assumed")
    core = Core(id="core", isa=leaf("cortex-m7"), count=leaf(1), clock_max_mhz=leaf(100.0))
    return Target(
        id="made", name="Made", vendor=vendor, **{"class": "mcu"}, sources={"made": source},
        cores=(core,), memories=memories, runtimes=("tflm-cmsis-nn",),
    )  # fmt: skip


FLASH = region("flash", MemoryKind.FLASH, 2048)
SRAM = region("sram", MemoryKind.SRAM, 512)
PSRAM = region("psram", MemoryKind.PSRAM, 8192, 0.5, external=True)


@pytest.fixture(scope="module")
def vww() -> ModelGraph:
    """73,728 bytes shared over time and about 26 KiB kept."""
    return build_architecture("vww", dtype="int8")


def planned(model: ModelGraph, *memories: Region, **more: Any) -> MemoryPlan:
    return plan_memory(model, deployment(board(*memories)), **more)


def options(plan: MemoryPlan) -> dict[tuple[str, str, str], PlacementOption]:
    return {("+".join(o.arena), "+".join(o.persistent), "+".join(o.weights)): o for o in plan.placements}


def test_every_place_that_fits_is_priced_and_the_plan_is_one_of_them(vww: ModelGraph) -> None:
    plan = planned(vww, SRAM, PSRAM, FLASH)
    found = options(plan)
    assert set(found) == {
        ("sram", "", "flash"), ("psram", "", "flash"), ("sram", "", "sram"), ("sram", "", "psram"),
    }  # fmt: skip
    usual = [o for o in plan.placements if o.is_planned]
    assert [o.arena for o in usual] == [("sram",)]
    assert usual[0].latency_ms == estimate_performance(vww, deployment(board(SRAM, PSRAM, FLASH))).latency_ms


def test_an_arena_outside_costs_what_its_bytes_take_longer_to_come(vww: ModelGraph) -> None:
    found = options(planned(vww, SRAM, PSRAM, FLASH))
    added = found["psram", "", "flash"].added_ms
    from edgewright.tools.graph.costs.table import layer_table
    from edgewright.tools.graph.layer_table import OpClass

    table = layer_table(vww)
    moved = sum(
        int(i + o) for i, o, kind in zip(table.input_bytes, table.output_bytes, table.classes, strict=True)
        if kind is not OpClass.VIEW
    )  # fmt: skip
    assert added.value == pytest.approx(moved * (1 / 0.5 - 1 / 4.0) / 100e6 * 1e3)
    assert added.low == 0.0
    assert (added.high or 0) > (added.value or 0)


def test_an_unknown_bandwidth_leaves_the_time_unknown_with_the_reason(vww: ModelGraph) -> None:
    unknown = region("psram", MemoryKind.PSRAM, 8192, None, external=True)
    found = options(planned(vww, SRAM, unknown, FLASH))["psram", "", "flash"]
    assert found.latency_ms.value is None
    assert found.reason == "no source gives the bandwidth of psram"


def test_what_stays_where_it_is_needs_no_bandwidth(vww: ModelGraph) -> None:
    unknown = region("flash", MemoryKind.XIP_FLASH, 2048, None, external=True)
    found = options(planned(vww, SRAM, region("dtcm", MemoryKind.DTCM, 128, 8.0), unknown))
    assert found["sram", "", "flash"].latency_ms.value is not None
    assert found["dtcm", "", "dtcm" if ("dtcm", "", "dtcm") in found else "sram"].latency_ms.value is None


def test_an_arena_that_has_to_go_outside_tells_what_that_costs(vww: ModelGraph) -> None:
    plan = planned(vww, region("sram", MemoryKind.SRAM, 64), PSRAM, FLASH)
    assert plan.fits is True
    assert plan.spill_ms is not None
    assert (plan.spill_ms.value or 0) > 0
    assert planned(vww, SRAM, PSRAM, FLASH).spill_ms is None


def test_two_arenas_fit_where_one_does_not(vww: ModelGraph) -> None:
    plan = planned(vww, region("big", MemoryKind.SRAM, 80), region("small", MemoryKind.SRAM, 32), FLASH)
    assert plan.fits is False
    assert "two arenas would fit, planned tensors in big and the interpreter's data in small" in plan.why_not
    only = plan.placements[0]
    assert (only.arena, only.persistent) == (("big",), ("small",))
    assert "MicroAllocator::Create" in only.reason
    assert [hint.part for hint in only.linker] == ["arena", "persistent arena", "weights"]


def test_regions_apart_are_not_joined_even_for_two_arenas(vww: ModelGraph) -> None:
    plan = planned(vww, *(region(f"bank{n}", MemoryKind.SRAM, 40) for n in range(4)), FLASH)
    assert plan.fits is False
    assert plan.placements == ()
    assert "the largest contiguous RAM is bank0 with 40 KiB: 58 KiB too little" in plan.why_not


def test_the_reserve_takes_the_room_that_the_arena_leaves(vww: ModelGraph) -> None:
    two = (region("big", MemoryKind.SRAM, 128), region("small", MemoryKind.SRAM, 64))
    plan = planned(vww, *two, FLASH, reserve_bytes=64 * KIB)
    assert {use.region: use.holds for use in plan.regions}["small"] == ("reserve",)
    assert plan.fits is True
    tight = planned(vww, *two, FLASH, reserve_bytes=100 * KIB)
    assert tight.fits is False
    assert "too little" in tight.why_not
    with pytest.raises(UsageError, match="below zero"):
        planned(vww, *two, FLASH, reserve_bytes=-1)


def test_room_for_the_arena_is_what_is_left_where_the_reserve_hurts_least() -> None:
    target = board(region("big", MemoryKind.SRAM, 128), region("small", MemoryKind.SRAM, 64), FLASH)
    for reserve, left in ((0, 128), (64, 128), (65, 64), (100, 64), (129, None)):
        found = arena_room(target, reserve * KIB)
        assert (None if found is None else found[1] // KIB) == left


def test_without_a_ram_figure_nothing_is_placed(vww: ModelGraph) -> None:
    plan = planned(vww, FLASH)
    assert plan.fits is None
    assert plan.why_not == "no source gives the RAM of made"
    assert plan.placements == ()


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("esp32-s3-r8", "EXT_RAM_BSS_ATTR"),
        ("teensy-4.1", ".dmabuffers"),
        ("rp2040", "__in_flash"),
        ("nrf52840", "LINKER_DT_NODE_REGION_NAME_TOKEN"),
        ("stm32h743zi", '__attribute__((section(".tensor_arena")))'),
    ],
)
def test_hints_are_in_the_words_of_the_toolchain_and_name_their_source(target: str, words: str) -> None:
    plan = plan_memory("kws:int8", target)
    hints = [h for o in plan.placements for h in o.linker] + list(plan.linker)
    assert any(words in hint.declaration for hint in hints)
    assert all(hint.source for hint in hints)


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++ here")
@pytest.mark.parametrize("target", ["stm32h743zi", "teensy-4.1"])
def test_gcc_compiles_what_is_to_be_declared(target: str, tmp_path: Path) -> None:
    sizes = "constexpr int kTensorArenaSize = 1024, kPersistentArenaSize = 64, kModelSize = 2;"
    placements = plan_memory("kws:int8", target).placements
    assert len(placements) > 2
    for number, option in enumerate(placements):
        told = [hint.declaration.replace("{…}", "{1, 2}") for hint in option.linker]
        source = tmp_path / f"hints{number}.cc"
        source.write_text("\n".join(["#include <cstdint>", sizes, *told]), encoding="utf-8")
        run = subprocess.run(
            ["g++", "-std=c++17", "-c", str(source), "-o", str(tmp_path / "hints.o")],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert run.returncode == 0, run.stderr
