"""What follows from the figures of a target: peaks, bandwidths, ridge points, totals.

Peaks are in operations per second, 1 MAC being 2 operations; None where the inputs are not known.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from .schema import Accelerator, Core, MemoryKind, Region, Runtime, Target

OPS_PER_MAC = 2

FLASH_KINDS = frozenset({MemoryKind.FLASH, MemoryKind.XIP_FLASH})
SHARED_RAM_KINDS = frozenset(
    {
        MemoryKind.ITCM,
        MemoryKind.DTCM,
        MemoryKind.SRAM,
        MemoryKind.PSRAM,
        MemoryKind.DRAM,
        MemoryKind.HBM,
    }
)
"""What tensors of a program can live in: neither flash, nor backup RAM, nor an accelerator's own."""


def core_peak_ops_per_s(
    core: Core, dtype: str, clock_mhz: float | None = None, threads: int = 1
) -> float | None:
    """Ceiling of `threads` cores at a clock; None takes the maximum clock."""
    macs = core.macs_per_cycle.get(dtype)
    if macs is None:
        return None
    clock = core.clock_max_mhz.value if clock_mhz is None else clock_mhz
    return OPS_PER_MAC * macs.value * clock * 1e6 * threads


def accelerator_peak_ops_per_s(
    accelerator: Accelerator, dtype: str, clock_mhz: float | None = None, *, sparse: bool = False
) -> float | None:
    """Ceiling of the whole accelerator at a clock; None takes the maximum clock.

    From MACs per cycle where they are known, else from the published peak, which is held to be at the
    maximum clock and to scale with it. `sparse` asks for the peak with structured sparsity, which only
    a published figure gives. What is slower in float16 than in float32 computes float16 in float32.
    """
    own = _stated_ops_per_s(accelerator, dtype, clock_mhz, sparse=sparse)
    if dtype != "float16" or own is None or sparse:
        return own
    return max(own, _stated_ops_per_s(accelerator, "float32", clock_mhz) or 0.0)


def _stated_ops_per_s(
    accelerator: Accelerator, dtype: str, clock_mhz: float | None, *, sparse: bool = False
) -> float | None:
    highest = accelerator.clock_max_mhz.value if accelerator.clock_max_mhz else None
    clock = highest if clock_mhz is None else clock_mhz
    macs = accelerator.macs_per_cycle.get(dtype)
    if macs is not None and clock is not None and not sparse:
        count = accelerator.count.value if accelerator.count else 1
        return OPS_PER_MAC * macs.value * clock * 1e6 * count
    rate = accelerator.peak.get(dtype)
    stated = (rate.sparse if sparse else rate.dense) if rate else None
    if stated is None:
        return None
    return stated.value if clock is None or highest is None else stated.value * clock / highest


def units_on(target: Target, clock_mhz: float) -> float:
    """Share of the accelerator's units that is on at a clock: the most of the modes at it."""
    shares = [
        1.0 if mode.units_share is None else mode.units_share.value
        for mode in target.power
        if mode.clock_mhz is not None and math.isclose(mode.clock_mhz.value, clock_mhz, rel_tol=0.01)
    ]
    return max(shares, default=1.0)


def accelerator_for(target: Target, runtime: Runtime) -> Accelerator | None:
    """The first accelerator of a target that a runtime drives, by its family or its kind."""
    driven = runtime.runs_on_accelerators
    return next((a for a in target.accelerators if a.family in driven or a.kind in driven), None)


def drives(runtime: Runtime, target: Target) -> bool:
    """Whether a runtime has kernels for a core of a target, or drives an accelerator of it."""
    on_a_core = any(core.isa.value in runtime.runs_on_isas for core in target.cores)
    return on_a_core or accelerator_for(target, runtime) is not None


def region_bytes_per_s(region: Region, clock_mhz: float) -> float | None:
    """Bandwidth of a region: as published, else the width of its path times the core's clock."""
    if region.bandwidth_bytes_per_s is not None:
        return region.bandwidth_bytes_per_s.value
    if region.bytes_per_cycle is not None:
        return region.bytes_per_cycle.value * clock_mhz * 1e6
    return None


def ridge_point(peak_ops_per_s: float | None, bytes_per_s: float | None) -> float | None:
    """Arithmetic intensity, in operations per byte, above which compute is the bound."""
    if peak_ops_per_s is None or not bytes_per_s:
        return None
    return peak_ops_per_s / bytes_per_s


def contiguous_runs(regions: Sequence[Region]) -> tuple[tuple[Region, ...], ...]:
    """Regions grouped into runs that one array may span, each in address order."""
    by_id = {region.id: region for region in regions}
    follower = {
        region.id: next((name for name in region.contiguous_with if name in by_id), None)
        for region in regions
    }
    runs = []
    for region in regions:
        if region.id in follower.values():
            continue
        run = [region]
        while (name := follower[run[-1].id]) is not None and by_id[name] not in run:
            run.append(by_id[name])
        runs.append(tuple(run))
    return tuple(runs)


def largest_ram_run_bytes(target: Target) -> int:
    """Bytes of the largest array of tensors that on-chip RAM can hold in one piece."""
    ram = [region for region in shared_ram(target) if not region.external] or list(shared_ram(target))
    return max((sum(region.size_bytes.value for region in run) for run in contiguous_runs(ram)), default=0)


def shared_ram(target: Target) -> tuple[Region, ...]:
    return tuple(region for region in target.memories if region.kind in SHARED_RAM_KINDS)


def ram_bytes(target: Target) -> int | None:
    """All RAM that tensors can live in, external memory included; None where no source tells of any."""
    sizes = [region.size_bytes.value for region in shared_ram(target)]
    return sum(sizes) if sizes else None


def flash_bytes(target: Target) -> int | None:
    """All flash; None where the target has none of its own."""
    sizes = [region.size_bytes.value for region in target.memories if region.kind in FLASH_KINDS]
    return sum(sizes) if sizes else None


def active_mw(target: Target) -> float | None:
    """Power while computing in the first power mode, at maximum clock; of a board, measured or else rated."""
    if not target.power:
        return None
    mode = target.power[0]
    if mode.active_mw is not None:
        return mode.active_mw.value
    if mode.active_ua_per_mhz is not None and target.supply_v is not None and target.cores:
        clock = mode.clock_mhz or target.cores[0].clock_max_mhz
        return mode.active_ua_per_mhz.value * clock.value * target.supply_v.value / 1000
    of_board = mode.board_active_w or mode.board_power_w
    return of_board.value * 1000 if of_board is not None else None
