"""Results of the roofline and of the estimate."""

from __future__ import annotations

from enum import StrEnum

from ..deployments import DeploymentRef
from ..quantity import Quantity, Result


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


class LayerRoofline(Result):
    index: int
    op: str
    bound: Bound
    latency_ms: float | None
    share: float | None
    """Of the whole time, 0 to 1."""
    arithmetic_intensity: float | None
    """FLOP per byte moved; None where nothing is counted or nothing moves."""
    compute_ms: float | None
    memory_ms: float | None
    overhead_ms: float | None
    memory_level: str
    """The region that limits the layer's traffic."""


class RooflineReport(Result):
    """Which roof each layer and the whole model lie under."""

    schema_version: str = "1.0"
    deployment: DeploymentRef
    dtype: str
    bound: Bound
    """The one that most of the time goes to."""
    bound_shares: dict[str, float]
    """Share of the time by bound; sums to 1."""
    arithmetic_intensity: float | None
    """FLOP per byte over the whole model."""
    ridge_point: float | None
    """FLOP per byte at which the compute roof meets the memory roof, both as the hardware's peaks."""
    compute_utilization: float | None
    """Achieved over peak arithmetic, 0 to 1."""
    memory_utilization: float | None
    """Achieved over peak bandwidth of the limiting level, 0 to 1."""
    peak_gops: float | None
    """Peak arithmetic at the deployment's clock and type, in 10^9 operations per second."""
    bandwidth_gb_s: float | None
    """Peak bandwidth of the level that limits, in 10^9 bytes per second."""
    memory_level: str
    latency_ms: Quantity
    layers: tuple[LayerRoofline, ...]
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
