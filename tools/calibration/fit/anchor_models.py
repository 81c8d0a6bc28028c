"""Which three public models, measured on a new board, tell most about the others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from ....hardware_db.coefficients.offsets import OfBoards
from ....hardware_db.errors import EdgewrightError
from ...cost_model.signature import signature
from ...model_zoo.catalogue import ARCHITECTURES
from ...model_zoo.named import build_architecture
from .likeness import ScoredRow

COUNT = 3
FEWEST_BOARDS = 5
LEAST_SHARE = 0.15
"""Of the boards of a class: a model that fewer were measured with tells of those alone."""
MOST_PARAMETERS = 30_000_000
"""What a small board still holds."""

Board = Mapping[str, float]
"""Signature → mean error of a network by a fit that had not seen the board."""


def anchor_models(cases: Sequence[ScoredRow], spreads: Mapping[str, OfBoards]) -> dict[str, tuple[str, ...]]:
    """By class, each chosen after the ones before it for what is left of the error of the other networks."""
    names = _public()
    boards = _boards(cases)
    return {
        sort: _chosen([each for name, each in boards if name == sort], spread, names)
        for sort, spread in sorted(spreads.items())
    }


def _public() -> dict[str, str]:
    found: dict[str, str] = {}
    for name in ARCHITECTURES:
        try:
            graph = build_architecture(name)
        except EdgewrightError:
            continue
        if sum(tensor.elements or 0 for tensor in graph.parameters) <= MOST_PARAMETERS:
            found.setdefault(signature(graph), name)
    return found


def _boards(cases: Sequence[ScoredRow]) -> list[tuple[str, Board]]:
    errors: dict[tuple[str, ...], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for case in cases:
        if "board_out" in case.errors:
            key = (case.sort, case.row.target, case.row.runtime, case.row.dtype)
            errors[key][case.row.signature].append(case.errors["board_out"])
    return [(key[0], {s: float(np.mean(e)) for s, e in of.items()}) for key, of in sorted(errors.items())]


def _chosen(boards: Sequence[Board], spread: OfBoards, names: Mapping[str, str]) -> tuple[str, ...]:
    needed = max(FEWEST_BOARDS, round(LEAST_SHARE * len(boards)))
    chosen: list[str] = []
    candidates = sorted({s for board in boards for s in board if s in names})
    while len(chosen) < COUNT:
        scores = {
            each: score
            for each in candidates
            if each not in chosen and (score := _left(boards, [*chosen, each], spread, needed)) is not None
        }
        if not scores:  # few boards were measured with all: the best of the rest alone
            scores = {
                each: score
                for each in candidates
                if each not in chosen and (score := _left(boards, [each], spread, FEWEST_BOARDS)) is not None
            }
        if not scores:
            break
        chosen.append(min(scores, key=lambda each: (scores[each], names[each])))
    return tuple(names[each] for each in chosen)


def _left(boards: Sequence[Board], measured: Sequence[str], spread: OfBoards, needed: int) -> float | None:
    """Share of the other networks' error that is left, median over boards; None for too few boards."""
    count, ratio = len(measured), (spread.network / spread.board) ** 2
    with_, without = [], []
    for board in boards:
        others = np.array([error for s, error in board.items() if s not in measured])
        if len(others) and all(each in board for each in measured):
            offset = np.mean([board[each] for each in measured]) * count / (count + ratio)
            with_.append(float(np.median(np.abs(others - offset))))
            without.append(float(np.median(np.abs(others))))
    return float(np.median(with_) / np.median(without)) if len(with_) >= needed else None
