"""A run as data: buffers with their lives and places, operators with what is alive and their time."""

from typing import ClassVar

from ..core.deployment import DeploymentRef
from ..core.quantity import Basis, Quantity, Result
from ..memory_planner.memory_plan import PlannedTensor
from ..optimization_simulator.optimization_report import Option


class TimelineOp(Result):
    """One operator of a run."""

    index: int
    op: str
    live_bytes: int | None
    """Most bytes that have to be held while it runs; None where the memory cannot be planned."""
    buffers: tuple[int, ...]
    """Positions in `buffers` of what is alive while it runs; empty where they are millions in all."""
    latency_ms: float | None
    begins_ms: float | None
    """After the start of the run; None from the first operator on whose time is not known."""
    compute_utilization: float | None = None
    """Arithmetic over what the peak allows in its time, 0 to 1; null where one of them is not known."""
    memory_utilization: float | None = None
    """Time that its traffic takes at the memory's bandwidth over its time, 0 to 1."""
    dma_utilization: float | None = None
    """Share of its time in which an accelerator's transfers run; null without an accelerator."""


class UnitUse(Result):
    """How far a unit is used over the run."""

    unit: str
    """compute engine, memory bus or DMA."""
    mean_utilization: float
    """Over the time of the operators whose use is known, 0 to 1."""
    most_utilization: float
    """The operator that uses it most."""
    known: int
    """Operators whose use is known."""


class TimelinePeak(Result):
    """The operator at which most is alive, and what."""

    index: int
    op: str
    live_bytes: int
    """What is alive then."""
    buffers: tuple[PlannedTensor, ...]
    """Largest first."""
    scratch_bytes: int
    """Of them, kernels' scratch buffers."""


class UnitSpan(Result):
    """What one unit of an accelerator does for one layer."""

    index: int
    op: str
    unit: str
    """DMA in, DMA out, slice 0, or host for what does not run on the accelerator."""
    start_ms: float
    """After the start of the run."""
    end_ms: float
    """When it ends."""
    bytes: int | None = None
    """What it moves."""


class Timeline(Result):
    """Memory and time through one run, operator by operator."""

    main_rows: ClassVar[str] = "ops"

    schema_version: str = "1.0"
    model: str = ""
    deployment: DeploymentRef
    planner: str
    arena_bytes: int | None
    arena_nonpersistent_bytes: int | None
    arena_persistent_bytes: int | None
    arena_basis: Basis
    peak: TimelinePeak | None
    """Where most is alive; null where the memory cannot be planned."""
    gap_bytes: int | None
    """Planned bytes beyond the peak: alignment, and gaps that the planner cannot fill."""
    fits: bool | None
    why_not: str = ""
    latency_ms: Quantity
    """Time of one batch."""
    ops: tuple[TimelineOp, ...]
    """One row an operator, in execution order."""
    buffers: tuple[PlannedTensor, ...]
    """Every buffer of the run."""
    savings: tuple[Option, ...] = ()
    """Changes that lower the arena, the lowest first, each simulated on this model."""
    without_effect: tuple[Option, ...] = ()
    """Changes that do not, or do not apply, with the reason."""
    units: tuple[UnitSpan, ...] = ()
    """Transfers and compute of an accelerator with double buffering; empty without one."""
    uses: tuple[UnitUse, ...] = ()
    """Units whose use is known of an operator."""
    shared_ms: float | None = None
    """Time in which transfers run beside compute; null without an accelerator."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        return f"{len(self.ops)} operators, {self.latency_ms.headline()}"
