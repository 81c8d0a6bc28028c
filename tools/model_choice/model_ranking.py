"""Published models in the order of their accuracy, and which of them a deployment can run."""

from typing import ClassVar, Self

from ..core.deployment import DeploymentRef
from ..core.quantity import Quantity, Result
from ..verdicts.limits import Limits
from ..verdicts.verdict import Verdict


class RankedModel(Result):
    """One published model on the deployment."""

    rank: int | None
    """Place by accuracy among those that meet the limits and were judged on the same dataset; else null."""
    model: str
    """As its source calls it."""
    architecture: str
    """What every other command knows it by."""
    dataset: str
    """What the accuracy was measured on."""
    metric: str
    """top-1, mAP 50-95, AUC, WER …"""
    accuracy: float
    """As published, 0 to 1; of error rates (WER, LER) less is better."""
    precision: str
    """Type that the accuracy was measured in."""
    dtype: str
    """Type that the rest of the row is about."""
    source: str
    """Where the accuracy was read."""
    licence: str | None
    """Of the weights; null where the source does not tell."""
    pareto: bool
    """Whether none on the same dataset that meets the limits is better in accuracy or latency and as good in
    the other."""
    verdict: Verdict
    latency_ms: Quantity
    """Of one inference; of text generation, of one token."""
    energy_uj: Quantity
    arena_bytes: Quantity
    """Of text generation, weights and cache."""
    flash_bytes: Quantity
    reasons: tuple[str, ...]
    """Why it fails, cannot be judged or passes narrowly."""


class ModelRanking(Result):
    """Published models for a task on one deployment."""

    main_rows: ClassVar[str] = "ranking"

    schema_version: str = "1.0"
    task: str
    """What the models are for."""
    deployment: DeploymentRef
    limits: Limits
    ranking: tuple[RankedModel, ...]
    """What meets the limits, the usual dataset first and the most accurate first; then what cannot be judged
    and what fails, each with what misses least first."""
    passing: int
    """Models that meet every limit."""
    unknown: int
    """Models that cannot be judged."""
    failing: int
    """Models that overstep a limit."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def shortened(self, top: int) -> Self:
        """With the first `top` rows that meet the limits, and as many that do not."""
        meeting = [row for row in self.ranking if row.rank is not None][:top]
        others = [row for row in self.ranking if row.rank is None][:top]
        return self.model_copy(update={"ranking": (*meeting, *others)})

    def headline(self) -> str:
        total = self.passing + self.unknown + self.failing
        first = self.ranking[0] if self.passing else None
        best = f"; {first.model} is the most accurate on {first.dataset}" if first else ""
        place = self.deployment.target
        return f"{self.task} on {place}: {self.passing} of {total} published models meet the limits{best}"
