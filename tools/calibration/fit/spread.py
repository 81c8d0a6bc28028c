"""Intervals that mean what they say: how far predictions were off where the same was left out."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ...cost_model.kernels import Tier, sort_of
from ..record import Record, by_board
from ..tiers import nearest_tiers
from .disjoint import disjoint_union
from .folds import by_pair
from .pooled import Floats

COVERAGE = 0.9
PSEUDO_COUNT = 8
"""A pair's own spread counts as much as its kind's once it has this many networks, and a tier's as much as
that of all that were left out once it has this many boards."""
LEAST_FACTOR = 1.1
FARTHER = (Tier.PAIR, Tier.RUNTIME, Tier.ISA, Tier.NOTHING)


def factors(
    records: Sequence[Record], networks_out: Floats, boards_out: Floats, pairs_out: Floats
) -> dict[str, float]:
    """Tier or pair → factor of the 90 % interval, from the errors of those whose nearest kin was that far."""
    tiers = np.array([*nearest_tiers(records, by_board), *nearest_tiers(records, by_pair)])
    errors = np.concatenate([boards_out, pairs_out])
    sorts = np.array([sort_of(record.path, record.kind) for record in records])
    boards = np.array([by_board(record) for record in records])
    by_tier: list[dict[str, float]] = []
    for sort in sorted(set(sorts.tolist())):
        here = np.tile(sorts == sort, 2)
        by_tier.append(
            _by_tier(sort, tiers[here], errors[here], np.tile(boards, 2)[here], networks_out[sorts == sort])
        )
    found = disjoint_union(by_tier)
    pairs: dict[str, list[int]] = defaultdict(list)
    for index, record in enumerate(records):
        pairs[by_pair(record)].append(index)
    for pair, members in pairs.items():
        whole = found[f"{sorts[members[0]]}/{Tier.TARGET}"]
        seen = len({records[i].network for i in members})
        found[pair] = _blend(_quantile(networks_out[members], whole), seen, whole)
    return {name: round(max(math.exp(log), LEAST_FACTOR), 4) for name, log in sorted(found.items())}


def _by_tier(
    sort: str,
    tiers: npt.NDArray[np.str_],
    errors: Floats,
    boards: npt.NDArray[np.str_],
    networks_out: Floats,
) -> dict[str, float]:
    """Never narrower than nearer ones."""
    width = _quantile(networks_out)
    found = {f"{sort}/{Tier.TARGET}": width}
    all_out = _quantile(errors, width)
    for tier in FARTHER:
        here = tiers == tier
        width = max(width, _blend(_quantile(errors[here], all_out), len(set(boards[here])), all_out))
        found[f"{sort}/{tier}"] = width
    return found


def _blend(own: float, count: int, wider: float) -> float:
    return (count * own + PSEUDO_COUNT * wider) / (count + PSEUDO_COUNT)


def _quantile(errors: Floats, default: float = 1.0) -> float:
    """The size of log error that nine of ten stay within."""
    known = np.abs(errors[~np.isnan(errors)])
    return float(np.quantile(known, COVERAGE)) if len(known) else default
