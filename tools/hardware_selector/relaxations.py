"""Where nothing passes: which one limit would have to give way, or which change of the model helps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ..deployments import deployment
from ..graph import ModelGraph
from ..relaxation import Relaxation, RelaxedPair
from .judge import MARGINAL
from .relaxing import MOST, least_pairs, least_relaxations
from .report import Change

if TYPE_CHECKING:
    from .recommend import Field

_EFFORTS = {"minutes": 0, "retraining": 1, "redesign": 2}


def relaxations(field: Field) -> tuple[Relaxation, ...]:
    """For each limit that the user set, the least value that lets a deployment pass that keeps all others."""
    return least_relaxations(field.parts, field.limits, lambda row: field.places[row].target.id)


def relaxed_pairs(field: Field) -> tuple[RelaxedPair, ...]:
    """Two limits at once, for where no single one suffices."""
    return least_pairs(field.parts, field.limits, lambda row: field.places[row].target.id)


def admitting_changes(field: Field, weights: Mapping[str, float]) -> tuple[Change, ...]:
    """Techniques on the model that let a deployment pass; each is estimated on all of them."""
    from ...hardware_db.errors import EdgewrightError
    from ..optimization_simulator.techniques import of_models
    from .recommend import Field, rank

    graph: ModelGraph = field.table.models[0]
    anywhere = deployment("host-x86-64")
    found = []
    for technique in of_models():
        try:
            changed, _ = technique.apply(graph, anywhere)
            after = Field.of(changed, field.places, field.limits)
        except EdgewrightError:
            continue
        passing = np.flatnonzero(after.verdict <= MARGINAL)
        if len(passing):
            best = [row.target for row in rank(after, weights)[: len(passing)]]
            found.append(
                Change(
                    technique=technique.name,
                    effort=technique.effort,
                    admits=tuple(dict.fromkeys(best))[:MOST],
                    count=len(passing),
                )
            )
    return tuple(sorted(found, key=lambda change: (_EFFORTS.get(change.effort, 3), -change.count)))
