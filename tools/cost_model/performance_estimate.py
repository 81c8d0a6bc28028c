"""Results of the roofline and of the estimate."""

from enum import StrEnum
from typing import ClassVar

from ..core.deployment import DeploymentRef
from ..core.quantity import Quantity, Result
from .anchor import MeasuredCase


class Bound(StrEnum):
    """What binds the time: a roof of which at least half is filled, or overhead where none is."""

    COMPUTE = "compute"
    MEMORY = "memory"
    OVERHEAD = "overhead"
    UNKNOWN = "unknown"


class BoundDetail(StrEnum):
    """What overhead consists of, for the most part."""

    LAUNCH = "launch"
    """Starting operators."""
    OCCUPANCY = "occupancy"
    """Work too small to fill an accelerator."""
    KERNEL_EFFICIENCY = "kernel efficiency"
    """Kernels that need more cycles a MAC than the library's best."""
    LINK = "link"
    """Moving data between processors."""


class LayerEstimate(Result):
    """Time and energy of one operator."""

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
    """Runs on an accelerator."""
    optimized: bool = False
    """Runs on a kernel written for its processor, not on portable code."""


class PerformanceEstimate(Result):
    """Time and energy of one batch."""

    main_rows: ClassVar[str] = "layers"

    schema_version: str = "1.0"
    model: str = ""
    deployment: DeploymentRef
    dtype: str = ""
    """The type that most multiply-accumulates are done in."""
    latency_ms: Quantity
    """Time of one batch."""
    per_image_ms: Quantity = Quantity.unknown("ms")
    """Time of one batch, divided by its size."""
    measured: MeasuredCase | None = None
    """The measurement that the latency starts from, where this model was measured here or near."""
    inferences_per_second: Quantity
    """Of batches that follow each other without a pause, on one core where an accelerator has several."""
    at_once: int = 1
    """Batches at once, each on a core of the accelerator of its own; 1 where one takes all of it."""
    at_once_gain: Quantity = Quantity.unknown("x")
    """How many times the rate of one core that makes."""
    at_once_per_second: Quantity = Quantity.unknown("1/s")
    """Of inferences that do not wait for each other, so many at once."""
    cycles: float | None
    energy_uj: Quantity
    """Per batch."""
    power_mw: Quantity
    """While computing."""
    accelerated_layers: int
    """Operators on an accelerator."""
    cpu_only_layers: int
    """The other operators."""
    optimized_layers: int = 0
    """Of these, the ones on kernels written for the processor."""
    layers: tuple[LayerEstimate, ...]
    stands_on: tuple[str, ...] = ()
    """The measurements or sources behind the figures."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        known = [figure.headline() for figure in (self.latency_ms, self.energy_uj) if figure.known]
        return ", ".join(known) or "time unknown"
