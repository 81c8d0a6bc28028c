"""One check: the verdicts of a model on a deployment, with remedies and what changed."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from typing import NamedTuple

from ...hardware_db.coefficients import load_coefficients
from ..constraint_checker.checks import EvaluatedModel
from ..constraint_checker.constraint_report import Check, ConstraintReport
from ..constraint_checker.regressions import regression_checks
from ..core.deployment import Deployment
from ..cost_model.study import study
from ..graph import ModelGraph
from ..verdicts.figures_release import what_changed
from ..verdicts.limits import Limits
from ..verdicts.verdict import Verdict, worst


class Asked(NamedTuple):
    """What `check_constraints` is asked, but for the figures."""

    model: ModelGraph
    place: Deployment
    limits: Limits
    baseline: ModelGraph | None
    remedies: bool
    former: str | os.PathLike[str] | None
    exclude: str | Collection[str] | None = None


def _has_gap(check: Check) -> bool:
    known = check.demand is not None and check.bound is not None
    return check.verdict in (Verdict.FAIL, Verdict.MARGINAL) or (check.verdict is Verdict.UNKNOWN and known)


def checked(asked: Asked) -> ConstraintReport:
    """
    Raises:
        InputError: a file that is no former report.
        UsageError: what is no kind of change to leave out.
    """
    found = study(asked.model, asked.place)
    case = EvaluatedModel.of(found)
    checks = case.checks(asked.limits.hard)
    checks += _soft_checks(case, asked.limits, checks)
    fit = None
    if asked.remedies and any(map(_has_gap, checks)):
        from ..optimization_simulator.remedies import with_remedies

        checks, fit = with_remedies(found, asked.limits.hard, checks, asked.exclude)
    diff = None
    if asked.baseline is not None:
        from .model_diff import diff_models

        diff = diff_models(asked.baseline, asked.model, asked.place)
        checks += regression_checks(diff, asked.limits.regression_percent)
    return ConstraintReport(
        model=asked.model.name,
        deployment=asked.place.ref,
        verdict=worst(c.verdict for c in checks if not c.soft),
        checks=tuple(checks),
        fit=fit,
        measured=found.measured,
        figures=load_coefficients().release,
        changed=None if asked.former is None else what_changed(asked.former, checks),
        baseline=diff,
        assumptions=tuple(dict.fromkeys([*found.assumptions, *found.plan.assumptions])),
        warnings=tuple(dict.fromkeys([*found.warnings, *found.plan.warnings])),
    )


def _soft_checks(case: EvaluatedModel, limits: Limits, hard: Sequence[Check]) -> list[Check]:
    """Those of soft limits; beside them the target's own memory stays a hard bound."""
    if not limits.soft:
        return []
    checks = case.checks(limits)
    return [c.model_copy(update={"soft": True}) for c in checks if c.name in limits.soft and c not in hard]
