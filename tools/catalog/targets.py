"""Targets of the database, with the figures that follow from theirs."""

from __future__ import annotations

from ...hardware_db import Region, Target, load_target, resolve_target, target_ids
from ...hardware_db.derived import (
    FLASH_KINDS,
    accelerator_peak_ops_per_s,
    contiguous_runs,
    core_peak_ops_per_s,
    flash_bytes,
    ram_bytes,
    region_bytes_per_s,
    ridge_point,
    shared_ram,
)
from ...hardware_db.errors import UsageError, nearest
from .citations import cited, conflict, leaves
from .pages import MemoryRegion, Peak, TargetEntry, TargetList, TargetPage


def list_targets(target_class: str | None = None) -> TargetList:
    """Every target of the database, or those of one class.

    Raises:
        UsageError: an unknown class.
    """
    targets = [load_target(name) for name in target_ids()]
    classes = sorted({t.target_class.value for t in targets})
    if target_class is not None and target_class not in classes:
        close = nearest(target_class, classes) or classes
        raise UsageError(f"There is no class {target_class!r}.", hint=f"Known: {', '.join(close)}.")
    return TargetList(
        targets=tuple(_entry(t) for t in targets if target_class in (None, t.target_class.value))
    )


def get_target(name: str) -> TargetPage:
    """One target by id, nickname or part number.

    Raises:
        UnknownNameError: no such target, with the nearest names.
        AmbiguousNameError: a family, with its members.
    """
    target = resolve_target(name)
    entry = _entry(target)
    figures = leaves(target)
    run = max(
        contiguous_runs(shared_ram(target)), key=lambda r: sum(x.size_bytes.value for x in r), default=()
    )
    return TargetPage(
        id=target.id,
        name=target.name,
        vendor=target.vendor,
        target_class=target.target_class.value,
        aliases=target.aliases,
        cores=entry.cores,
        clock_max_mhz=entry.clock_max_mhz,
        regions=tuple(_region(target, region) for region in target.memories),
        largest_region_bytes=sum(region.size_bytes.value for region in run) or None,
        largest_region=" + ".join(region.id for region in run),
        ram_bytes=entry.ram_bytes,
        flash_bytes=entry.flash_bytes,
        peaks=tuple(_peaks(target)),
        price_usd=target.price_usd.value if target.price_usd else None,
        runtimes=target.runtimes,
        conflicts=tuple(conflict(field, leaf) for field, leaf in figures if leaf.others),
        figures=tuple(cited(target, field, leaf) for field, leaf in figures),
        notes=target.notes,
    )


def _entry(target: Target) -> TargetEntry:
    return TargetEntry(
        id=target.id,
        name=target.name,
        vendor=target.vendor,
        target_class=target.target_class.value,
        cores=tuple(f"{c.count.value} x {c.isa.value}" for c in target.cores),
        clock_max_mhz=max(c.clock_max_mhz.value for c in target.cores),
        ram_bytes=ram_bytes(target),
        flash_bytes=flash_bytes(target),
        accelerators=tuple(a.name for a in target.accelerators),
        runtimes=target.runtimes,
    )


def _region(target: Target, region: Region) -> MemoryRegion:
    return MemoryRegion(
        region=region.id,
        kind=region.kind.value,
        size_bytes=region.size_bytes.value,
        bandwidth_bytes_per_s=region_bytes_per_s(region, target.cores[0].clock_max_mhz.value),
        contiguous_with=region.contiguous_with,
        external=region.external,
    )


def _peaks(target: Target) -> list[Peak]:
    bandwidths = [
        rate
        for region in target.memories
        if region.kind not in FLASH_KINDS
        and (rate := region_bytes_per_s(region, target.cores[0].clock_max_mhz.value)) is not None
    ]
    fastest = max(bandwidths, default=None)
    peaks = []
    for core in target.cores:
        for dtype in core.macs_per_cycle:
            peak = core_peak_ops_per_s(core, dtype, threads=core.count.value)
            peaks.append(_peak(core.id, dtype, peak, None, fastest))
    for unit in target.accelerators:
        for dtype in dict.fromkeys([*unit.macs_per_cycle, *unit.peak]):
            dense = accelerator_peak_ops_per_s(unit, dtype)
            sparse = accelerator_peak_ops_per_s(unit, dtype, sparse=True)
            peaks.append(_peak(unit.id, dtype, dense, sparse, fastest))
    return peaks


def _peak(
    processor: str, dtype: str, dense: float | None, sparse: float | None, bandwidth: float | None
) -> Peak:
    return Peak(
        processor=processor,
        dtype=dtype,
        dense_gops=None if dense is None else dense / 1e9,
        sparse_gops=None if sparse is None else sparse / 1e9,
        ridge_point=ridge_point(dense, bandwidth),
    )
