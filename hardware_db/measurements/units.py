"""Accelerators that were measured but that no target describes: `units.csv`, every peak with its source.

A fit learns from them what peaks mean; nothing can be deployed on them.
"""

from __future__ import annotations

import csv
import functools
import io
from collections import defaultdict
from importlib import resources

from ..cited import Leaf
from ..schema import Accelerator, Rate

FILE = "units.csv"


@functools.cache
def measured_units() -> dict[tuple[str, str], Accelerator]:
    """Device as its table names it, and family → the accelerator's peaks."""
    peaks: dict[tuple[str, str], dict[str, Rate]] = defaultdict(dict)
    for row in _rows():
        leaf = Leaf[float](
            value=float(row["peak_ops_per_s"]), unit="op/s", source=row["where"], locator=row["locator"]
        )
        peaks[row["device"], row["family"]][row["dtype"]] = Rate(dense=leaf)
    return {
        (device, family): Accelerator(id=family, name=device, kind="npu", family=family, peak=found)
        for (device, family), found in peaks.items()
    }


@functools.cache
def measured_bandwidths() -> dict[str, float]:
    """Device → bytes per second of its memory, where the source gives it."""
    return {row["device"]: float(row["bytes_per_s"]) for row in _rows() if row["bytes_per_s"]}


def _rows() -> list[dict[str, str]]:
    text = resources.files(__package__).joinpath(FILE).read_text(encoding="utf-8")
    return list(csv.DictReader(io.StringIO(text)))
