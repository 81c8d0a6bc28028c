"""Deployments in the order in which they suit, and why."""

from __future__ import annotations

from collections.abc import Mapping

from ..core.deployment import DeploymentRef
from ..core.quantity import Quantity, Result
from ..verdicts.limits import Limits
from ..verdicts.relaxation import Relaxation, RelaxedPair
from ..verdicts.verdict import Verdict


class RankedDeployment(Result):
    """One deployment. Those that fail or cannot be judged have no rank, and say why in `reasons`."""

    rank: int | None
    """Place among those that pass; equal for ties."""
    tied: bool
    """Whether the 90 % intervals leave open which of several is better."""
    target: str
    name: str
    target_class: str
    runtime: str
    dtype: str
    clock_mhz: float
    verdict: Verdict
    score: float | None
    """0 to 100: weighted place between the worst and the best that pass, on logarithmic scales."""
    best_of_target: bool
    """Whether no other runtime of the target ranks before it."""
    pareto: bool
    """Whether none that passes is as good in every figure and better in one."""
    latency_ms: Quantity
    energy_uj: Quantity
    power_mw: Quantity
    arena_bytes: Quantity
    flash_bytes: Quantity
    price_usd: float | None
    fits: bool | None
    bound: str
    reasons: tuple[str, ...]


class Change(Result):
    """A change of the model that admits deployments under the limits as they are."""

    technique: str
    effort: str
    admits: tuple[str, ...]
    """Targets, best first."""
    count: int
    """Deployments."""


class HardwareRanking(Result):
    schema_version: str = "1.0"
    model: str
    model_sha256: str
    limits: Limits
    template: str | None
    weights: Mapping[str, float]
    ranking: tuple[RankedDeployment, ...]
    """Every deployment: what passes by rank, then what cannot be judged, then what fails."""
    passing: int
    unknown: int
    failing: int
    relaxations: tuple[Relaxation, ...] = ()
    """Where nothing passes: by limit, the smallest first."""
    relaxed_pairs: tuple[RelaxedPair, ...] = ()
    """Where no single limit suffices: two at once, the smallest first."""
    changes: tuple[Change, ...] = ()
    """Where nothing passes: changes that let something pass, the least effort first."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def shortened(self, top: int) -> HardwareRanking:
        """The best runtime of each target only: `top` that pass, and `top` that do not."""
        rows = [row for row in self.ranking if row.best_of_target]
        passing = [row for row in rows if row.rank is not None]
        others = [row for row in rows if row.rank is None]
        return self.model_copy(update={"ranking": tuple(passing[:top] + others[:top])})


class Difference(Result):
    """One figure of all deployments compared."""

    figure: str
    unit: str
    values: tuple[Quantity, ...]
    """In the order of the deployments."""
    winner: int | None
    """Position of the best; None where no value is known."""
    tied_with: tuple[int, ...]
    """Those whose interval overlaps the winner's."""


class Cause(Result):
    """Why a deployment takes longer than the fastest: factors whose product is the ratio of latencies."""

    deployment: int
    slower_by: float | None
    clock: float | None
    """The fastest's clock over this one's."""
    cycles: float | None
    """This one's cycles over the fastest's."""
    why: str


class Comparison(Result):
    schema_version: str = "1.0"
    model: str
    deployments: tuple[DeploymentRef, ...]
    ranking: tuple[RankedDeployment, ...]
    differences: tuple[Difference, ...]
    causes: tuple[Cause, ...]
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
