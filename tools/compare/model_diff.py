"""What a new version of a model changes on one deployment."""

from enum import StrEnum
from typing import ClassVar

from ..core.deployment import DeploymentRef
from ..core.quantity import Basis, Result
from ..memory_planner.memory_plan import LayerRef


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
    """Name of the figure."""
    before: float | None
    """Of the old version."""
    after: float | None
    """Of the new version."""
    change: float | None
    """After less before."""
    low: float | None
    """Lower end of the change's 90 % interval."""
    high: float | None
    """The 90 % interval of the change: what both versions share errs alike and falls out of it."""
    percent: float | None
    """The change in per cent of before."""
    unit: str
    direction: Direction
    """better, same, worse, unsure or unknown."""
    basis: Basis


class LayerChange(Result):
    """A layer that only one version has, or that has other shapes or types in the other."""

    is_difference: ClassVar[bool] = True

    change: str
    """added, removed or changed."""
    before: LayerRef | None
    """The layer in the old version; null where it is new."""
    after: LayerRef | None
    """The layer in the new version; null where it is gone."""
    latency_ms: float | None
    """After less before."""
    macs: int | None
    """After less before."""


class ModelDiff(Result):
    """What a new version of a model changes on one deployment."""

    main_rows: ClassVar[str] = "figures"

    schema_version: str = "1.0"
    deployment: DeploymentRef
    before_sha256: str
    """Identity of the old version."""
    after_sha256: str
    """Identity of the new version."""
    same_file: bool
    """Whether both are the same model."""
    figures: tuple[FigureChange, ...]
    """One row a figure."""
    layers: tuple[LayerChange, ...]
    """Layers that differ, in order."""
    peak_before: LayerRef | None
    """Operator at which the old version needs most memory."""
    peak_after: LayerRef | None
    """Operator at which the new version needs most memory."""
    peak_moved: bool
    """Whether these are different operators."""
    operators_added: tuple[str, ...]
    """Kinds that only the new version has."""
    operators_removed: tuple[str, ...]
    """Kinds that only the old version has."""
    unsupported_added: tuple[str, ...]
    """Operators that do not run on the deployment and that the old version does not have."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        return ", ".join(f"{figure.name} {figure.direction}" for figure in self.figures)
