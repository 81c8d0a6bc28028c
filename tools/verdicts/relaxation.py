"""By how much a limit would have to give way, over rows of verdicts: of boards, changes or sizes."""

import itertools
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from ..core.quantity import Result
from .judge import MARGINAL, Judged, least_bound
from .limits import Limits

MOST = 8
Rows = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


class Relaxation(Result):
    """The least by which one limit would have to give way, all others kept."""

    limit: str
    """Name of the limit."""
    demanded: float
    """The limit as it is."""
    needed: float
    """The limit that would be met."""
    unit: str
    percent: float
    """How much more, or less for a rate, than was demanded."""
    admits: tuple[str, ...]
    """What the new limit admits: targets, changes or sizes."""


class RelaxedPair(Result):
    """Two limits that would have to give way together, where no single one suffices."""

    relaxations: tuple[Relaxation, Relaxation]
    """The two, each with what it would have to become."""
    admits: tuple[str, ...]
    """What both together admit."""


def least_relaxations(
    parts: Sequence[Judged], limits: Limits, name: Callable[[int], str]
) -> tuple[Relaxation, ...]:
    """For each limit that the user set, the least value that lets a row pass that keeps all others."""
    found = []
    for part in parts:
        others = [p.verdict <= MARGINAL for p in parts if p is not part]
        alone = _could_give(part) & np.all(others, axis=0)
        if alone.any():
            found.append(_relaxation(part, limits, np.flatnonzero(alone), name))
    return tuple(sorted(found, key=lambda relaxation: abs(relaxation.percent)))


def least_pairs(
    parts: Sequence[Judged], limits: Limits, name: Callable[[int], str]
) -> tuple[RelaxedPair, ...]:
    """Two limits at once, where that admits a row: of each pair the least of the larger relaxation."""
    found = []
    for one, other in itertools.combinations(parts, 2):
        rest = [p.verdict <= MARGINAL for p in parts if p is not one and p is not other]
        both = (
            _could_give(one) & _could_give(other) & np.all([np.ones(len(one.verdict), bool), *rest], axis=0)
        )
        if both.any():
            found.append(_pair(one, other, limits, np.flatnonzero(both), name))
    return tuple(sorted(found, key=_larger))


def _could_give(part: Judged) -> Bools:
    """Rows that this limit of the user's refuses, and that the hardware would hold."""
    if part.field is None or part.demand is None:
        return np.zeros(len(part.verdict), dtype=np.bool_)
    refused: Bools = (part.verdict > MARGINAL) & ~np.isnan(part.demand.value)
    if part.ceiling is not None:
        with np.errstate(invalid="ignore"):
            refused &= ~(part.demand.value > part.ceiling)
    return refused


def _relaxation(part: Judged, limits: Limits, rows: Rows, name: Callable[[int], str]) -> Relaxation:
    assert part.demand is not None
    least = least_bound(part.demand)[rows]
    needed = float(least.min())
    admitted = rows[least <= needed * (1 + 1e-9)]
    return _to(part, limits, needed, tuple(dict.fromkeys(map(name, admitted.tolist())))[:MOST])


def _to(part: Judged, limits: Limits, needed: float, admits: tuple[str, ...]) -> Relaxation:
    assert part.demand is not None
    demanded = float(getattr(limits, part.field or ""))
    value, unit = (1e3 / needed, "1/s") if part.name == "rate" else (needed, part.demand.unit)
    if part.name == "ram":
        value += limits.reserve_bytes
    percent = 100 * (value / demanded - 1)
    return Relaxation(
        limit=part.name, demanded=demanded, needed=value, unit=unit, percent=percent, admits=admits
    )


def _pair(one: Judged, other: Judged, limits: Limits, rows: Rows, name: Callable[[int], str]) -> RelaxedPair:
    assert one.demand is not None
    assert other.demand is not None
    a, b = least_bound(one.demand)[rows], least_bound(other.demand)[rows]
    best = np.maximum(a / one.bound[rows], b / other.bound[rows]).argmin()
    first, second = float(a[best]), float(b[best])
    admitted = rows[(a <= first) & (b <= second)]
    admits = tuple(dict.fromkeys(map(name, admitted.tolist())))[:MOST]
    return RelaxedPair(
        relaxations=(_to(one, limits, first, admits), _to(other, limits, second, admits)), admits=admits
    )


def _larger(pair: RelaxedPair) -> float:
    return max(abs(relaxation.percent) for relaxation in pair.relaxations)
