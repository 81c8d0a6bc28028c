"""Power of whole targets while they compute, from published energies."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping

import numpy as np

from ...hardware_db.calibration import ActivePower
from ...hardware_db.measurements import rows

LEAST_FACTOR = 1.1
FEW = 3
FEW_FACTOR = 1.5


def fit_power() -> Iterator[ActivePower]:
    """Median power per MHz of every target whose energy was measured, at the supply measured most often."""
    seen: dict[tuple[str, str], list[float]] = defaultdict(list)
    for row in rows():
        mw = _milliwatts(row)
        if mw is not None:
            seen[row["target"], row["supply_mv"]].append(mw / float(row["clock_mhz"]))
    for target in sorted({target for target, _ in seen}):
        supply = max((mv for t, mv in seen if t == target), key=lambda mv: (len(seen[target, mv]), mv))
        logs = np.log(seen[target, supply])
        middle = float(np.median(logs))
        spread = math.exp(float(np.quantile(np.abs(logs - middle), 0.9)))
        yield ActivePower(
            target=target,
            supply_v=float(supply or 0) / 1e3,
            mw_per_mhz=float(f"{math.exp(middle):.4g}"),
            interval_factor=round(max(spread, LEAST_FACTOR if len(logs) >= FEW else FEW_FACTOR), 3),
            rows=len(logs),
        )


def _milliwatts(row: Mapping[str, str]) -> float | None:
    """Energy over time of a row whose target and clock are known."""
    if not row["target"] or not row["clock_mhz"] or "clock_unverified" in row["flag"]:
        return None
    if not row["energy_uj"] or not row["latency_ms"]:
        return None
    return float(row["energy_uj"]) / float(row["latency_ms"])
