"""What a sweep found, without its rows."""

from __future__ import annotations

from pydantic import Field

from ..core.quantity import Result


class SweptRow(Result):
    """One evaluation, by its names, with the figures that are compared; None is not known."""

    model: str
    transform: str
    target: str
    runtime: str
    clock_mhz: float
    batch: int
    latency_ms: float | None
    """Of one inference, as is the energy."""
    energy_uj: float | None
    arena_bytes: float | None
    flash_bytes: float | None


class Best(Result):
    model: str
    figure: str
    row: SweptRow


class Front(Result):
    """Of one model: accepted evaluations that no other one beats in latency, energy, arena and flash."""

    model: str
    count: int
    rows: tuple[SweptRow, ...]
    """The first ones by latency; all are in pareto.csv."""


class BudgetCount(Result):
    budget: str
    """Its column."""
    hard: bool
    violated: int
    unknown: int


class LeftOut(Result):
    reason: str
    evaluations: int


class PrecisionTradeoff(Result):
    """Means over the evaluations of a precision whose figure is known."""

    precision: str
    latency_ms_mean: float | None
    memory_mb_mean: float | None
    """Parameters, in MiB."""
    energy_j_mean: float | None
    accepted_ratio: float
    evaluations: int
    latency_known: int
    energy_known: int


class Guideline(Result):
    """What to take for a class of demand."""

    latency_limit_ms: float | None
    energy_limit_uj: float | None
    take: str
    """The choice of most models, or `nothing`."""
    share: float
    """Of the models."""
    mostly: str
    """The deployment most often behind it."""
    models: int
    evaluations: int
    """That meet the demand."""


class TreeReport(Result):
    label: str
    """What a leaf names: class, runtime or target."""
    text: str
    demands: int
    """What the tree was learned from: models, each under every pair of limits."""
    held_out_accuracy: float | None
    """Share of held-out models' demands that trees learned without them got right; None for one model."""
    held_out_demands: int
    majority_accuracy: float | None
    """The same of always naming the most frequent answer."""
    chosen_by: str
    """How the answer to a demand was chosen."""
    guidelines: tuple[Guideline, ...]


class SweepReport(Result):
    schema_version: str = "1.0"
    output: str
    evaluations: int
    accepted: int
    accepted_ratio: float
    verdicts: dict[str, int]
    budgets: tuple[BudgetCount, ...]
    precisions: tuple[PrecisionTradeoff, ...]
    best: tuple[Best, ...]
    fronts: tuple[Front, ...]
    left_out: tuple[LeftOut, ...]
    files: tuple[str, ...]
    tree: TreeReport | None = None
    assumptions: tuple[str, ...] = Field(default=())
    warnings: tuple[str, ...] = Field(default=())
