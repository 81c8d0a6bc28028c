"""Changes made one upon the other, what comes out, and its verdict."""

from ..core.quantity import Quantity, Result
from .relaxation import Relaxation, RelaxedPair
from .verdict import Verdict


class Figures(Result):
    """The four quantities that a change is judged by, and those it explains itself with."""

    latency_ms: Quantity
    """Time of one batch."""
    energy_uj: Quantity
    """Energy of one batch."""
    arena_bytes: int | None
    flash_bytes: int | None
    parameter_bytes: int
    macs: int


class ChangeStep(Result):
    """One change of a combination."""

    technique: str
    about: str
    """The change, in words."""
    effort: str
    accuracy_risk: str
    after: Figures | None
    """After it and all before it; None where the model cannot be estimated there."""


class Combination(Result):
    """Changes in the order in which they are applied; none is the model as it is."""

    changes: tuple[ChangeStep, ...]
    """The changes, in order."""
    effort: str
    """That of the hardest change."""
    effort_steps: int
    """Of all changes: 1 for minutes, 2 for retraining, 3 for a redesign. An order, no measure of hours."""
    verdict: Verdict
    """Of the limits, and of what the target has."""
    reasons: tuple[str, ...]
    """What decides the verdict, where that is not PASS."""
    after: Figures
    """Figures with all of them."""
    gain: dict[str, float]
    """Relative change of each figure, after / before - 1."""
    gain_per_effort: float | None
    """Halvings of the goal's figure for each step of effort: 1 halves it for each; None without changes."""

    @property
    def name(self) -> str:
        return " + ".join(step.technique for step in self.changes) or "as it is"


class Fit(Result):
    """The shortest list of changes that meets the limits, or that none of those tried does."""

    feasible: bool | None
    """False where every combination tried fails; None where some can neither be said to meet nor to fail."""
    statement: str
    changes: Combination | None
    """The shortest list, of those the one with least effort, then the best for the goal."""
    shortest: bool
    """Whether every shorter list was tried."""
    tried: int
    """Combinations that were tried."""
    up_to: int
    """Every combination of so many changes was tried."""
    nearest: Combination | None
    """Where none meets the limits: the one that misses them least."""
    relaxations: tuple[Relaxation, ...] = ()
    """Where none meets the limits: which single one would have to give, and what that admits."""
    relaxed_pairs: tuple[RelaxedPair, ...] = ()
    """Where no single limit suffices: two at once."""
