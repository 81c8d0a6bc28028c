"""Scores in which every board has one vote: `python -m edgewright.tools.calibration.validation.board_scores`.

For development: the figures that a change of the cost model is judged by. Takes the errors that the last
`make calibrate` stored for what it left out, and the shipped coefficients for what it was fitted to.
"""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TextIO

import numpy as np

from ....hardware_db.measurements import rows, shared_rows
from .samples import Sample
from .scores import absolute_errors, coverage, rank_over_boards
from .shipped import shipped_samples
from .validation_report import DeviceClass, Measured, Scheme

LEFT_OUT = {Scheme.MODEL_OUT: "network", Scheme.BOARD_OUT: "board", Scheme.IN_SAMPLE: "nothing"}
QUANTITIES = (Measured.LATENCY, Measured.ENERGY)
NOT_MEASURED = ("sum_of_subgraph_latencies", "partly_scaled", "device_run_presumed", "vendor_datasheet")
"""Flags of figures that their source added up, scaled, presumed or advertised; a latency that is the inverse
of a measured throughput counts as measured."""


class BoardScore(NamedTuple):
    """Errors are shares of the measurement: 0.1 is 10 %."""

    device_class: DeviceClass
    quantity: Measured
    left_out: str
    of: str
    """all rows, or the shared ones that were there before others were collected."""
    rows: int
    boards: int
    median_of_boards: float
    """Median over boards of each board's median absolute error."""
    coverage_of_boards: float
    """Mean over boards of the share of each board's rows inside the 90 % interval."""
    median: float
    """Of all rows alike."""
    coverage: float | None
    rank_correlation: float | None
    """Spearman's over the boards that a model was measured on, mean over models."""


def board_scores(samples: Iterable[Sample]) -> list[BoardScore]:
    """A score per class, quantity and what was left out, of the rows that were measured."""
    doubtful = {row["id"] for row in rows() if any(flag in row["flag"] for flag in NOT_MEASURED)}
    groups: dict[tuple[DeviceClass, Measured, Scheme], list[Sample]] = defaultdict(list)
    for sample in samples:
        if sample.quantity in QUANTITIES and sample.scheme in LEFT_OUT and sample.id not in doubtful:
            groups[sample.device_class, sample.quantity, sample.scheme].append(sample)
    shared = {row["id"] for row in shared_rows()}
    scores = []
    for key in sorted(groups):
        known = [sample for sample in groups[key] if sample.id in shared]
        scores += [_score(own, of) for of, own in (("all", groups[key]), ("shared", known)) if own]
    return scores


def _score(samples: Sequence[Sample], of: str) -> BoardScore:
    boards: dict[str, list[Sample]] = defaultdict(list)
    for sample in samples:
        boards[sample.board].append(sample)
    shares = [coverage(own) for own in boards.values()]
    first = samples[0]
    return BoardScore(
        device_class=first.device_class,
        quantity=first.quantity,
        left_out=LEFT_OUT[first.scheme],
        of=of,
        rows=len(samples),
        boards=len(boards),
        median_of_boards=float(np.median([_median(own) for own in boards.values()])),
        coverage_of_boards=float(np.mean([share for share in shares if share is not None])),
        median=_median(samples),
        coverage=coverage(samples),
        rank_correlation=rank_over_boards(samples),
    )


def _median(samples: Sequence[Sample]) -> float:
    return float(np.median(absolute_errors(samples)))


def write_scores(scores: Iterable[BoardScore], out: TextIO) -> None:
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(BoardScore._fields)
    for score in scores:
        writer.writerow(f"{value:.4f}" if isinstance(value, float) else value for value in score)


if __name__ == "__main__":
    write_scores(board_scores(shipped_samples(in_sample=True).samples), sys.stdout)
