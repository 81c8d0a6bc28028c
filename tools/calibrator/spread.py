"""Intervals that mean what they say: how far predictions were off where the same was left out."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from .folds import by_pair
from .pooled import Floats
from .records import Record

COVERAGE = 0.9
PSEUDO_COUNT = 8
"""A pair's own spread counts as much as its kind's once it has this many networks."""
LEAST_FACTOR = 1.1
WIDER_WITHOUT_KIN = 1.5
"""How many times wider, in logarithms, an estimate without any kin is than one from the library alone."""


def factors(
    kind: str, records: Sequence[Record], networks_out: Floats, boards_out: Floats, pairs_out: Floats
) -> dict[str, float]:
    """Tier or pair → factor of the 90 % interval."""
    whole = _quantile(networks_out)
    runtime = _quantile(pairs_out, whole)
    found = {
        f"{kind}/target": whole,
        f"{kind}/pair": max(whole, _quantile(boards_out, whole)),
        f"{kind}/runtime": max(whole, runtime),
        f"{kind}/isa": max(whole, runtime),
        f"{kind}/nothing": max(whole, runtime) * WIDER_WITHOUT_KIN,
    }
    pairs: dict[str, list[int]] = defaultdict(list)
    for index, record in enumerate(records):
        pairs[by_pair(record)].append(index)
    for pair, members in pairs.items():
        seen = len({records[i].network for i in members})
        own = _quantile(networks_out[members], whole)
        found[pair] = (seen * own + PSEUDO_COUNT * whole) / (seen + PSEUDO_COUNT)
    return {name: round(max(math.exp(log), LEAST_FACTOR), 4) for name, log in sorted(found.items())}


def _quantile(errors: Floats, default: float = 1.0) -> float:
    """The size of log error that nine of ten stay within."""
    known = np.abs(errors[~np.isnan(errors)])
    return float(np.quantile(known, COVERAGE)) if len(known) else default
