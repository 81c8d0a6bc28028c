"""Results of the roofline and of the estimate."""

from __future__ import annotations

from enum import StrEnum

from ..core.deployment import DeploymentRef
from ..core.quantity import Quantity, Result


class Bound(StrEnum):
    """What the time goes to."""

    COMPUTE = "compute"
    MEMORY = "memory"
    OVERHEAD = "overhead"
    UNKNOWN = "unknown"


class LayerEstimate(Result):
    index: int
    op: str
    processor: str
    cycles: float | None
    latency_ms: float | None
    energy_uj: float | None
    power_mw: float | None
    macs: int | None
    memory_bytes: int
    """Bytes read and written, weights included."""
    accelerated: bool
    """Runs on kernels written for the processor, or on an accelerator; not on portable code."""


class PerformanceEstimate(Result):
    """Time and energy of one batch."""

    schema_version: str = "1.0"
    deployment: DeploymentRef
    latency_ms: Quantity
    inferences_per_second: Quantity
    cycles: float | None
    energy_uj: Quantity
    """Per batch."""
    power_mw: Quantity
    """While computing."""
    accelerated_layers: int
    cpu_only_layers: int
    layers: tuple[LayerEstimate, ...]
    stands_on: tuple[str, ...] = ()
    """The measurements or sources behind the figures."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
