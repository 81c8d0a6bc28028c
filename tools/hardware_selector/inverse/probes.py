"""Values of a variable, each estimated and judged once."""

from __future__ import annotations

from collections.abc import Sequence

from ....hardware_db.errors import EdgewrightError
from ...core.deployment import Deployment
from ...core.deployment_table import DeploymentTable
from ...core.records import dataclass
from ...cost_model.table import estimate_many
from ...graph import ModelGraph
from ...optimization_simulator.search.trials import figures_at
from ...optimization_simulator.techniques.catalogue import reason_of
from ...verdicts.changes import Figures
from ...verdicts.judge import FAIL, MARGINAL, VERDICTS, Judged, overall
from ...verdicts.limits import Limits
from ...verdicts.rules import judged
from ...verdicts.verdict import Verdict
from .limit_answer import LimitPoint
from .variables import Variable

SHAPE = "shape"
"""Named where the network itself does not take a value."""


@dataclass(frozen=True, eq=False)
class Probe:
    """A model on a deployment under limits."""

    verdict: Verdict
    figures: Figures | None
    parts: Sequence[Judged] = ()
    row: int = 0
    why_not: str = ""
    """Why there is no such model."""

    @property
    def meets(self) -> bool:
        return self.verdict in (Verdict.PASS, Verdict.MARGINAL)

    @property
    def meets_by_estimate(self) -> bool:
        """Whether all limits hold by the middle of each interval, however wide it is."""
        return self.meets or (
            bool(self.parts) and all(self._beyond(part) <= 1.0 for part in self._stopping())
        )

    @property
    def failing(self) -> tuple[str, ...]:
        return tuple(part.name for part in self._stopping()) or ((SHAPE,) if self.why_not else ())

    @property
    def reasons(self) -> tuple[str, ...]:
        notes = tuple(part.sentence(self.row) for part in self._stopping())
        return notes or ((self.why_not,) if self.why_not else ())

    @property
    def shortfall(self) -> tuple[int, float]:
        """How many limits fail, and how far beyond its bound the worst is: least where nearest to meeting."""
        stopping = self._stopping()
        return len(stopping), max(map(self._beyond, stopping), default=0.0)

    def _stopping(self) -> list[Judged]:
        """What fails, the furthest beyond its bound first; where nothing does, what is unknown."""
        failing = [part for part in self.parts if part.verdict[self.row] == FAIL]
        stopping = failing or [part for part in self.parts if part.verdict[self.row] > MARGINAL]
        return sorted(stopping, key=self._beyond, reverse=True)

    def _beyond(self, part: Judged) -> float:
        if part.demand is None or not part.bound[self.row] > 0:
            return float("inf")
        return float(part.demand.value[self.row] / part.bound[self.row])


def probe(graph: ModelGraph, deployment: Deployment, limits: Limits) -> Probe:
    """Estimate and judge one."""
    places = DeploymentTable([deployment])
    try:
        table = estimate_many(graph, places)
    except EdgewrightError as error:
        return Probe(Verdict.FAIL, None, why_not=reason_of(error))
    parts = judged(table, places, limits.hard)
    verdict = VERDICTS[int(overall(parts)[0])]
    return Probe(verdict, figures_at(graph, table, 0), parts)


class Probes:
    """Of one variable."""

    def __init__(self, variable: Variable, limits: Limits) -> None:
        self.variable = variable
        self.limits = limits
        self.found: dict[int, Probe] = {}

    def meets(self, number: int) -> bool:
        return self.at(number).meets

    def at(self, number: int) -> Probe:
        if number not in self.found:
            try:
                setting = self.variable.setting(number)
            except EdgewrightError as error:
                self.found[number] = Probe(Verdict.FAIL, None, why_not=reason_of(error))
            else:
                self.found[number] = probe(*setting, self.limits)
        return self.found[number]

    def point(self, number: int) -> LimitPoint:
        found, variable = self.at(number), self.variable
        return LimitPoint(
            value=variable.value(number),
            told=variable.shown(number),
            verdict=found.verdict,
            fails=found.failing,
            reasons=found.reasons,
            figures=found.figures,
        )
