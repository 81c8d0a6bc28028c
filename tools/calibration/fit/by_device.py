"""Intervals of errors on devices left out, every device with one vote."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ....hardware_db.coefficients.decode import LeftOut

Errors = list[tuple[str, float]]
"""Device, and log(measured / estimated) of a row."""
Floats = npt.NDArray[np.float64]
COVERAGE = 0.9


def interval(errors: Sequence[tuple[str, float]]) -> tuple[float, LeftOut]:
    """The factor of a 90 % interval either way, and the errors that it stands on.

    Conformal by device: a device more, which nothing holds, counts among those that have to be held. Where
    there are too few of them for 90 %, the widest error is taken and grows by one part in their number.
    """
    if not errors:
        return math.inf, LeftOut(median_factor=1.0, coverage=0.0, devices=0, rows=0)
    sizes, votes = _sizes(errors)
    widest = _widest(sizes, votes)
    order = np.argsort(sizes)
    middle = sizes[order][int(np.searchsorted(np.cumsum(votes[order]), votes.sum() / 2))]
    devices = len({device for device, _ in errors})
    left_out = LeftOut(
        median_factor=round(math.exp(float(middle)), 3),
        coverage=round(_coverage(errors), 3),
        devices=devices,
        rows=len(errors),
    )
    return round(math.exp(widest), 3), left_out


def share_within(errors: Sequence[tuple[str, float]], factor: float) -> float:
    """Of the rows."""
    return round(sum(abs(error) <= math.log(factor) for _, error in errors) / max(1, len(errors)), 3)


def _sizes(errors: Sequence[tuple[str, float]]) -> tuple[Floats, Floats]:
    rows = Counter(device for device, _ in errors)
    return np.array([abs(error) for _, error in errors]), np.array([1 / rows[d] for d, _ in errors])


def _widest(sizes: Floats, votes: Floats) -> float:
    devices = round(float(votes.sum()))
    order = np.argsort(sizes)
    at = int(np.searchsorted(np.cumsum(votes[order]), COVERAGE * (devices + 1) - 1e-9))
    return float(sizes[order][at]) if at < len(sizes) else float(sizes.max()) * (1 + 1 / devices)


def _coverage(errors: Sequence[tuple[str, float]]) -> float:
    """Share of the rows that the interval of all other devices holds; 0 of a device alone."""
    held = []
    for device in dict.fromkeys(device for device, _ in errors):
        others = [(other, error) for other, error in errors if other != device]
        own = [abs(error) for other, error in errors if other == device]
        widest = _widest(*_sizes(others)) if others else 0.0
        held.append(sum(size <= widest for size in own) / len(own))
    return float(np.mean(held))
