"""Latencies that the product ships, predicted by fits that had not seen them."""

from __future__ import annotations

import csv
import io
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources

import numpy as np

from ...hardware_db import calibration
from ...hardware_db.calibration import load_calibration
from ..calibrator.records import Record
from ..roofline.kernels import Tier, kernels_on
from .report import Measured, Scheme
from .samples import Collected, Sample, device_class

ERROR_COLUMN = {Scheme.MODEL_OUT: "network_out", Scheme.BOARD_OUT: "board_out"}
NOTHING_LEFT = "nothing of its type and kind of processor is left when it is left out"


def stored_errors() -> dict[str, dict[str, str]]:
    """Id → logarithms of predicted over measured, by what was left out."""
    text = resources.files(calibration).joinpath("errors.csv").read_text(encoding="utf-8")
    return {row["id"]: row for row in csv.DictReader(io.StringIO(text))}


def latency_samples(records: Sequence[Record], scheme: Scheme, into: Collected) -> dict[str, float]:
    """Adds a sample per record; returns the predicted milliseconds by id."""
    errors = stored_errors() if scheme in ERROR_COLUMN else {}
    tiers = nearest_tiers(records, scheme)
    predicted = {}
    for record, tier in zip(records, tiers, strict=True):
        log = _in_sample(record) if scheme is Scheme.IN_SAMPLE else _stored(record, scheme, errors)
        if log is None:
            into.leave_out(record.id, NOTHING_LEFT)
            continue
        measured = record.seconds * 1e3
        guess = predicted[record.id] = measured * math.exp(log)
        factor = interval_factor(record, tier)
        into.samples.append(
            sample_of(record, Measured.LATENCY, scheme, measured=measured, predicted=guess, factor=factor)
        )
    return predicted


def sample_of(
    record: Record, quantity: Measured, scheme: Scheme, *, measured: float, predicted: float, factor: float
) -> Sample:
    return Sample(
        id=record.id,
        device_class=device_class(record.kind, record.row["processor"]),
        runtime=record.row["runtime"],
        quantity=quantity,
        scheme=scheme,
        network=record.network,
        dtype=record.row["dtype"],
        board=record.target or record.device,
        measured=measured,
        predicted=predicted,
        low=predicted / factor,
        high=predicted * factor,
    )


def _stored(record: Record, scheme: Scheme, errors: Mapping[str, Mapping[str, str]]) -> float | None:
    text = errors.get(record.id, {}).get(ERROR_COLUMN[scheme], "")
    return float(text) if text else None


def _in_sample(record: Record) -> float | None:
    kernels = kernels_on(record.path, record.kind)
    return None if kernels is None else float(np.log(record.work @ kernels.cost / record.cost))


def nearest_tiers(records: Sequence[Record], scheme: Scheme) -> list[Tier]:
    """How far each record's nearest kin is once its model or its board is left out."""

    def key(record: Record) -> str:
        match scheme:
            case Scheme.MODEL_OUT:
                return record.network
            case Scheme.BOARD_OUT:
                return record.target or record.device
            case _:
                return record.id

    seen: dict[str, set[str]] = defaultdict(set)
    for record in records:
        for node in record.path:
            seen[node].add(key(record))
    needed = 1 if scheme is Scheme.IN_SAMPLE else 2
    return [_nearest(node for node in record.path if len(seen[node]) >= needed) for record in records]


def _nearest(nodes: Iterable[str]) -> Tier:
    levels = {node.partition(":")[0] for node in nodes}
    return next((tier for tier in Tier if tier.value in levels), Tier.NOTHING)


def interval_factor(record: Record, tier: Tier) -> float:
    """What the interval of an estimate from kin at this distance divides and multiplies by."""
    factors = load_calibration().factors
    pair = next((node for node in record.path if node.startswith("pair:")), "")
    if tier is Tier.TARGET and pair in factors:
        return factors[pair]
    return factors[f"{record.kind}/{tier}"]
