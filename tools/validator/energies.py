"""Energy per inference: power of the target by its other networks × latency by other networks."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from ...hardware_db.calibration import load_calibration
from ..calibrator.records import Record
from .latencies import interval_factor, nearest_tiers, sample_of
from .report import Measured, Scheme
from .samples import Collected

NO_OTHER_POWER = "no other network's energy was measured on its target at its supply"
NO_CLOCK = "energy without a clock to scale power by"


def energy_samples(records: Sequence[Record], latency_ms: Mapping[str, float], into: Collected) -> None:
    """Adds a sample per record with an energy, its model left out of power and of latency.

    Args:
        latency_ms: id → latency predicted without the model.
    """
    scheme = Scheme.MODEL_OUT
    measured = {r.id: mw for r in records if (mw := milliwatts_per_mhz(r)) is not None}
    places: dict[tuple[str, str], list[Record]] = defaultdict(list)
    for record in records:
        if record.id in measured:
            places[_place(record)].append(record)
    spread = {power.target: power.interval_factor for power in load_calibration().power}
    for record, tier in zip(records, nearest_tiers(records, scheme), strict=True):
        if not record.row["energy_uj"] or record.id not in latency_ms:
            continue
        if record.id not in measured:
            into.leave_out(record.id, NO_CLOCK)
            continue
        others = [measured[r.id] for r in places[_place(record)] if r.network != record.network]
        if not others:
            into.leave_out(record.id, NO_OTHER_POWER)
            continue
        mw = math.exp(float(np.median(np.log(others)))) * float(record.row["clock_mhz"])
        wide = math.hypot(math.log(interval_factor(record, tier)), math.log(spread.get(record.target, 2.0)))
        energy, guess = float(record.row["energy_uj"]), mw * latency_ms[record.id]
        into.samples.append(
            sample_of(
                record, Measured.ENERGY, scheme, measured=energy, predicted=guess, factor=math.exp(wide)
            )
        )


def _place(record: Record) -> tuple[str, str]:
    return record.target, record.row["supply_mv"]


def milliwatts_per_mhz(record: Record) -> float | None:
    """Of a record whose energy, target and clock are known."""
    row = record.row
    if not record.target or not row["clock_mhz"] or not row["energy_uj"] or "clock_unverified" in row["flag"]:
        return None
    return float(row["energy_uj"]) / float(row["latency_ms"]) / float(row["clock_mhz"])
