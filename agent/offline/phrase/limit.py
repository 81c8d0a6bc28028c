"""How far one can go."""

from __future__ import annotations

from ....tools.core.units import show
from ....tools.hardware_selector.inverse.report import LimitAnswer, LimitPoint
from ....tools.verdicts.changes import Figures
from ..reading import Reading
from ..turns import Outcome
from .figures import bullets, plain, size
from .subject import model_of, place_of

_RELAXED = 4


def phrase(outcome: Outcome, _asked: Reading) -> list[str]:
    found = LimitAnswer.model_validate(outcome.result)
    where = f"{model_of(outcome)} on {place_of(found.deployment)}"
    lead = f"{where}: {found.statement.rstrip('.')}."
    lines = [
        _point(point, label) for label, point in (("there", found.at), ("just beyond", found.beyond)) if point
    ]
    told = [lead, *([bullets(lines)] if lines else [])]
    if found.feasible is False and found.relaxations:
        given = [
            f"{r.limit} {plain(r.demanded, r.unit)} → {show(r.needed, r.unit)}"
            for r in found.relaxations[:_RELAXED]
        ]
        told.append("What would have to give, one limit alone:\n" + bullets(given))
    return told


def _point(point: LimitPoint, label: str) -> str:
    reasons = f": {'; '.join(point.reasons)}" if point.reasons else ""
    figures = "" if point.figures is None else f" ({_figures(point.figures)})"
    return f"{label}, {point.told}: {point.verdict}{reasons}{figures}"


def _figures(figures: Figures) -> str:
    latency, energy = figures.latency_ms.value, figures.energy_uj.value
    told = [f"latency {plain(latency, 'ms')}"] if latency is not None else []
    told += [f"energy {plain(energy, 'uJ')}"] if energy is not None else []
    told += [f"arena {size(figures.arena_bytes)}"] if figures.arena_bytes is not None else []
    return ", ".join(told) or "figures unknown"
