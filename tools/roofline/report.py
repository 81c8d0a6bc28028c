"""Result of the roofline."""

from __future__ import annotations

from ..core.deployment import DeploymentRef
from ..core.quantity import Quantity, Result
from ..cost_model.report import Bound


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
