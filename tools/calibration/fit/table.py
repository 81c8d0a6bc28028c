"""Measurements of one class as arrays: work, times, and which nodes count for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array, hstack

from ...cost_model.hardware_figures import LEVELS, columns_of, covariance
from ...cost_model.hierarchy import Path, amount
from ..record import Record
from ..records import weights

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
JITTER = 1e-9
"""Added to the covariance of hardware, so that boards that are alike in all figures can be told apart."""


@dataclass(frozen=True)
class Width:
    """How far a level's nodes may stray from their parents, in natural logarithms."""

    shape: float
    """Of each coefficient."""
    scale: float
    """Of all coefficients together."""


@dataclass(frozen=True, eq=False)
class Level:
    """Nodes of one level: what counts, how often, and how alike they are."""

    names: tuple[str, ...]
    counts: csr_array
    """(rows, nodes)"""
    root: csr_array
    """(rows, nodes), such that root @ root.T is the covariance of the rows at a width of 1."""
    alike: Floats | None
    """(nodes, nodes) covariance; None where nodes are independent."""

    def of(self, rows: Ints) -> Level:
        """The same nodes, as some of the rows count them."""
        return Level(self.names, csr_array(self.counts[rows]), csr_array(self.root[rows]), self.alike)

    def deviations(self, weights: Floats) -> Floats:
        """(rows, …) of weights (nodes, …) at a width of 1."""
        spread = weights if self.alike is None else self.alike @ weights
        found: Floats = self.counts @ spread
        return found


@dataclass(frozen=True, eq=False)
class Table:
    work: Floats
    """(rows, features), not negative."""
    log_time: Floats
    weight: Floats
    """How much each row counts."""
    levels: Mapping[str, Level]

    def __len__(self) -> int:
        return len(self.log_time)


def table_of(work: Floats, time: Floats, paths: Sequence[Path], weight: Floats) -> Table:
    """
    Args:
        work: (rows, features).
        time: (rows,), in the unit of the prior's coefficients.
        paths: steps of each row.
        weight: (rows,)
    """
    steps: dict[str, list[tuple[int, str, float]]] = {}
    for row, path in enumerate(paths):
        for name, times in map(amount, path):
            steps.setdefault(name.partition(":")[0], []).append((row, name, times))
    levels = {name: _level(name, found, len(paths)) for name, found in steps.items()}
    return Table(work, np.log(time), weight, levels)


def records_table(records: Sequence[Record]) -> Table:
    """Of records of one class."""
    return table_of(
        np.array([record.work for record in records]),
        np.array([record.cost for record in records]),
        [record.path for record in records],
        weights(list(records)),
    )


def _level(level: str, steps: Sequence[tuple[int, str, float]], rows: int) -> Level:
    names = tuple(sorted({name for _, name, _ in steps}))
    number = {name: at for at, name in enumerate(names)}
    at_row, nodes, times = zip(*((row, number[name], times) for row, name, times in steps), strict=True)
    counts = csr_array((times, (at_row, nodes)), shape=(rows, len(names)))
    if level not in LEVELS:
        return Level(names, counts, counts, None)
    alike = _alike(names)
    root = np.linalg.cholesky(alike + JITTER * np.eye(len(names)))
    return Level(names, counts, csr_array(counts @ root), alike)


def _alike(names: Sequence[str]) -> Floats:
    """Covariance of hardware; none between groups."""
    columns = [columns_of(name) for name in names]
    groups = np.array([name.rpartition("/")[0] for name in names])
    return np.where(groups[:, None] == groups[None, :], covariance(columns, columns), 0.0)


def stacked(table: Table, widths: Mapping[str, Width], which: str) -> csr_array:
    """(rows, all nodes): the roots of all levels' covariances, each times its width."""
    parts = [level.root * getattr(widths[name], which) for name, level in table.levels.items()]
    return csr_array(hstack(parts))
