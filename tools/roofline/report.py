"""Result of the roofline."""

from __future__ import annotations

from typing import ClassVar

from ..core.deployment import DeploymentRef
from ..core.quantity import Quantity, Result
from ..cost_model.report import Bound


class LayerRoofline(Result):
    """Which roof one operator lies under."""

    index: int
    op: str
    bound: Bound
    """compute, memory, overhead or unknown: what most of its time goes to."""
    latency_ms: float | None
    share: float | None
    """Of the whole time, 0 to 1."""
    arithmetic_intensity: float | None
    """FLOP per byte moved; None where nothing is counted or nothing moves."""
    compute_ms: float | None
    """Time that its arithmetic takes; null where the time is unknown."""
    memory_ms: float | None
    """Time that its traffic takes."""
    overhead_ms: float | None
    """Time of calls, launches and transfers."""
    memory_level: str
    """The region that limits the layer's traffic."""


class RooflineReport(Result):
    """Which roof each layer and the whole model lie under."""

    main_rows: ClassVar[str] = "layers"

    schema_version: str = "1.0"
    model: str = ""
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
    """The memory that most traffic is limited by."""
    latency_ms: Quantity
    """Time of one batch."""
    layers: tuple[LayerRoofline, ...]
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        return f"{self.bound}-bound, {self.latency_ms.headline()}"
