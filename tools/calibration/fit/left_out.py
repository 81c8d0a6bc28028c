"""Predictions of measurements by fits that have not seen their network, their board or their pair.

Of a Gaussian process what was left out is predicted in closed form, without another fit: with C the
covariance, noise included, and a = C⁻¹ residuals, leaving rows G out turns a into
a - C⁻¹[:, G] (C⁻¹[G, G])⁻¹ a[G] (Rasmussen, Williams 2006, section 5.4.2). The shares of time that it is
linearised at stay those of the fit to all; what is predicted is not linearised.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
from scipy.linalg.lapack import dpotri

from ...cost_model.work import whole_cost
from ..record import Record
from .pooled import Solved
from .table import Floats

Key = Callable[[Record], str]
Ints = npt.NDArray[np.int64]


def by_pair(record: Record) -> str:
    """Kernel library and core together."""
    return next(name for name in record.path if name.startswith("pair:"))


def inverse(factor: tuple[Floats, bool]) -> Floats:
    """Of a matrix, from its Cholesky factor."""
    found, _ = dpotri(factor[0], lower=1)
    lower = np.tril(found)
    whole: Floats = lower + np.tril(lower, -1).T
    return whole


def left_out(solved: Solved, inverted: Floats, groups: Sequence[str], types: Sequence[str]) -> Floats:
    """Log of predicted over measured of each row by the rest without its group.

    Args:
        inverted: of the covariance.
        groups: of each row, what is left out with it.
        types: of each row, the most general node of its path; NaN where nothing of the type is left.
    """
    group, kind = np.array(groups), np.array(types)
    errors = np.full(len(group), np.nan)
    for name in sorted(set(groups)):
        out = np.flatnonzero(group == name)
        left = np.isin(kind[out], kind[group != name])
        if not left.any():
            continue
        pull = solved.pull - inverted[:, out] @ np.linalg.solve(inverted[np.ix_(out, out)], solved.pull[out])
        pull[out] = 0.0
        whole = _predicted(solved, pull, out)
        errors[out] = np.where(left, np.log(whole) - solved.table.log_time[out], np.nan)
    return errors


def _predicted(solved: Solved, pull: Floats, rows: Ints) -> Floats:
    """Times of some rows by what all rows pull at."""
    table, model = solved.table, solved.model
    shape_pull = solved.state.shares * pull[:, None]
    deviation = np.zeros((len(rows), table.work.shape[1]))
    for name, level in table.levels.items():
        width = model.widths[name]
        own = level.of(rows)
        deviation += width.shape**2 * own.deviations(level.counts.T @ shape_pull)
        deviation += (width.scale**2 * own.deviations(level.counts.T @ pull))[:, None]
    return whole_cost(table.work[rows] * np.exp(model.prior + deviation), model.kind)


def types_of(records: Sequence[Record]) -> list[str]:
    return [record.path[0] for record in records]
