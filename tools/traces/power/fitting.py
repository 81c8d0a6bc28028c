"""E = static power x time + a x cycles + b x traffic, fitted by ridge regression to the user's rows.

The document's own form, a x cycles + b x accesses + g x clock, is fitted beside it: a term of the clock alone
adds the same energy to a long run as to a short one, so it cannot hold for rows of different lengths.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..recording import Counted, Floats
from .energy_report import EnergyFit, EnergyTerm

_LEAST_ROWS = 6
_RIDGE = 1e-3
"""Of the scaled columns; the document's 0.1 is of columns as they are, where it does nothing or all."""
_DOCUMENTS_RIDGE = 0.1
_VARIES = 0.02
"""Least spread of a column, by its mean, for it to tell anything."""
_TERMS = (("time_ms", "static power x time", "ms"), ("cycles", "cycles", "cycles"))
_TRAFFIC = (
    ("bytes", "traffic", "B"), ("llc_misses", "misses to memory", "misses"),
    ("cache_misses", "misses to memory", "misses"), ("l1_misses", "misses of L1", "misses"),
)  # fmt: skip


class _Ridge(NamedTuple):
    coefficients: Floats
    r2: float
    left_out_r2: float
    left_out_error: float


def fitted(rows: Sequence[Counted]) -> EnergyFit | None:
    """None where fewer than six rows have an energy above zero, or nothing in them varies."""
    kept = [row.counts for row in rows if row.counts.get("energy_mj", 0.0) > 0]
    if len(kept) < _LEAST_ROWS:
        return None
    energy = np.array([row["energy_mj"] for row in kept])
    traffic = next((term for term in _TRAFFIC if _varies(kept, term[0])), None)
    terms = [term for term in (*_TERMS, traffic) if term is not None and _varies(kept, term[0])]
    if not terms or not energy.std() > _VARIES * abs(energy.mean()):
        return None
    table = np.column_stack([_column(kept, name) for name, _, _ in terms])
    found = _ridge(table, energy, _RIDGE)
    documents = _documents(kept, energy, traffic)
    parts = table * found.coefficients
    return EnergyFit(
        rows=len(kept),
        formula="energy = " + " + ".join(words for _, words, _ in terms),
        terms=tuple(
            EnergyTerm(
                name=words,
                coefficient=float(found.coefficients[at]),
                unit=unit,
                share=float(parts[:, at].sum() / energy.sum()),
                low=float(table[:, at].min()),
                high=float(table[:, at].max()),
            )
            for at, (_, words, unit) in enumerate(terms)
        ),
        r2=found.r2,
        left_out_r2=found.left_out_r2,
        left_out_error=found.left_out_error,
        documents_r2=None if documents is None else documents.r2,
        documents_left_out_r2=None if documents is None else documents.left_out_r2,
    )


def _varies(rows: Sequence[Mapping[str, float]], name: str) -> bool:
    if not all(name in row for row in rows):
        return False
    column = _column(rows, name)
    return bool(column.mean() > 0 and column.std() > _VARIES * column.mean())


def _column(rows: Sequence[Mapping[str, float]], name: str) -> Floats:
    return np.array([row[name] for row in rows])


def _ridge(table: Floats, energy: Floats, weight: float) -> _Ridge:
    """Columns scaled by their size, without a constant; a row is left out by the hat matrix."""
    scale = np.sqrt((table**2).mean(axis=0))
    scaled = table / scale
    gram = scaled.T @ scaled + weight * len(table) * np.eye(table.shape[1])
    solved = np.linalg.solve(gram, scaled.T)
    return _scored(solved @ energy / scale, scaled @ solved, energy)


def _documents(
    rows: Sequence[Mapping[str, float]], energy: Floats, traffic: tuple[str, str, str] | None
) -> _Ridge | None:
    """scikit-learn's Ridge(alpha=0.1): columns as they are, with a constant that is not held down."""
    if traffic is None or not all("cycles" in row and row.get("time_ms") for row in rows):
        return None
    cycles, time = _column(rows, "cycles"), _column(rows, "time_ms")
    table = np.column_stack((cycles, _column(rows, traffic[0]), cycles / time / 1e3))
    centred = table - table.mean(axis=0)
    gram = centred.T @ centred + _DOCUMENTS_RIDGE * np.eye(3)
    solved = np.linalg.solve(gram, centred.T)
    hat = centred @ solved + 1 / len(table)
    return _scored(solved @ energy, hat, energy)


def _scored(coefficients: Floats, hat: Floats, energy: Floats) -> _Ridge:
    guess = hat @ energy
    spread = ((energy - energy.mean()) ** 2).sum()
    left_out = (energy - guess) / np.maximum(1e-9, 1 - np.diag(hat))
    return _Ridge(
        coefficients,
        float(1 - ((energy - guess) ** 2).sum() / spread),
        float(1 - (left_out**2).sum() / spread),
        float(np.median(np.abs(left_out / energy))),
    )
