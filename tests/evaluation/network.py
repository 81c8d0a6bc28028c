"""Fits logistic units, and a network with one hidden layer, to sparse features and several labels a row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix
from scipy.special import expit

Floats = npt.NDArray[np.float32]
HIDDEN, COLUMNS = 256, 48
"""Units of the hidden layer, and the columns that its weights are written with: the fewest that lost nothing."""
EPOCHS, BATCH, RATE = 8, 64, 6e-3
UNIT_EPOCHS, UNIT_RATE, _PENALTY = 6, 1e-2, 1e-5
_DECAY, _SQUARE_DECAY = 0.9, 0.999


@dataclass(frozen=True)
class Network:
    """Chance of a label = σ(out_bias + out · relu(hidden_bias + turn · columns of the features))."""

    columns: Floats
    turn: Floats
    hidden_bias: Floats
    out: Floats
    out_bias: Floats


class _Adam:
    """Steps of Adam, of the rows of an array that a batch touched alone."""

    def __init__(self, weights: Floats) -> None:
        self.weights = weights
        self._mean, self._square = np.zeros_like(weights), np.zeros_like(weights)

    def step(self, slope: Floats, time: int, rate: float, rows: object = slice(None)) -> None:
        self._mean[rows] = mean = _DECAY * self._mean[rows] + (1 - _DECAY) * slope  # type: ignore[index]
        self._square[rows] = square = (  # type: ignore[index]
            _SQUARE_DECAY * self._square[rows] + (1 - _SQUARE_DECAY) * slope**2  # type: ignore[index]
        )
        size = np.sqrt(square / (1 - _SQUARE_DECAY**time)) + 1e-8
        self.weights[rows] -= rate * mean / (1 - _DECAY**time) / size  # type: ignore[index]


def fitted_network(table: csr_matrix, wanted: Floats, scale: Floats, dropped: float) -> Network:
    """By Adam on the cross-entropy of each label.

    Args:
        table: row by feature.
        wanted: row by label, 0 or 1.
        scale: what a row counts.
        dropped: share of the features and of the hidden units that is left out each time.
    """
    draw = np.random.default_rng(0)
    features, labels = table.shape[1], wanted.shape[1]
    inner = _Adam(draw.normal(0, 0.05, (features, HIDDEN)).astype(np.float32))
    bias = _Adam(np.zeros(HIDDEN, np.float32))
    out = _Adam(draw.normal(0, HIDDEN**-0.5, (HIDDEN, labels)).astype(np.float32))
    out_bias = _Adam(np.full(labels, -3, np.float32))
    steps = EPOCHS * (len(wanted) // BATCH)
    for time, rows in enumerate(_batches(len(wanted), draw, EPOCHS), 1):
        rate = RATE * 0.5 * (1 + np.cos(np.pi * time / steps))
        used, part = _thinned(table[rows], draw, dropped)
        hidden = part @ inner.weights[used] + bias.weights
        passed = (hidden > 0) * _kept(hidden.shape, draw, dropped)
        hidden = hidden * passed
        chance = expit(hidden @ out.weights + out_bias.weights)
        error = (chance - wanted[rows]) * scale[rows, None] / BATCH
        inside = (error @ out.weights.T) * passed
        out.step(hidden.T @ error, time, rate)
        out_bias.step(error.sum(0), time, rate)
        bias.step(inside.sum(0), time, rate)
        inner.step((part.T @ inside).astype(np.float32), time, rate, used)
    turn = np.linalg.eigh(inner.weights.T @ inner.weights)[1][:, ::-1][:, :COLUMNS]
    return Network(inner.weights @ turn, turn.T.copy(), bias.weights, out.weights, out_bias.weights)


def fitted_units(table: csr_matrix, wanted: Floats, scale: Floats, dropped: float) -> tuple[Floats, Floats]:
    """Weights and bias of a logistic unit for each label, as the network is fitted, with a small L2 penalty.

    Args:
        table: row by feature.
        wanted: row by label, 0 or 1.
        scale: what a row counts.
        dropped: share of the features that is left out each time.
    """
    draw = np.random.default_rng(1)
    weights = _Adam(np.zeros((table.shape[1], wanted.shape[1]), np.float32))
    bias = _Adam(np.full(wanted.shape[1], -3, np.float32))
    steps = UNIT_EPOCHS * (len(wanted) // BATCH)
    for time, rows in enumerate(_batches(len(wanted), draw, UNIT_EPOCHS), 1):
        rate = UNIT_RATE * 0.5 * (1 + np.cos(np.pi * time / steps))
        used, part = _thinned(table[rows], draw, dropped)
        own = weights.weights[used]
        error = (expit(part @ own + bias.weights) - wanted[rows]) * scale[rows, None] / BATCH
        bias.step(error.sum(0), time, rate)
        weights.step((part.T @ error + _PENALTY * own).astype(np.float32), time, rate, used)
    return weights.weights, bias.weights


def _batches(rows: int, draw: np.random.Generator, epochs: int) -> Iterator[npt.NDArray[np.intp]]:
    for _ in range(epochs):
        order = draw.permutation(rows)
        yield from (order[at : at + BATCH] for at in range(0, rows - BATCH + 1, BATCH))


def _kept(shape: tuple[int, ...], draw: np.random.Generator, dropped: float) -> Floats:
    return (draw.random(shape, dtype=np.float32) >= dropped).astype(np.float32) / (1 - dropped)


def _thinned(
    rows: csr_matrix, draw: np.random.Generator, dropped: float
) -> tuple[npt.NDArray[np.intp], csr_matrix]:
    """The features that occur, and the rows over these alone, with some of them left out."""
    used, at = np.unique(rows.indices, return_inverse=True)
    kept = rows.data * _kept(rows.data.shape, draw, dropped)
    return used, csr_matrix((kept, at, rows.indptr), shape=(rows.shape[0], len(used)))
