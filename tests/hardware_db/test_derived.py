from __future__ import annotations

import pytest

from edgewright.hardware_db import Accelerator, Leaf, Region, load_runtime, load_target
from edgewright.hardware_db.derived import (
    accelerator_for,
    accelerator_peak_ops_per_s,
    contiguous_runs,
    core_peak_ops_per_s,
    flash_bytes,
    region_bytes_per_s,
    ridge_point,
)


def _leaf(value: float, unit: str = "1") -> Leaf[float]:
    return Leaf[float](value=value, unit=unit, source="s", locator="l")


def _region(identifier: str, kib: int, follows: tuple[str, ...] = ()) -> Region:
    size = Leaf[int](value=kib * 1024, unit="B", source="s", locator="l")
    return Region.model_validate(
        {"id": identifier, "kind": "sram", "size_bytes": size, "contiguous_with": follows}
    )


def test_a_cores_peak_counts_two_operations_a_mac() -> None:
    (core,) = load_target("stm32l4r5zi").cores
    assert core_peak_ops_per_s(core, "int8") == 2 * 2 * 120e6
    assert core_peak_ops_per_s(core, "int8", clock_mhz=60) == 2 * 2 * 60e6
    assert core_peak_ops_per_s(core, "int8", clock_mhz=60, threads=2) == 4 * 2 * 60e6
    assert core_peak_ops_per_s(core, "bfloat16") is None


def test_the_ridge_point_of_an_h100_is_its_dense_peak_over_its_bandwidth() -> None:
    target = load_target("h100-sxm5")
    dense = accelerator_peak_ops_per_s(target.accelerators[0], "float16")
    ridge = ridge_point(dense, region_bytes_per_s(target.memories[0], clock_mhz=1980))
    assert ridge == pytest.approx(989.5e12 / 3.35e12)


def test_a_published_peak_scales_with_the_clock() -> None:
    gpu = load_target("a100-sxm4-80gb").accelerators[0]
    assert accelerator_peak_ops_per_s(gpu, "int8", clock_mhz=705) == pytest.approx(312e12)
    assert accelerator_peak_ops_per_s(gpu, "int8", sparse=True) == pytest.approx(1248e12)


def test_macs_per_cycle_go_before_a_published_peak_and_know_no_sparsity() -> None:
    npu = Accelerator(
        id="npu",
        name="NPU",
        kind="npu",
        count=Leaf[int](value=2, unit="1", source="s", locator="l"),
        clock_max_mhz=_leaf(500, "MHz"),
        macs_per_cycle={"int8": _leaf(256, "MAC/cycle")},
    )
    assert accelerator_peak_ops_per_s(npu, "int8") == 2 * 256 * 500e6 * 2
    assert accelerator_peak_ops_per_s(npu, "int8", sparse=True) is None
    assert accelerator_peak_ops_per_s(npu, "int16") is None


def test_a_region_is_as_wide_as_its_path_at_the_cores_clock() -> None:
    regions = {region.id: region for region in load_target("stm32h743zi").memories}
    assert region_bytes_per_s(regions["dtcm"], 480) == 8 * 480e6
    assert region_bytes_per_s(regions["sram4"], 480) is None


def test_what_is_not_known_has_no_ridge_point() -> None:
    assert ridge_point(None, 1e9) is None
    assert ridge_point(1e12, None) is None


def test_runs_join_regions_in_address_order() -> None:
    regions = [_region("a", 1, ("b",)), _region("c", 4), _region("b", 2, ("c",)), _region("d", 8)]
    runs = [[region.id for region in run] for run in contiguous_runs(regions)]
    assert runs == [["a", "b", "c"], ["d"]]


def test_a_ring_of_regions_ends() -> None:
    ring = [_region("a", 1, ("b",)), _region("b", 2, ("a",)), _region("c", 3, ("a",))]
    assert [[region.id for region in run] for run in contiguous_runs(ring)] == [["c", "a", "b"]]


def test_a_gpu_has_no_flash_rather_than_none_of_it() -> None:
    assert flash_bytes(load_target("h100-sxm5")) is None
    assert flash_bytes(load_target("nrf52840")) == 1024 * 1024


@pytest.mark.parametrize(
    ("drives", "family"), [(("gpu",), "nvidia-gpu"), (("nvdla",), "nvdla"), (("edgetpu",), None), ((), None)]
)
def test_a_runtime_drives_accelerators_of_a_kind_or_of_a_family(
    drives: tuple[str, ...], family: str | None
) -> None:
    runtime = load_runtime("tensorrt").model_copy(update={"runs_on_accelerators": drives})
    driven = accelerator_for(load_target("jetson-agx-orin-64gb"), runtime)
    assert (driven and driven.family) == family
