"""What counters say: derived figures, where the cycles went, and which rules hold."""

from typing import ClassVar

from pydantic import Field

from ...core.quantity import Result


class CounterMetric(Result):
    """A figure that follows from counts."""

    name: str
    value: float
    """In its unit."""
    unit: str
    formula: str
    """The counts that it comes from."""


class CycleShare(Result):
    """A cause, and the share of the cycles that it takes."""

    cause: str
    """What took them."""
    share: float
    """Of the cycles; the shares of all causes sum to 1."""
    how: str
    """How it was reckoned."""


class FiredRule(Result):
    """A rule that holds."""

    name: str
    severity: str
    """high, medium, low or good."""
    why: str
    """The figure, and the limit that it passes."""
    remedy: str
    """What would change it."""
    at_most_share: float | None = None
    """Of the cycles, what its cause takes: no remedy brings more; null where that cannot be told."""


class CounterReport(Result):
    """Counters of a run or of one layer."""

    main_rows: ClassVar[str] = "metrics"

    schema_version: str = "1.0"
    name_untrusted: str = ""
    """Of the layer; empty for a whole run."""
    kind: str
    """memory-bound, compute-bound, waiting, control or mixed, by the first rule that holds."""
    counts: dict[str, float] = Field(default_factory=dict)
    """Counters by their common names; of several runs the mean."""
    runs: int = 1
    """That the counts are the mean of."""
    metrics: tuple[CounterMetric, ...] = ()
    """Figures that follow from the counts, each with its formula."""
    causes: tuple[CycleShare, ...] = ()
    """Where the cycles went, with what is unexplained; empty without a count of cycles."""
    rules: tuple[FiredRule, ...] = ()
    """Rules that hold, in the order in which they decide."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        return f"{self.kind}: {self.rules[0].why}" if self.rules else self.kind
