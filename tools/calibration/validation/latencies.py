"""Latencies that the product ships, predicted by fits that had not seen them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from ....hardware_db.coefficients import load_coefficients
from ....hardware_db.coefficients.errors import stored_errors
from ...core.quantity import Basis, Quantity
from ...cost_model.hierarchy import class_of_path
from ...cost_model.kernels import Tier, kernels_on
from ..record import Record, by_board, by_network
from ..tiers import nearest_tiers
from .samples import Collected, Sample, device_class
from .validation_report import Measured, Scheme

NOT_FITTED = "measured since the calibration was fitted: make calibrate"
NOTHING_LEFT = "nothing of its type is left on its kind of processor"
ERROR_COLUMN = {Scheme.MODEL_OUT: "network_out", Scheme.BOARD_OUT: "board_out"}


def latency_samples(records: Sequence[Record], scheme: Scheme, into: Collected) -> dict[str, Quantity]:
    """Adds a sample per record; returns the predicted latencies by id."""
    errors = stored_errors() if scheme in ERROR_COLUMN else {}
    tiers = _tiers(records, scheme)
    predicted = {}
    for record, tier in zip(records, tiers, strict=True):
        log = _in_sample(record) if scheme is Scheme.IN_SAMPLE else _stored(record, scheme, errors)
        if log is None:
            stale = scheme in ERROR_COLUMN and record.id not in errors
            into.leave_out(record.id, NOT_FITTED if stale else f"{scheme}: {NOTHING_LEFT}")
            continue
        measured = record.seconds * 1e3
        guess = Quantity.within_factor(
            measured * math.exp(log), interval_factor(record, tier), "ms", Basis.FITTED
        )
        predicted[record.id] = guess
        into.samples.append(sample_of(record, Measured.LATENCY, scheme, measured, guess))
    return predicted


def sample_of(
    record: Record, quantity: Measured, scheme: Scheme, measured: float, figure: Quantity
) -> Sample:
    """Of a figure that is known."""
    assert figure.value is not None
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
        predicted=figure.value,
        low=figure.low,
        high=figure.high,
        processor=record.row["processor"],
    )


def _stored(record: Record, scheme: Scheme, errors: Mapping[str, Mapping[str, str]]) -> float | None:
    text = errors.get(record.id, {}).get(ERROR_COLUMN[scheme], "")
    return float(text) if text else None


def _in_sample(record: Record) -> float | None:
    kernels = kernels_on(record.path)
    return None if kernels is None else float(np.log(record.estimated(kernels.cost) / record.cost))


def _tiers(records: Sequence[Record], scheme: Scheme) -> list[Tier]:
    match scheme:
        case Scheme.MODEL_OUT:
            return nearest_tiers(records, by_network)
        case Scheme.BOARD_OUT:
            return nearest_tiers(records, by_board)
        case _:
            return nearest_tiers(records, lambda record: record.id, needed=1)


def interval_factor(record: Record, tier: Tier) -> float:
    """What the interval of an estimate from kin at this distance divides and multiplies by."""
    factors = load_coefficients().factors
    pair = next((node for node in record.path if node.startswith("pair:")), "")
    if tier is Tier.TARGET and pair in factors:
        return factors[pair]
    return factors[f"{class_of_path(record.path)}/{tier}"]
