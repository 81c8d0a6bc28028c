"""Whether what is said of a model on a deployment keeps to physics and to itself."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ..core.deployment import Deployment
from ..core.quantity import Result
from ..core.renamed import takes_where
from ..placement.model_source import ModelSource, as_graph
from .estimate import estimate_of
from .features import batch_factors, work_features
from .hierarchy import processor_of
from .peaks import peak_macs_per_s
from .performance_estimate import PerformanceEstimate
from .study import Study, study
from .work import least_macs

ROUNDING = 1e-9


class Violation(Result):
    """A rule that an estimate breaks."""

    rule: str
    """The rule."""
    told: str
    """The figures that contradict each other."""


@takes_where
def audit(model: ModelSource, deployment: Deployment | str) -> tuple[Violation, ...]:
    """Everything that cannot be true of an estimate; empty where it holds.

    Raises:
        InputError: a model or target that cannot be used.

    Example:
        >>> board = deployment("stm32h743zi", "tflm-cmsis-nn")
        >>> audit("kws.tflite", board)
        ()
    """
    case = study(*as_graph(model, deployment))
    return audit_estimate(case, estimate_of(case))


def audited_estimate(case: Study) -> PerformanceEstimate:
    """The estimate; what cannot be true of it stands among its warnings."""
    estimate = estimate_of(case)
    broken = [
        f"The estimate contradicts itself ({v.rule}): {v.told}." for v in audit_estimate(case, estimate)
    ]
    return estimate.model_copy(update={"warnings": (*estimate.warnings, *broken)}) if broken else estimate


def audit_estimate(case: Study, estimate: PerformanceEstimate) -> tuple[Violation, ...]:
    """The same of an estimate that is there already."""
    rules = {
        "latency is never below the least MACs over peak": _above_peak(case, estimate),
        "layers add up to the whole": _sums(estimate),
        "energy is power times time": _energy(estimate),
        "the arena holds what must be alive at once": _arena(case),
    }
    return tuple(Violation(rule=rule, told=told) for rule, found in rules.items() for told in found)


def _above_peak(case: Study, estimate: PerformanceEstimate) -> Iterator[str]:
    if estimate.latency_ms.value is None:
        return
    columns = work_features(case.graph).columns * batch_factors(case.deployment.batch)
    least = least_macs(columns, case.table.macs * case.deployment.batch, processor_of(case.deployment)[0])
    floors = [
        (macs / peak if (peak := peak_macs_per_s(case.deployment, dtype)) else 0.0)
        for macs, dtype in zip(least.tolist(), case.table.dtypes, strict=True)
    ]
    for at, layer in enumerate(estimate.layers):
        if layer.accelerated and layer.latency_ms == 0:
            floors[at] = 0.0  # an NPU's compiler left it out, as nobody reads it, or computes it with another
    for layer, floor in zip(estimate.layers, floors, strict=True):
        if layer.latency_ms is not None and _less(layer.latency_ms, floor * 1e3):
            yield f"layer {layer.index}: {layer.latency_ms:g} ms, but {floor * 1e3:g} ms at the peak"
    if _less(estimate.latency_ms.value, sum(floors) * 1e3):
        yield f"{estimate.latency_ms.value:g} ms, but {sum(floors) * 1e3:g} ms at the peak"


def _sums(estimate: PerformanceEstimate) -> Iterator[str]:
    for name, total in (
        ("latency_ms", estimate.latency_ms.value),
        ("energy_uj", estimate.energy_uj.value),
        ("cycles", estimate.cycles),
    ):
        parts = [getattr(layer, name) for layer in estimate.layers]
        if total is None:
            continue
        if None in parts:
            yield f"{name}: {total:g} in all, but a layer's is unknown"
        elif not _equal(math.fsum(parts), total):
            yield f"{name}: {math.fsum(parts):g} over the layers, but {total:g} in all"


def _energy(estimate: PerformanceEstimate) -> Iterator[str]:
    power, latency, energy = (q.value for q in (estimate.power_mw, estimate.latency_ms, estimate.energy_uj))
    if power is None or latency is None:
        if energy is not None:
            yield f"{energy:g} µJ without power or time"
    elif energy is None or not _equal(energy, power * latency):
        yield f"{energy} µJ, but {power:g} mW for {latency:g} ms"


def _arena(case: Study) -> Iterator[str]:
    arena, least = case.plan.arena_bytes, case.plan.lower_bound_bytes
    if arena is not None and least is not None and arena < least:
        yield f"{arena} bytes, but {least} must be held at once"


def _less(value: float, bound: float) -> bool:
    return value < bound * (1 - ROUNDING)


def _equal(one: float, other: float) -> bool:
    return bool(np.isclose(one, other, rtol=1e-6, atol=0.0))
