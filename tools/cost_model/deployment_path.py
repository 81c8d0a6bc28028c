"""Where a deployment stands in the calibration."""

from __future__ import annotations

from collections.abc import Mapping

from ...hardware_db import Accelerator, Target
from ...hardware_db.coefficients import load_coefficients
from ..core.deployment import Deployment
from .alone import silicon_of
from .hardware_figures import HardwareFigures
from .hierarchy import (
    NO_FPU,
    SAME_KERNELS,
    Path,
    ProcessorKind,
    calibration_path,
    highest_clock_mhz,
    processor_of,
    with_fpu,
)
from .peaks import widest_bytes_per_s
from .reference_peaks import has_own_peak, nominal_macs_per_s


def deployment_path(deployment: Deployment, dtype: str) -> Path:
    kind, processor = processor_of(deployment)
    target = silicon_of(deployment)
    ceiling = deployment.core.macs_per_cycle.get(width_type(kind, dtype))
    path = calibration_path(
        kind, processor, dtype, deployment.runtime.id,
        version=deployment.release,
        target=target.measured_as,
        threads=deployment.threads if kind is ProcessorKind.CPU else 0,
        chip_mhz=highest_clock_mhz(target),
        macs_per_cycle=None if ceiling is None else ceiling.value,
        hardware=hardware_of(deployment, processor, dtype) if kind is ProcessorKind.UNIT else None,
    )  # fmt: skip
    unit = deployment.core.fpu.value if deployment.core.fpu else ""
    return with_fpu(path, "none" if NO_FPU in deployment.release else unit)


def hardware_of(deployment: Deployment, processor: str, dtype: str) -> HardwareFigures:
    typical = load_coefficients().typical_macs_per_s
    return hardware_figures(silicon_of(deployment), deployment.accelerator, processor, dtype, typical)


def width_type(kind: ProcessorKind, dtype: str) -> str:
    """The type whose multiply-adds a cycle tell how wide a core is."""
    return SAME_KERNELS.get(dtype, dtype) if kind is ProcessorKind.MCU else "float32"


def hardware_figures(
    target: Target | None,
    unit: Accelerator | None,
    family: str,
    dtype: str,
    typical: Mapping[str, float],
    *,
    bytes_per_s: float | None = None,
) -> HardwareFigures:
    """The hardware around an accelerator at its highest clocks.

    Args:
        bytes_per_s: bandwidth of a device that is no target.
    """
    peak = nominal_macs_per_s(target, unit, family, dtype, None, typical)
    own = has_own_peak(unit, dtype)
    if target is None:
        return HardwareFigures.of(peak, bytes_per_s, None, "", peak_is_own=own)
    chip_mhz = highest_clock_mhz(target)
    bytes_per_s = widest_bytes_per_s(target, chip_mhz) if chip_mhz else None
    return HardwareFigures.of(peak, bytes_per_s, chip_mhz, target.target_class.value, peak_is_own=own)
