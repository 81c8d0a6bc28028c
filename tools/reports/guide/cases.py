"""Usual demands, with the best deployment of each class, and what makes the winner differ from the next."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

import numpy as np

from ...cost_model.bounds import BOUNDS
from ...hardware_selector.compare import compare_deployments
from .demands import Bools, Estimates
from .guide_report import CaseRow, CaseStudy

CASES = (
    ("Keyword spotting, always on", "kws", 20.0, 1_000.0),
    ("Is there a person, once a second on a battery", "vww", 1_000.0, 50_000.0),
    ("Classifying images now and then", "mobilenet_v2", 100.0, 50_000.0),
    ("Objects in a video of 30 frames a second", "yolov5n", 1_000.0 / 30, math.inf),
)
"""Title, model, ms and µJ of one inference. Those of the first and third are of row S2-053 of the source
documents."""


def case_study(model: Estimates, title: str, name: str, latency_ms: float, energy_uj: float) -> CaseStudy:
    """The least energy of each class that keeps the limits, the winner first."""
    table = model.table
    meets = model.can & (table.latency_ms.value <= latency_ms)
    if math.isfinite(energy_uj):
        meets &= table.energy_uj.value <= energy_uj
    classes = np.array([place.target.target_class.value for place in table.deployments])
    rows = [_row(model, each, meets & (classes == each), classes == each, (latency_ms, energy_uj))
            for each in sorted(set(classes.tolist()))]  # fmt: skip
    rows.sort(key=lambda row: (not row.meets, math.inf if row.energy_uj is None else row.energy_uj))
    return CaseStudy(
        title=title,
        model=name,
        latency_ms=latency_ms,
        energy_uj=energy_uj if math.isfinite(energy_uj) else None,
        rows=tuple(rows),
        causes=_causes(model, rows),
    )


def _row(model: Estimates, name: str, meets: Bools, members: Bools, limits: tuple[float, float]) -> CaseRow:
    table = model.table
    best = model.chosen(meets if meets.any() else members & model.can, table.energy_uj.value)
    why = Counter(why for row in np.flatnonzero(members & ~meets) for why in _lacks(model, int(row), limits))
    place = table.deployments[best] if best >= 0 else None
    return CaseRow(
        target_class=name,
        target=place.target.id if place else "none",
        runtime=place.runtime.id if place else "none",
        latency_ms=_figure(table.latency_ms.value, best),
        energy_uj=_figure(table.energy_uj.value, best),
        price_usd=_figure(model.prices, best),
        bound=BOUNDS[table.bound[best]].value if best >= 0 else "unknown",
        meets=int(meets.sum()),
        of=int(members.sum()),
        why_not=", ".join(f"{text} ({count})" for text, count in why.most_common(2)),
    )


def _lacks(model: Estimates, row: int, limits: tuple[float, float]) -> Iterator[str]:
    """The first reason why a deployment is out."""
    table = model.table
    if not model.can[row]:
        reasons = table.reasons(row)
        yield reasons[0].lack.replace("_", " ") if reasons else "time unknown"
    elif table.latency_ms.value[row] > limits[0]:
        yield "too slow"
    elif math.isnan(table.energy_uj.value[row]):
        yield "energy unknown"
    else:
        yield "too much energy"


def _causes(model: Estimates, rows: list[CaseRow]) -> str:
    """The winner against the best of the next class, where there are two."""
    two = [row for row in rows if row.meets][:2]
    if len(two) < 2:
        return ""
    by_id = {place.target.id: place for place in model.table.deployments}
    cause = compare_deployments(model.name, [by_id[row.target] for row in two]).causes
    if not cause or not cause[0].slower_by:
        return ""
    slow, fast = (two[at].target for at in (cause[0].deployment, cause[0].against))
    return f"{slow} takes {cause[0].slower_by:.3g} times as long as {fast}: {cause[0].why}"


def _figure(column: np.ndarray[tuple[int], np.dtype[np.float64]], row: int) -> float | None:
    return None if row < 0 or math.isnan(column[row]) else float(column[row])
