"""Usable measurements as arrays: the work, the cost and the place in the calibration of each."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

import numpy as np
import numpy.typing as npt

from ...hardware_db import Accelerator, Core, Target
from ...hardware_db.coefficients import load_coefficients
from ...hardware_db.measurements import rows
from ...hardware_db.measurements.units import measured_bandwidths, measured_units
from ..cost_model.deployment_path import hardware_figures, width_type
from ..cost_model.features import batch_factors
from ..cost_model.hierarchy import (
    NO_FPU,
    Path,
    ProcessorKind,
    calibration_path,
    highest_clock_mhz,
    kin_of,
    kind_of_isa,
    kind_of_row,
    with_fpu,
)
from ..cost_model.linked_anchors import is_carrier
from ..cost_model.peaks import widest_bytes_per_s
from ..cost_model.reference_peaks import nominal_macs_per_s
from ..cost_model.work import Rates, core_rates, scaled, unit_rates
from ..graph import ModelGraph
from .impossible import breaks_physics, known_target
from .record import Record
from .work import columns_of, work_of

Floats = npt.NDArray[np.float64]

DOUBTFUL = (
    "dead_channels",
    "outlier",
    "streaming",
    "implausible",
    "multi_accelerator",
    "heavy_tail",
    "MIG",
    "external_sdram",
    "need_confirm",
)
"""Flags of figures that do not tell what the network took."""
MEMORY_ONLY = {"memory", "memory_only_validation"}


def read_records(
    measured: Iterable[Mapping[str, str]] | None = None,
    *,
    typical: Mapping[str, float] | None = None,
    within: str = "",
    behind_links: bool = False,
) -> list[Record]:
    """The latency measurements with a known network; those that physics forbids are left out.

    Args:
        behind_links: those of boards that carry a module behind a link, in place of all others. They tell of
            their link, so that the fit of kernels does not read them.
    """
    return sifted_records(measured, typical=typical, within=within, behind_links=behind_links)[0]


def sifted_records(
    measured: Iterable[Mapping[str, str]] | None = None,
    *,
    typical: Mapping[str, float] | None = None,
    within: str = "",
    behind_links: bool = False,
) -> tuple[list[Record], dict[str, str]]:
    """As `read_records`, and id → why it cannot be of those that physics forbids."""
    found: list[Record] = []
    refused: dict[str, str] = {}
    for row in rows() if measured is None else measured:
        if is_carrier(row["target"]) is not behind_links:
            continue
        record = record_of(row, typical=typical, within=within)
        if record is None:
            continue
        reason = breaks_physics(record)
        if reason:
            refused[record.id] = reason
        else:
            found.append(record)
    return found, refused


def record_of(
    row: Mapping[str, str],
    graph_of: Callable[[str], ModelGraph | None] | None = None,
    typical: Mapping[str, float] | None = None,
    within: str = "",
) -> Record | None:
    """The record of a row; None where it does not tell the time of a network that is known.

    `typical` peaks stand in for those that the database lacks; None takes those of the calibration. Where
    only the records of a node are wanted (`within`), the networks of others are not even built.
    """
    if not row["latency_ms"] or not row["network"] or row["hint"] in MEMORY_ONLY or not row["dtype"]:
        return None
    if any(flag in row["flag"] for flag in DOUBTFUL) or "MIG" in row["device"]:
        return None
    if not row["processor"]:
        return None
    target = known_target(row["target"])
    kind = kind_of_row(row)
    known = load_coefficients().typical_macs_per_s if typical is None else typical
    path = _path(row, kind, target, known)
    if within and within not in path:
        return None
    columns = (
        work_of(row["network"], row["dtype"]) if graph_of is None else columns_of(graph_of(row["network"]))
    )
    if columns is None:
        return None
    rates = _rates(row, kind, target, known)
    batch = int(row["batch"] or 1)
    seconds = float(row["latency_ms"]) / 1e3
    return Record(
        id=row["id"],
        row=row,
        network=row["network"],
        target=row["target"],
        device=row["device"],
        kind=kind,
        path=path,
        work=scaled(columns * batch_factors(batch), kind, rates),
        cost=seconds * rates.per_s,
        seconds=seconds,
    )


def _path(
    row: Mapping[str, str], kind: ProcessorKind, target: Target | None, known: Mapping[str, float]
) -> Path:
    path = calibration_path(
        kind, row["processor"], row["dtype"], row["runtime"],
        version=row["release"],
        target=row["target"] or f"device {row['device']}",
        threads=int(row["threads"] or 0) if kind is ProcessorKind.CPU else 0,
        chip_mhz=highest_clock_mhz(target) or float(row["clock_mhz"] or 0),
        macs_per_cycle=_ceiling(target, row["processor"], width_type(kind, row["dtype"])),
        hardware=hardware_figures(
            target, _unit(row, target), row["processor"], row["dtype"], known,
            bytes_per_s=measured_bandwidths().get(row["device"]),
        ) if kind is ProcessorKind.UNIT else None,
    )  # fmt: skip
    return with_fpu(path, _fpu(row, target))


def weights(records: list[Record]) -> Floats:
    """How much each counts: many figures of one network in one place count as few."""
    counts = Counter((record.network, record.path) for record in records)
    return np.array([counts[record.network, record.path] ** -0.5 for record in records])


def _rates(
    row: Mapping[str, str], kind: ProcessorKind, target: Target | None, typical: Mapping[str, float]
) -> Rates:
    if kind is ProcessorKind.UNIT:
        return unit_rates(*_unit_figures(row, target, typical))
    if row["clock_mhz"]:
        return core_rates(float(row["clock_mhz"]))
    core = _core(target, row["processor"])
    return core_rates(core.clock_max_mhz.value if core else usual_clock_mhz(row["processor"]))


def _core(target: Target | None, isa: str) -> Core | None:
    cores = target.cores if target else ()
    return next((c for c in cores if c.isa.value == isa), cores[0] if cores else None)


def _ceiling(target: Target | None, isa: str, dtype: str) -> float | None:
    core = _core(target, isa)
    stated = core.macs_per_cycle.get(dtype) if core else None
    return None if stated is None else stated.value


def _fpu(row: Mapping[str, str], target: Target | None) -> str:
    """Of the core that a row ran on, as it was built."""
    core = _core(target, row["processor"])
    built_without = NO_FPU in row["release"]
    return "none" if built_without else core.fpu.value if core and core.fpu else ""


@functools.cache
def usual_clock_mhz(isa: str) -> float:
    """Median of the clocks that measurements on cores of its kin tell, else of those on its kind of core."""
    stated = [(row["processor"], float(row["clock_mhz"])) for row in rows() if row["clock_mhz"]]
    akin = [mhz for name, mhz in stated if kin_of(name) == kin_of(isa)]
    return float(np.median(akin or [mhz for name, mhz in stated if kind_of_isa(name) is kind_of_isa(isa)]))


def _unit(row: Mapping[str, str], target: Target | None) -> Accelerator | None:
    """What a row ran on, of its target or as the source of its device's peaks describes it."""
    family = row["processor"]
    if target is None:
        return measured_units().get((row["device"], family))
    return next((a for a in target.accelerators if family in (a.family, a.kind)), None)


def _unit_figures(
    row: Mapping[str, str], target: Target | None, typical: Mapping[str, float]
) -> tuple[float | None, float | None]:
    """Nominal MACs per second and bytes per second of the accelerator that a row ran on."""
    clock_mhz = float(row["clock_mhz"]) if row["clock_mhz"] else None
    unit = _unit(row, target)
    peak = nominal_macs_per_s(target, unit, row["processor"], row["dtype"], clock_mhz, typical)
    if target is None or unit is None:
        return peak, measured_bandwidths().get(row["device"])
    highest = [core.clock_max_mhz.value for core in target.cores[:1]]
    clock = clock_mhz or (unit.clock_max_mhz.value if unit.clock_max_mhz else max(highest, default=0.0))
    return peak, widest_bytes_per_s(target, clock)
