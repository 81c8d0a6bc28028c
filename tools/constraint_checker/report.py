"""What was demanded, what is needed, and what would close the gap."""

from __future__ import annotations

from ..compare.report import ModelDiff
from ..core.deployment import DeploymentRef
from ..core.quantity import Basis, Result
from ..verdicts.changes import Fit
from ..verdicts.verdict import Verdict


class Term(Result):
    """One part of what makes up a demand."""

    name: str
    value: float
    unit: str


class Lever(Result):
    """A change that was simulated, and what it does to this demand."""

    change: str
    before: float
    after: float
    unit: str
    closes_gap: bool
    effort: str


class Check(Result):
    """One limit. `demand` is what the deployment needs, `bound` what is allowed."""

    name: str
    verdict: Verdict
    statement: str
    """One sentence with the numbers."""
    demand: float | None
    demand_low: float | None
    demand_high: float | None
    bound: float | None
    gap: float | None
    """How far the demand oversteps the bound, in `unit`; negative is room to spare."""
    unit: str
    basis: Basis
    soft: bool = False
    """A soft limit is reported but does not fail the whole."""
    terms: tuple[Term, ...] = ()
    levers: tuple[Lever, ...] = ()


class ConstraintReport(Result):
    schema_version: str = "1.0"
    deployment: DeploymentRef
    verdict: Verdict
    checks: tuple[Check, ...]
    fit: Fit | None = None
    """Where a hard check fails: the shortest list of changes that closes all gaps together."""
    baseline: ModelDiff | None = None
    """What changed since the version that it was compared with."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
