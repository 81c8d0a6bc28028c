"""Limits → verdicts with demand, bound, gap, terms and levers."""

from __future__ import annotations

import os
from collections.abc import Collection

from ..constraint_checker.constraint_report import ConstraintReport
from ..core.deployment import Deployment
from ..core.renamed import takes_where
from ..placement.model_source import ModelSource, as_graph
from ..verdicts.figures_release import figures_asked
from ..verdicts.limits import LimitsLike, as_limits
from .checking import Asked, checked
from .kept_figures import checked_by


@takes_where
def check_constraints(
    model: ModelSource,
    deployment: Deployment | str,
    limits: LimitsLike | None = None,
    *,
    baseline: ModelSource | None = None,
    remedies: bool = True,
    exclude: str | Collection[str] | None = None,
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
        exclude: kinds of changes that no remedy is of, as in `simulate_optimizations`.
        figures: what the answer has to stand on: a release such as 2026.12, or a file that `keep_figures`
            wrote, by which a process of its own answers; None takes what ships.
        former: a report that `check --json` printed before; the answer says which verdicts have turned since.

    Raises:
        InputError: a model or target that cannot be used, or a file that is no former report.
        UsageError: figures that neither ship nor are a file, or an unknown kind of change.

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
    before = None if baseline is None else as_graph(baseline, place)[0]
    asked = Asked(graph, place, as_limits(limits), before, remedies, former, exclude)
    kept = None if figures is None else figures_asked(figures)
    return checked(asked) if kept is None else checked_by(kept, asked)
