"""Targets of the database, with the figures that follow from theirs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ...hardware_db import Region, Target, resolve_runtime, resolve_target
from ...hardware_db.derived import (
    FLASH_KINDS,
    accelerator_peak_ops_per_s,
    contiguous_runs,
    core_peak_ops_per_s,
    region_bytes_per_s,
    ridge_point,
    shared_ram,
)
from ...hardware_db.errors import UsageError, nearest
from ...hardware_db.index import TargetSummary, read_index, target_summary
from ...hardware_db.links import link_bytes_per_s
from ...hardware_db.schema import Rent
from ..core.settings import Settings, hardware_of
from .citations import cited, conflict, leaves
from .pages import (
    ClassEntry,
    FigureDifference,
    HostLink,
    ListedRent,
    MemoryRegion,
    Peak,
    TargetDiff,
    TargetEntry,
    TargetList,
    TargetPage,
)
from .video import decoders


def list_targets(
    target_class: str | None = None,
    *,
    core: str | None = None,
    runtime: str | None = None,
    min_ram_bytes: int | None = None,
    min_flash_bytes: int | None = None,
    max_power_mw: float | None = None,
    max_price_usd: float | None = None,
    settings: Settings | None = None,
) -> TargetList:
    """The targets of the database that meet every condition given.

    A target whose figure is not known does not meet a condition on it.

    Args:
        target_class: mcu, dsp, npu, mpu, gpu-soc, gpu or cpu.
        core: part of an instruction set's name, such as cortex-m7 or rv32.
        runtime: a kernel library that runs there.
        min_ram_bytes: least RAM in all.
        min_flash_bytes: least flash in all.
        max_power_mw: most power while computing.
        max_price_usd: most price.
        settings: what of the user's environment counts; None reads it.

    Raises:
        UsageError: an unknown class or core.
        UnknownNameError: an unknown runtime.

    Example:
        >>> found = list_targets("mcu", core="cortex-m4", min_ram_bytes=512 * 1024)
        >>> {entry.target_class for entry in found.targets}
        {'mcu'}
        >>> all(entry.ram_bytes >= 512 * 1024 for entry in found.targets)
        True
    """
    own = hardware_of(settings)
    known = read_index(own).targets
    classes = sorted({t.target_class.value for t in known})
    _check_known("class", target_class, classes)
    isas = sorted({isa for t in known for isa in t.isas})
    if core is not None and not any(core.casefold() in isa for isa in isas):
        _check_known("core", core, isas)
    wanted = None if runtime is None else resolve_runtime(runtime, own).id
    found = tuple(
        _listed(t)
        for t in known
        if target_class in (None, t.target_class.value)
        and (core is None or any(core.casefold() in isa for isa in t.isas))
        and (wanted is None or wanted in t.runtimes)
        and _at_least(t.ram_bytes, min_ram_bytes)
        and _at_least(t.flash_bytes, min_flash_bytes)
        and _at_most(t.power_mw, max_power_mw)
        and _at_most(t.price_usd, max_price_usd)
    )
    return TargetList(targets=found, classes=_by_class(found))


_FOREMOST = 3
"""Vendors of a class that are named."""


def _by_class(targets: Sequence[TargetEntry]) -> tuple[ClassEntry, ...]:
    of: dict[str, list[TargetEntry]] = {}
    for target in targets:
        of.setdefault(target.target_class, []).append(target)
    rows = []
    for name, own in sorted(of.items(), key=lambda each: -len(each[1])):
        vendors = [vendor for vendor, _ in Counter(target.vendor for target in own).most_common(_FOREMOST)]
        best = (
            max(
                (t for t in own if t.vendor == vendor),
                key=lambda t: (t.price_usd is not None, len(t.runtimes)),
            )
            for vendor in vendors
        )
        examples = tuple(target.id for target in best)
        row = ClassEntry(target_class=name, count=len(own), vendors=tuple(vendors), examples=examples)
        rows.append(row)
    return tuple(rows)


def diff_targets(one: str, other: str, *, settings: Settings | None = None) -> TargetDiff:
    """The figures in which two targets differ; raises as `get_target` does.

    Example:
        >>> diff = diff_targets("stm32h743zi", "stm32f746zg")
        >>> [(d.one, d.other) for d in diff.differences if "clock_max" in d.field]
        [('480 MHz', '216 MHz')]
    """
    pages = [get_target(name, settings=settings) for name in (one, other)]
    left, right = ({f.field: f.value for f in page.figures} for page in pages)
    fields = list(dict.fromkeys([*left, *right]))
    different = [field for field in fields if left.get(field) != right.get(field)]
    return TargetDiff(
        one=pages[0].id,
        other=pages[1].id,
        differences=tuple(
            FigureDifference(field=field, one=left.get(field, ""), other=right.get(field, ""))
            for field in different
        ),
        same=len(fields) - len(different),
    )


def get_target(name: str, *, settings: Settings | None = None) -> TargetPage:
    """One target by id, nickname or part number.

    Raises:
        UnknownNameError: no such target, with the nearest names.
        AmbiguousNameError: a family, with its members.

    Example:
        >>> page = get_target("nucleo-h743zi")
        >>> page.id, page.largest_region, page.largest_region_bytes
        ('stm32h743zi', 'axi-sram', 524288)
        >>> get_target("stm32h734zi")
        Traceback (most recent call last):
        edgewright...UnknownNameError: Unknown target 'stm32h734zi'. Nearest: stm32h743zi, ...
    """
    target = resolve_target(name, hardware_of(settings))
    entry = target_summary(target)
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
        links=tuple(_links(target)),
        price_usd=target.price_usd.value if target.price_usd else None,
        price_of=target.price_usd.sold_as if target.price_usd else None,
        rents=tuple(_rent(target, rent) for rent in target.rents),
        video=decoders(target.id),
        runtimes=target.runtimes,
        conflicts=tuple(conflict(field, leaf) for field, leaf in figures if leaf.others),
        figures=tuple(cited(target, field, leaf) for field, leaf in figures),
        notes=target.notes,
    )


def _links(target: Target) -> Iterator[HostLink]:
    for unit in target.accelerators:
        if unit.link is not None:
            rate = link_bytes_per_s(unit.link)
            yield HostLink(processor=unit.id, link=str(unit.link), bytes_per_s=rate, module=unit.module)


def _rent(target: Target, rent: Rent) -> ListedRent:
    source = target.sources[rent.source]
    return ListedRent(
        hour_usd=rent.value,
        provider=rent.provider,
        instance=rent.instance,
        region=rent.region,
        cards=rent.cards,
        date=source.date.isoformat(),
        source=source.where,
        locator=rent.locator,
    )


def _listed(summary: TargetSummary) -> TargetEntry:
    return TargetEntry(
        id=summary.id,
        name=summary.name,
        vendor=summary.vendor,
        target_class=summary.target_class.value,
        cores=summary.cores,
        clock_max_mhz=summary.clock_max_mhz,
        ram_bytes=summary.ram_bytes,
        flash_bytes=summary.flash_bytes,
        power_mw=summary.power_mw,
        price_usd=summary.price_usd,
        accelerators=summary.accelerators,
        runtimes=summary.runtimes,
    )


def _check_known(what: str, name: str | None, known: list[str]) -> None:
    if name is not None and name not in known:
        close = nearest(name, known) or known
        raise UsageError(f"There is no {what} {name!r}.", hint=f"Known: {', '.join(close)}.")


def _at_least(figure: float | None, bound: float | None) -> bool:
    return bound is None or (figure is not None and figure >= bound)


def _at_most(figure: float | None, bound: float | None) -> bool:
    return bound is None or (figure is not None and figure <= bound)


def _region(target: Target, region: Region) -> MemoryRegion:
    return MemoryRegion(
        region=region.id,
        kind=region.kind.value,
        size_bytes=region.size_bytes.value,
        bandwidth_bytes_per_s=region_bytes_per_s(region, _core_mhz(target)),
        contiguous_with=region.contiguous_with,
        external=region.external,
    )


def _core_mhz(target: Target) -> float:
    return target.cores[0].clock_max_mhz.value if target.cores else 0.0


def _peaks(target: Target) -> list[Peak]:
    bandwidths = [
        rate
        for region in target.memories
        if region.kind not in FLASH_KINDS
        and (rate := region_bytes_per_s(region, _core_mhz(target))) is not None
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
