"""How far a user's board is off its estimates, learned from a few measurements of it.

A board's error is one offset for all networks that run on it with one library, plus what each network adds:

    log(measured / estimated) = board + network,   board ~ N(0, τ²), network ~ N(0, σ²)

of which the measurements at hand tell the board by the best linear prediction (Henderson, Biometrics 31(2),
1975). Of k networks in one type that is their mean, shrunk by k / (k + σ²/τ²). τ and σ are those of the
published measurements, by class of hardware and by what stood behind the estimate.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ...hardware_db.coefficients.offsets import OfBoards, load_offsets
from ..core.calibrations import Learned, Standing
from ..core.records import dataclass
from .work import Floats

NO_ESTIMATE = 25.0
"""An interval this many times as high as low is no estimate at all, unless all of it lies on one side of a
bound."""
_TWICE = 2.0
"""From here on a percentage says nothing: a figure cannot be more than all of it too high."""
REPEATS = 1.645
"""Standard deviations of repeated measurements in their 90 % interval."""


@dataclass(frozen=True)
class Offset:
    """What the measurements make of an estimate."""

    log_ratio: float
    interval_factor: float
    """Of the estimate of another network, once the board's offset is taken up."""


@dataclass(frozen=True)
class Asked:
    """A case, as far as it matters what was learned of others."""

    signature: str
    dtype: str
    standing: Standing


def offset(learned: Sequence[Learned], asked: Asked, sort: str) -> Offset | None:
    """Best linear prediction of the log error of a case; None for a class without spreads.

    Args:
        learned: measurements of the same board with the same library.
        sort: mcu, cpu, gpu or npu.
    """
    mine = _spread(sort, asked.standing)
    known = [
        (Asked(each.signature, each.dtype, each.standing), spread)
        for each in learned
        if (spread := _spread(sort, each.standing)) is not None
    ]
    if mine is None or len(known) < max(len(learned), 1):
        return None
    repeat = math.log(_repeat(sort)) / REPEATS
    between = np.array([[_shared(a, s, b, t, repeat) for b, t in known] for a, s in known])
    toward = np.array([_shared(asked, mine, case, spread, repeat) for case, spread in known])
    logs = np.log([each.latency_ms / each.estimated_ms for each in learned])
    weights: Floats = np.linalg.solve(between + np.eye(len(known)) * repeat**2, toward)
    left = mine.board**2 + mine.network**2 - float(weights @ toward)
    return Offset(float(weights @ logs), math.exp(mine.spreads * math.sqrt(max(left, repeat**2))))


def factor_after_one(sort: str) -> float:
    """Of the interval of another network on a new board, once one was measured there."""
    spread = load_offsets().new_boards[sort]
    board, network = spread.board**2, spread.network**2
    return math.exp(spread.spreads * math.sqrt(network + board * network / (board + network)))


def one_measurement(sort: str) -> str:
    """What a single measurement on a new board would make of a latency there, as half a sentence."""
    factor = factor_after_one(sort)
    known = f"make it ± {factor - 1:.0%}" if factor < _TWICE else f"tell it within a factor of {factor:.2g}"
    return f"one measurement there would {known} (edgewright calibrate)"


def _shared(one: Asked, its: OfBoards, other: Asked, others: OfBoards, repeat: float) -> float:
    """Covariance of two errors on one board; the spread of networks holds that of repeated measurements."""
    board = min(its.board, others.board) ** 2
    if one.dtype != other.dtype:
        return board * its.other_type
    network = max(min(its.network, others.network) ** 2 - repeat**2, 0.0)
    return board + (network if one.signature == other.signature else 0.0)


def _spread(sort: str, standing: Standing) -> OfBoards | None:
    offsets = load_offsets()
    if standing is Standing.PUBLISHED:
        repeat = math.log(_repeat(sort)) / REPEATS
        return OfBoards(board=repeat, network=repeat, spreads=REPEATS, other_type=0.0, boards=0)
    return (offsets.new_boards if standing is Standing.NEW else offsets.known_boards).get(sort)


def _repeat(sort: str) -> float:
    repeat = load_offsets().repeat
    return repeat.get(sort, repeat["any"])
