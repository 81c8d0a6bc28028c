"""Coefficients by partial pooling: every group shrinks towards its parents, which shrink towards physics.

    log time = log Σ_f work_f × exp(prior_f + Σ_n (deviation_n,f + scale_n))

over the nodes n of a measurement's path, from the most general to the target itself. Deviations have
Gaussian priors whose widths depend on the level, errors a Huber loss; the sum is minimised by L-BFGS.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

NOISE = 0.12
"""Standard deviation of a good measurement's log error."""
HUBER = 0.15
ITERATIONS = 400

Path = tuple[str, ...]
"""Nodes of a measurement; the part of a name before the colon is its level."""


@dataclass(frozen=True)
class Width:
    """How far a level's nodes may stray from their parents, in natural logarithms."""

    shape: float
    """Of each coefficient."""
    scale: float
    """Of all coefficients together."""


@dataclass(frozen=True, eq=False)
class Pooled:
    """Fitted nodes: name → deviations of the features, and last the common scale."""

    prior: Floats
    nodes: Mapping[str, Floats]

    def coefficients(self, path: Path) -> Floats:
        """Time per unit of each feature on a path; nodes that were never fitted are left out."""
        log = self.prior.copy()
        for name in path:
            node = self.nodes.get(name)
            if node is not None:
                log += node[:-1] + node[-1]
        found: Floats = np.exp(log)
        return found

    def predict(self, work: Floats, paths: Sequence[Path]) -> Floats:
        known = {path: self.coefficients(path) for path in set(paths)}
        return np.array([row @ known[path] for row, path in zip(work, paths, strict=True)])


def fit(
    work: Floats,
    time: Floats,
    paths: Sequence[Path],
    weight: Floats,
    *,
    prior: Floats,
    widths: Mapping[str, Width],
    start: Pooled | None = None,
    iterations: int = ITERATIONS,
) -> Pooled:
    """Minimise over all nodes of `paths`.

    Args:
        work: (rows, features), not negative.
        time: (rows,), in the unit of the prior's coefficients.
        paths: nodes of each row.
        weight: (rows,), how much each row counts.
        prior: (features,), logarithm of the coefficient that all shrink to.
        widths: of every level that occurs.
        start: where to begin; nodes that it lacks begin at zero.
    """
    names = sorted({name for path in paths for name in path})
    number = {name: i for i, name in enumerate(names)}
    nothing, features = len(names), work.shape[1]
    depth = max(map(len, paths))
    index = np.full((len(paths), depth), nothing, dtype=np.int64)
    for row, path in enumerate(paths):
        index[row, : len(path)] = [number[name] for name in path]
    spread = _spreads(names, widths, features)
    problem = _Problem(work, np.log(time), index, weight, prior, spread)
    first = np.zeros((len(names), features + 1))
    if start is not None:
        for name, i in number.items():
            first[i] = start.nodes.get(name, first[i])
    found = minimize(
        problem.loss_and_slope, first.ravel(), jac=True, method="L-BFGS-B",
        options={"maxiter": iterations, "maxfun": 2 * iterations, "maxcor": 20},
    )  # fmt: skip
    solved = found.x.reshape(first.shape)
    return Pooled(prior, {name: solved[i] for name, i in number.items()})


def _spreads(names: Sequence[str], widths: Mapping[str, Width], features: int) -> Floats:
    rows = []
    for name in names:
        width = widths[name.partition(":")[0]]
        rows.append([width.shape] * features + [width.scale])
    return np.array(rows)


@dataclass(frozen=True, eq=False)
class _Problem:
    work: Floats
    log_time: Floats
    index: Ints
    weight: Floats
    prior: Floats
    spread: Floats

    def loss_and_slope(self, flat: Floats) -> tuple[float, Floats]:
        nodes = flat.reshape(self.spread.shape)
        padded = np.vstack([nodes, np.zeros((1, self.spread.shape[1]))])
        log = self.prior + padded[self.index, :-1].sum(axis=1) + padded[self.index, -1].sum(axis=1)[:, None]
        parts = self.work * np.exp(log)
        whole = parts.sum(axis=1)
        error = (np.log(whole) - self.log_time) / NOISE
        bend = HUBER / NOISE
        size = np.abs(error)
        loss = np.where(size <= bend, 0.5 * error**2, bend * (size - 0.5 * bend))
        pull = np.clip(error, -bend, bend) * self.weight / NOISE
        slope = np.zeros_like(padded)
        shares = pull[:, None] * parts / whole[:, None]
        for level in range(self.index.shape[1]):
            np.add.at(slope[:, :-1], self.index[:, level], shares)
            np.add.at(slope[:, -1], self.index[:, level], pull)
        strain = nodes / self.spread
        total = float((loss * self.weight).sum() + 0.5 * (strain**2).sum())
        return total, (slope[:-1] + strain / self.spread).ravel()
