"""Limits → verdicts with demand, bound, gap, terms and levers."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ...hardware_db.coefficients import load_coefficients
from ..constraint_checker.checks import Case
from ..constraint_checker.regressions import regression_checks
from ..constraint_checker.report import Check, ConstraintReport
from ..core.deployment import Deployment
from ..core.renamed import takes_where
from ..cost_model.study import study
from ..placement.model_source import ModelSource, as_graph
from ..verdicts.figures_release import figures_asked, what_changed
from ..verdicts.limits import Limits, LimitsLike, as_limits
from ..verdicts.verdict import Verdict, worst
from .kept_figures import Asked, checked_by


@takes_where
def check_constraints(
    model: ModelSource,
    deployment: Deployment | str,
    limits: LimitsLike | None = None,
    *,
    baseline: ModelSource | None = None,
    remedies: bool = True,
    figures: str | os.PathLike[str] | None = None,
    former: str | os.PathLike[str] | None = None,
) -> ConstraintReport:
    """Check a model on a deployment against limits, and against what the target itself has.

    Operators, RAM and flash are always checked; latency, rate, energy, power and type where limited.

    Args:
        model: a graph, a path or the name of an architecture.
        deployment: a deployment, or a target's name for its usual runtime.
        limits: what is demanded beyond fitting at all.
        baseline: the version before, which figures may exceed by `limits.regression_percent` only.
        remedies: look for changes that close gaps; without them the verdicts alone come sooner.
        figures: what the answer has to stand on: a release such as 2026.12, or a file that `keep_figures`
            wrote, by which a process of its own answers; None takes what ships.
        former: a report that `check --json` printed before; the answer says which verdicts have turned since.

    Raises:
        InputError: a model or target that cannot be used, or a file that is no former report.
        UsageError: figures that neither ship nor are a file.

    Example:
        >>> board = deployment("stm32h743zi", "tflm-cmsis-nn")
        >>> report = check_constraints("kws.tflite", board, {"latency_ms": 50, "ram_bytes": "16 KiB"})
        >>> [(check.name, check.verdict.value) for check in report.checks]
        [('operators', 'PASS'), ('ram', 'FAIL'), ('flash', 'PASS'), ('latency', 'PASS')]
        >>> ram = report.checks[1]
        >>> ram.demand, ram.bound, ram.gap
        (22820.0, 16384.0, 6436.0)
        >>> ram.levers[0].change, ram.levers[0].closes_gap
        ('input-50', True)
    """
    graph, place = as_graph(model, deployment)
    limits = as_limits(limits)
    kept = None if figures is None else figures_asked(figures)
    if kept is not None:
        before = None if baseline is None else as_graph(baseline, place)[0]
        return checked_by(kept, Asked(graph, place, limits, before, remedies, former))
    found = study(graph, place)
    case = Case.of(found)
    checks = case.checks(limits.hard)
    checks += _soft_checks(case, limits, checks)
    fit = None
    if remedies and any(check.verdict in (Verdict.FAIL, Verdict.MARGINAL) for check in checks):
        from ..optimization_simulator.remedies import with_remedies

        checks, fit = with_remedies(found, limits.hard, checks)
    diff = None
    if baseline is not None:
        from .model_diff import diff_models

        diff = diff_models(baseline, graph, place)
        checks += regression_checks(diff, limits.regression_percent)
    return ConstraintReport(
        model=graph.name,
        deployment=place.ref,
        verdict=worst(c.verdict for c in checks if not c.soft),
        checks=tuple(checks),
        fit=fit,
        measured=found.measured,
        figures=load_coefficients().release,
        changed=None if former is None else what_changed(former, checks),
        baseline=diff,
        assumptions=tuple(dict.fromkeys([*found.assumptions, *found.plan.assumptions])),
        warnings=tuple(dict.fromkeys([*found.warnings, *found.plan.warnings])),
    )


def _soft_checks(case: Case, limits: Limits, hard: Sequence[Check]) -> list[Check]:
    """Those of soft limits; beside them the target's own memory stays a hard bound."""
    if not limits.soft:
        return []
    checks = case.checks(limits)
    return [c.model_copy(update={"soft": True}) for c in checks if c.name in limits.soft and c not in hard]
