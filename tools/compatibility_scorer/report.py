"""Which operators run where, and what that costs in points and in time."""

from __future__ import annotations

from ..core.deployment import DeploymentRef
from ..core.quantity import Quantity, Result
from ..placement.report import OpPlacement, Segment
from ..verdicts.verdict import Verdict


class Penalty(Result):
    name: str
    points: float
    """What it takes off; penalties together take off no more than there is."""
    reason: str
    weight: float = 100.0
    """Points that it would take off if all of the work were concerned."""
    share: float = 1.0
    """Of the work that is concerned, 0 to 1."""


class SimulatedRemedy(Result):
    """A change of the model or the deployment, made and placed again."""

    change: str
    ops: tuple[int, ...]
    """Operators that it changes."""
    runs: int
    """Operators that run then and did not before."""
    accelerated: int
    """Operators that are accelerated then and were not before; the changed ones count as one each."""
    score: float
    verdict: Verdict
    latency_ms: Quantity
    fallback_cost: Quantity | None


class CompatibilityReport(Result):
    schema_version: str = "1.0"
    deployment: DeploymentRef
    verdict: Verdict
    score: float
    """100 less the penalties; 0 where the model cannot run at all."""
    penalties: tuple[Penalty, ...]
    ops: tuple[OpPlacement, ...]
    supported_ops: int
    optimized_ops: int
    fallback_ops: int
    unsupported_ops: int
    unknown_ops: int
    segments: tuple[Segment, ...] = ()
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
