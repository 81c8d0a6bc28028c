"""Power of whole targets while they compute, from published energies."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from ...hardware_db.calibration import ActivePower, PowerPoint
from ...hardware_db.measurements import rows

LEAST_FACTOR = 1.1
FEW = 3
FEW_FACTOR = 1.5


def fit_power(measured: Iterable[Mapping[str, str]] | None = None) -> Iterator[ActivePower]:
    """Median power per MHz of every target whose energy was measured, at the supply measured most often."""
    seen: dict[tuple[str, str], list[float]] = defaultdict(list)
    points: dict[str, dict[tuple[float, float], list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows() if measured is None else measured:
        mw = _milliwatts(row)
        if mw is not None:
            clock_mhz = float(row["clock_mhz"])
            seen[row["target"], row["supply_mv"]].append(mw / clock_mhz)
            points[row["target"]][clock_mhz, float(row["supply_mv"] or 0) / 1e3].append(mw)
    for target in sorted({target for target, _ in seen}):
        supply = max((mv for t, mv in seen if t == target), key=lambda mv: (len(seen[target, mv]), mv))
        middle, factor = _middle(seen[target, supply])
        yield ActivePower(
            target=target,
            supply_v=float(supply or 0) / 1e3,
            mw_per_mhz=middle,
            interval_factor=factor,
            rows=len(seen[target, supply]),
            points=tuple(_point(*place, found) for place, found in sorted(points[target].items())),
        )


def _point(clock_mhz: float, supply_v: float, found: list[float]) -> PowerPoint:
    middle, factor = _middle(found)
    return PowerPoint(
        clock_mhz=clock_mhz, supply_v=supply_v, milliwatts=middle, interval_factor=factor, rows=len(found)
    )


def _middle(found: list[float]) -> tuple[float, float]:
    """Median, and the factor around it that holds nine tenths of the figures."""
    logs = np.log(found)
    middle = float(np.median(logs))
    spread = math.exp(float(np.quantile(np.abs(logs - middle), 0.9)))
    factor = max(spread, LEAST_FACTOR if len(found) >= FEW else FEW_FACTOR)
    return float(f"{math.exp(middle):.4g}"), round(factor, 3)


def _milliwatts(row: Mapping[str, str]) -> float | None:
    """Energy over time of a row whose target and clock are known."""
    if not row["target"] or not row["clock_mhz"] or "clock_unverified" in row["flag"]:
        return None
    if not row["energy_uj"] or not row["latency_ms"]:
        return None
    return float(row["energy_uj"]) / float(row["latency_ms"])
