"""The deviations of coefficients along a path: what its nodes add up to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from .hardware_figures import LEVELS, Floats, columns_of, covariance
from .hierarchy import Path, amount

Nodes = Mapping[str, Sequence[float] | Floats]
"""Node → deviations of each feature's logarithm, and last the common scale; of hardware, the weights that its
covariance with another board's multiplies."""


def log_deviation(nodes: Nodes, path: Path) -> Floats:
    """(features,): what the fitted nodes of a path add to the logarithms of the prior; others add nothing."""
    size = len(next(iter(nodes.values())))
    total = np.zeros(size)
    for step in path:
        name, times = amount(step)
        if name.partition(":")[0] in LEVELS:
            total += _like(nodes, name)
        elif name in nodes:
            total += times * np.asarray(nodes[name])
    found: Floats = total[:-1] + total[-1]
    return found


def _like(nodes: Nodes, name: str) -> Floats | float:
    """By all hardware that was measured, as far as it is like this."""
    group = name.rpartition("/")[0] + "/"
    anchors = [node for node in nodes if node.startswith(group)]
    if not anchors:
        return 0.0
    alike = covariance([columns_of(name)], [columns_of(node) for node in anchors])[0]
    weighted: Floats = alike @ np.array([nodes[node] for node in anchors])
    return weighted
