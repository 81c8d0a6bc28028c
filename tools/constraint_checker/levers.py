"""What would close a gap: every lever is a change that was simulated on this model and deployment."""

from __future__ import annotations

from collections.abc import Iterable

from ..optimization_simulator import Figures, Option
from ..verdict import Verdict
from .report import Check, Lever

MOST = 4


def with_levers(check: Check, options: Iterable[Option], batch: int) -> Check:
    """The check with the changes that lower its demand, those that close the gap first."""
    if check.verdict is Verdict.PASS or check.bound is None or check.demand is None:
        return check
    found = []
    for option in options:
        if option.after is None:
            continue
        before, after = _figure(check.name, option.before, batch), _figure(check.name, option.after, batch)
        if before is None or after is None or after >= before:
            continue
        found.append(
            Lever(
                change=option.technique,
                before=before,
                after=after,
                unit=check.unit,
                closes_gap=after <= check.bound,
                effort=option.effort,
            )
        )
    found.sort(key=lambda lever: (not lever.closes_gap, lever.after))
    return check.model_copy(update={"levers": tuple(found[:MOST])})


def _figure(name: str, figures: Figures, batch: int) -> float | None:
    match name:
        case "ram":
            return figures.arena_bytes
        case "flash":
            return figures.flash_bytes
        case "latency" | "rate":
            return None if figures.latency_ms.value is None else figures.latency_ms.value / batch
        case "energy":
            return None if figures.energy_uj.value is None else figures.energy_uj.value / batch
        case _:
            return None
