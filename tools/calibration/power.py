"""Power of whole targets while they compute, from published energies."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from ...hardware_db.coefficients import DATASHEET_ALONE, ActivePower, PowerPoint, RunCurrent
from ...hardware_db.errors import EdgewrightError
from ...hardware_db.measurements import rows
from ..core.deployment import deployment
from ..cost_model.hierarchy import ProcessorKind, kind_of_row, processor_of
from ..cost_model.power import power_by

LEAST_FACTOR = 1.1
FEW = 3
FEW_FACTOR = 1.5


Place = tuple[str, ProcessorKind]
"""A target, and which of its processors computed."""


class Figure(NamedTuple):
    network: str
    value: float


def fit_power(measured: Iterable[Mapping[str, str]] | None = None) -> Iterator[ActivePower]:
    """Median power per MHz of every target and kind of processor whose energy was measured, at the supply
    measured most often."""
    seen: dict[tuple[Place, str], list[Figure]] = defaultdict(list)
    points: dict[Place, dict[tuple[float, float], list[Figure]]] = defaultdict(lambda: defaultdict(list))
    for row in rows() if measured is None else measured:
        mw = _milliwatts(row)
        if mw is not None:
            clock_mhz = float(row["clock_mhz"])
            place = row["target"], kind_of_row(row)
            seen[place, row["supply_mv"]].append(Figure(row["network"], mw / clock_mhz))
            at = clock_mhz, float(row["supply_mv"] or 0) / 1e3
            points[place][at].append(Figure(row["network"], mw))
    for place in sorted(points):
        supply = max((mv for p, mv in seen if p == place), key=lambda mv: (len(seen[place, mv]), mv))
        middle, factor = _middle(seen[place, supply])
        target, kind = place
        yield ActivePower(
            target=target,
            kind=kind,
            supply_v=float(supply or 0) / 1e3,
            mw_per_mhz=middle,
            interval_factor=factor,
            rows=len(seen[place, supply]),
            points=tuple(_point(*at, found) for at, found in sorted(points[place].items())),
        )


def fit_run_current(power: Iterable[ActivePower], *, of_a_load: bool = False) -> RunCurrent:
    """What targets draw over their data sheets' figure of run mode at large, or of a stated load.

    Mean of the logarithms over the targets that have a data sheet's figure too, shrunk towards 1.

    Targets differ from each other about as much as from their data sheets, so 1 counts as one target.
    """
    logs = [math.log(ratio) for fitted in power if (ratio := _over_datasheet(fitted, of_a_load))]
    if not logs:
        return DATASHEET_ALONE
    middle = sum(logs) / (len(logs) + 1)
    furthest = max(abs(log - middle) for log in logs)
    return RunCurrent(
        factor=float(f"{math.exp(middle):.4g}"),
        interval_factor=round(max(math.exp(furthest), DATASHEET_ALONE.interval_factor), 3),
        targets=len(logs),
    )


def _over_datasheet(fitted: ActivePower, of_a_load: bool) -> float | None:
    """Median over the points of measured power over the data sheet's; None where it has no such figure."""
    ratios = []
    for point in fitted.points:
        try:
            where = deployment(fitted.target, None, clock_mhz=point.clock_mhz)
        except EdgewrightError:
            continue
        if processor_of(where)[0] != fitted.kind:
            continue
        modes = tuple(mode for mode in where.target.power if mode.of_a_load is of_a_load)
        alone = where.model_copy(update={"target": where.target.model_copy(update={"power": modes})})
        stated = power_by(
            None, alone, supply_v=point.supply_v or None,
            run_current=DATASHEET_ALONE, load_current=DATASHEET_ALONE,
        )  # fmt: skip
        if stated.milliwatts.value and stated.scales:
            ratios.append(point.milliwatts / stated.milliwatts.value)
    return float(np.median(ratios)) if ratios else None


def _point(clock_mhz: float, supply_v: float, found: list[Figure]) -> PowerPoint:
    middle, factor = _middle(found)
    return PowerPoint(
        clock_mhz=clock_mhz, supply_v=supply_v, milliwatts=middle, interval_factor=factor, rows=len(found)
    )


def _middle(found: list[Figure]) -> tuple[float, float]:
    """Median, and the factor around it that should hold nine tenths of what other networks draw.

    Each network is held against the median of the others; of n such errors the one of rank 0.9 (n + 1)
    counts, or the largest (split conformal prediction: Lei et al., JASA 113, 2018).
    """
    logs = {network: [math.log(f.value) for f in found if f.network == network] for network, _ in found}
    middle = float(np.median([math.log(figure.value) for figure in found]))
    errors = sorted(
        abs(value - float(np.median([v for other, vs in logs.items() if other != network for v in vs])))
        for network, values in logs.items()
        for value in values
        if len(logs) > 1
    )
    rank = min(math.ceil(0.9 * (len(errors) + 1)), len(errors))
    spread = math.exp(errors[rank - 1]) if errors else 1.0
    factor = max(spread, LEAST_FACTOR if len(found) >= FEW else FEW_FACTOR)
    return float(f"{math.exp(middle):.4g}"), round(factor, 3)


def _milliwatts(row: Mapping[str, str]) -> float | None:
    """Energy over time of a row whose target and clock are known."""
    if not row["target"] or not row["clock_mhz"] or "clock_unverified" in row["flag"]:
        return None
    if not row["energy_uj"] or not row["latency_ms"]:
        return None
    return float(row["energy_uj"]) / float(row["latency_ms"])
