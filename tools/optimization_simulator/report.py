"""What each change would bring, as the difference of two estimates."""

from __future__ import annotations

from pydantic import Field

from ..deployments import DeploymentRef
from ..quantity import Quantity, Result


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
    """The applicable options that help, together: effects are not additive."""
    heavy_layers: tuple[LayerHint, ...] = ()
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
