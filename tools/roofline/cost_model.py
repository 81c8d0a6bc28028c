"""Time of every layer: what its kernels cost, and never less than the roofline.

    cost  = Σ work of the layer in each column × the kernels' cost of that column
    time  = cost / clock of a core, or / peak MACs per second of an accelerator
    floor = least MACs / peak, and without caches bytes / bandwidth of the regions that the data lives in

Columns and coefficients are those of `features` and `hardware_db/calibration`; the roofline is Williams,
Waterman, Patterson, CACM 52(4), 2009.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...hardware_db.schema import Cache
from ..deployments import Deployment
from ..graph.layer_table import LayerTable, OpClass
from ..quantity import Basis, weakest
from .features import COLUMN, PricedWork, batch_factors
from .kernels import Kernels, kernels_on
from .levels import DataHomes
from .paths import ProcessorKind, deployment_path, processor_of
from .peaks import peak_macs_per_s, widest_bytes_per_s

Floats = npt.NDArray[np.float64]

OVERHEAD = [COLUMN["op"], COLUMN["view"]]
TRAFFIC = [COLUMN["weight_bytes"], COLUMN["activation_bytes"]]
UNIT_COLUMNS = [
    COLUMN[name]
    for name in (
        "conv", "conv_3x3", "conv_few_channels", "conv_odd_channels", "pointwise", "pointwise_odd_channels",
        "depthwise", "depthwise_other", "dense", "matmul", "op", "weight_bytes", "activation_bytes",
    )
]  # fmt: skip
"""What an accelerator is priced by: everything that is no MAC costs its traffic."""
CONVOLUTIONS = [COLUMN[name] for name in ("conv", "conv_3x3", "conv_few_channels", "conv_odd_channels")]
FAST_CONVOLUTION = 324 / 64
"""MACs per multiplication of 3x3 convolutions by Winograd's F(6x6, 3x3): 36 outputs of 9 MACs from 64
multiplications (Lavin, Gray, CVPR 2016). Libraries for microcontrollers have none."""
UNKNOWN_PEAK_MACS = 1e12
UNKNOWN_BANDWIDTH = 50e9
"""What an accelerator's work is scaled by while its figures are not known: the fit of that target takes up
the difference, and a target that was not measured has a wide interval."""


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
    interval_factor: float
    basis: Basis
    stands_on: tuple[str, ...]

    @property
    def memory_s(self) -> Floats:
        return self.activation_s + self.weight_s


@dataclass(frozen=True)
class Rates:
    """What turns costs into seconds on a processor."""

    per_s: float
    """Cycles, or MACs at the peak."""
    per_byte: float
    """What a byte at full bandwidth is worth, in the same unit."""
    per_launch: float
    """What a microsecond is worth, for accelerators; 1 for cores, whose launches are priced in cycles."""


def unit_rates(peak_macs: float | None, bytes_per_s: float | None) -> Rates:
    """Rates of an accelerator; assumed ones where a figure is not known."""
    peak = peak_macs or UNKNOWN_PEAK_MACS
    return Rates(peak, peak / (bytes_per_s or UNKNOWN_BANDWIDTH), peak * 1e-6)


def core_rates(clock_mhz: float) -> Rates:
    return Rates(clock_mhz * 1e6, 1.0, 1.0)


def scaled(columns: Floats, kind: ProcessorKind, rates: Rates) -> Floats:
    """Columns of work in the processor's unit of cost, as far as its kind of kernels tells them apart."""
    if kind is ProcessorKind.CPU:
        return columns
    if kind is ProcessorKind.MCU:
        merged = columns.copy()
        merged[..., COLUMN["conv"]] += merged[..., COLUMN["conv_3x3"]]
        merged[..., COLUMN["conv_3x3"]] = 0.0
        return merged
    chosen = np.zeros_like(columns)
    chosen[..., UNIT_COLUMNS] = columns[..., UNIT_COLUMNS]
    chosen[..., TRAFFIC] *= rates.per_byte
    chosen[..., OVERHEAD] *= rates.per_launch
    return chosen


def least_macs(columns: Floats, macs: npt.NDArray[np.int64], kind: ProcessorKind) -> Floats:
    """Multiplications that no kernel of that kind of processor can do without."""
    if kind is ProcessorKind.MCU:
        return macs.astype(np.float64)
    saved: Floats = columns[..., CONVOLUTIONS].sum(axis=-1) * (1 - 1 / FAST_CONVOLUTION)
    return macs - saved


def layer_times(work: PricedWork, where: Deployment, homes: DataHomes) -> LayerTimes:
    """Cost every layer on a deployment whose data lives in `homes`."""
    table, (kind, _) = work.table, processor_of(where)
    columns = work.columns * batch_factors(where.batch)
    activation_s, weight_s = _floor_traffic(table, where, homes)
    bounded = kind is ProcessorKind.MCU and not homes.assumptions and where.core.cache == Cache()
    parts = np.full((3, len(table)), np.nan)
    total, used = np.full(len(table), np.nan), []
    for dtype in sorted(set(table.dtypes)):
        kernels = kernels_on(deployment_path(where, dtype), kind)
        if kernels is None:
            continue
        rows = np.array([d == dtype for d in table.dtypes]) & table.counted
        peak = peak_macs_per_s(where, dtype)
        rates = _rates(kind, where, peak)
        cost = scaled(columns[rows], kind, rates) * kernels.cost / rates.per_s
        overhead, traffic = cost[:, OVERHEAD].sum(axis=1), cost[:, TRAFFIC].sum(axis=1)
        compute = cost.sum(axis=1) - overhead - traffic
        floor = least_macs(columns[rows], table.macs[rows] * where.batch, kind) / (peak or np.inf)
        parts[:, rows] = np.maximum(compute, floor), traffic, overhead
        roof = np.maximum(floor, (activation_s + weight_s)[rows]) if bounded else floor
        total[rows] = np.maximum(cost.sum(axis=1), roof)
        used.append((float(total[rows].sum()), kernels))
    return _times(parts, total, activation_s, weight_s, used)


def _times(
    parts: Floats, total: Floats, activation_s: Floats, weight_s: Floats, used: list[tuple[float, Kernels]]
) -> LayerTimes:
    compute, traffic, overhead = parts
    memory = np.maximum(np.nan_to_num(traffic), activation_s + weight_s)
    physical = activation_s + weight_s
    share = np.divide(weight_s, physical, out=np.zeros_like(physical), where=physical > 0)
    matter = [kernels for seconds, kernels in used if seconds > 0] or [kernels for _, kernels in used]
    main = max(used, key=lambda pair: pair[0], default=None)
    return LayerTimes(
        compute_s=compute,
        activation_s=memory * (1 - share),
        weight_s=memory * share,
        overhead_s=overhead,
        total_s=total,
        interval_factor=main[1].interval_factor if main else 1.0,
        basis=weakest(kernels.basis for kernels in matter) if matter else Basis.UNKNOWN,
        stands_on=tuple(dict.fromkeys(kernels.stands_on for kernels in matter)),
    )


def _rates(kind: ProcessorKind, where: Deployment, peak: float | None) -> Rates:
    if kind is not ProcessorKind.UNIT:
        return core_rates(where.clock_mhz)
    return unit_rates(peak, widest_bytes_per_s(where.target, where.clock_mhz))


def _floor_traffic(table: LayerTable, where: Deployment, homes: DataHomes) -> tuple[Floats, Floats]:
    """Seconds to move activations and weights at full bandwidth; 0 where it is unknown, which is warned of.

    A bound of the time only where there is no cache that may still hold them and no bandwidth is assumed.
    """
    moves = np.array([c is not OpClass.VIEW for c in table.classes], dtype=np.bool_)
    activations = ((table.input_bytes + table.output_bytes) * moves * where.batch).astype(np.float64)
    rate_a, rate_w = homes.activations.bytes_per_s, homes.weights.bytes_per_s
    activation_s: Floats = np.divide(activations, rate_a or np.inf)
    weight_s: Floats = np.divide(table.weight_bytes.astype(np.float64), rate_w or np.inf)
    return activation_s, weight_s
