from __future__ import annotations

import pytest

from edgewright.hardware_db import MemoryKind, load_runtime, load_target, target_ids
from edgewright.hardware_db.claims import claims
from edgewright.hardware_db.derived import accelerator_for, largest_ram_run_bytes, ram_bytes
from edgewright.hardware_db.schema import ClaimKind

KIB = 1024


def test_the_h743_has_eight_ram_regions_and_not_one_megabyte() -> None:
    target = load_target("stm32h743zi")
    sizes = {r.id: r.size_bytes.value // KIB for r in target.memories if r.kind is not MemoryKind.FLASH}
    assert sizes == {
        "itcm": 64,
        "dtcm": 128,
        "axi-sram": 512,
        "sram1": 128,
        "sram2": 128,
        "sram3": 32,
        "sram4": 64,
        "backup": 4,
    }


def test_the_largest_array_of_an_h743_is_half_a_megabyte() -> None:
    target = load_target("stm32h743zi")
    assert largest_ram_run_bytes(target) == 512 * KIB
    assert ram_bytes(target) == 1056 * KIB


@pytest.mark.parametrize(
    ("identifier", "largest_kib"),
    [("stm32l4r5zi", 640), ("stm32u575zi", 768), ("stm32f746ng", 320), ("max78002", 384), ("rp2040", 264)],
)
def test_regions_that_follow_each_other_make_one_run(identifier: str, largest_kib: int) -> None:
    assert largest_ram_run_bytes(load_target(identifier)) == largest_kib * KIB


def test_the_h100_tells_dense_from_sparse() -> None:
    (gpu,) = load_target("h100-sxm5").accelerators
    rate = gpu.peak["float16"]
    assert rate.dense is not None
    assert rate.sparse is not None
    assert rate.dense.value == pytest.approx(989.5e12)
    assert rate.sparse.value == pytest.approx(1979e12)
    assert 1979e12 in [other.value for other in rate.dense.others]
    assert "sparsity" in rate.dense.chosen_because


def test_the_a100_tells_dense_from_sparse() -> None:
    (gpu,) = load_target("a100-sxm4-80gb").accelerators
    peaks = {t: (r.dense and r.dense.value, r.sparse and r.sparse.value) for t, r in gpu.peak.items()}
    assert peaks["float16"] == (312e12, 624e12)
    assert peaks["int8"] == (624e12, 1248e12)
    assert peaks["float32"] == (19.5e12, None)


def test_orins_advertised_total_is_not_its_gpus_peak() -> None:
    gpu, dla = load_target("jetson-agx-orin-64gb").accelerators
    sparse = gpu.peak["int8"].sparse
    assert sparse is not None
    assert sparse.value == 171e12
    assert 275e12 in [other.value for other in sparse.others]
    assert dla.peak_includes == "both DLAs"


@pytest.mark.parametrize("identifier", target_ids())
def test_no_figure_stands_without_its_source(identifier: str) -> None:
    target = load_target(identifier)
    for path, claim in claims(target):
        assert claim.source in target.sources, path
        assert claim.locator.strip(), path


REAL_PARTS = [i for i in target_ids() if i != "host-x86-64" and not i.startswith("ethos-u")]
"""Neither the host that nothing is known of nor the configurations that Arm publishes for its NPUs."""


@pytest.mark.parametrize("identifier", REAL_PARTS)
def test_sizes_and_clocks_of_real_parts_are_not_assumed(identifier: str) -> None:
    target = load_target(identifier)
    for leaf in [r.size_bytes for r in target.memories] + [c.clock_max_mhz for c in target.cores]:
        assert (leaf.kind or target.sources[leaf.source].kind) is not ClaimKind.ASSUMED


@pytest.mark.parametrize("identifier", target_ids())
def test_the_usual_runtime_drives_a_processor_of_the_target(identifier: str) -> None:
    target = load_target(identifier)
    runtime = load_runtime(target.runtimes[0])
    isas = {core.isa.value for core in target.cores}
    assert isas & set(runtime.runs_on_isas) or accelerator_for(target, runtime)


@pytest.mark.parametrize("identifier", target_ids())
def test_a_price_is_of_one_piece_and_says_what_one_buys(identifier: str) -> None:
    target = load_target(identifier)
    for price in (target.price_usd, *target.further_prices_usd):
        assert price is None or (price.value > 0 and price.sold_as is not None and price.item)
    assert target.price_usd is None or target.price_usd.quantity == 1


@pytest.mark.parametrize("identifier", target_ids())
def test_a_rent_says_who_asks_it_for_what(identifier: str) -> None:
    target = load_target(identifier)
    for rent in target.rents:
        assert rent.provider
        assert rent.instance
        assert rent.cards == 1 or f"for {rent.cards}" in rent.locator or f"{rent.cards}x" in rent.locator
    assert len({(rent.provider, rent.instance) for rent in target.rents}) == len(target.rents)


def test_a_rent_is_of_one_card_where_the_instance_has_eight() -> None:
    usual = load_target("a100-sxm4-80gb").rents[0]
    assert (usual.provider, usual.instance, usual.cards) == ("AWS", "p4de.24xlarge", 8)
    assert usual.value * usual.cards == pytest.approx(27.44705, abs=0.001)


@pytest.mark.parametrize("identifier", ["t4", "l4", "a10g", "l40s", "h100-sxm5", "h200", "rtx-4090"])
def test_what_clouds_rent_out_has_a_list_price(identifier: str) -> None:
    target = load_target(identifier)
    assert target.rents
    assert all(target.sources[rent.source].date.year >= 2026 for rent in target.rents)


@pytest.mark.parametrize("identifier", target_ids())
def test_currents_of_a_mode_hold_at_a_known_supply_and_under_a_known_workload(identifier: str) -> None:
    target = load_target(identifier)
    for mode in target.power:
        assert mode.active_ua_per_mhz is None or target.supply_v is not None
        assert mode.board_active_w is None or mode.workload
        if mode.standby_ua is not None and mode.sleep_ua is not None:
            assert mode.standby_ua.value <= mode.sleep_ua.value


@pytest.mark.parametrize("identifier", target_ids())
def test_the_usual_supply_lies_within_the_allowed_range(identifier: str) -> None:
    target = load_target(identifier)
    ends = (target.supply_min_v, target.supply_v, target.supply_max_v)
    known = [leaf.value for leaf in ends if leaf is not None]
    assert known == sorted(known)
