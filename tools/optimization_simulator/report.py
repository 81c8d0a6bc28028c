"""What each change would bring, as the difference of two estimates."""

from __future__ import annotations

from pydantic import Field

from ..core.deployment import DeploymentRef
from ..core.quantity import Result
from ..verdicts.changes import Combination, Figures, Fit


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
