"""Deployments in the order in which they suit, and why."""

from collections.abc import Mapping
from typing import ClassVar

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
    """What the target is called."""
    target_class: str
    runtime: str
    dtype: str
    clock_mhz: float
    threads: int = 1
    verdict: Verdict
    score: float | None
    """0 to 100: weighted place between the worst and the best that pass, on logarithmic scales."""
    best_of_target: bool
    """Whether no other runtime of the target ranks before it."""
    pareto: bool
    """Whether none that passes is as good in every figure and better in one."""
    latency_ms: Quantity
    """Time of one batch."""
    energy_uj: Quantity
    """Energy of one batch."""
    power_mw: Quantity
    """Power while computing."""
    arena_bytes: Quantity
    flash_bytes: Quantity
    price_usd: float | None
    price_of: str | None
    fits: bool | None
    bound: str
    """compute, memory, overhead or unknown: what most of the time goes to."""
    reasons: tuple[str, ...]
    """Why it fails or cannot be judged."""
    decided_by: tuple[str, ...] = ()
    """Names of the checks that `reasons` tell of."""


def _best(ranking: tuple[RankedDeployment, ...]) -> str:
    first = next((row for row in ranking if row.rank == 1), None)
    return "" if first is None else f", best {first.target}/{first.runtime} {first.latency_ms.headline()}"


class Change(Result):
    """A change of the model that admits deployments under the limits as they are."""

    technique: str
    effort: str
    admits: tuple[str, ...]
    """Targets, best first."""
    count: int
    """Deployments."""


class HardwareRanking(Result):
    """Deployments in the order in which they suit a model and its limits."""

    main_rows: ClassVar[str] = "ranking"

    schema_version: str = "1.0"
    model: str
    model_sha256: str
    limits: Limits
    template: str | None
    """Name of the use whose limits and weights were taken; null for none."""
    weights: Mapping[str, float]
    """What each figure counts for in the score."""
    ranking: tuple[RankedDeployment, ...]
    """Every deployment: what passes by rank, then what cannot be judged, then what fails."""
    passing: int
    """Deployments that meet every limit."""
    unknown: int
    """Deployments that cannot be judged."""
    failing: int
    """Deployments that overstep a limit."""
    relaxations: tuple[Relaxation, ...] = ()
    """Where nothing passes: by limit, the smallest first."""
    relaxed_pairs: tuple[RelaxedPair, ...] = ()
    """Where no single limit suffices: two at once, the smallest first."""
    changes: tuple[Change, ...] = ()
    """Where nothing passes: changes that let something pass, the least effort first."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        return f"{self.passing} pass, {self.unknown} unknown, {self.failing} fail{_best(self.ranking)}"

    def shortened(self, top: int) -> "HardwareRanking":
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
    """Position of the best of those that do not fail, or of all where all fail; None where none is known."""
    tied_with: tuple[int, ...]
    """Those of them whose interval overlaps the winner's."""


class Factor(Result):
    """One cause of a ratio of latencies."""

    cause: str
    """clock, threads, arithmetic width, core, kernels, number type, batch, memory, overhead, placement, board
    or measurement; several where they cannot be separated."""
    factor: float
    """How many times as long it makes the slower one; below 1 where it works for it."""
    share_percent: int | None
    """Of the ratio's logarithm; all sum to 100. Null where the two hardly differ."""
    explained: bool
    """False of what measurements show beyond the cost model, for which no cause is known."""
    what: str
    """The figures of both behind it."""


class Cause(Result):
    """Why a deployment takes longer than the fastest: factors whose product is the ratio of latencies."""

    deployment: int
    """Position of the deployment."""
    against: int
    """Position of the fastest that can run the model."""
    slower_by: float | None
    """Its latency over the fastest's; null where one is unknown."""
    clock: float | None = None
    """The fastest's clock over this one's."""
    cycles: float | None = None
    """This one's cycles over the fastest's: what clock leaves of the ratio."""
    factors: tuple[Factor, ...] = ()
    """The largest first; none where nothing is known to differ."""
    plain: tuple[Factor, ...] = ()
    """The same as a person would tell it: at most three causes, the largest first, then the rest, in which
    what undoes itself is netted. Their product is the ratio; none where the two hardly differ."""
    why: str
    """The factors in a sentence."""


class Comparison(Result):
    """One model on several deployments: figures side by side, and why one is slower."""

    main_rows: ClassVar[str] = "ranking"

    schema_version: str = "1.0"
    model: str
    deployments: tuple[DeploymentRef, ...]
    """What was compared."""
    ranking: tuple[RankedDeployment, ...]
    """One row a deployment, the best first."""
    differences: tuple[Difference, ...]
    """One row a figure."""
    causes: tuple[Cause, ...]
    """One row a deployment that is slower than the fastest."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        return f"{len(self.deployments)} deployments{_best(self.ranking)}"
