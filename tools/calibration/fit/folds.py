"""Predictions of measurements by fits that have not seen their network, their board or their pair."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

import numpy as np

from ..record import Record, by_board
from ..records import weights
from .physics import widths
from .pooled import Floats, Pooled, fit

FOLDS = 8
BOARD_FOLDS = 16
"""Boards are few and each is much: leaving an eighth of them out together would leave kin out with kin."""

Key = Callable[[Record], str]


def by_pair(record: Record) -> str:
    """Kernel library and core together."""
    return next(name for name in record.path if name.startswith("pair:"))


def fit_records(records: Sequence[Record], prior: Floats) -> Pooled:
    """All records of one kind of processor."""
    return fit(
        np.array([record.work for record in records]),
        np.array([record.cost for record in records]),
        [record.path for record in records],
        weights(list(records)),
        prior=prior,
        widths=widths(records[0].kind),
    )


def left_out(records: Sequence[Record], prior: Floats, key: Key) -> Floats:
    """Log error of each record when all of its key were left out; NaN where nothing of its type is left."""
    folds = BOARD_FOLDS if key is by_board else FOLDS
    fold = np.array([_fold(key(record), folds) for record in records])
    work = np.array([record.work for record in records])
    cost = np.array([record.cost for record in records])
    weight = weights(list(records))
    errors = np.full(len(records), np.nan)
    for number in range(folds):
        out = fold == number
        if not out.any() or out.all():
            continue
        kept = [record.path for record, gone in zip(records, out, strict=True) if not gone]
        fitted = fit(
            work[~out],
            cost[~out],
            kept,
            weight[~out],
            prior=prior,
            widths=widths(records[0].kind),
        )
        asked = [record.path for record, gone in zip(records, out, strict=True) if gone]
        errors[out] = np.log(fitted.predict(work[out], asked) / cost[out])
        unseen = [path[0] not in fitted.nodes for path in asked]
        errors[np.flatnonzero(out)[unseen]] = np.nan
    return errors


def _fold(key: str, folds: int) -> int:
    """The same fold for a key in every run and on every machine."""
    return hashlib.sha256(key.encode()).digest()[0] % folds
