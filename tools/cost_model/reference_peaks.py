"""The peak that an accelerator's work is scaled by: no bound: others stand in where it is not known."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from statistics import median

from ...hardware_db import Accelerator, Target
from ...hardware_db.derived import OPS_PER_MAC, accelerator_peak_ops_per_s
from .hierarchy import GPU_FAMILIES
from .peaks import COMPUTED_AS

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
        return peak
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


def _stated_peak(unit: Accelerator, dtype: str, clock_mhz: float | None) -> float | None:
    """Of the type; else of the type nearest in width, halved for twice the bits, as multipliers are split."""
    bits = BITS.get(dtype, 8)
    for other in sorted(BITS, key=lambda name: (name != dtype, abs(BITS[name] - bits), name)):
        peak = accelerator_peak_ops_per_s(unit, other, clock_mhz)
        if peak is not None:
            return peak / OPS_PER_MAC * (1 if other == dtype else BITS[other] / bits)
    return None
