"""Fit what share of its peak a processor reaches in an encoder of sound: the middle of devices, by kind."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from statistics import fmean

from ....hardware_db import load_target
from ....hardware_db.coefficients.decode import EncodeNode
from ....hardware_db.measurements.decode import EncodeRow, encode_rows
from ...cost_model.decode_place import decode_place
from ...model_zoo.language_model import language_model
from .by_device import Errors, interval

FORMAT = "F16"
"""Of the published encoders."""


def fit_encode() -> dict[str, EncodeNode]:
    """By kind of processor, with the interval of devices left out."""
    found: defaultdict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in encode_rows():
        found[row.kind][row.device].append(_log_share(row))
    return {kind: _node(devices) for kind, devices in sorted(found.items())}


def _log_share(row: EncodeRow) -> float:
    place = decode_place(load_target(row.target), row.kind, row.runtime, FORMAT)
    assert place.peak_ops_per_s is not None, row.id
    operations = language_model(row.model).encoder_operations
    return math.log(operations / (row.encode_ms / 1e3) / place.peak_ops_per_s)


def _node(devices: Mapping[str, list[float]]) -> EncodeNode:
    middles = {device: fmean(logs) for device, logs in devices.items()}
    errors: Errors = []
    for device, logs in devices.items():
        rest = fmean(middle for other, middle in middles.items() if other != device)
        errors += [(device, rest - log) for log in logs]
    factor, left_out = interval(errors)
    share = round(math.exp(fmean(middles.values())), 4)
    return EncodeNode(share_of_peak=share, interval_factor=factor, left_out=left_out)
