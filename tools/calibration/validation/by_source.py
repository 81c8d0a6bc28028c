"""Latencies by fits that had seen nothing of their source: what another author measures, in another way."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

from ....hardware_db import load_target, target_ids
from ....hardware_db.coefficients.errors import stored_errors
from ....hardware_db.schema import TargetClass
from ...core.quantity import Basis, Quantity
from ..record import Record, by_source
from ..tiers import nearest_tiers
from .latencies import interval_factor, sample_of
from .samples import Collected
from .validation_report import Measured, Scheme

ON_X86 = frozenset({"litert-xnnpack", "litert-builtin", "onnxruntime", "openvino"})


def source_samples(records: Sequence[Record], into: Collected) -> None:
    """Adds a sample per record of a library that several authors measured on the same kind of processor."""
    errors, cards = stored_errors(), _cards()
    for record, tier in zip(records, nearest_tiers(records, by_source), strict=True):
        part = _part(record, cards)
        log = errors.get(record.id, {}).get("source_out", "")
        if not part or not log:
            continue
        measured = record.seconds * 1e3
        factor = interval_factor(record, tier)
        guess = Quantity.within_factor(measured * math.exp(float(log)), factor, "ms", Basis.FITTED)
        sample = sample_of(record, Measured.LATENCY, Scheme.SOURCE_OUT, measured, guess)
        into.samples.append(dataclasses.replace(sample, runtime=part))


def _part(record: Record, cards: frozenset[str]) -> str:
    """What a row of the table is of; empty for measurements that are in none."""
    runtime = record.row["runtime"]
    if runtime == "tensorrt" and record.target in cards:
        return "tensorrt on cards"
    if runtime in ON_X86 and record.row["processor"] == "x86-64":
        return f"{runtime} on x86-64"
    return ""


def _cards() -> frozenset[str]:
    return frozenset(name for name in target_ids() if load_target(name).target_class is TargetClass.GPU)
