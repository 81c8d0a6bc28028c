"""The peak that an accelerator's work is scaled by: no bound: others stand in where it is not known."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from statistics import median

from ...hardware_db import Accelerator, Target
from ...hardware_db.derived import OPS_PER_MAC, accelerator_peak_ops_per_s, units_on
from .hierarchy import GPU_FAMILIES
from .peaks import COMPUTED_AS

ONE_CORE_EACH = frozenset({"hexagon", "rknpu", "c7x-mma", "nvdla", "bpu"})
"""Families of which an inference runs on one core, and of which peaks are those of all.

Qualcomm 80-63442-10 (htp_auto_single_nsp: the device that executes a model), rknn_api.h (RKNN_NPU_CORE_AUTO:
run on NPU core randomly), TexasInstruments/edgeai-tidl-tools b3a7c2c5 docs/multi_c7x.md (the default mode is
of a single core), hb_dnn.h (bpuCoreId: HB_BPU_CORE_ANY), TensorRT (an engine is bound to one DLA core).
"""
MATRIX_TYPES = frozenset({"float16", "bfloat16", "tfloat32"})
"""Types whose rates follow from the width alone on such units. GeForce cards state half of that in float16,
accumulating in float32; libraries accumulate in float16 where they may."""
BITS = {"int8": 8, "int16": 16, "float16": 16, "bfloat16": 16, "tfloat32": 32, "float32": 32}


def nominal_macs_per_s(
    target: Target | None,
    unit: Accelerator | None,
    family: str,
    dtype: str,
    clock_mhz: float | None,
    typical: Mapping[str, float],
) -> float | None:
    """Its own peak, else that of another type, else what is typical of its family or of its class of chip."""
    dtype = COMPUTED_AS.get(dtype, dtype)
    peak = _stated_peak(unit, dtype, clock_mhz) if unit is not None else None
    if peak is not None:
        return peak if target is None or clock_mhz is None else peak * units_on(target, clock_mhz)
    names = [f"{family}/{dtype}"]
    if target is not None and family not in GPU_FAMILIES:
        names.append(f"class {target.target_class}/{dtype}")
    return next((typical[name] for name in names if name in typical), None)


def typical_macs_per_s(targets: Iterable[Target]) -> dict[str, float]:
    """Family, or class of target, and type → median of the known peaks, in MACs per second."""
    found: dict[str, list[float]] = defaultdict(list)
    for target in targets:
        for unit in target.accelerators:
            for dtype in BITS:
                peak = _stated_peak(unit, dtype, None)
                if peak is None:
                    continue
                if unit.family:
                    found[f"{unit.family}/{dtype}"].append(peak)
                if unit.family not in GPU_FAMILIES:
                    found[f"class {target.target_class}/{dtype}"].append(peak)
    return {name: float(f"{median(peaks):.4g}") for name, peaks in sorted(found.items())}


def has_own_peak(unit: Accelerator | None, dtype: str) -> bool:
    """Whether a source states it, of this type or of another."""
    return unit is not None and _stated_peak(unit, COMPUTED_AS.get(dtype, dtype), None) is not None


def _stated_peak(unit: Accelerator, dtype: str, clock_mhz: float | None) -> float | None:
    """Of what one inference runs on.

    Of the type; else the best that other types give, halved for twice the bits, as multipliers are split.
    What integers reach tells of floating point only where nothing else does, or on the units of a GPU that
    multiply matrices.
    """
    cores = unit.count.value if unit.count and unit.family in ONE_CORE_EACH else 1
    bits = BITS.get(dtype, 8)
    stated = {name: accelerator_peak_ops_per_s(unit, name, clock_mhz) for name in BITS}
    known = {name: peak / cores / OPS_PER_MAC for name, peak in stated.items() if peak is not None}
    akin = {name for name in known if ("float" in name) == ("float" in dtype)} or set(known)
    if unit.family in GPU_FAMILIES and dtype in MATRIX_TYPES:
        akin = {name for name in known if BITS[name] <= bits}
    elif dtype in known:
        return known[dtype]
    return max((known[name] * BITS[name] / bits for name in akin), default=None)
