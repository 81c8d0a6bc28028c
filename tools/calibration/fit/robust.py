"""Scales of positive terms by least squares in logarithms, where a few measurements may be far off."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
TOLERATED = 0.3
"""Error in logarithms up to which a row pulls in proportion; beyond, as much as there (Huber's loss)."""
STEPS = 40
_LONGEST_STEP = 0.5


@dataclass(frozen=True)
class Equations:
    """Of each row: measured = fixed + Σ exp(scale) × term."""

    terms: Floats
    """Seconds, one column a scale."""
    fixed: Floats
    """Seconds."""
    measured: Floats
    """Seconds."""
    votes: Floats


def scales(equations: Equations, prior: Floats, pull: float) -> Floats:
    """Logarithms of the scales by Gauss-Newton; `pull` votes for the prior."""
    theta = prior.copy()
    measured = np.log(equations.measured)
    for _ in range(STEPS):
        parts = equations.terms * np.exp(theta)
        total = equations.fixed + parts.sum(axis=1)
        slope = parts / total[:, None]
        error = measured - np.log(total)
        weights = equations.votes * np.minimum(1.0, TOLERATED / np.maximum(np.abs(error), TOLERATED))
        left = (slope * weights[:, None]).T @ slope + pull * np.eye(len(prior))
        right = (slope * weights[:, None]).T @ error + pull * (prior - theta)
        theta = theta + np.clip(np.linalg.solve(left, right), -_LONGEST_STEP, _LONGEST_STEP)
    return theta
