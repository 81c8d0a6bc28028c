"""A user's own measurements of a board: of this very model as they are, of others as the board's offset."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ...hardware_db.coefficients import load_coefficients
from ..core.calibrations import BoardCalibration, Learned, Standing
from ..core.deployment import Deployment
from ..core.quantity import Basis, Quantity
from ..core.records import dataclass
from ..graph import ModelGraph
from .anchor import Anchor, MeasuredCase, distinct, middle_of, sort_of_place
from .deployment_path import deployment_path
from .hierarchy import SAME_KERNELS, processor_of
from .own_offset import Asked, offset
from .signature import signature


@dataclass(frozen=True)
class Alone:
    """The cost model's latency."""

    ms: float
    factor: float


def by_own_measurements(
    graph: ModelGraph, place: Deployment, alone: Alone, before: Anchor | None
) -> Anchor | None:
    """By the user's own measurements of the board; None where there are none of this library on it."""
    kept = next((c for c in place.settings.calibrations if c.target == place.target.id), None)
    processor = processor_of(place)[1]
    learned = [
        each
        for each in (kept.measurements if kept is not None else ())
        if each.runtime == place.runtime.id and each.processor == processor
    ]
    if kept is None or not learned:
        return None
    asked = asked_of(graph, place, before)
    same = [each for each in learned if _is_case(each, asked, place)]
    if same:
        return _own_case(same, kept, place, alone)
    start_ms = alone.ms if before is None else before.latency_ms.value
    found = offset(learned, asked, sort_of_place(place))
    if found is None or start_ms is None or not start_ms > 0:
        return None
    start_factor = alone.factor if before is None else (before.latency_ms.high or start_ms) / start_ms
    ms = start_ms * math.exp(found.log_ratio)
    many = "a measurement" if len(learned) == 1 else f"{len(learned)} measurements"
    note = (
        f"latency × {math.exp(found.log_ratio):.3g} by {many} of your own on {place.target.id} with "
        f"{place.runtime.id} ({kept.date}, {kept.file})"
    )
    latency = Quantity.within_factor(ms, min(found.interval_factor, start_factor), "ms", Basis.SCALED)
    return Anchor(latency, ms / alone.ms, note, None if before is None else before.case)


def asked_of(graph: ModelGraph, place: Deployment, before: Anchor | None) -> Asked:
    """What of a case matters to what was learned on its board."""
    dtype = SAME_KERNELS.get(graph.dtype.value, graph.dtype.value)
    standing = Standing.NEW
    if before is not None and before.latency_ms.basis is Basis.PUBLISHED:
        standing = Standing.PUBLISHED
    elif any(step in load_coefficients().nodes for step in _own_nodes(place, graph.dtype.value)):
        standing = Standing.KNOWN
    return Asked(signature(graph), dtype, standing)


def _own_nodes(place: Deployment, dtype: str) -> list[str]:
    return [step for step in deployment_path(place, dtype) if step.startswith("target:")]


def _is_case(each: Learned, asked: Asked, place: Deployment) -> bool:
    return (
        bool(asked.signature)
        and (each.signature, each.dtype, each.batch) == (asked.signature, asked.dtype, place.batch)
        and each.threads == place.threads
        and math.isclose(each.clock_mhz, place.clock_mhz, rel_tol=0.01)
    )


def _own_case(same: Sequence[Learned], kept: BoardCalibration, place: Deployment, alone: Alone) -> Anchor:
    latency = middle_of([each.latency_ms for each in same], place, Basis.MEASURED)
    many = "a measurement" if len(same) == 1 else f"{len(same)} measurements"
    note = f"latency as in {many} of your own of this very model here ({kept.date}, {kept.file})"
    case = MeasuredCase(
        latency_ms=latency,
        measurements=len(same),
        differs_in="",
        targets=(kept.target,),
        releases=distinct(each.release for each in same if each.release),
        sources=(kept.file,),
        estimate_ms=None if math.isnan(alone.ms) else alone.ms,
        note=note,
    )
    return Anchor(latency, float(latency) / alone.ms, note, case)
