"""What a new version of a model changes on one deployment."""

from __future__ import annotations

from enum import StrEnum

from ..core.deployment import DeploymentRef
from ..core.quantity import Basis, Result
from ..memory_planner.plan import LayerRef


class Direction(StrEnum):
    BETTER = "better"
    SAME = "same"
    WORSE = "worse"
    UNSURE = "unsure"
    """Another value, of which the 90 % interval holds no change at all."""
    UNKNOWN = "unknown"


class FigureChange(Result):
    """One figure of both versions; `change` is after less before."""

    name: str
    before: float | None
    after: float | None
    change: float | None
    low: float | None
    high: float | None
    """The 90 % interval of the change: what both versions share errs alike and falls out of it."""
    percent: float | None
    unit: str
    direction: Direction
    basis: Basis


class LayerChange(Result):
    """A layer that only one version has, or that has other shapes or types in the other."""

    change: str
    """added, removed or changed."""
    before: LayerRef | None
    after: LayerRef | None
    latency_ms: float | None
    """After less before."""
    macs: int | None


class ModelDiff(Result):
    schema_version: str = "1.0"
    deployment: DeploymentRef
    before_sha256: str
    after_sha256: str
    same_file: bool
    figures: tuple[FigureChange, ...]
    layers: tuple[LayerChange, ...]
    peak_before: LayerRef | None
    peak_after: LayerRef | None
    peak_moved: bool
    operators_added: tuple[str, ...]
    operators_removed: tuple[str, ...]
    unsupported_added: tuple[str, ...]
    """Operators that do not run on the deployment and that the old version does not have."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
