"""What each change would bring, as the difference of two estimates."""

from __future__ import annotations

from pydantic import Field

from ..deployments import DeploymentRef
from ..quantity import Quantity, Result
from ..relaxation import Relaxation, RelaxedPair
from ..verdict import Verdict


class Figures(Result):
    """The four quantities that a change is judged by, and those it explains itself with."""

    latency_ms: Quantity
    energy_uj: Quantity
    arena_bytes: int | None
    flash_bytes: int | None
    parameter_bytes: int
    macs: int


class Option(Result):
    technique: str
    applicable: bool
    reason: str
    """Why it applies or not, on this model and deployment."""
    effort: str
    """minutes, retraining or redesign."""
    accuracy_risk: str
    """An honest class, never a number that nobody measured."""
    before: Figures
    after: Figures | None
    """None where not applicable."""
    gain: dict[str, float] = Field(default_factory=dict)
    """Relative change of each figure, after / before - 1: -0.75 is three quarters less."""


class ChangeStep(Result):
    """One change of a combination."""

    technique: str
    about: str
    effort: str
    accuracy_risk: str
    after: Figures | None
    """After it and all before it; None where the model cannot be estimated there."""


class Combination(Result):
    """Changes in the order in which they are applied; none is the model as it is."""

    changes: tuple[ChangeStep, ...]
    effort: str
    """That of the hardest change."""
    effort_steps: int
    """Of all changes: 1 for minutes, 2 for retraining, 3 for a redesign. An order, no measure of hours."""
    verdict: Verdict
    """Of the limits, and of what the target has."""
    reasons: tuple[str, ...]
    """What decides the verdict, where that is not PASS."""
    after: Figures
    gain: dict[str, float]
    """Relative change of each figure, after / before - 1."""
    gain_per_effort: float | None
    """Halvings of the goal's figure for each step of effort: 1 halves it for each; None without changes."""

    @property
    def name(self) -> str:
        return " + ".join(step.technique for step in self.changes) or "as it is"


class Fit(Result):
    """The shortest list of changes that meets the limits, or that none of those tried does."""

    feasible: bool | None
    """False where every combination tried fails; None where some can neither be said to meet nor to fail."""
    statement: str
    changes: Combination | None
    """The shortest list, of those the one with least effort, then the best for the goal."""
    shortest: bool
    """Whether every shorter list was tried."""
    tried: int
    up_to: int
    """Every combination of so many changes was tried."""
    nearest: Combination | None
    """Where none meets the limits: the one that misses them least."""
    relaxations: tuple[Relaxation, ...] = ()
    """Where none meets the limits: which single one would have to give, and what that admits."""
    relaxed_pairs: tuple[RelaxedPair, ...] = ()
    """Where no single limit suffices: two at once."""


class SearchSummary(Result):
    """What was tried."""

    method: str
    tried: int
    """Combinations, those that do not apply among them."""
    estimated: int
    possible: int
    """Combinations that there are."""
    interrupted: bool = False


class LayerSensitivity(Result):
    """What one change of one layer alone would bring."""

    index: int
    op: str
    change: str
    """channels-50, input-50 or int8."""
    applicable: bool
    reason: str
    after: Figures | None
    gain: dict[str, float] = Field(default_factory=dict)
    """Relative change of each figure of the whole model."""


class LayerHint(Result):
    """A layer that holds a large share of the parameters or of the MACs, and a change of it simulated."""

    index: int
    op: str
    parameter_bytes: int
    macs: int
    kernel_shapes: tuple[tuple[int, ...], ...]
    share: float
    of: str
    """parameters or macs."""
    suggestion: str


class OptimizationReport(Result):
    schema_version: str = "1.0"
    deployment: DeploymentRef
    goal: str
    options: tuple[Option, ...]
    """Best for the goal first, then what is not applicable."""
    combined: Option | None
    """The best of two or more changes together that was found: effects are not additive."""
    front: tuple[Combination, ...] = ()
    """What no other beats in latency, energy, RAM, flash and effort; most gain per effort first."""
    fit: Fit | None = None
    search: SearchSummary | None = None
    sensitivity: tuple[LayerSensitivity, ...] = ()
    """Layers whose change brings most for the goal first."""
    heavy_layers: tuple[LayerHint, ...] = ()
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def without_front(self) -> OptimizationReport:
        """For readers with little room: the options, the best of several together and what fits."""
        return self.model_copy(update={"front": ()})
