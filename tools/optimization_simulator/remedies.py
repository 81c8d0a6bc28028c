"""What would close the gaps of a check: each change simulated, and the fewest that close all of them."""

from __future__ import annotations

from collections.abc import Collection

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
from .techniques.ruled_out import allowed, allowed_plans, read_kinds

ORDER_TIME_LIMIT_S = 2.0
"""How long a better order of the operators is sought where the arena is too large."""


def with_remedies(
    case: Study, limits: Limits, checks: list[Check], exclude: str | Collection[str] | None = None
) -> tuple[list[Check], Fit | None]:
    """The checks with what would close their gaps, and what would close all of them.

    Raises:
        UsageError: what is no kind of change to leave out.
    """
    graph, deployment = case.graph, case.deployment
    out = read_kinds(exclude, deployment)
    trials = Trials(graph, deployment, allowed(techniques(deployment), out), limits)
    options = simulate_options(graph, deployment, trials, out)
    if any(c.name == "ram" and c.verdict is Verdict.FAIL for c in checks):
        options = (*options, *allowed_plans(order_options(graph, deployment, ORDER_TIME_LIMIT_S), out))
    found = [with_levers(check, options, deployment.batch) for check in checks]
    return found, closing_all(trials, found)
