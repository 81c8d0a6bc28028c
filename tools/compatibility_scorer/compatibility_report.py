"""Which operators run where, and what that costs in points and in time."""

from typing import ClassVar

from ..core.deployment import DeploymentRef
from ..core.quantity import Quantity, Result
from ..placement.op_placement import OpPlacement, Segment
from ..verdicts.verdict import Verdict


class Penalty(Result):
    """Points taken off the compatibility score."""

    name: str
    """Name of the rule."""
    points: float
    """What it takes off; penalties together take off no more than there is."""
    reason: str
    weight: float = 100.0
    """Points that it would take off if all of the work were concerned."""
    share: float = 1.0
    """Of the work that is concerned, or of the time where that is more, 0 to 1."""


class SimulatedRemedy(Result):
    """A change of the model or the deployment, made and placed again."""

    change: str
    """The change, in words."""
    ops: tuple[int, ...]
    """Operators that it changes."""
    runs: int
    """Operators that run then and did not before."""
    accelerated: int
    """Operators that are accelerated then and were not before; the changed ones count as one each."""
    score: float
    """Score after it."""
    verdict: Verdict
    """Verdict after it."""
    latency_ms: Quantity
    """Time of one batch after it."""
    fallback_cost: Quantity | None
    """What the CPU's part costs after it, as CompatibilityReport.fallback_cost."""


class CompatibilityReport(Result):
    """Which operators run, where and how well, and a score from 0 to 100."""

    main_rows: ClassVar[str] = "ops"

    schema_version: str = "1.0"
    model: str = ""
    deployment: DeploymentRef
    verdict: Verdict
    score: float
    """100 less the penalties; 0 where the model cannot run at all."""
    penalties: tuple[Penalty, ...]
    """What was taken off the score, and why."""
    ops: tuple[OpPlacement, ...]
    """One row an operator."""
    supported_ops: int
    """Operators that run."""
    optimized_ops: int
    """Operators on kernels written for their processor, or on an accelerator."""
    fallback_ops: int
    """Operators that the accelerator does not get and the CPU runs."""
    unsupported_ops: int
    """Operators that do not run."""
    unknown_ops: int
    """Operators of which no source says whether they run."""
    segments: tuple[Segment, ...] = ()
    """Pieces of the model that one processor computes, in order."""
    transfers_bytes: int | None = None
    """What one inference moves between processors; None where a size is not known."""
    transfer_ms: Quantity = Quantity.unknown("ms")
    """What moving it takes, with the additional starts of the accelerator."""
    latency_ms: Quantity | None = None
    """Of one batch, as placed; this and the next two are None without an accelerator."""
    accelerated_latency_ms: Quantity | None = None
    """Of one batch if the accelerator took every operator."""
    fallback_cost: Quantity | None = None
    """The one over the other: what the operators cost that the accelerator does not get."""
    remedies: tuple[SimulatedRemedy, ...] = ()
    """Simulated, the best first."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        return f"{self.verdict}, {self.score:g} of 100, {self.supported_ops} of {len(self.ops)} operators run"
