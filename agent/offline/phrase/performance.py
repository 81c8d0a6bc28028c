"""Latency, energy and power of one inference."""

from __future__ import annotations

import re

from ....tools.cost_model.report import LayerEstimate, PerformanceEstimate
from ..intents import Intent
from ..reading import Reading
from ..turns import Outcome
from .figures import bullets, layer, listed, plain, quantity
from .subject import model_of, place_of

_PER_LAYER = re.compile(
    r"\b(?:per|each|which|every|by) (?:layer|op|operator|one)s?\b|\blayers\b", re.IGNORECASE
)


def phrase(outcome: Outcome, asked: Reading) -> list[str]:
    estimate = PerformanceEstimate.model_validate(outcome.result)
    one = f"A batch of {estimate.deployment.batch}" if estimate.deployment.batch > 1 else "One inference"
    where = f"of {model_of(outcome)} on {place_of(estimate.deployment)}"
    latency = f"takes {_or_unknown(quantity(estimate.latency_ms), 'an unknown time')}"
    energy = _energy(estimate)
    if asked.intents[:1] == (Intent.ENERGY,):
        lead = f"{one} {where} {energy} and {latency}."
    else:
        lead = f"{one} {where} {latency}{_rate(estimate)} and {energy}."
    return [lead, *_layers(estimate, asked), *_missing(estimate)]


def _or_unknown(text: str, unknown: str) -> str:
    return unknown if text == "unknown" else text


def _rate(estimate: PerformanceEstimate) -> str:
    rate = estimate.inferences_per_second
    return "" if rate.value is None else f", {plain(rate.value, rate.unit)} one after the other,"


def _energy(estimate: PerformanceEstimate) -> str:
    if estimate.energy_uj.value is None:
        return "needs an unknown energy"
    return f"needs {quantity(estimate.energy_uj)} at {quantity(estimate.power_mw)} while computing"


def _layers(estimate: PerformanceEstimate, asked: Reading) -> list[str]:
    by_energy = asked.intents[:1] == (Intent.ENERGY,) and any(x.energy_uj for x in estimate.layers)
    wanted = _PER_LAYER.search(asked.question) is not None

    def weight(row: LayerEstimate) -> float:
        return (row.energy_uj if by_energy else row.latency_ms) or 0.0

    known = [row for row in estimate.layers if weight(row) > 0]
    heaviest = sorted(known, key=weight, reverse=True)[: 8 if wanted else 3]
    if not heaviest:
        return []
    told = [
        f"{layer(row.index, row.op)} {plain(weight(row), 'uJ' if by_energy else 'ms')}" for row in heaviest
    ]
    if wanted:
        return [f"The layers that take most {'energy' if by_energy else 'time'}:\n" + bullets(told)]
    return [f"Most of it goes to {listed(told)}."]


def _missing(estimate: PerformanceEstimate) -> list[str]:
    told = []
    if estimate.latency_ms.value is None:
        told.append("To know the time takes a measurement of this runtime on a core of this kind.")
    if estimate.energy_uj.value is None and estimate.latency_ms.value is not None:
        told.append(f"To know the energy takes a cited power figure of {estimate.deployment.target}.")
    return told
