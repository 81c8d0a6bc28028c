"""How fast a language model is on a processor, or on a GPU and the cores beside it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ...hardware_db import Target
from ...hardware_db.coefficients.decode import load_decode_fit
from ...hardware_db.derived import active_mw
from ..core.quantity import Basis, Quantity, weakest
from ..core.records import dataclass
from ..cost_model.decode import (
    RATE,
    DecodePlace,
    Sessions,
    encode_seconds,
    least_prefill_seconds,
    least_step_seconds,
    no_faster,
    node_of,
    prefill_node_of,
    prefill_seconds,
    step_seconds,
)
from .published import Correction


@dataclass(frozen=True)
class Part:
    """A processor and its share of the layers."""

    place: DecodePlace
    share: float


def decode_rate(work: Sessions, parts: tuple[Part, ...], near: Correction | None = None) -> Quantity:
    """Tokens a second of all sessions together, with the wider interval of the processors.

    Corrected by published speeds where there are any, and never above what the bandwidths and the arithmetic
    allow: sessions over the seconds that a step takes at both.
    """
    fit = load_decode_fit()
    steps = [step_seconds(work, part.place, fit) for part in parts]
    nodes = [node_of(part.place, fit) for part in parts]
    seconds, factors = _sum(steps, parts), [node.interval_factor for node in nodes if node]
    if seconds is None or len(factors) < len(parts):
        return Quantity.unknown(RATE)
    if work.sessions > 1:
        factors.append(fit.sessions_interval_factor)
    rate = Quantity.within_factor(work.sessions / seconds, max(factors), RATE, Basis.FITTED)
    least = _sum([least_step_seconds(work, part.place) for part in parts], parts)
    return no_faster(near.of(rate) if near else rate, work.sessions / least if least else math.inf)


def prefill_rate(
    work: Sessions, prompt_tokens: int, parts: tuple[Part, ...], near: Correction | None = None
) -> Quantity:
    """Tokens a second of one prompt, likewise corrected and held."""
    fit = load_decode_fit()
    alone = Sessions(work.model, work.weights, work.kv, 0)
    seconds = _sum([prefill_seconds(alone, prompt_tokens, part.place, fit) for part in parts], parts)
    nodes = [prefill_node_of(part.place, fit) for part in parts]
    factors = [node.interval_factor for node in nodes if node]
    if seconds is None or len(factors) < len(parts):
        return Quantity.unknown(RATE)
    rate = Quantity.within_factor(prompt_tokens / seconds, max(factors), RATE, Basis.FITTED)
    least = _sum([least_prefill_seconds(alone, prompt_tokens, part.place) for part in parts], parts)
    return no_faster(near.of(rate) if near else rate, prompt_tokens / least if least else math.inf)


def first_token_ms(work: Sessions, prompt_tokens: int, rate: Quantity, place: DecodePlace) -> Quantity:
    """Until every session has read its prompt, and the encoder what it attends to."""
    encoded = encode_seconds(work.model, place) if work.model.encoder_positions else Quantity.exact(0.0, "s")
    figures = (rate.high, encoded.low), (rate.value, encoded.value), (rate.low, encoded.high)
    each = [prompt_tokens / speed + s for speed, s in figures if speed is not None and s is not None]
    if len(each) < len(figures):
        return Quantity.unknown("ms")
    low, value, high = (1e3 * work.sessions * seconds for seconds in each)
    return Quantity(value=value, low=low, high=high, unit="ms", basis=rate.basis)


def energy_uj_per_token(target: Target, rate: Quantity) -> Quantity:
    """The power of the whole target while it computes, over tokens a second; unknown where either is."""
    power = active_mw(target)
    if power is None or rate.value is None or rate.low is None or rate.high is None:
        return Quantity.unknown("uJ")
    low, value, high = (1e3 * power / speed for speed in (rate.high, rate.value, rate.low))
    basis = weakest((rate.basis, Basis.DATASHEET))
    return Quantity(value=value, low=low, high=high, unit="uJ", basis=basis)


def _sum(seconds: Sequence[float | None], parts: tuple[Part, ...]) -> float | None:
    """One layer computes after the other, wherever it is."""
    total = 0.0
    for one, part in zip(seconds, parts, strict=True):
        if one is None:
            return None
        total += part.share * one
    return total
