"""How far outputs moved."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .applied_optimization import Drift

Outputs = Sequence[npt.NDArray[Any]]
"""One array an output: [samples, …]."""


def drift_of(reference: Outputs, changed: Outputs) -> Drift | None:
    """Of the outputs of two models on the same samples; None where they have other shapes or no number."""
    if [a.shape for a in reference] != [b.shape for b in changed] or not reference:
        return None
    one = np.concatenate([np.asarray(a, np.float64).ravel() for a in reference])
    other = np.concatenate([np.asarray(b, np.float64).ravel() for b in changed])
    if not one.size or not (np.isfinite(one).all() and np.isfinite(other).all()):
        return None
    noise = float(np.square(one - other).sum())
    signal, power = float(np.square(one).sum()), float(np.square(other).sum())
    return Drift(
        sqnr_db=10 * math.log10(signal / noise) if noise and signal else None,
        cosine=float(one @ other) / math.sqrt(signal * power) if signal and power else None,
        top1_agreement=_agreement(reference, changed),
        largest_difference=float(np.abs(one - other).max()),
        samples=len(reference[0]),
    )


def _agreement(reference: Outputs, changed: Outputs) -> float | None:
    """Of the first output that ranks something."""
    for one, other in zip(reference, changed, strict=True):
        flat = one.reshape(len(one), -1), other.reshape(len(other), -1)
        if flat[0].shape[1] > 1:
            return float((flat[0].argmax(axis=1) == flat[1].argmax(axis=1)).mean())
    return None
