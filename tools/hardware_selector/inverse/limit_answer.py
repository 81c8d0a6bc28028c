"""How far one can go until a limit is overstepped."""

from ...core.deployment import DeploymentRef
from ...core.quantity import Result
from ...verdicts.changes import Figures, Fit
from ...verdicts.limits import Limits
from ...verdicts.relaxation import Relaxation, RelaxedPair
from ...verdicts.verdict import Verdict


class LimitPoint(Result):
    """One value of the variable, and what it comes to."""

    value: float
    """The value."""
    told: str
    """The value as people say it: "224x224 pixels"."""
    verdict: Verdict
    fails: tuple[str, ...]
    """Names of what does not pass there, the furthest beyond first."""
    reasons: tuple[str, ...]
    figures: Figures | None
    """None where the model cannot be made or estimated so."""


class LimitAnswer(Result):
    """The furthest value of one variable that still meets the limits."""

    schema_version: str = "1.0"
    model: str = ""
    deployment: DeploymentRef
    variable: str
    """What was varied: input, width, depth, clock, ram, batch, rate or battery-life."""
    question: str
    """What was asked, in words."""
    limits: Limits
    feasible: bool | None
    """False where no value meets the limits, None where that cannot be known."""
    value: float | None
    """The furthest value, in `unit`; null where none meets the limits."""
    unit: str
    statement: str
    binding: str | None
    """What fails just beyond; None where nothing does as far as values go."""
    at: LimitPoint | None
    """What that value comes to."""
    beyond: LimitPoint | None
    """The next value, which does not meet the limits."""
    likely: LimitPoint | None = None
    """Where no value surely meets the limits: the furthest that does by the middle of each interval."""
    method: str
    """exact, bisection, or scan where what meets the limits is no single run of values."""
    tried: int
    """Values that were tried."""
    relaxations: tuple[Relaxation, ...] = ()
    """Where no value meets the limits: which single one would have to give, and the values it admits."""
    relaxed_pairs: tuple[RelaxedPair, ...] = ()
    fit: Fit | None = None
    """Where no value meets the limits: the shortest list of other changes that does."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        return self.statement
