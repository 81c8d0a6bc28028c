"""What each change would bring, as the difference of two estimates."""

from typing import ClassVar

from pydantic import Field

from ..core.deployment import DeploymentRef
from ..core.quantity import Result
from ..verdicts.changes import Combination, Figures, Fit


class Option(Result):
    """One change, with the figures before and after it."""

    technique: str
    applicable: bool
    reason: str
    """Why it applies or not, on this model and deployment."""
    effort: str
    """minutes, retraining or redesign."""
    accuracy_risk: str
    """An honest class, never a number that nobody measured."""
    before: Figures
    """Figures of the model as it is."""
    after: Figures | None
    """None where not applicable."""
    gain: dict[str, float] = Field(default_factory=dict)
    """Relative change of each figure, after / before - 1: -0.75 is three quarters less."""


class SearchSummary(Result):
    """What was tried."""

    method: str
    """greedy, beam or grid."""
    tried: int
    """Combinations, those that do not apply among them."""
    estimated: int
    """Combinations that were estimated."""
    possible: int
    """Combinations that there are."""
    interrupted: bool = False
    """Whether the search was ended before its end."""


class LayerSensitivity(Result):
    """What one change of one layer alone would bring."""

    index: int
    op: str
    change: str
    """channels-50, input-50 or int8."""
    applicable: bool
    reason: str
    after: Figures | None
    """Figures of the whole model with the change; null where it does not apply."""
    gain: dict[str, float] = Field(default_factory=dict)
    """Relative change of each figure of the whole model."""


class LayerHint(Result):
    """A layer that holds a large share of the parameters or of the MACs, and a change of it simulated."""

    index: int
    op: str
    parameter_bytes: int
    macs: int
    """MACs of the layer."""
    kernel_shapes: tuple[tuple[int, ...], ...]
    """Shapes of its constants."""
    share: float
    """Its share of what `of` names, 0 to 1."""
    of: str
    """parameters or macs."""
    suggestion: str
    """The change that was simulated, with what it brings."""


class OptimizationReport(Result):
    """What each change would bring, alone and together with others."""

    main_rows: ClassVar[str] = "options"

    schema_version: str = "1.0"
    model: str = ""
    deployment: DeploymentRef
    goal: str
    """latency, energy, ram or flash."""
    options: tuple[Option, ...]
    """Best for the goal first, then what is not applicable."""
    combined: Option | None
    """The best of two or more changes together that was found: effects are not additive."""
    front: tuple[Combination, ...] = ()
    """What no other beats in latency, energy, RAM, flash and effort; most gain per effort first."""
    fit: Fit | None = None
    """The shortest list of changes that meets the limits."""
    search: SearchSummary | None = None
    """Which combinations were tried."""
    sensitivity: tuple[LayerSensitivity, ...] = ()
    """Layers whose change brings most for the goal first."""
    heavy_layers: tuple[LayerHint, ...] = ()
    """Layers that hold a large share of the parameters or of the MACs."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        return (
            f"{len(self.options)} changes, best for {self.goal}: {self.options[0].technique}"
            if self.options
            else "no changes"
        )

    def without_front(self) -> "OptimizationReport":
        """For readers with little room: the options, the best of several together and what fits."""
        return self.model_copy(update={"front": ()})
