"""Peak arithmetic of a deployment's processor."""

from __future__ import annotations

from ...hardware_db import Target
from ...hardware_db.derived import (
    OPS_PER_MAC,
    accelerator_peak_ops_per_s,
    core_peak_ops_per_s,
    region_bytes_per_s,
    shared_ram,
    units_on,
)
from ..core.deployment import Deployment

COMPUTED_AS = {"uint8": "int8", "uint4": "int4"}
"""Unsigned types run on the arithmetic of their signed kin."""


def peak_ops_per_s(deployment: Deployment, dtype: str) -> float | None:
    """Dense peak in operations per second (1 MAC = 2) at the deployment's clock; None where not known."""
    dtype = COMPUTED_AS.get(dtype, dtype)
    if deployment.accelerator is not None:
        peak = accelerator_peak_ops_per_s(deployment.accelerator, dtype, deployment.clock_mhz)
        return None if peak is None else peak * units_on(deployment.target, deployment.clock_mhz)
    return core_peak_ops_per_s(deployment.core, dtype, deployment.clock_mhz, deployment.threads)


def peak_macs_per_s(deployment: Deployment, dtype: str) -> float | None:
    peak = peak_ops_per_s(deployment, dtype)
    return None if peak is None else peak / OPS_PER_MAC


def widest_bytes_per_s(target: Target, clock_mhz: float) -> float | None:
    """Bandwidth of the fastest memory that a target's processors share; None where none is known."""
    core_mhz = min([clock_mhz, *(core.clock_max_mhz.value for core in target.cores[:1])])
    rates = (region_bytes_per_s(region, core_mhz) for region in shared_ram(target))
    return max((rate for rate in rates if rate is not None), default=None)
