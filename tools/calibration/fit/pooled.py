"""Coefficients by partial pooling: every group shrinks towards its parents, which shrink towards physics.

    log time = log Σ_f work_f × exp(prior_f + Σ_n times_n (deviation_n,f + scale_n))

over the nodes n of a measurement's path, from the most general to the target itself; most count once, a
slope as often as its covariate says, and hardware as far as it is like the board's; of GPUs the launches lie
beside the rest (`cost_model.work`). Deviations have Gaussian priors whose widths depend on the level: a
Gaussian process over the measurements. Errors have a Huber loss.

The sum of shares is linearised (Gauss, Newton) and each step solved in the space of measurements, which are
fewer than coefficients: (K + noise) a = residuals, K = Σ scale² + shape² × (shares · shares) over what two
rows have in common (Rasmussen, Williams, Gaussian Processes for Machine Learning, 2006, equation 2.25).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from ...cost_model.hierarchy import Path
from ...cost_model.nodes import log_deviation
from ...cost_model.work import shares_of_cost, whole_cost
from .table import Floats, Table, Width, stacked

HUBER = 0.15
STEPS = 30
SETTLED = 1e-4
"""Share of the loss that one more step would gain."""
LEAST_STEP = 0.02


@dataclass(frozen=True)
class Model:
    """What is given before any measurement."""

    prior: Floats
    """(features,), logarithm of the coefficient that all shrink to."""
    widths: Mapping[str, Width]
    noise: float
    """Standard deviation of a good measurement's log error."""
    kind: str = ""
    """Class of processors."""


@dataclass(frozen=True, eq=False)
class Pooled:
    """Fitted nodes: name → deviations of the features, and last the common scale."""

    prior: Floats
    nodes: Mapping[str, Floats]

    def coefficients(self, path: Path) -> Floats:
        """Time per unit of each feature on a path; nodes that were never fitted are left out."""
        found: Floats = np.exp(self.prior + log_deviation(self.nodes, path))
        return found


@dataclass(frozen=True, eq=False)
class Solved:
    """A settled fit in the space of measurements."""

    table: Table
    model: Model
    duals: Duals
    state: State
    factor: tuple[Floats, bool]
    """Cholesky factor of the covariance, noise included."""
    pull: Floats
    """(rows,): the covariance's inverse times the residuals."""

    @property
    def pooled(self) -> Pooled:
        nodes: dict[str, Floats] = {}
        for name, level in self.table.levels.items():
            width = self.model.widths[name]
            shape = width.shape**2 * (level.counts.T @ self.duals.shape)
            scale = width.scale**2 * (level.counts.T @ self.duals.scale)
            nodes |= dict(zip(level.names, np.column_stack([shape, scale]), strict=True))
        return Pooled(self.model.prior, nodes)


@dataclass(frozen=True, eq=False)
class Duals:
    """What each measurement pulls at: deviations are sums of these over what rows have in common."""

    shape: Floats
    """(rows, features)"""
    scale: Floats
    """(rows,)"""

    def towards(self, other: Duals, step: float) -> Duals:
        return Duals(
            self.shape + step * (other.shape - self.shape), self.scale + step * (other.scale - self.scale)
        )


@dataclass(frozen=True, eq=False)
class State:
    """The prediction of every row at one set of duals."""

    deviation: Floats
    shares: Floats
    """(rows, features): of the predicted time."""
    residual: Floats
    """Log of measured over predicted."""
    loss: float


def solve(table: Table, model: Model) -> Solved:
    """The most likely deviations of all nodes of a table."""
    scale_root, shape_root = (stacked(table, model.widths, which) for which in ("scale", "shape"))
    scale, shape = ((root @ root.T).toarray() for root in (scale_root, shape_root))
    duals = Duals(np.zeros_like(table.work), np.zeros(len(table)))
    state = _state(table, model, duals)
    for step in range(STEPS):
        covariance = scale + shape * (state.shares @ state.shares.T)
        np.fill_diagonal(covariance, covariance.diagonal() + _noise(table, model, state, first=step == 0))
        factor = cho_factor(covariance, lower=True, overwrite_a=True, check_finite=False)
        target = state.residual + (state.shares * state.deviation).sum(axis=1)
        pull: Floats = cho_solve(factor, target, check_finite=False)
        full = Duals(state.shares * pull[:, None], pull)
        duals, moved, length = _searched(table, model, duals, full, state)
        gained = (state.loss - moved.loss) / moved.loss
        linear, state = state, moved
        if length == 1.0 and gained < SETTLED:
            break
    return Solved(table, model, duals, _at(state, linear), factor, pull)


def _at(state: State, linear: State) -> State:
    """The last state with the shares that the last step was linearised at."""
    return State(state.deviation, linear.shares, state.residual, state.loss)


def _noise(table: Table, model: Model, state: State, *, first: bool) -> Floats:
    """Variance of each row: a row beyond the bend of Huber's loss counts less, the farther the less."""
    bent = np.ones(len(table)) if first else np.minimum(1.0, HUBER / np.maximum(np.abs(state.residual), 1e-9))
    noise: Floats = model.noise**2 / (table.weight * bent)
    return noise


def _searched(
    table: Table, model: Model, duals: Duals, full: Duals, state: State
) -> tuple[Duals, State, float]:
    """As far towards the full step as lessens the loss."""
    length = 1.0
    while True:
        there = duals.towards(full, length)
        moved = _state(table, model, there)
        if moved.loss < state.loss or length < LEAST_STEP:
            return there, moved, length
        length /= 2


def _state(table: Table, model: Model, duals: Duals) -> State:
    shape, scale = np.zeros_like(table.work), np.zeros(len(table))
    for name, level in table.levels.items():
        width = model.widths[name]
        shape += width.shape**2 * level.deviations(level.counts.T @ duals.shape)
        scale += width.scale**2 * level.deviations(level.counts.T @ duals.scale)
    deviation = shape + scale[:, None]
    parts = table.work * np.exp(model.prior + deviation)
    whole = whole_cost(parts, model.kind)
    residual = table.log_time - np.log(whole)
    size = np.abs(residual)
    misfit = np.where(size <= HUBER, 0.5 * size**2, HUBER * (size - 0.5 * HUBER))
    strain = float((duals.shape * shape).sum() + (duals.scale * scale).sum())
    loss = float((misfit * table.weight).sum()) / model.noise**2 + 0.5 * strain
    return State(deviation, shares_of_cost(parts, whole, model.kind), residual, loss)
