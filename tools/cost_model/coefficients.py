"""What a unit of each column of work costs on each deployment, for each type of arithmetic."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
import numpy.typing as npt

from ...hardware_db.coefficients import load_coefficients
from ...hardware_db.coefficients.achieved import load_achieved
from ..core.deployment import Deployment
from ..core.deployment_table import DeploymentTable, Machine
from ..core.records import dataclass
from .alone import silicon_of
from .deployment_path import deployment_path
from .features import FEATURES, batch_factors
from .hierarchy import SAME_KERNELS, ProcessorKind, computed_type, processor_of
from .kernels import Kernels, kernels_on
from .peaks import peak_macs_per_s, widest_bytes_per_s
from .reference_peaks import nominal_macs_per_s
from .work import Floats, Rates, core_rates, scaled, unit_rates

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class CostCoefficients:
    """Of one type of arithmetic on the deployments of a table. Deployments of one group cost the same."""

    costs: Floats
    """(groups, features): cost of a unit of work in the processor's unit of cost, for the whole batch."""
    kernels: tuple[Kernels, ...]
    """Of each group."""
    group: Ints
    """Of each deployment; -1 where nothing akin was measured."""
    per_s: Floats
    """What each processor does in a second, in its unit of cost."""
    peak_macs_per_s: Floats
    """Infinite where it is not known."""
    achieved_macs_per_s: Floats
    """The best rate measured of the library on that processor; NaN where none was."""


def cost_coefficients(places: DeploymentTable, dtype: str) -> CostCoefficients:
    """Made on the first call for a table and a type, and kept with the table."""
    return places.memoized(("coefficients", dtype), lambda: _coefficients(places, dtype))


def kind_of(deployment: Deployment) -> ProcessorKind:
    return processor_of(deployment)[0]


def _coefficients(places: DeploymentTable, dtype: str) -> CostCoefficients:
    kinds, bandwidths = places.each(kind_of), places.each_machine(_widest)
    numbers: dict[Hashable, int] = {}
    kernels: list[Kernels] = []
    costs: list[Floats] = []
    rows: list[tuple[int, float, float, float]] = []
    for where, kind, bandwidth in zip(places, kinds, bandwidths, strict=True):
        peak = peak_macs_per_s(where, computed_type(where.runtime.id, processor_of(where)[1], dtype))
        rates = rates_of(where, kind, dtype, bandwidth)
        found = kernels_on(deployment_path(where, dtype))
        group = -1
        if found is not None:
            key = (id(found), kind, where.batch, rates.per_byte, rates.per_launch)
            group = numbers.setdefault(key, len(numbers))
            if group == len(costs):
                kernels.append(found)
                costs.append(costs_of(found, kind, rates, where.batch))
        rows.append((group, rates.per_s, peak or np.inf, _achieved(where, kind, dtype, peak)))
    group_of, per_s, peaks, achieved = zip(*rows, strict=True) if rows else ((), (), (), ())
    return CostCoefficients(
        costs=np.array(costs).reshape(-1, len(FEATURES)),
        kernels=tuple(kernels),
        group=np.array(group_of, dtype=np.int64),
        per_s=np.array(per_s, dtype=np.float64),
        peak_macs_per_s=np.array(peaks, dtype=np.float64),
        achieved_macs_per_s=np.array(achieved, dtype=np.float64),
    )


def _achieved(where: Deployment, kind: ProcessorKind, dtype: str, peak: float | None) -> float:
    key = kind.value, where.runtime.id, processor_of(where)[1], SAME_KERNELS.get(dtype, dtype)
    best = load_achieved().get(key)
    if best is None:
        return np.nan
    if kind is ProcessorKind.UNIT:
        return np.nan if peak is None else best.rate * peak
    return best.rate * where.clock_mhz * 1e6 * where.threads


def rates_of(deployment: Deployment, kind: ProcessorKind, dtype: str, bandwidth: float | None) -> Rates:
    if kind is not ProcessorKind.UNIT:
        return core_rates(deployment.clock_mhz)
    typical = load_coefficients().typical_macs_per_s
    family = processor_of(deployment)[1]
    peak = nominal_macs_per_s(
        deployment.target, deployment.accelerator, family, dtype, deployment.clock_mhz, typical
    )
    return unit_rates(peak, bandwidth)


def costs_of(kernels: Kernels, kind: ProcessorKind, rates: Rates, batch: int) -> Floats:
    """Costs are linear in the work: those of one unit of each column."""
    unit_work: Floats = np.diag(batch_factors(batch))
    costs: Floats = (scaled(unit_work, kind, rates) * kernels.cost).sum(axis=1)
    return costs


def _widest(machine: Machine) -> float | None:
    return widest_bytes_per_s(silicon_of(machine), machine.clock_mhz)
