"""The changes that were asked for by name, each alone and all of them in that order."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ....hardware_db.errors import EdgewrightError
from ...core.deployment import Deployment
from ...core.records import replace
from ...graph import ModelGraph
from ...graph.serialize import graph_sha256
from ...verdicts.changes import Figures
from ...verdicts.verdict import Verdict
from ..efforts import hardest
from ..figures import figures, option
from ..optimization_report import Option
from ..techniques.catalogue import reason_of
from ..techniques.names import OF_MEMORY, technique
from ..techniques.technique import Technique


def named(names: Collection[str], deployment: Deployment) -> list[Technique]:
    """
    Raises:
        UsageError: a name that is no technique, or a parameter that it does not take.
    """
    return [technique(name, deployment) for name in dict.fromkeys(names) if name not in OF_MEMORY]


def canonical(names: Iterable[str], deployment: Deployment) -> list[str]:
    """As reports write them: prune-0.3 is prune-30."""
    return [name if name in OF_MEMORY else technique(name, deployment).name for name in names]


def in_order(
    graph: ModelGraph, deployment: Deployment, changes: Sequence[Technique], before: Figures
) -> Option | None:
    """All of them, one upon the other; None for fewer than two."""
    if len(changes) < 2:
        return None
    name = " + ".join(each.name for each in changes)
    risks = dict.fromkeys(t.accuracy_risk for t in changes if not t.accuracy_risk.startswith("none"))
    effort, risk = hardest(t.effort for t in changes), "; ".join(risks) or "none"
    changed, there = graph, deployment
    for at, each in enumerate(changes):
        try:
            made, there = each.apply(changed, there)
        except EdgewrightError as error:
            behind = f" after {', '.join(earlier.name for earlier in changes[:at])}" if at else ""
            why = f"{each.name}{behind}: {reason_of(error)}"
            return option(name, before, None, why, effort=effort, accuracy_risk=risk)
        if made is not changed:
            changed = replace(made, history=(*changed.history, each.name))
    after, runs = figures(replace(changed, sha256=graph_sha256(changed)), there)
    if runs is Verdict.FAIL:
        why = f"{there.runtime.id} has no kernels for the changed operators"
        return option(name, before, None, why, effort=effort, accuracy_risk=risk)
    return option(name, before, after, "all of them, in this order", effort=effort, accuracy_risk=risk)
