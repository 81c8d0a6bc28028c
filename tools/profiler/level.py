"""The factor that all layers are off by, and which layers are off from that."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .report import MeasuredLayer

_LEAST_LAYERS = 3
_LEAST_FACTOR = 1.5
"""What is off by less is within what estimates of single layers are off anyway."""
_SPREADS = 3.0 * 1.4826
"""Three standard deviations of normal logarithms, in median deviations."""
_LEAST_SHARE = 0.01
"""Of the measured total: what matters less is not marked."""


class Level(NamedTuple):
    factor: float
    spread: float
    """Factor around it that half of the layers lie within: the median deviation of the logarithms."""


def level_of(layers: Sequence[MeasuredLayer]) -> Level | None:
    """Median of measured over estimated; each layer counts by the root of its estimated time."""
    known = [
        (layer.ratio, layer.estimated_ms)
        for layer in layers
        if layer.ratio and layer.estimated_ms and layer.measured_ms
    ]
    if len(known) < _LEAST_LAYERS:
        return None
    logs = np.log([ratio for ratio, _ in known])
    weights = np.sqrt([estimated for _, estimated in known])
    middle = _median(logs, weights)
    return Level(math.exp(middle), math.exp(_median(np.abs(logs - middle), weights)))


def _median(values: npt.NDArray[np.float64], weights: npt.NDArray[np.float64]) -> float:
    order = np.argsort(values)
    sums = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(sums, sums[-1] / 2)])


def judged(
    layer: MeasuredLayer, level: Level | None, total_ms: float, twins_ms: float | None
) -> MeasuredLayer:
    """The layer with its residual, and whether it stands out from all others or from its twins."""
    if layer.measured_ms is None or layer.estimated_ms is None or layer.ratio is None:
        return layer
    factor = 1.0 if level is None else level.factor
    excess = layer.measured_ms - factor * layer.estimated_ms
    residual = None if level is None else layer.ratio / level.factor
    matters = abs(excess) >= _LEAST_SHARE * total_ms
    off = level is not None and residual is not None and _off(residual, level.spread**_SPREADS)
    alone = twins_ms is not None and twins_ms > 0 and _off(layer.measured_ms / twins_ms, _LEAST_FACTOR)
    return layer.model_copy(
        update={"residual": residual, "excess_ms": excess, "stands_out": matters and (off or alone)}
    )


def _off(factor: float, most: float) -> bool:
    limit = max(_LEAST_FACTOR, most)
    return not 1 / limit <= factor <= limit
