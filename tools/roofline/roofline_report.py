"""Result of the roofline."""

from enum import StrEnum
from typing import ClassVar

from pydantic import Field

from ..core.deployment import DeploymentRef
from ..core.quantity import Quantity, Result
from ..cost_model.anchor import MeasuredCase
from ..cost_model.performance_estimate import Bound, BoundDetail


class Side(StrEnum):
    """Of the ridge point: which roof is the lower at a model's intensity."""

    MEMORY = "memory"
    COMPUTE = "compute"


def bound_in_words(bound: Bound, detail: BoundDetail | None = None) -> str:
    match bound, detail:
        case Bound.OVERHEAD, BoundDetail.LAUNCH | BoundDetail.OCCUPANCY:
            return "bound by launch and occupancy"
        case Bound.OVERHEAD, BoundDetail.LINK:
            return "bound by the link"
        case Bound.OVERHEAD, BoundDetail.KERNEL_EFFICIENCY:
            return "bound by kernel efficiency"
        case Bound.UNKNOWN, _:
            return "of unknown bound"
        case _:
            return f"{bound}-bound"


class LayerRoofline(Result):
    """Which roof one operator lies under."""

    index: int
    op: str
    bound: Bound
    """compute, memory, overhead or unknown: the roof that it fills to half at least, or overhead."""
    latency_ms: float | None
    share: float | None
    """Of the whole time, 0 to 1."""
    arithmetic_intensity: float | None
    """FLOP per byte moved; None where nothing is counted or nothing moves."""
    cycles_per_mac: float | None
    """Of a core, for one multiply-accumulate; null where it has none, and on accelerators."""
    compute_ms: float | None
    """Time that its arithmetic takes; null where the time is unknown."""
    memory_ms: float | None
    """Time that its traffic takes."""
    overhead_ms: float | None
    """Time of calls, launches and transfers."""
    memory_level: str
    """The region that limits the layer's traffic."""


class BatchReached(Result):
    """How far a batch fills the roofs."""

    batch: int
    arithmetic_intensity: float | None
    """FLOP per byte over the whole model, with this batch."""
    memory_utilization: float | None
    """Achieved over peak bandwidth of the level that limits, 0 to 1."""
    achievable_utilization: float | None
    """Share of the time that the MACs would take at the best rate of these kernels, 0 to 1."""


class RooflineReport(Result):
    """Which roof each layer and the whole model lie under."""

    main_rows: ClassVar[str] = "layers"

    schema_version: str = "1.0"
    model: str = ""
    deployment: DeploymentRef
    dtype: str
    bound: Bound
    """The roof that is filled to half at least: of the bandwidth, or of the best rate that the kernels reach;
    overhead where neither is."""
    bound_detail: BoundDetail | None = None
    """What the overhead consists of for the most part; null where a roof binds."""
    bound_shares: dict[str, float]
    """Share of the time at the compute roof, at the memory roof, and beyond both; sums to 1."""
    op_shares: dict[str, float] = Field(default_factory=dict)
    """Share of the time by kind of operator, the largest first; empty where the times are not known."""
    arithmetic_intensity: float | None
    """FLOP per byte over the whole model."""
    ridge_point: float | None
    """FLOP per byte at which the compute roof meets the memory roof, both as the hardware's peaks."""
    side: Side | None = None
    """Which roof is the lower at this intensity: memory left of the ridge point, else compute."""
    compute_utilization: float | None
    """Achieved over peak arithmetic, 0 to 1."""
    achievable_gops: float | None = None
    """Best rate measured of these kernels on this processor (of a large convolution by the fit, where none
    was), in 10^9 operations per second."""
    achievable_utilization: float | None = None
    """Share of the time that the MACs would take at that rate, 0 to 1."""
    changes_at_batch: int | None = None
    """Smallest power of two as batch with which something else binds; null for microcontrollers and where
    nothing else does at up to 1,024."""
    changes_to: Bound | None = None
    """What binds there."""
    largest_batch: BatchReached | None = None
    """Where nothing else binds with any batch that was tried: how far the largest of them comes; null where
    something does, and for microcontrollers."""
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
    measured: MeasuredCase | None = None
    """The measurement that the latency starts from, where this model was measured here or near."""
    layers: tuple[LayerRoofline, ...]
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        return f"{self.bound_in_words}, {self.latency_ms.headline()}"

    @property
    def bound_in_words(self) -> str:
        """Such as "memory-bound" or "bound by launch and occupancy"."""
        return bound_in_words(self.bound, self.bound_detail)
