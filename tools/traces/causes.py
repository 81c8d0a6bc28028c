"""Causes of a difference between estimate and measurement, each tested on the layers.

A cause is a claim on which layers are slow, and by what: all alike, one kind, those beyond the cache, by
bytes of weights, by a fixed amount each, or as another runtime's estimate. Each predicts every layer's time
with one factor or two; the one that leaves least, after what its factors cost (Schwarz's criterion), holds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ...hardware_db.errors import EdgewrightError
from ..core.deployment import deployment
from ..core.units import digits, show
from ..cost_model.study import Study, study
from .measured_profile import MeasuredLayer, TestedCause
from .names import LIGHT
from .twins import twins_of

Floats = npt.NDArray[np.float64]
_LEAST_LAYERS = {1: 4, 2: 7}
"""Layers that are not alike, by factors: below it two factors fit anything."""
_LEAST_SHARE = 1e-3
"""Of the measured or the estimated whole: a shorter layer is below what a timer tells."""
_LEAST_FACTOR = 1.25
_LEAST_EXPLAINED = 0.3
_MARGIN = 6.0
"""Of the criterion by which a cause has to beat a simpler one: strong evidence (Kass and Raftery, 1995)."""
_FLOOR = 0.05
"""Misfit in logarithms that is no worse than what runs scatter."""
_STEPS = np.geomspace(0.01, 100, 80)
_MOST_RUNTIMES = 6


class Layers(NamedTuple):
    """One row for each layer that is not another's twin."""

    measured: Floats
    estimated: Floats
    weight: Floats
    """How much it counts: the root of its share of the time."""
    first: tuple[int, ...]
    """Index of the operator."""
    kinds: tuple[str, ...]


class _Claim(NamedTuple):
    cause: str
    predicted: Floats
    factors: int
    why: str
    matters: bool
    beside: float = 1.0
    """What the layers that are not meant are off by: of two claims alike the one with less of it is meant."""


def causes_of(case: Study, layers: Sequence[MeasuredLayer]) -> tuple[TestedCause, ...]:
    """The causes, the one that fits best first; empty of fewer than four kinds of layers."""
    rows = _rows(case, layers)
    if rows is None or len(rows.first) < _LEAST_LAYERS[1]:
        return ()
    plain = _misfit(rows, rows.estimated)
    claims = [each for each in _claims(case, rows) if len(rows.first) >= _LEAST_LAYERS[each.factors]]
    price = {claim.cause: _price(rows, claim) for claim in claims}
    best = _best(claims, price, _criterion(rows, rows.estimated, 0))
    found = []
    for claim in sorted(claims, key=lambda each: (each is not best, price[each.cause])):
        explained = max(0.0, 1 - _misfit(rows, claim.predicted) / plain) if plain > 0 else 0.0
        found.append(
            TestedCause(
                cause=claim.cause,
                holds=claim is best and claim.matters and explained >= _LEAST_EXPLAINED,
                explained_share=explained,
                why=claim.why,
            )
        )
    return (*found, *_untested(case, rows))


def _best(claims: Sequence[_Claim], price: Mapping[str, float], as_estimated: float) -> _Claim | None:
    """The cheapest, unless a simpler one comes near it; none where the estimate itself does."""
    best = min(claims, key=lambda claim: price[claim.cause])
    simple = [claim for claim in claims if claim.factors < best.factors]
    simpler = min(simple, key=lambda claim: price[claim.cause], default=best)
    if price[best.cause] > price[simpler.cause] - _MARGIN:
        best = simpler
    return best if price[best.cause] <= as_estimated - _MARGIN else None


def _rows(case: Study, layers: Sequence[MeasuredLayer]) -> Layers | None:
    """Twins by the median of what they took: they are off alike, and would else look like agreement."""
    known = [x for x in layers if x.measured_ms and x.estimated_ms]
    whole = sum(x.measured_ms or 0.0 for x in known), sum(x.estimated_ms or 0.0 for x in known)
    twins = twins_of(case.graph)
    groups: dict[int, list[MeasuredLayer]] = {}
    for layer in known:
        shares = (layer.measured_ms or 0.0) / whole[0], (layer.estimated_ms or 0.0) / whole[1]
        if max(shares) >= _LEAST_SHARE:
            groups.setdefault(min((layer.index, *twins[layer.index])), []).append(layer)
    if not groups:
        return None
    measured = np.array([median(x.measured_ms or 0.0 for x in group) for group in groups.values()])
    estimated = np.array([median(x.estimated_ms or 0.0 for x in group) for group in groups.values()])
    times = np.array([len(group) for group in groups.values()])
    share = np.maximum(measured * times / whole[0], estimated * times / whole[1])
    first = tuple(group[0].index for group in groups.values())
    kinds = tuple(case.graph.ops[at].kind for at in first)
    return Layers(measured, estimated, np.sqrt(share), first, kinds)


def _misfit(rows: Layers, predicted: Floats) -> float:
    """Weighted mean of the absolute logarithms of measured over predicted."""
    return float(np.average(np.abs(np.log(rows.measured / predicted)), weights=rows.weight))


def _price(rows: Layers, claim: _Claim) -> float:
    beside = min(1.0, abs(math.log(claim.beside)))
    return _criterion(rows, claim.predicted, claim.factors) + beside * _MARGIN / 2


def _criterion(rows: Layers, predicted: Floats, factors: int) -> float:
    count = len(rows.first)
    return 2 * count * math.log(max(_misfit(rows, predicted), _FLOOR)) + factors * math.log(count)


def _claims(case: Study, rows: Layers) -> Iterator[_Claim]:
    logs = np.log(rows.measured / rows.estimated)
    yield _all(case, rows, logs)
    yield from _by_kind(rows, logs)
    yield from _by_cache(case, rows, logs)
    yield from _by_weights(case, rows)
    yield from _by_layer(rows)
    yield from _by_runtime(case, rows)


def _middle(logs: Floats, weights: Floats) -> float:
    order = np.argsort(logs)
    sums = np.cumsum(weights[order])
    return float(logs[order][np.searchsorted(sums, sums[-1] / 2)])


def _off(factor: float) -> bool:
    return not 1 / _LEAST_FACTOR < factor < _LEAST_FACTOR


def _all(case: Study, rows: Layers, logs: Floats) -> _Claim:
    factor = math.exp(_middle(logs, rows.weight))
    clock = case.deployment.clock_mhz
    why = (
        f"wait states or build flags that slow all of it, or a clock of {digits(clock / factor)} MHz"
        if factor > 1
        else f"a clock of {digits(clock / factor)} MHz, or an estimate that is too slow for this board"
    )
    said = f"every layer takes {digits(factor)} times the estimate: {why}"
    return _Claim("the clock, or the whole build", rows.estimated * factor, 1, said, _off(factor))


def _by_kind(rows: Layers, logs: Floats) -> Iterator[_Claim]:
    """Each heavy kind against the rest, and all heavy kinds against the light ones."""
    heavy = [kind for kind in dict.fromkeys(rows.kinds) if kind not in LIGHT]
    for kinds in ([kind] for kind in heavy):
        yield from _apart(
            rows, logs, np.isin(rows.kinds, kinds), f"the kernel of {kinds[0]}",
            f"{kinds[0]} takes {{0}} times the estimate, all else {{1}}: another kernel than the one named, "
            "or an estimate that errs for this kind",
        )  # fmt: skip


def _by_cache(case: Study, rows: Layers, logs: Floats) -> Iterator[_Claim]:
    cache = case.deployment.core.cache.data or case.deployment.core.cache.last_level
    if cache is None:
        return
    size = int(cache.value)
    beyond = case.table.traffic_bytes[list(rows.first)] > size
    yield from _apart(
        rows, logs, beyond, "the cache",
        f"layers whose data exceed the cache of {show(size, 'bytes')} take {{0}} times the estimate, those "
        "within it {1}",
    )  # fmt: skip


def _apart(
    rows: Layers, logs: Floats, chosen: npt.NDArray[np.bool_], cause: str, why: str
) -> Iterator[_Claim]:
    """A factor for those chosen and another for the rest; nothing where all or none are chosen."""
    if chosen.all() or not chosen.any():
        return
    own = _middle(logs[chosen], rows.weight[chosen])
    others = _middle(logs[~chosen], rows.weight[~chosen])
    predicted = rows.estimated * np.exp(np.where(chosen, own, others))
    text = why.replace("{0}", digits(math.exp(own))).replace("{1}", digits(math.exp(others)))
    yield _Claim(cause, predicted, 2, text, _off(math.exp(own - others)), math.exp(others))


def _by_weights(case: Study, rows: Layers) -> Iterator[_Claim]:
    weights = case.table.weight_bytes[list(rows.first)].astype(float)
    if not (weights > 0).any() or len(np.unique(weights)) < 3:
        return
    slope, predicted = _added(rows, weights)
    region = case.levels.weights.region
    why = (
        f"a byte of weights takes {digits(slope * 1e6)} ns more than estimated: they wait for {region}, or "
        "are read anew for every pixel"
    )
    yield _Claim("waiting for weights", predicted, 2, why, _adds(rows, predicted))


def _by_layer(rows: Layers) -> Iterator[_Claim]:
    each, predicted = _added(rows, np.ones(len(rows.first)))
    why = (
        f"each operator takes {show(each, 'ms')} more than estimated, whatever its size: the log itself, an "
    )
    yield _Claim(
        "a fixed time an operator", predicted, 2, why + "interpreter, or interrupts", _adds(rows, predicted)
    )


def _added(rows: Layers, amounts: Floats) -> tuple[float, Floats]:
    """How much of `amounts`, beside a common factor, comes nearest; and what that predicts."""
    unit = rows.estimated.sum() / amounts.sum()
    best = (math.inf, 0.0, rows.estimated)
    for step in (0.0, *_STEPS):
        raw = rows.estimated + step * unit * amounts
        factor = math.exp(_middle(np.log(rows.measured / raw), rows.weight))
        found = _misfit(rows, raw * factor)
        if found < best[0]:
            best = (found, step * unit * factor, raw * factor)
    return best[1], best[2]


def _adds(rows: Layers, predicted: Floats) -> bool:
    ratio = predicted / rows.estimated
    return bool(ratio.max() > _LEAST_FACTOR * ratio.min())


def _by_runtime(case: Study, rows: Layers) -> Iterator[_Claim]:
    """Kernel libraries of the target that plan memory alike, by their own estimates of the layers."""
    where = case.deployment
    if where.accelerator is not None:
        return
    names = [name for name in where.target.runtimes if name != where.runtime.id][:_MOST_RUNTIMES]
    for name in names:
        seconds = _estimated(case, name)
        if seconds is None:
            continue
        own = seconds[list(rows.first)] * 1e3
        if np.isfinite(own).all() and (own > 0).all():
            yield _Claim(
                f"the kernels of {name}", own, 1, f"each layer takes what {name} is estimated to", True
            )


def _estimated(case: Study, runtime: str) -> Floats | None:
    where = case.deployment
    try:
        place = deployment(
            where.target, runtime, clock_mhz=where.clock_mhz, batch=where.batch, threads=where.threads,
            settings=where.settings,
        )  # fmt: skip
        if place.runtime.planner is not where.runtime.planner or place.accelerator is not None:
            return None
        return np.asarray(study(case.graph, place).times.total_s, float)
    except EdgewrightError:
        return None


def _untested(case: Study, rows: Layers) -> Iterator[TestedCause]:
    """What the layers cannot tell, because none or all of them would show it."""
    cache = case.deployment.core.cache.data or case.deployment.core.cache.last_level
    missing: Mapping[str, str] = {}
    if cache is None:
        missing = {"the cache": "no data cache of this core is known"}
    elif len(rows.first) >= _LEAST_LAYERS[2]:
        beyond = case.table.traffic_bytes[list(rows.first)] > int(cache.value)
        if beyond.all() or not beyond.any():
            side = "all" if beyond.all() else "none"
            missing = {"the cache": f"{side} of the layers exceed it, so that they tell nothing of it"}
    if len(rows.first) < _LEAST_LAYERS[2]:
        few = (
            f"the model has {len(rows.first)} kinds of layers that matter, of which two factors fit anything"
        )
        missing = {"a kind of layers, the cache or waiting for weights": few}
    for cause, why in missing.items():
        yield TestedCause(cause=cause, holds=None, explained_share=None, why=why)
