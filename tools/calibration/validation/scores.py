"""Error statistics of predictions."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import fmean

import numpy as np
import numpy.typing as npt

from .samples import Sample
from .validation_report import ALL, LITTLE_KNOWN, SUMS, WELL_KNOWN, DeviceClass, ErrorGroup, Measured, Scheme

_Pair = tuple[str, str]
_Place = tuple[str, str, str, str]

MANY_MODELS = 15
LEAST_BOARDS = 3
"""Fewer have no order worth the name."""


def error_groups(samples: Iterable[Sample]) -> tuple[ErrorGroup, ...]:
    """One row per class, runtime, quantity and scheme, after those that sum up a class over its runtimes.

    Microcontrollers' latencies are summed up apart, too, where there are groups of many models and of few.
    """
    every = list(samples)
    members: dict[tuple[str, ...], list[Sample]] = defaultdict(list)
    apart: dict[tuple[str, ...], list[Sample]] = defaultdict(list)
    known = _models_of_groups(every)
    several = len({sample.runtime for sample in every}) > 1
    for sample in every:
        place = (sample.device_class, sample.quantity, sample.scheme)
        if sample.scheme is not Scheme.SOURCE_OUT:  # of some libraries alone
            members[ALL, *place].append(sample)
        members[sample.runtime, *place].append(sample)
        if several and sample.device_class is DeviceClass.MCU and sample.quantity is Measured.LATENCY:
            many = len(known[_group_of(sample)]) >= MANY_MODELS
            apart[WELL_KNOWN if many else LITTLE_KNOWN, *place].append(sample)
    if {WELL_KNOWN, LITTLE_KNOWN} <= {key[0] for key in apart}:
        members |= apart
    ordered = sorted(members, key=lambda key: (key[0] not in SUMS, key[1], key[0], key[2], key[3]))
    return tuple(_group(key[0], members[key]) for key in ordered)


def _models_of_groups(samples: Iterable[Sample]) -> dict[_Place, set[str]]:
    """Models that each runtime was measured with, on each core and in each type."""
    known: dict[_Place, set[str]] = defaultdict(set)
    for sample in samples:
        known[_group_of(sample)].add(sample.network)
    return known


def _group_of(sample: Sample) -> _Place:
    return sample.runtime, sample.processor, sample.dtype, sample.quantity


def _group(runtime: str, samples: Sequence[Sample]) -> ErrorGroup:
    error = absolute_errors(samples)
    first = samples[0]
    return ErrorGroup(
        device_class=first.device_class,
        runtime=runtime,
        quantity=first.quantity,
        scheme=first.scheme,
        n=len(samples),
        models=len({sample.network for sample in samples}),
        boards=len({sample.board for sample in samples}),
        median_ape=_rounded(np.median(error)),
        mean_ape=_rounded(error.mean()),
        within_10=_rounded((error <= 0.10).mean()),
        within_25=_rounded((error <= 0.25).mean()),
        coverage=coverage(samples),
        rank_correlation=rank_over_boards(samples),
    )


def _rounded(share: float | np.floating) -> float:
    return round(float(share), 4)


def absolute_errors(samples: Sequence[Sample]) -> npt.NDArray[np.float64]:
    """Shares of the measurements."""
    measured = np.array([sample.measured for sample in samples])
    errors: npt.NDArray[np.float64] = np.abs([sample.predicted for sample in samples] / measured - 1)
    return errors


def coverage(samples: Sequence[Sample]) -> float | None:
    """Share of the measurements inside their 90 % interval; None where no prediction has one."""
    inside = [s.low <= s.measured <= s.high for s in samples if s.low is not None and s.high is not None]
    return _rounded(np.mean(inside)) if inside else None


def rank_over_boards(samples: Sequence[Sample]) -> float | None:
    """Mean over models of how well predictions put the places in order that the model was measured in."""
    places: dict[_Pair, dict[_Pair, list[Sample]]] = defaultdict(lambda: defaultdict(list))
    for sample in samples:
        places[sample.network, sample.dtype][sample.board, sample.runtime].append(sample)
    found = []
    for by_place in places.values():
        if len({board for board, _ in by_place}) < LEAST_BOARDS:
            continue
        logs = [
            (fmean(math.log(s.measured) for s in here), fmean(math.log(s.predicted) for s in here))
            for here in by_place.values()
        ]
        correlation = spearman(*np.array(logs).T)
        if correlation is not None:
            found.append(correlation)
    return _rounded(np.mean(found)) if found else None


def spearman(one: npt.ArrayLike, other: npt.ArrayLike) -> float | None:
    """Rank correlation, ties at their mean rank; None where one of the two is constant."""
    a, b = _ranks(np.asarray(one, float)), _ranks(np.asarray(other, float))
    a, b = a - a.mean(), b - b.mean()
    size = float(np.sqrt((a**2).sum() * (b**2).sum()))
    return float((a * b).sum()) / size if size else None


def _ranks(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    _, index, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[index], dtype=np.float64)
