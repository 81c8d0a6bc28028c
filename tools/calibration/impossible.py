"""Measurements that physics forbids: more multiplications a cycle than the processor can do."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from ...hardware_db import Core, Target, load_target, target_ids
from ...hardware_db.derived import OPS_PER_MAC, accelerator_peak_ops_per_s
from ..cost_model.features import COLUMN, FEATURES
from ..cost_model.hierarchy import SAME_KERNELS, ProcessorKind
from ..cost_model.work import least_macs

if TYPE_CHECKING:
    from .record import Record

MACS = [
    COLUMN[name] for name in FEATURES if re.match(r"(conv|pointwise|depthwise|dense|matmul)(?!_output)", name)
]
TOLERANCE = 1.02
"""Clocks and times are published rounded."""
IN_HALF_PRECISION = frozenset({"ncnn"})
"""Runtimes that compute float32 in float16 where the core can: benchncnn sets use_fp16_arithmetic."""


def breaks_physics(record: Record) -> str:
    """Why the measurement cannot be; empty where nothing speaks against it or the ceiling is not known."""
    target = known_target(record.target)
    if target is None:
        return ""
    dtype = SAME_KERNELS.get(record.row["dtype"], record.row["dtype"])
    macs = float(least_macs(record.work, record.work[MACS].sum(), record.kind))
    if record.kind is ProcessorKind.UNIT:
        return _above_peak(record, target, dtype, macs)
    core = next((c for c in target.cores if c.isa.value == record.row["processor"]), None)
    if core is None or dtype not in core.macs_per_cycle:
        return ""
    ceiling = _ceiling(core, dtype, record.row["runtime"]) * _threads(record, core)
    reached = macs / record.cost
    if reached <= ceiling * TOLERANCE:
        return ""
    return f"{reached:.3g} MACs a cycle, but {core.isa.value} has {ceiling:g} of {dtype}"


def _ceiling(core: Core, dtype: str, runtime: str) -> float:
    computed = {dtype, "float16"} if dtype == "float32" and runtime in IN_HALF_PRECISION else {dtype}
    return max(core.macs_per_cycle[name].value for name in computed & core.macs_per_cycle.keys())


def _threads(record: Record, core: Core) -> int:
    return int(record.row["threads"] or 0) or core.count.value


def _above_peak(record: Record, target: Target, dtype: str, macs: float) -> str:
    family = record.row["processor"]
    unit = next((a for a in target.accelerators if family in (a.family, a.kind)), None)
    peak = None if unit is None else accelerator_peak_ops_per_s(unit, dtype)
    reached = macs / record.seconds
    if peak is None or reached <= peak / OPS_PER_MAC * TOLERANCE:
        return ""
    return f"{reached:.3g} MACs a second, but {family} of {target.id} has {peak / OPS_PER_MAC:.3g} of {dtype}"


@functools.cache
def known_target(name: str) -> Target | None:
    """The shipped target that a row names; None for a device of another."""
    return load_target(name, ()) if name in target_ids(()) else None
