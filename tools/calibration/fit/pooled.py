"""Coefficients by partial pooling: every group shrinks towards its parents, which shrink towards physics.

    log time = log Σ_f work_f × exp(prior_f + Σ_n times_n (deviation_n,f + scale_n))

over the nodes n of a measurement's path, from the most general to the target itself; most count once, a
slope as often as its covariate says. Deviations have Gaussian priors whose widths depend on the level, errors
a Huber loss; the sum is minimised by L-BFGS over deviations in units of their widths.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.sparse import csr_array

from ...cost_model.hierarchy import Path, amount

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

NOISE = 0.12
"""Standard deviation of a good measurement's log error."""
HUBER = 0.15
ITERATIONS = 500


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
        for name, times in map(amount, path):
            node = self.nodes.get(name)
            if node is not None:
                log += times * (node[:-1] + node[-1])
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
) -> Pooled:
    """Minimise over all nodes of `paths`.

    Args:
        work: (rows, features), not negative.
        time: (rows,), in the unit of the prior's coefficients.
        paths: steps of each row.
        weight: (rows,), how much each row counts.
        prior: (features,), logarithm of the coefficient that all shrink to.
        widths: of every level that occurs.
    """
    places = sorted(set(paths))
    names = sorted({amount(step)[0] for path in places for step in path})
    number = {path: i for i, path in enumerate(places)}
    place = np.array([number[path] for path in paths], dtype=np.int64)
    order = np.argsort(place, kind="stable")
    problem = _Problem(
        work=work[order],
        log_time=np.log(time[order]),
        weight=weight[order],
        place=place[order],
        first=np.searchsorted(place[order], np.arange(len(places))),
        counts=_counts(places, names),
        prior=prior,
        spread=_spreads(names, widths, work.shape[1]),
    )
    found = minimize(
        problem.loss_and_slope, np.zeros(problem.spread.size), jac=True, method="L-BFGS-B",
        options={"maxiter": ITERATIONS, "maxfun": 2 * ITERATIONS, "maxcor": 20},
    )  # fmt: skip
    solved = found.x.reshape(problem.spread.shape) * problem.spread
    return Pooled(prior, dict(zip(names, solved, strict=True)))


def _counts(places: Sequence[Path], names: Sequence[str]) -> csr_array:
    """(places, nodes): how many times each node counts in each place."""
    number = {name: i for i, name in enumerate(names)}
    steps = [(row, *amount(step)) for row, path in enumerate(places) for step in path]
    rows, nodes, times = zip(*steps, strict=True)
    columns = [number[name] for name in nodes]
    return csr_array((times, (rows, columns)), shape=(len(places), len(names)))


def _spreads(names: Sequence[str], widths: Mapping[str, Width], features: int) -> Floats:
    rows = []
    for name in names:
        width = widths[name.partition(":")[0]]
        rows.append([width.shape] * features + [width.scale])
    return np.array(rows)


@dataclass(frozen=True, eq=False)
class _Problem:
    """Rows in the order of their places."""

    work: Floats
    log_time: Floats
    weight: Floats
    place: Ints
    first: Ints
    """Of each place, its first row."""
    counts: csr_array
    prior: Floats
    spread: Floats

    def loss_and_slope(self, flat: Floats) -> tuple[float, Floats]:
        units = flat.reshape(self.spread.shape)
        summed = self.counts @ (units * self.spread)
        coefficients = np.exp(self.prior + summed[:, :-1] + summed[:, -1:])
        parts = self.work * coefficients[self.place]
        whole = parts.sum(axis=1)
        error = (np.log(whole) - self.log_time) / NOISE
        bend = HUBER / NOISE
        size = np.abs(error)
        loss = np.where(size <= bend, 0.5 * error**2, bend * (size - 0.5 * bend))
        pull = np.clip(error, -bend, bend) * self.weight / NOISE
        slope = np.empty_like(summed)
        slope[:, :-1] = np.add.reduceat((pull / whole)[:, None] * parts, self.first, axis=0)
        slope[:, -1] = np.add.reduceat(pull, self.first)
        total = float((loss * self.weight).sum() + 0.5 * (units**2).sum())
        return total, ((self.counts.T @ slope) * self.spread + units).ravel()
