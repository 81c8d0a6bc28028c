"""Estimates side by side."""

from __future__ import annotations

from collections.abc import Sequence

from ....tools.core.quantity import Quantity
from ....tools.cost_model.report import PerformanceEstimate
from ..intents import Intent
from ..reading import Reading
from ..turns import Outcome
from .figures import bullets, quantity
from .subject import model_of, place_of

Row = tuple[str, PerformanceEstimate]


def phrase_estimates(outcomes: Sequence[Outcome], asked: Reading) -> list[str]:
    rows = [(_label(outcome), PerformanceEstimate.model_validate(outcome.result)) for outcome in outcomes]
    by_energy = Intent.ENERGY in asked.intents and Intent.LATENCY not in asked.intents
    lines = [f"{label}: {_latency(e)}, {_energy(e)}" for label, e in rows]
    verdicts = [_best(rows, "energy")] if by_energy else [_best(rows, "latency")]
    if Intent.ENERGY in asked.intents and not by_energy:
        verdicts.append(_best(rows, "energy"))
    return [" ".join(text for text in verdicts if text), bullets(lines)]


def _label(outcome: Outcome) -> str:
    estimate = PerformanceEstimate.model_validate(outcome.result)
    return f"{model_of(outcome)} on {place_of(estimate.deployment)}"


def _latency(estimate: PerformanceEstimate) -> str:
    return f"latency {quantity(estimate.latency_ms)}"


def _energy(estimate: PerformanceEstimate) -> str:
    if estimate.energy_uj.value is None:
        return "energy unknown"
    return f"energy {quantity(estimate.energy_uj)} at {quantity(estimate.power_mw)}"


def _figure(estimate: PerformanceEstimate, name: str) -> Quantity:
    return estimate.energy_uj if name == "energy" else estimate.latency_ms


def _best(rows: Sequence[Row], name: str) -> str:
    """The lowest, and whether the intervals leave it open."""
    known = [(label, q) for label, e in rows if (q := _figure(e, name)).value is not None]
    known.sort(key=lambda row: row[1].value or 0.0)
    if len(known) < 2:
        return f"Which has the lowest {name} is unknown: there are not two figures to compare."
    (label, best), (_, second) = known[0], known[1]
    if best.value == second.value:
        return f"The {name} does not differ."
    sure = best.high is not None and second.low is not None and best.high < second.low
    doubt = "" if sure else ", though the intervals overlap"
    known_only = "" if len(known) == len(rows) else " of those that are known"
    return f"The lowest {name}{known_only}: **{label}**{doubt}."
