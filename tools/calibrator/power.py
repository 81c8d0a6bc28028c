"""Power of whole targets while they compute, from published energies."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from ...hardware_db.calibration import DATASHEET_ALONE, ActivePower, PowerPoint, RunCurrent
from ...hardware_db.errors import EdgewrightError
from ...hardware_db.measurements import rows
from ..deployments import deployment
from ..roofline.power import power_by

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


def fit_run_current(power: Iterable[ActivePower]) -> RunCurrent:
    """Mean of the logarithms over the targets that have a data sheet's figure too, shrunk towards 1.

    Targets differ from each other about as much as from their data sheets, so 1 counts as one target.
    """
    logs = [math.log(ratio) for fitted in power if (ratio := _over_datasheet(fitted))]
    if not logs:
        return DATASHEET_ALONE
    middle = sum(logs) / (len(logs) + 1)
    furthest = max(abs(log - middle) for log in logs)
    return RunCurrent(
        factor=float(f"{math.exp(middle):.4g}"),
        interval_factor=round(max(math.exp(furthest), DATASHEET_ALONE.interval_factor), 3),
        targets=len(logs),
    )


def _over_datasheet(fitted: ActivePower) -> float | None:
    """Median over the points of measured power over the data sheet's; None where it has no run current."""
    ratios = []
    for point in fitted.points:
        try:
            where = deployment(fitted.target, None, clock_mhz=point.clock_mhz)
        except EdgewrightError:
            continue
        stated = power_by(None, where, supply_v=point.supply_v or None, run_current=DATASHEET_ALONE)
        if stated.milliwatts.value and stated.scales:
            ratios.append(point.milliwatts / stated.milliwatts.value)
    return float(np.median(ratios)) if ratios else None


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
