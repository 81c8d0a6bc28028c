"""What is known about targets and runtimes, as results."""

from __future__ import annotations

from pydantic import Field

from ..core.quantity import Result


class TargetEntry(Result):
    """One line of `targets list`."""

    id: str
    name: str
    vendor: str
    target_class: str = Field(serialization_alias="class")
    cores: tuple[str, ...]
    clock_max_mhz: float | None
    ram_bytes: int
    """All RAM added up, as lists do; `targets show` tells what fits in one piece."""
    flash_bytes: int | None
    power_mw: float | None
    """Active, of the first power mode; None where no source tells."""
    price_usd: float | None
    accelerators: tuple[str, ...]
    runtimes: tuple[str, ...]


class TargetList(Result):
    schema_version: str = "1.0"
    targets: tuple[TargetEntry, ...]


class MemoryRegion(Result):
    region: str
    kind: str
    size_bytes: int
    bandwidth_bytes_per_s: float | None
    contiguous_with: tuple[str, ...]
    external: bool


class Peak(Result):
    """Arithmetic of one processor in one type, and the intensity at which it outruns its memory."""

    processor: str
    dtype: str
    dense_gops: float | None
    sparse_gops: float | None
    """With structured sparsity: not for dense models."""
    ridge_point: float | None
    """FLOP per byte, dense, against the fastest memory with a known bandwidth that holds models."""


class Conflict(Result):
    """Sources that disagree."""

    field: str
    chosen: str
    others: tuple[str, ...]
    chosen_because: str


class FigureDifference(Result):
    """A figure that two targets do not share; empty where one has none."""

    field: str
    one: str
    other: str


class TargetDiff(Result):
    """Where two targets differ."""

    schema_version: str = "1.0"
    one: str
    other: str
    differences: tuple[FigureDifference, ...]
    same: int
    """How many figures agree."""


class CitedFigure(Result):
    field: str
    value: str
    source: str
    locator: str
    kind: str


class TargetPage(Result):
    """All that is known of one target, with the sources."""

    schema_version: str = "1.0"
    id: str
    name: str
    vendor: str
    target_class: str = Field(serialization_alias="class")
    aliases: tuple[str, ...]
    cores: tuple[str, ...]
    clock_max_mhz: float | None
    regions: tuple[MemoryRegion, ...]
    largest_region_bytes: int | None
    """The largest array that RAM can hold in one piece."""
    largest_region: str
    ram_bytes: int
    """All RAM added up: no single model can use it in one piece unless it is one region."""
    flash_bytes: int | None
    peaks: tuple[Peak, ...]
    price_usd: float | None
    """None: no dated source was read."""
    runtimes: tuple[str, ...]
    conflicts: tuple[Conflict, ...]
    figures: tuple[CitedFigure, ...]
    notes: tuple[str, ...]


class RuntimeEntry(Result):
    id: str
    name: str
    vendor: str
    planner: str
    usual_dtype: str
    operators: int
    targets: int


class RuntimeList(Result):
    schema_version: str = "1.0"
    runtimes: tuple[RuntimeEntry, ...]


class ArchitectureList(Result):
    schema_version: str = "1.0"
    architectures: tuple[str, ...]


class SupportedOperator(Result):
    op: str
    dtypes: tuple[str, ...]
    optimized: tuple[str, ...]
    max_version: int | None


class RuntimePage(Result):
    schema_version: str = "1.0"
    id: str
    name: str
    vendor: str
    planner: str
    usual_dtype: str
    fallback: str
    complete: bool
    """Whether the list of operators is all that it supports."""
    runs_on: tuple[str, ...]
    targets: tuple[str, ...]
    operators: tuple[SupportedOperator, ...]
    sources: tuple[str, ...]
    notes: tuple[str, ...]
