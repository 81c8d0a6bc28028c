"""The factor that all layers are off by, and which layers are off from that."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import median
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .measured_profile import MeasuredLayer

Floats = npt.NDArray[np.float64]
_LEAST_LAYERS = 3
_LEAST_FACTOR = 2.0
"""What is off by less is within what estimates of single layers are off anyway."""
_LEAST_FROM_TWINS = 1.5
"""Nothing is estimated where a layer is set beside its twins."""
_SPREADS = 3.0 * 1.4826
"""Three standard deviations of normal logarithms, in median deviations."""
_LEAST_SHARE = 0.01
"""Of the measured total: what matters less is not marked."""


class Level(NamedTuple):
    factor: float
    spread: float
    """Factor that layers are typically off from it."""


def level_of(layers: Sequence[MeasuredLayer], twins: Mapping[int, tuple[int, ...]]) -> Level | None:
    """Median of measured over estimated; each kind of layer counts by the root of its estimated time.

    Twins count as one, by their median: they are off alike and would else look like agreement.
    """
    groups: dict[int, list[tuple[float, float, float]]] = defaultdict(list)
    for layer in layers:
        if layer.ratio and layer.estimated_ms and layer.measured_ms:
            first = min((layer.index, *twins[layer.index]))
            groups[first].append((layer.ratio, layer.estimated_ms, layer.measured_ms))
    if len(groups) < _LEAST_LAYERS:
        return None
    logs = np.log([median(ratio for ratio, *_ in group) for group in groups.values()])
    estimated = np.array([sum(ms for _, ms, _ in group) for group in groups.values()])
    measured = np.array([sum(ms for *_, ms in group) for group in groups.values()])
    middle = _median(logs, np.sqrt(estimated))
    return Level(math.exp(middle), math.exp(_spread(logs - middle, estimated, measured)))


def _spread(deviations: Floats, estimated: Floats, measured: Floats) -> float:
    """Median of the deviations of what matters; that of the middle itself is none."""
    share = np.maximum(estimated / estimated.sum(), measured / measured.sum())
    others = np.sort(np.abs(deviations[share >= _LEAST_SHARE]))[1:]
    return float(np.median(others)) if len(others) else 0.0


def _median(values: Floats, weights: Floats) -> float:
    order = np.argsort(values)
    sums = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(sums, sums[-1] / 2)])


def judged(
    layer: MeasuredLayer, level: Level | None, total_ms: float, twins_ms: Sequence[float]
) -> MeasuredLayer:
    """The layer with its residual, and whether it stands out from all others or from its twins.

    Of two alike that differ it would not be known which is odd: it takes three.
    """
    if layer.measured_ms is None or layer.estimated_ms is None or layer.ratio is None:
        return layer
    factor = 1.0 if level is None else level.factor
    excess = layer.measured_ms - factor * layer.estimated_ms
    residual = None if level is None else layer.ratio / level.factor
    matters = abs(excess) >= _LEAST_SHARE * total_ms
    off = (
        level is not None
        and residual is not None
        and _off(residual, max(_LEAST_FACTOR, level.spread**_SPREADS))
    )
    twin = median(twins_ms) if len(twins_ms) > 1 else 0.0
    alone = twin > 0 and _off(layer.measured_ms / twin, _LEAST_FROM_TWINS)
    return layer.model_copy(
        update={"residual_ratio": residual, "excess_ms": excess, "stands_out": matters and (off or alone)}
    )


def _off(factor: float, most: float) -> bool:
    return not 1 / most <= factor <= most
