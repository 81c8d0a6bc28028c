"""Which operators run where, and what that costs in points."""

from __future__ import annotations

from ..deployments import DeploymentRef
from ..quantity import Result
from ..verdict import Verdict


class OpPlacement(Result):
    index: int
    op: str
    supported: bool | None
    """None where the runtime's sources do not tell."""
    processor: str
    """Where it runs; empty where it does not."""
    optimized: bool
    """On kernels written for that processor."""
    reason: str
    """The rule that decided."""
    remedy: str = ""


class Penalty(Result):
    name: str
    points: float
    reason: str


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
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
