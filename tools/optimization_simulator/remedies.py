"""What would close the gaps of a check: each change simulated, and the fewest that close all of them."""

from __future__ import annotations

from ..constraint_checker.constraint_report import Check
from ..cost_model.study import Study
from ..verdicts.changes import Fit
from ..verdicts.limits import Limits
from ..verdicts.verdict import Verdict
from .levers import closing_all, with_levers
from .memory import order_options
from .search.options import simulate_options
from .search.trials import Trials
from .techniques.catalogue import techniques

ORDER_TIME_LIMIT_S = 2.0
"""How long a better order of the operators is sought where the arena is too large."""


def with_remedies(case: Study, limits: Limits, checks: list[Check]) -> tuple[list[Check], Fit | None]:
    """The checks with what would close their gaps, and what would close all of them."""
    graph, deployment = case.graph, case.deployment
    trials = Trials(graph, deployment, techniques(deployment), limits)
    options = simulate_options(graph, deployment, trials)
    if any(c.name == "ram" and c.verdict is Verdict.FAIL for c in checks):
        options = (*options, *order_options(graph, deployment, ORDER_TIME_LIMIT_S))
    found = [with_levers(check, options, deployment.batch) for check in checks]
    return found, closing_all(trials, found)
