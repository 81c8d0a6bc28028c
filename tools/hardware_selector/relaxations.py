"""Where nothing passes: which one limit would have to give way, or which change of the model helps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ..deployments import deployment
from ..graph import ModelGraph
from .judge import FAIL, MARGINAL, Judged
from .report import Change, Relaxation

if TYPE_CHECKING:
    from .recommend import Field

MOST = 8
_EFFORTS = {"minutes": 0, "retraining": 1, "redesign": 2}


def relaxations(field: Field) -> tuple[Relaxation, ...]:
    """For each limit that the user set, the least value that lets a deployment pass that keeps all others."""
    found = []
    for part in field.parts:
        if part.field is None or part.demand is None or part.name in field.limits.soft:
            continue
        others = [p.verdict for p in field.parts if p is not part and p.name not in field.limits.soft]
        alone = (part.verdict == FAIL) & (np.max(others, axis=0) <= MARGINAL) & ~np.isnan(part.demand.value)
        if alone.any():
            found.append(_relaxation(field, part, np.flatnonzero(alone)))
    return tuple(sorted(found, key=lambda relaxation: abs(relaxation.percent)))


def _relaxation(field: Field, part: Judged, rows: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Relaxation:
    assert part.demand is not None
    demanded = float(getattr(field.limits, part.field or ""))
    needed = float(part.demand.value[rows].min())
    admitted = rows[part.demand.value[rows] <= needed * (1 + 1e-9)]
    value, unit = (1e3 / needed, "1/s") if part.name == "rate" else (needed, part.demand.unit)
    if part.name == "ram":
        value += field.limits.reserve_bytes
    return Relaxation(
        limit=part.name,
        demanded=demanded,
        needed=value,
        unit=unit,
        percent=100 * (value / demanded - 1),
        admits=_targets(field, admitted.tolist()),
    )


def admitting_changes(field: Field, weights: Mapping[str, float]) -> tuple[Change, ...]:
    """Techniques on the model that let a deployment pass; each is estimated on all of them."""
    from ...hardware_db.errors import EdgewrightError
    from ..optimization_simulator.techniques import techniques
    from .recommend import Field, rank

    graph: ModelGraph = field.table.models[0]
    anywhere = deployment("host-x86-64")
    found = []
    for technique in techniques(anywhere):
        if technique.family in {"runtime", "clock"}:
            continue
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


def _targets(field: Field, rows: list[int]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(field.places[row].target.id for row in rows))[:MOST]
