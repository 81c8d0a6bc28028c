"""How a named model stands on a deployment under limits."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from ...hardware_db.errors import UsageError
from ..api.generation import estimate_generation
from ..core.deployment import Deployment
from ..core.deployment_table import as_table
from ..core.quantity import Quantity
from ..core.records import dataclass
from ..cost_model.quantity_column import QuantityColumn
from ..cost_model.table import estimate_many
from ..generation.generation_estimate import GenerationEstimate
from ..graph import DType
from ..graph.costs.parameters import parameter_count
from ..model_zoo.named import build_architecture
from ..model_zoo.weight_format import weight_format
from ..verdicts.capacity import TIGHT, code_and_weights_room
from ..verdicts.judge import PASS, VERDICTS, demand_and_bound, judge, misses, overall
from ..verdicts.limits import Limits
from ..verdicts.rules import judged
from ..verdicts.verdict import Verdict, worst

NARROWEST = 4.0
"""Bits a weight down to which a published accuracy is taken to say something."""
_MS = 1000.0


@dataclass(frozen=True)
class Standing:
    verdict: Verdict
    dtype: str
    latency_ms: Quantity
    energy_uj: Quantity
    arena_bytes: Quantity
    flash_bytes: Quantity
    reasons: tuple[str, ...]
    missing: float
    """How far it is from passing, in decades beyond its bounds."""
    assumptions: tuple[str, ...] = ()
    runtime: str = ""
    """Engine that generates text; empty for networks that run once."""


def network(architecture: str, place: Deployment, limits: Limits) -> Standing:
    """Of a network that runs once for each input, in the usual type of the runtime.

    What cannot even be stored is neither planned nor timed.
    """
    dtype = DType(place.runtime.usual_dtype.value)
    too_large = _too_large(architecture, dtype, place, limits)
    if too_large:
        ms, uj, size = (Quantity.unknown(unit) for unit in ("ms", "uJ", "B"))
        return Standing(Verdict.FAIL, dtype, ms, uj, size, size, (too_large[0],), too_large[1])
    places = as_table([place])
    table = estimate_many(f"{architecture}:{dtype}", places)
    parts = judged(table, places, limits.hard)
    verdict = int(overall(parts)[0])
    reasons = [part.sentence(0) for part in parts if verdict != PASS and part.verdict[0] == verdict]
    return Standing(
        verdict=VERDICTS[verdict],
        dtype=table.models[0].dtype.value,
        latency_ms=table.latency_ms[0],
        energy_uj=table.energy_uj[0],
        arena_bytes=table.arena_bytes[0],
        flash_bytes=table.flash_bytes[0],
        reasons=tuple(reasons),
        missing=float(misses(parts)[0]),
    )


def _too_large(
    architecture: str, dtype: DType, place: Deployment, limits: Limits
) -> tuple[str, float] | None:
    """Why the weights alone fit nowhere, and how many decades are missing; None where they do."""
    parameters = parameter_count(build_architecture(architecture, dtype=DType.FLOAT32))
    weights = QuantityColumn.of("B", [Quantity.exact(float(dtype.storage_bytes(parameters) or 0), "B")])
    room = code_and_weights_room(place.target)
    for name, bound in (("the limit", limits.hard.flash_bytes), (room.name, room.size)):
        if bound is not None and weights.value[0] > bound:
            missing = math.log10(weights.value[0] / bound)
            return demand_and_bound("weights alone take", weights, 0, float(bound), name), missing
    return None


def language(model: str, place: Deployment, limits: Limits) -> Standing:
    """Of a language model: the limits are on one token, and on weights, cache and buffers together."""
    try:
        found = estimate_generation(model, place)
    except UsageError as error:
        return _nowhere(str(error))
    token, taken = _per_token(found), Quantity.exact(float(found.total_bytes), "B")
    energy = found.energy_uj_per_token
    judgements = [
        (found.verdict, found.statement),
        *_limited("one token takes", token, [limits.latency_ms, limits.rate_hz and _MS / limits.rate_hz]),
        *_limited("model and cache take", taken, [limits.ram_bytes]),
        *_limited("one token takes", energy, [limits.energy_uj]),
        *_narrow(found.weights),
        *((Verdict.UNKNOWN, f"{name} of text generation is unknown") for name in _not_judged(limits)),
    ]
    return Standing(
        verdict=worst(verdict for verdict, _ in judgements),
        dtype=found.weights,
        latency_ms=token,
        energy_uj=energy,
        arena_bytes=taken,
        flash_bytes=Quantity.unknown("B"),
        reasons=tuple(why for verdict, why in judgements if verdict is not Verdict.PASS),
        missing=math.log10(found.total_bytes / found.ram_bytes) if found.ram_bytes else math.inf,
        assumptions=(
            f"weights in the widest format up to 8 bits that fits, {found.context} tokens of context, "
            f"{found.prompt_tokens} of prompt",
        ),
        runtime=found.runtime,
    )


def _narrow(weights: str) -> Iterator[tuple[Verdict, str]]:
    """Below 4 bits a weight the published accuracy says nothing."""
    if weight_format(weights).bits < NARROWEST:
        yield Verdict.UNKNOWN, f"it fits in {weights} alone, in which its accuracy is not known"


def _nowhere(why: str) -> Standing:
    """What nothing known runs there."""
    ms, uj, size = (Quantity.unknown(unit) for unit in ("ms", "uJ", "B"))
    return Standing(Verdict.FAIL, "", ms, uj, size, size, (why,), math.inf)


def _limited(needs: str, demand: Quantity, bounds: Sequence[float | None]) -> Iterator[tuple[Verdict, str]]:
    """The verdict of each bound that was set, with its sentence."""
    column = QuantityColumn.of(demand.unit, [demand])
    for bound in bounds:
        if bound is not None:
            verdict = VERDICTS[judge(column, np.array([float(bound)]), np.array([TIGHT]))[0]]
            yield verdict, demand_and_bound(needs, column, 0, bound, "the limit")


def _not_judged(limits: Limits) -> list[str]:
    given = {"flash": limits.flash_bytes, "power": limits.power_mw}
    return [name for name, bound in given.items() if bound is not None]


def _per_token(found: GenerationEstimate) -> Quantity:
    rate = found.decode_tokens_per_s
    if rate.value is None or rate.low is None or rate.high is None:
        return Quantity.unknown("ms")
    low, value, high = (_MS / each for each in (rate.high, rate.value, rate.low))
    return Quantity(value=value, low=low, high=high, unit="ms", basis=rate.basis)
