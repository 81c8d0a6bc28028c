"""What was demanded, what is needed, and what would close the gap."""

from typing import ClassVar

from pydantic import model_validator

from ...hardware_db.coefficients import RELEASE
from ..compare.model_diff import ModelDiff
from ..core.deployment import DeploymentRef
from ..core.quantity import Basis, Result
from ..core.units import show
from ..cost_model.anchor import MeasuredCase
from ..verdicts.changes import Fit
from ..verdicts.figures_release import WhatChanged
from ..verdicts.verdict import Verdict


class Term(Result):
    """One part of what makes up a demand."""

    name: str
    """What the part is."""
    value: float
    """How much of the demand it is, in `unit`."""
    unit: str


class Lever(Result):
    """A change that was simulated, and what it does to this demand."""

    change: str
    """The change, in words."""
    before: float
    """The demand as it is."""
    after: float
    """The demand with the change."""
    after_low: float | None = None
    """Lower end of its 90 % interval; null where it has none."""
    after_high: float | None = None
    """Upper end of its 90 % interval."""
    unit: str
    closes_gap: bool
    """Whether the demand then meets the bound."""
    effort: str

    def headline(self) -> str:
        change = f"{self.change}: {show(self.before, self.unit)} → {show(self.after, self.unit)}"
        return f"{change}, {self.effort}{', closes the gap' if self.closes_gap else ''}"


class Check(Result):
    """One limit. `demand` is what the deployment needs, `bound` what is allowed."""

    name: str
    """The limit: operators, ram, flash, latency, rate, energy, power, price or dtype."""
    verdict: Verdict
    statement: str
    """One sentence with the numbers."""
    demand: float | None
    """What is needed, in `unit`; null where it is unknown."""
    demand_low: float | None
    """Lower end of the demand's 90 % interval."""
    demand_high: float | None
    """Upper end of the demand's 90 % interval."""
    bound: float | None
    """What is allowed, in `unit`."""
    gap: float | None
    """How far the demand oversteps the bound, in `unit`; negative is room to spare."""
    unit: str
    basis: Basis
    soft: bool = False
    """A soft limit is reported but does not fail the whole."""
    terms: tuple[Term, ...] = ()
    """What makes up the demand."""
    levers: tuple[Lever, ...] = ()
    """Changes that lower the demand, each simulated."""

    @model_validator(mode="after")
    def _stands_on_figures(self) -> "Check":
        if self.verdict is Verdict.PASS and self.demand is None and self.bound is not None:
            raise ValueError(f"{self.name} passes, but what it needs is unknown")
        return self

    def headline(self) -> str:
        return f"{self.name} {self.verdict}: {self.statement}"


class ConstraintReport(Result):
    """A verdict on each limit, with what makes up the demand and what would close a gap."""

    main_rows: ClassVar[str] = "checks"

    schema_version: str = "1.0"
    model: str = ""
    deployment: DeploymentRef
    verdict: Verdict
    """The worst of the hard checks."""
    checks: tuple[Check, ...]
    """One row a limit."""
    fit: Fit | None = None
    """Where a hard check fails: the shortest list of changes that closes all gaps together."""
    measured: MeasuredCase | None = None
    """The measurement that the latency starts from, where this model was measured here or near."""
    baseline: ModelDiff | None = None
    """What changed since the version that it was compared with."""
    figures: str = RELEASE
    """Release of the figures that it stands on."""
    changed: WhatChanged | None = None
    """Which verdicts are others than in a former report."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        return ", ".join([self.verdict, *(f"{check.name} {check.verdict}" for check in self.checks)])
