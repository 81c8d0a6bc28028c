"""The checks of one deployment: a table of one row, with what makes up each demand."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..core.deployment_table import DeploymentTable
from ..core.quantity import Basis
from ..core.records import dataclass
from ..cost_model.estimate_table import EstimateTable
from ..cost_model.study import Study
from ..cost_model.table import table_of
from ..verdicts.judge import VERDICTS, Judged
from ..verdicts.limits import Limits
from ..verdicts.rules import judged
from .constraint_report import Check, Term
from .split_arena import with_split_arena

_SLOWEST = 3


@dataclass(frozen=True, eq=False)
class EvaluatedModel:
    """A model on a deployment, ready to be held against any limits."""

    study: Study
    table: EstimateTable
    deployments: DeploymentTable

    @classmethod
    def of(cls, study: Study) -> EvaluatedModel:
        return cls(study, table_of(study), DeploymentTable([study.deployment]))

    def checks(self, limits: Limits) -> list[Check]:
        """One for each rule that these limits call for, soft ones among them."""
        parts = judged(self.table, self.deployments, limits)
        checks = {part.name: check_of(part, tuple(_terms(part.name, self.study))) for part in parts}
        by_device = any(part.name == "ram" and part.field is None for part in parts)
        if by_device:
            plan, deployment = self.study.plan, self.study.deployment
            checks["ram"] = with_split_arena(checks["ram"], plan, deployment, limits.reserve_bytes)
        return list(checks.values())


def check_of(part: Judged, terms: tuple[Term, ...]) -> Check:
    """The first row of what was judged, as a result."""
    demand = None if part.demand is None else part.demand[0]
    bound = None if np.isnan(part.bound[0]) else float(part.bound[0])
    value = None if demand is None else demand.value
    return Check(
        name=part.name,
        verdict=VERDICTS[part.verdict[0]],
        statement=part.sentence(0),
        demand=value,
        demand_low=None if demand is None else demand.low,
        demand_high=None if demand is None else demand.high,
        bound=bound,
        gap=None if value is None or bound is None else value - bound,
        unit="type" if demand is None else demand.unit,
        basis=Basis.DERIVED if demand is None else demand.basis,
        terms=terms,
    )


def _terms(name: str, study: Study) -> Iterator[Term]:
    plan = study.plan
    match name:
        case "ram":
            parts = (
                ("activations and scratch", plan.arena_nonpersistent_bytes),
                ("interpreter's persistent data", plan.arena_persistent_bytes),
            )
        case "flash":
            parts = (("model", plan.model_bytes), ("code", plan.code_bytes))
        case "latency":
            yield from _slowest(study)
            return
        case _:
            return
    yield from (Term(name=part, value=size, unit="bytes") for part, size in parts if size is not None)


def _slowest(study: Study) -> Iterator[Term]:
    milliseconds = study.times.total_s * 1e3
    for index in np.argsort(-milliseconds, kind="stable")[:_SLOWEST].tolist():
        if not np.isnan(milliseconds[index]):
            label = f"{study.graph.ops[index].label} ({index})"
            yield Term(name=label, value=float(milliseconds[index]), unit="ms")
