"""What a sweep found, without its rows."""

from pydantic import Field

from ..core.quantity import Result


class SweptRow(Result):
    """One evaluation, by its names, with the figures that are compared; None is not known."""

    model: str
    transform: str
    """Techniques that the model was changed by, or none."""
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
    """The accepted evaluation of a model with the lowest value of a figure."""

    model: str
    figure: str
    row: SweptRow
    """The evaluation."""


class Front(Result):
    """Of one model: accepted evaluations that no other one beats in latency, energy, arena and flash."""

    model: str
    count: int
    """How many there are."""
    rows: tuple[SweptRow, ...]
    """The first ones by latency; all are in pareto.csv."""


class BudgetCount(Result):
    """How many evaluations overstep a budget."""

    budget: str
    """Its column."""
    hard: bool
    """Whether overstepping it rejects an evaluation."""
    violated: int
    """Evaluations that overstep it."""
    unknown: int
    """Evaluations whose figure is unknown."""


class LeftOut(Result):
    reason: str
    evaluations: int


class PrecisionTradeoff(Result):
    """Means over the deployments on which the figure is known with every precision of the model."""

    precision: str
    """Type of the arithmetic."""
    latency_ms_mean: float | None
    """Mean time of one inference."""
    memory_mb_mean: float | None
    """Parameters, in MiB."""
    energy_j_mean: float | None
    """Mean energy of one inference."""
    accepted_ratio: float
    evaluations: int
    latency_known: int
    """Evaluations that the mean of the latency is over."""
    energy_known: int
    """Evaluations that the mean of the energy is over."""


class Guideline(Result):
    """What to take for a class of demand."""

    latency_limit_ms: float | None
    energy_limit_uj: float | None
    """The limit on energy; null where there was none."""
    take: str
    """The choice of most models, or `nothing`."""
    share: float
    """Of the models."""
    mostly: str
    """The deployment most often behind it."""
    models: int
    """Models that the class of demand was tried on."""
    evaluations: int
    """That meet the demand."""


class TreeReport(Result):
    """A decision tree learned from a sweep."""

    label: str
    """What a leaf names: class, runtime or target."""
    text: str
    """The tree, as indented text."""
    demands: int
    """What the tree was learned from: models, each under every pair of limits."""
    held_out_accuracy: float | None
    """Share of held-out models' demands that trees learned without them got right; None for one model."""
    held_out_demands: int
    """Demands that this was tried on."""
    majority_accuracy: float | None
    """The same of always naming the most frequent answer."""
    chosen_by: str
    """How the answer to a demand was chosen."""
    guidelines: tuple[Guideline, ...]
    """What to take for each class of demand."""


class SweepReport(Result):
    """What a sweep found, without its rows."""

    schema_version: str = "1.0"
    output: str
    """Folder that the tables were written to."""
    evaluations: int
    accepted: int
    """Evaluations that meet the hard limits."""
    accepted_ratio: float
    verdicts: dict[str, int]
    """Evaluations by verdict."""
    budgets: tuple[BudgetCount, ...]
    """One row a budget."""
    precisions: tuple[PrecisionTradeoff, ...]
    """One row a precision."""
    best: tuple[Best, ...]
    """The best accepted evaluation of each model and figure."""
    fronts: tuple[Front, ...]
    """Of each model, what no other evaluation beats."""
    left_out: tuple[LeftOut, ...]
    """Evaluations that were not made, by reason."""
    files: tuple[str, ...]
    """Files in that folder."""
    tree: TreeReport | None = None
    """A decision tree from demands to deployments; null unless asked for."""
    assumptions: tuple[str, ...] = Field(default=())
    warnings: tuple[str, ...] = Field(default=())

    def headline(self) -> str:
        return f"{self.accepted} of {self.evaluations} evaluations accepted, in {self.output}"
