"""Intervals that mean what they say: how far predictions were off where the same was left out.

Split conformal prediction (Lei et al., JASA 113, 2018) by board: whole boards are left out, each has one
vote, and the errors are kept apart by class and by how near the nearest kin was that remained.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ...cost_model.hierarchy import class_of_path
from ...cost_model.kernels import Tier
from ..record import Record, by_board, by_network, by_source
from ..tiers import nearest_tiers
from .left_out import by_pair
from .table import Floats

COVERAGE = 0.9
PSEUDO_COUNT = 8
"""A pair's own spread counts as much as its kind's once it has this many networks, and a tier's as much as
that of all that were left out once it has this many boards."""
LEAST_FACTOR = 1.1
FARTHER = (Tier.PAIR, Tier.RUNTIME, Tier.ISA, Tier.NOTHING)


def factors(
    records: Sequence[Record],
    networks_out: Floats,
    boards_out: Floats,
    pairs_out: Floats,
    sources_out: Floats,
) -> dict[str, float]:
    """Tier or pair → factor of the 90 % interval, from the errors of those whose nearest kin was that far.

    All records are of one class. Widths are blended from what is known of each pair or tier and of all; then
    all are pressed by what makes nine of ten errors, in widths, fit. Where many authors measured a pair, each
    is left out too, as each network is: who asks measures in a way of their own.
    """
    boards = np.array([by_board(record) for record in records])
    name = class_of_path(records[0].path)
    twice = [*records, *records]
    own = np.concatenate([networks_out, np.where(_of_many_authors(records), sources_out, np.nan)])
    known = [*nearest_tiers(records, by_network), *nearest_tiers(records, by_source)]
    near = np.array([tier is Tier.TARGET for tier in known])
    places = np.tile(boards, 2)
    whole = _quantile(own[near], places[near])
    pairs = _by_pair(twice, own, places, np.flatnonzero(near), whole)
    widths = np.array([pairs.get(by_pair(record), whole) for record in twice])
    pressed = _quantile((own / widths)[near], places[near])
    logs = {key: log * pressed for key, log in {**pairs, f"{name}/{Tier.TARGET}": whole}.items()}
    tiers = np.array(nearest_tiers(records, by_board))
    every = np.array([*tiers, *nearest_tiers(records, by_pair)])
    far = _by_tier(name, every, np.concatenate([boards_out, pairs_out]), np.tile(boards, 2), whole)
    widths = np.array([far.get(f"{name}/{tier}", whole) for tier in tiers])
    pressed = _quantile(boards_out / widths, boards)
    logs |= {key: log * pressed for key, log in far.items()}
    return {key: round(max(math.exp(log), LEAST_FACTOR), 4) for key, log in sorted(logs.items())}


def _of_many_authors(records: Sequence[Record]) -> npt.NDArray[np.bool_]:
    """Of pairs that no source tells most of: without one that does, next to nothing of the pair is left."""
    sources: dict[str, Counter[str]] = defaultdict(Counter)
    for record in records:
        sources[by_pair(record)][by_source(record)] += 1
    many = {pair for pair, rows in sources.items() if 2 * max(rows.values()) <= rows.total()}
    return np.array([by_pair(record) in many for record in records])


def _by_pair(
    records: Sequence[Record],
    errors: Floats,
    boards: npt.NDArray[np.str_],
    rows: npt.NDArray[np.int64],
    whole: float,
) -> dict[str, float]:
    """Of each kernel library on each core, by the networks that were left out."""
    members: dict[str, list[int]] = defaultdict(list)
    for row in rows.tolist():
        members[by_pair(records[row])].append(row)
    found = {}
    for pair, own in members.items():
        width = _quantile(errors[own], boards[own], whole)
        found[pair] = _blend(width, len({records[row].network for row in own}), whole)
    return found


def _by_tier(
    name: str,
    tiers: npt.NDArray[np.str_],
    errors: Floats,
    boards: npt.NDArray[np.str_],
    width: float,
) -> dict[str, float]:
    """Never narrower than nearer ones, of which `width` is the nearest."""
    found = {}
    every = _quantile(errors, boards, width)
    for tier in FARTHER:
        here = tiers == tier
        own = _quantile(errors[here], boards[here], every)
        width = max(width, _blend(own, len(set(boards[here])), every))
        found[f"{name}/{tier}"] = width
    return found


def _blend(own: float, count: int, wider: float) -> float:
    return (count * own + PSEUDO_COUNT * wider) / (count + PSEUDO_COUNT)


def _quantile(errors: Floats, boards: npt.NDArray[np.str_], default: float = 1.0) -> float:
    """The size of log error that nine of ten stay within, where every board has one vote.

    One board more than there are, whose errors are the largest, makes up for those that were not measured.
    """
    known = ~np.isnan(errors)
    if not known.any():
        return default
    sizes, named = np.abs(errors[known]), boards[known]
    counts = Counter(named.tolist())
    votes = np.array([1 / counts[name] for name in named.tolist()])
    order = np.argsort(sizes)
    share = np.cumsum(votes[order]) / (len(counts) + 1)
    return float(sizes[order][min(int(np.searchsorted(share, COVERAGE)), len(order) - 1)])
