"""Sizes of runtimes and kernels that explain the published code sizes, none below zero.

Every program is a sum of needs. A need's size is a node; nodes are drawn to the more general ones above them:
a kernel of one runtime to that kernel in its family, that one to the kernel anywhere. All are found at once,
by non-negative least squares on relative errors with the pulls as further equations.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt
from scipy.optimize import nnls

from ....hardware_db.coefficients.flash import CodeEvidence
from ...memory_planner.flash.code_family import Family
from ...memory_planner.flash.code_size import Need, Tier, fitted_kib, tier_of, unmeasured_kinds
from ..flash_records import FlashRecord, Key, by_network

Floats = npt.NDArray[np.float64]
Nodes = dict[str, float]

PULLS = (0.001, 0.002, 0.004, 0.008, 0.016)
"""Weights of one KiB away from the node above, against a relative error of one, that are tried."""
BY_DEPTH = (0.01, 0.1, 0.3, 1.0, 1.0)
"""Share of the pull on a node at each depth: what is general tells less of what is under it, and nothing is
above the first, which is drawn to zero so that it is defined."""
FOLDS = 8
FEW_NETWORKS = 8
"""Runtimes with fewer share the errors of all."""


def fit_nodes(records: Sequence[FlashRecord], pull: float) -> Nodes:
    """Node → KiB."""
    place: dict[str, int] = {}
    above: dict[str, str] = {}
    depths: dict[str, int] = {}
    for need in (need for record in records for need in record.needs):
        for depth, name in enumerate(need.path):
            place.setdefault(name, len(place))
            depths[name] = depth
        above.update(zip(need.path[1:], need.path, strict=False))
    data, sizes = _programs(records, place)
    pulls = np.zeros((len(place), len(place)))
    for name, index in place.items():
        strength = pull * BY_DEPTH[depths[name]]
        pulls[index, index] = strength
        if name in above:
            pulls[index, place[above[name]]] = -strength
    matrix = np.vstack([data, pulls])
    found, _ = nnls(matrix, np.concatenate([sizes, np.zeros(len(place))]), maxiter=100 * len(place))
    return {name: float(found[index]) for name, index in place.items()}


def _programs(records: Sequence[FlashRecord], place: Mapping[str, int]) -> tuple[Floats, Floats]:
    """One row per program, such that an error of one is the whole code; many of a network count as few."""
    counts = Counter((record.network, record.build) for record in records)
    data = np.zeros((len(records), len(place)))
    weights = np.array([counts[r.network, r.build] ** -0.5 for r in records])
    for row, record in enumerate(records):
        for need in record.needs:
            data[row, place[need.path[-1]]] += need.count / record.code_kib
    return data * weights[:, None], weights


def predicted_kib(needs: Iterable[Need], nodes: Mapping[str, float]) -> float:
    return sum(fitted_kib(need, nodes) for need in needs)


def left_out(
    records: Sequence[FlashRecord], pull: float, key: Key, *, folds: bool
) -> tuple[Floats, list[Tier | None]]:
    """Log error of each record, and the nearest tier left, when all of its key were left out.

    NaN where nothing of its family is left."""
    keys = [key(record) for record in records]
    groups = [_fold(k) for k in keys] if folds else keys
    errors = np.full(len(records), np.nan)
    tiers: list[Tier | None] = [None] * len(records)
    for group in sorted(set(groups), key=str):
        kept = [r for r, g in zip(records, groups, strict=True) if g != group]
        if not kept:
            continue
        nodes = fit_nodes(kept, pull)
        for index in (i for i, g in enumerate(groups) if g == group):
            record = records[index]
            tiers[index] = tier_of(record.build, nodes)
            size = predicted_kib(record.needs, nodes)
            if tiers[index] is not None and size > 0:
                errors[index] = np.log(size / record.code_kib)
    return errors, tiers


def _fold(key: str) -> int:
    return hashlib.sha256(key.encode()).digest()[0] % FOLDS


def best_pull(records: Sequence[FlashRecord]) -> float:
    """By the mean error of networks left out."""

    def error(pull: float) -> float:
        return float(np.nanmean(np.abs(left_out(records, pull, by_network, folds=True)[0])))

    return min(PULLS, key=error)


def interval_factors(errors: Floats, records: Sequence[FlashRecord]) -> tuple[float, float]:
    """What the ends of a 90 % interval multiply a size by: every runtime counts alike."""
    known = ~np.isnan(errors)
    chosen = [record for record, k in zip(records, known, strict=True) if k]
    counts = Counter(record.build.runtime for record in chosen)
    weights = np.array([1 / counts[record.build.runtime] for record in chosen])
    low, high = _quantile(errors[known], weights, 0.05), _quantile(errors[known], weights, 0.95)
    return min(1.0, float(np.exp(-high))), max(1.0, float(np.exp(-low)))


def _quantile(values: Floats, weights: Floats, share: float) -> float:
    """Of weighted values, outward to one that was seen."""
    order = np.argsort(values)
    if share > 0.5:
        order = order[::-1]
    reached = np.cumsum(weights[order]) / weights.sum()
    beyond = min(share, 1 - share)
    return float(values[order][int(np.searchsorted(reached, beyond, side="right"))])


def unmeasured_kib(records: Sequence[FlashRecord], pull: float) -> dict[str, float]:
    """Error that one kernel left out of the fit makes, 90 % of them, every kind alike."""
    found: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for name, kind, kept, asked in _without_a_kernel(records):
        nodes = fit_nodes(kept, pull)
        for record in asked:
            missing = unmeasured_kinds(record.kinds, record.build, nodes)
            if f"base:{record.build.runtime}" in nodes and missing:
                error = abs(predicted_kib(record.needs, nodes) - record.code_kib)
                found[name].append((kind, error / len(missing) ** 0.5))
    spread = {}
    for name, errors in sorted(found.items()):
        counts = Counter(kind for kind, _ in errors)
        weights = np.array([1 / counts[kind] for kind, _ in errors])
        spread[name] = _quantile(np.array([error for _, error in errors]), weights, 0.9)
    return spread


def _without_a_kernel(
    records: Sequence[FlashRecord],
) -> Iterator[tuple[str, str, list[FlashRecord], list[FlashRecord]]]:
    """(family and whether kin keeps the kernel, kind, records without it, records with it)"""
    for family in Family:
        own = [r for r in records if r.build.family is family]
        for kind in sorted({kind for record in own for kind in record.kinds}):
            asked = [r for r in own if kind in r.kinds]
            yield f"{family}/none", kind, [r for r in records if r not in asked], asked
            for runtime in sorted({r.build.runtime for r in asked}):
                here = [r for r in asked if r.build.runtime == runtime]
                if len(here) < len(asked):
                    yield f"{family}/kin", kind, [r for r in records if r not in here], here


def evidence_of(records: Sequence[FlashRecord]) -> dict[str, CodeEvidence]:
    """A runtime of which code is published by itself is taken to be without the rest of a program."""
    alone = {record.build.runtime for record in records if record.row["flash_code_kib"]}
    members: dict[str, list[FlashRecord]] = defaultdict(list)
    for record in records:
        for place in record.build.places:
            members[f"base:{place}"].append(record)
    return {
        name: CodeEvidence(
            rows=len(own),
            networks=len({record.network for record in own}),
            whole_programs=not any(record.build.runtime in alone for record in own),
        )
        for name, own in sorted(members.items())
    }


def own_factors(records: Sequence[FlashRecord], errors: Floats) -> dict[str, tuple[float, float]]:
    """Of runtimes with networks enough to tell their own."""
    networks: dict[str, set[str]] = defaultdict(set)
    for record in records:
        networks[record.build.runtime].add(record.network)
    found = {}
    for runtime in sorted(name for name, seen in networks.items() if len(seen) >= FEW_NETWORKS):
        chosen = np.array([record.build.runtime == runtime for record in records])
        own = [record for record in records if record.build.runtime == runtime]
        found[f"{Tier.TARGET}/{runtime}"] = interval_factors(errors[chosen], own)
    return found
