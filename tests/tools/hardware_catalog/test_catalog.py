from pathlib import Path
from typing import Any

import pytest

from edgewright.hardware_db import target_ids
from edgewright.hardware_db.errors import UnknownNameError, UsageError
from edgewright.hardware_db.user_files import set_default
from edgewright.tools import (
    Settings,
    deployment,
    diff_targets,
    estimate_energy_budget,
    get_runtime,
    get_target,
    list_runtimes,
    list_targets,
    plan_memory,
)
from edgewright.tools.hardware_catalog.additions import OwnFigures, add_target


def ids(**conditions: Any) -> set[str]:
    return {t.id for t in list_targets(**conditions).targets}


def test_every_target_is_listed() -> None:
    assert ids() == set(target_ids())


@pytest.mark.parametrize(
    ("conditions", "inside", "outside"),
    [
        ({"target_class": "gpu"}, "a100-sxm4-80gb", "stm32h743zi"),
        ({"core": "cortex-m7"}, "stm32h743zi", "stm32l4r5zi"),
        ({"core": "Xtensa"}, "esp32-s3", "rp2040"),
        ({"runtime": "X-CUBE-AI"}, "stm32u575zi", "nrf52840"),
        ({"min_ram_bytes": 1_000_000}, "stm32h743zi", "nrf52840"),
        ({"min_flash_bytes": 2 * 1024**2}, "stm32h743zi", "stm32f746ng"),
        ({"max_power_mw": 500_000.0}, "a100-sxm4-80gb", "h100-sxm5"),
    ],
)
def test_conditions_keep_what_meets_them(conditions: dict[str, Any], inside: str, outside: str) -> None:
    found = ids(**conditions)
    assert inside in found
    assert outside not in found


def test_an_unknown_price_meets_no_condition_on_it() -> None:
    unpriced = {t.id for t in list_targets().targets if t.price_usd is None}
    assert not unpriced & ids(max_price_usd=1e9)


def test_unknown_conditions_are_told_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match="mcu"):
        list_targets("mcus")
    with pytest.raises(UsageError, match="cortex-m7"):
        list_targets(core="cortex-m70")
    with pytest.raises(UnknownNameError):
        list_targets(runtime="cubeia")


def test_a_target_differs_from_itself_in_nothing() -> None:
    assert not diff_targets("stm32h743zi", "Nucleo H743").differences


def test_the_larger_ram_of_an_h7a3_shows_in_the_difference() -> None:
    found = {d.field: (d.one, d.other) for d in diff_targets("stm32h743zi", "stm32h7a3zi").differences}
    assert found["memories.axi-sram.size_bytes"] == ("524288 B", "1048576 B")


def test_a_page_tells_every_figure_with_its_source() -> None:
    page = get_target("h100-sxm5")
    assert all(figure.source and figure.locator for figure in page.figures)
    half = next(peak for peak in page.peaks if peak.dtype == "float16")
    assert half.sparse_gops == pytest.approx(2 * (half.dense_gops or 0), rel=0.01)
    assert len(page.figures) > 10


def test_ram_in_one_piece_is_not_the_sum() -> None:
    page = get_target("stm32h743zi")
    assert page.largest_region_bytes == 524_288
    assert page.ram_bytes > page.largest_region_bytes


def test_ram_that_no_source_tells_is_not_zero() -> None:
    assert all(target.ram_bytes != 0 for target in list_targets().targets)
    assert get_target("hailo-8").ram_bytes is None


def test_runtimes_tell_where_they_run() -> None:
    page = get_runtime("cmsis-nn")
    assert "stm32h743zi" in page.targets
    assert any(o.op == "CONV_2D" and "int8" in o.optimized for o in page.operators)
    assert page.id in {r.id for r in list_runtimes().runtimes}


def test_a_target_of_ones_own_is_written_checked_and_found(tmp_path: Path) -> None:
    file = add_target(
        "drone-board",
        like="H743",
        directory=tmp_path / "boards",
        source="schematic",
        clock_mhz=400,
        supply_v=3.3,
    )
    set_default([file.parent])
    try:
        page = get_target("drone-board")
    finally:
        set_default(None)
    assert page.clock_max_mhz == 400
    assert {f.value for f in page.figures if "schematic" in f.source} == {"400 MHz", "3.3 V"}


def test_a_file_that_is_there_is_not_overwritten(tmp_path: Path) -> None:
    add_target("mine", like="H743", directory=tmp_path, source="schematic")
    with pytest.raises(UsageError, match="force"):
        add_target("mine", like="H743", directory=tmp_path, source="schematic")


def test_an_id_that_could_leave_the_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="id"):
        add_target("../mine", like="H743", directory=tmp_path, source="schematic")


def test_an_own_target_takes_ram_flash_sleep_and_price_and_can_be_asked_about_at_once(tmp_path: Path) -> None:
    figures = OwnFigures(ram_bytes=128 * 1024, flash_bytes=512 * 1024, sleep_ua=4.0, price_usd=7.0)
    add_target("mine", like="nrf52840", directory=tmp_path, source="bench", figures=figures)
    own = Settings(hardware_directories=(tmp_path,))
    place = deployment("mine", settings=own)
    sizes = {region.region: region.size_bytes for region in plan_memory("kws", place).regions}
    assert (sizes["sram"], sizes["flash"]) == (128 * 1024, 512 * 1024)
    assert estimate_energy_budget("kws", place, rate_hz=1).sleep_current_ua.value == 4.0
    with pytest.raises(UsageError, match="No flash"):
        add_target("card", like="t4", directory=tmp_path, source="bench", figures=OwnFigures(flash_bytes=1))
