"""The time of every layer on every deployment of a table, as arrays of (deployments, layers)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ...hardware_db.schema import Cache
from ..core.deployment import Deployment
from ..core.deployment_table import DeploymentTable
from ..core.quantity import Basis, Quantity
from ..core.records import dataclass, replace
from ..graph.layer_table import OpClass
from .coefficients import CostCoefficients, cost_coefficients, kind_of
from .crossing import Crossing
from .features import COLUMN, LARGE_CONVOLUTIONS, WorkFeatures, batch_factors
from .hierarchy import GPU_FAMILIES, ProcessorKind, processor_of
from .memory_levels import DataLevels
from .peaks import peak_macs_per_s
from .quantity_column import BASES
from .work import OVERHEAD, TRAFFIC, Floats, least_macs

Ints = npt.NDArray[np.int64]
FEW, FULL, CALL = COLUMN["conv_few_channels"], COLUMN["conv_3x3"], COLUMN["call"]
PADDED = 8 / 3
"""Multiplications per MAC of a convolution of three channels, which is computed as one of eight."""
TINY = 1e-30
_PARTS = ([at for at in COLUMN.values() if at not in OVERHEAD + TRAFFIC], TRAFFIC, OVERHEAD)
"""Columns of what is computed, of what is moved and of what is paid a launch."""


@dataclass(frozen=True, eq=False)
class LayerTimes:
    """Seconds of each layer, for one batch; NaN where the work cannot be known."""

    compute_s: Floats
    activation_s: Floats
    """Moving activations to and from their region."""
    weight_s: Floats
    """Reading weights from theirs."""
    overhead_s: Floats
    total_s: Floats
    compute_roof_s: Floats
    """What its MACs would take at the best rate that these kernels were measured at."""
    memory_roof_s: Floats
    """What its bytes would take at full bandwidth; 0 where that is unknown."""
    interval_factor: float
    basis: Basis
    evidence: tuple[str, ...]
    link_s: Floats | None = None
    """Of the activations' time what moving them between processors takes; None where nothing moves."""
    alone_s: float | None = None
    """In sum, before what a link to the host adds; None where there is none."""
    crossing: Crossing | None = None
    """What crosses that link."""
    low_s: float | None = None
    """Of the sum, the lower end of the interval where it lies below a factor's."""

    @property
    def memory_s(self) -> Floats:
        return self.activation_s + self.weight_s

    @property
    def latency_ms(self) -> Quantity:
        """Of one batch; unknown as soon as one layer's time is."""
        total_ms = float(self.total_s.sum()) * 1e3
        if np.isnan(total_ms):
            return Quantity.unknown("ms")
        found = Quantity.within_factor(total_ms, self.interval_factor, "ms", self.basis)
        if self.low_s is None:
            return found
        return found.model_copy(update={"low": min(total_ms / self.interval_factor, self.low_s * 1e3)})

    def stretched(self, ratio: float, least_s: Floats) -> LayerTimes:
        """`ratio` times as long in sum: what was measured of the whole, shared out as estimated.

        No layer becomes shorter than it is at the peak, as long as the whole is not.
        """
        goal_s = float(self.total_s.sum()) * ratio
        each = np.full(len(self.total_s), ratio)
        if np.isfinite(goal_s) and float(least_s.sum()) < goal_s:
            for _ in range(len(each)):
                at_peak = self.total_s * each <= least_s
                rest_s = float(self.total_s[~at_peak].sum())
                shared = (goal_s - float(least_s[at_peak].sum())) / rest_s if rest_s else 0.0
                own = np.where(at_peak & (self.total_s > 0), self.total_s, 1.0)
                each = np.where(at_peak, least_s / own, shared)
                if not (self.total_s * each < least_s * (1 - 1e-12)).any():
                    break
        names = ("compute_s", "activation_s", "weight_s", "overhead_s", "total_s")
        return replace(self, **{name: getattr(self, name) * each for name in names})


@dataclass(frozen=True, eq=False)
class TimesTable:
    """As `LayerTimes`, with a row for each deployment."""

    compute_s: Floats
    activation_s: Floats
    weight_s: Floats
    overhead_s: Floats
    total_s: Floats
    compute_roof_s: Floats
    memory_roof_s: Floats
    interval_factor: Floats
    basis: Ints
    """Positions in `Basis`."""
    used_s: tuple[tuple[CostCoefficients, Floats], ...]
    """Of each type its coefficients, and seconds over all its layers by deployment; -inf: none."""

    @property
    def memory_s(self) -> Floats:
        return self.activation_s + self.weight_s

    def at(self, row: int) -> LayerTimes:
        """Those of one deployment."""
        return LayerTimes(
            compute_s=self.compute_s[row],
            activation_s=self.activation_s[row],
            weight_s=self.weight_s[row],
            overhead_s=self.overhead_s[row],
            total_s=self.total_s[row],
            compute_roof_s=self.compute_roof_s[row],
            memory_roof_s=self.memory_roof_s[row],
            interval_factor=float(self.interval_factor[row]),
            basis=BASES[self.basis[row]],
            evidence=self.evidence(row),
        )

    def evidence(self, row: int) -> tuple[str, ...]:
        """The evidence of the kernels that the time goes to."""
        used = [(s[row], p.kernels[p.group[row]]) for p, s in self.used_s if p.group[row] >= 0]
        matter = [kernels for seconds, kernels in used if seconds > 0] or [kernels for _, kernels in used]
        return tuple(dict.fromkeys(kernels.evidence for kernels in matter))


def layer_times(work: WorkFeatures, deployment: Deployment, levels: DataLevels) -> LayerTimes:
    """Cost every layer on a deployment whose data lives in `levels`."""
    return times_table(work, DeploymentTable([deployment]), [levels]).at(0)


def times_table(work: WorkFeatures, places: DeploymentTable, levels: Sequence[DataLevels]) -> TimesTable:
    """Cost every layer on every deployment, whose data lives in its `levels`."""
    table = work.table
    floor_activation, floor_weight = _floor_traffic(work, places, levels)
    assumed = np.array([bool(level.assumptions) for level in levels], dtype=np.bool_)
    roofed = np.array(places.each(waits_for_memory), dtype=np.bool_) & ~assumed
    least = _least_macs(work, places)
    batches = np.array([float(place.batch) for place in places])
    on_gpu = np.array(places.each(is_on_gpu), dtype=np.bool_)
    compute, traffic, overhead, total, roof_s = (np.full((len(places), len(table)), np.nan) for _ in range(5))
    used: list[tuple[CostCoefficients, Floats]] = []
    for dtype in sorted(set(table.dtypes)):
        coefficients = cost_coefficients(places, dtype)
        layers = np.flatnonzero(np.array([d == dtype for d in table.dtypes]) & table.counted)
        known = np.flatnonzero(coefficients.group >= 0)
        here = np.ix_(known, layers)
        parts = [_columns_seconds(work.columns[layers], coefficients, known, columns) for columns in _PARTS]
        floor = least[here] / coefficients.peak_macs_per_s[known, None]
        roof = np.where(roofed[known, None], (floor_activation + floor_weight)[here], 0.0)
        of_rest, of_launches = _beside(parts, on_gpu[known])
        parts = [parts[0] * of_rest, parts[1] * of_rest, parts[2] * of_launches]
        setting_out = _setting_out(work.columns[layers], coefficients, known, places) * of_rest
        call = _columns_seconds(work.columns[layers], coefficients, known, [CALL]) * of_launches
        parts[0] -= setting_out
        parts[2] -= call
        whole = np.maximum(parts[0] + parts[1] + parts[2], np.maximum(floor, roof))
        each = whole / np.maximum(whole.sum(axis=1), TINY)[:, None]
        shared = [part.sum(axis=1, keepdims=True) * each for part in (setting_out, call)]
        parts[0] += shared[0]
        parts[2] += shared[1]
        whole += shared[0] + shared[1]
        compute[here], traffic[here], overhead[here] = np.maximum(parts[0], floor), parts[1], parts[2]
        total[here] = whole
        roof_s[here] = np.maximum(
            table.macs[layers] * _best_s(coefficients, known, batches[known])[:, None], floor
        )
        seconds = np.full(len(places), -np.inf)
        seconds[known] = whole.sum(axis=1)
        used.append((coefficients, seconds))
    activation, weight = _split(traffic, floor_activation, floor_weight)
    roofs = roof_s, floor_activation + floor_weight
    trust = _trust(used, len(places))
    return TimesTable(compute, activation, weight, overhead, total, *roofs, *trust, tuple(used))


def _columns_seconds(
    columns: Floats, coefficients: CostCoefficients, known: Ints, chosen: list[int]
) -> Floats:
    """Seconds of each layer on the deployments that are known, for some of the columns.

    Summed in one order however many deployments there are: one by one gives the same digits.
    """
    work, costs = (np.ascontiguousarray(part[:, chosen]) for part in (columns, coefficients.costs))
    by_group: Floats = np.einsum("gf,lf->gl", costs, work)
    seconds: Floats = by_group[coefficients.group[known]] / coefficients.per_s[known, None]
    return seconds


def _setting_out(
    columns: Floats, coefficients: CostCoefficients, known: Ints, places: DeploymentTable
) -> Floats:
    """Seconds that a GPU's first layer is charged above a padded convolution of as many MACs.

    Every network has one, so measurements of whole networks cannot tell its time from what each inference
    costs beside its layers: fetching the input and setting out. It is shared out among all of them.
    """
    few, full = coefficients.costs[:, FEW], coefficients.costs[:, FULL]
    extra = np.maximum(few - PADDED * full, 0.0)[coefficients.group[known]] / coefficients.per_s[known]
    on_gpu = np.array(places.each(is_on_gpu), dtype=np.bool_)[known]
    seconds: Floats = np.where(on_gpu, extra, 0.0)[:, None] * columns[:, FEW][None, :]
    return seconds


def _beside(parts: Sequence[Floats], on_gpu: npt.NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """(deployments, 1): how much of what a network computes and moves, and of its launches, is waited for."""
    of_rest, of_launches = (
        np.where(on_gpu, part, 1.0)[:, None]
        for part in waited_for((parts[0] + parts[1]).sum(axis=1), parts[2].sum(axis=1))
    )
    return of_rest, of_launches


def waited_for(rest_s: Floats, launches_s: Floats) -> tuple[Floats, Floats]:
    """Shares on a GPU, where the squares add: what is the less of the two is nearly hidden."""
    whole_s = np.maximum(np.hypot(rest_s, launches_s), TINY)
    return rest_s / whole_s, launches_s / whole_s


def is_on_gpu(place: Deployment) -> bool:
    kind, processor = processor_of(place)
    return kind is ProcessorKind.UNIT and processor in GPU_FAMILIES


def _best_s(coefficients: CostCoefficients, known: Ints, batches: Floats) -> Floats:
    """Seconds that a MAC takes at best on the deployments that are known, for the batch.

    As measured; where the library was not on that processor, what the fit makes of large convolutions.
    """
    costs: Floats = (coefficients.costs @ LARGE_CONVOLUTIONS.T).min(axis=1, initial=np.inf)
    fitted = costs[coefficients.group[known]] / coefficients.per_s[known]
    measured = batches / coefficients.achieved_macs_per_s[known]
    best: Floats = np.where(np.isnan(measured), fitted, measured)
    return best


def _trust(used: Sequence[tuple[CostCoefficients, Floats]], count: int) -> tuple[Floats, Ints]:
    """Interval's factor of the type that most time goes to; the weakest basis of those that matter."""
    factor, basis = np.ones(count), np.full(count, BASES.index(Basis.UNKNOWN))
    if not used:
        return factor, basis
    seconds = np.stack([s for _, s in used])
    factors = np.stack([_of_group(p, [k.interval_factor for k in p.kernels], 1.0) for p, _ in used])
    ranks = np.stack([_of_group(p, [BASES.index(k.basis) for k in p.kernels], -1) for p, _ in used])
    costed = seconds > -np.inf
    matter = np.where((seconds > 0).any(axis=0), seconds > 0, costed)
    known = costed.any(axis=0)
    main = np.take_along_axis(factors, seconds.argmax(axis=0)[None], axis=0)[0]
    weakest = np.where(matter, ranks, -1).max(axis=0)
    return np.where(known, main, factor), np.where(known, weakest, basis).astype(np.int64)


def _of_group(coefficients: CostCoefficients, figures: Sequence[float], other: float) -> Floats:
    """A figure of each group's kernels, for each deployment."""
    return np.array([*figures, other], dtype=np.float64)[coefficients.group]


def _split(traffic: Floats, activation_s: Floats, weight_s: Floats) -> tuple[Floats, Floats]:
    """Time of moving data, as costed or at full bandwidth, parted as the bandwidths part it."""
    physical = activation_s + weight_s
    memory = np.maximum(np.nan_to_num(traffic), physical)
    share = np.divide(weight_s, physical, out=np.zeros_like(physical), where=physical > 0)
    return memory * (1 - share), memory * share


def least_seconds(work: WorkFeatures, deployment: Deployment) -> Floats:
    """Of each layer at the peak of its type; 0 where that is not known."""
    least = least_macs(
        work.columns * batch_factors(deployment.batch),
        work.table.macs * deployment.batch,
        kind_of(deployment),
    )
    peaks = {dtype: peak_macs_per_s(deployment, dtype) or np.inf for dtype in set(work.table.dtypes)}
    seconds: Floats = least / np.array([peaks[dtype] for dtype in work.table.dtypes])
    return seconds


def waits_for_memory(deployment: Deployment) -> bool:
    """Whether bytes over bandwidth bound its time: not where a cache may still hold them."""
    return kind_of(deployment) is ProcessorKind.MCU and deployment.core.cache == Cache()


def _least_macs(work: WorkFeatures, places: DeploymentTable) -> Floats:
    """Of each layer for the batch, on each deployment."""
    by_kind = {kind: least_macs(work.columns, work.table.macs, kind) for kind in set(places.each(kind_of))}
    batches = np.array([float(place.batch) for place in places])
    stacked = np.array([by_kind[kind] for kind in places.each(kind_of)])
    least: Floats = stacked.reshape(len(places), len(work.table)) * batches[:, None]
    return least


def _floor_traffic(
    work: WorkFeatures, places: DeploymentTable, levels: Sequence[DataLevels]
) -> tuple[Floats, Floats]:
    """Seconds to move activations and weights at full bandwidth; 0 where it is unknown, which is warned of.

    A bound of the time only where there is no cache that may still hold them and no bandwidth is assumed.
    """
    table = work.table
    moves = np.array([c is not OpClass.VIEW for c in table.classes], dtype=np.bool_)
    activations = (table.input_bytes + table.output_bytes) * moves
    batches = np.array([float(place.batch) for place in places])
    rate_a = np.array([level.activations.bytes_per_s or np.inf for level in levels])
    rate_w = np.array([level.weights.bytes_per_s or np.inf for level in levels])
    activation_s: Floats = activations * batches[:, None] / rate_a[:, None]
    weight_s: Floats = table.weight_bytes / rate_w[:, None]
    return activation_s, weight_s
