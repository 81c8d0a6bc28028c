"""Time of every layer: what its kernels cost, and never less than the roofline.

    cost  = Σ work of the layer in each column × the kernels' cost of that column
    time  = cost / clock of a core, or / peak MACs per second of an accelerator
    floor = least MACs / peak, and without caches bytes / bandwidth of the regions that the data lives in

A GPU computes while the next operators are started: the lesser of the two hides behind the greater. Of the
sums over all layers, time² = launches² + the rest².

Columns and coefficients are those of `features` and `hardware_db/coefficients`; the roofline is Williams,
Waterman, Patterson, CACM 52(4), 2009.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from ..core.records import dataclass
from .features import COLUMN
from .hierarchy import ProcessorKind

Floats = npt.NDArray[np.float64]

OVERHEAD = [COLUMN["op"], COLUMN["view"], COLUMN["call"]]
TRAFFIC = [COLUMN["weight_bytes"], COLUMN["activation_bytes"]]
UNIT_COLUMNS = [
    COLUMN[name]
    for name in (
        "conv", "conv_3x3", "conv_few_channels", "conv_odd_channels", "pointwise", "pointwise_odd_channels",
        "depthwise", "depthwise_other", "dense", "matmul", "op", "call", "weight_bytes", "activation_bytes",
        "fill",
    )
]  # fmt: skip
"""What an accelerator is charged for: everything that is no MAC costs its traffic."""
CONVOLUTIONS = [COLUMN[name] for name in ("conv", "conv_3x3", "conv_few_channels", "conv_odd_channels")]
FAST_CONVOLUTION = 324 / 64
"""MACs per multiplication of 3x3 convolutions by Winograd's F(6x6, 3x3): 36 outputs of 9 MACs from 64
multiplications (Lavin, Gray, CVPR 2016). Libraries for microcontrollers have none."""
UNKNOWN_PEAK_MACS = 1e12
UNKNOWN_BANDWIDTH = 50e9
"""What an accelerator's work is scaled by while its figures are not known: the fit of that target takes up
the difference, and a target that was not measured has a wide interval."""
BANDWIDTH_EXPONENT = 0.6
"""How the time of moving data falls with bandwidth: what stays on chip does not wait for it."""


@dataclass(frozen=True)
class Rates:
    """What turns costs into seconds on a processor."""

    per_s: float
    """Cycles, or MACs at the peak."""
    per_byte: float
    """What a byte at full bandwidth is worth, in the same unit."""
    per_launch: float
    """What a microsecond is worth, for accelerators; 1 for cores, whose launches cost cycles.

    Filling an accelerator counts with its root: of a layer that takes t at the peak, √(t × 1 µs).
    """


def unit_rates(peak_macs: float | None, bytes_per_s: float | None) -> Rates:
    """Rates of an accelerator; assumed ones where a figure is not known."""
    peak = peak_macs or UNKNOWN_PEAK_MACS
    moved = UNKNOWN_BANDWIDTH * ((bytes_per_s or UNKNOWN_BANDWIDTH) / UNKNOWN_BANDWIDTH) ** BANDWIDTH_EXPONENT
    return Rates(peak, peak / moved, peak * 1e-6)


def overlaps(kind: str) -> bool:
    """Whether a class of processors computes while it is told what comes next."""
    return kind == "gpu"


def whole_cost(parts: Floats, kind: str) -> Floats:
    """Of a network (…, features): one after the other, or launches beside the rest."""
    whole: Floats = parts.sum(axis=-1)
    return np.hypot(*_beside(parts, whole)) if overlaps(kind) else whole


def shares_of_cost(parts: Floats, whole: Floats, kind: str) -> Floats:
    """How the logarithm of the whole follows those of its parts (…, features)."""
    shares: Floats = parts / whole[..., None]
    if overlaps(kind):
        launches, rest = _beside(parts, parts.sum(axis=-1))
        slopes = np.repeat((rest / whole)[..., None], parts.shape[-1], axis=-1)
        slopes[..., OVERHEAD] = (launches / whole)[..., None]
        shares *= slopes
    return shares


def _beside(parts: Floats, summed: Floats) -> tuple[Floats, Floats]:
    launches: Floats = parts[..., OVERHEAD].sum(axis=-1)
    return launches, summed - launches


def core_rates(clock_mhz: float) -> Rates:
    return Rates(clock_mhz * 1e6, 1.0, 1.0)


def scaled(columns: Floats, kind: ProcessorKind, rates: Rates) -> Floats:
    """Columns of work in the processor's unit of cost, as far as its kind of kernels tells them apart."""
    if kind is not ProcessorKind.UNIT:
        merged = columns.copy()
        merged[..., [COLUMN["call"], COLUMN["fill"]]] = 0.0
        if kind is ProcessorKind.CPU:
            return merged
        merged[..., COLUMN["conv"]] += merged[..., COLUMN["conv_3x3"]]
        merged[..., COLUMN["conv_3x3"]] = 0.0
        return merged
    chosen = np.zeros_like(columns)
    chosen[..., UNIT_COLUMNS] = columns[..., UNIT_COLUMNS]
    chosen[..., TRAFFIC] *= rates.per_byte
    chosen[..., OVERHEAD] *= rates.per_launch
    chosen[..., COLUMN["fill"]] *= math.sqrt(rates.per_launch)
    return chosen


def least_macs(columns: Floats, macs: npt.NDArray[np.int64], kind: ProcessorKind) -> Floats:
    """Multiplications that no kernel of that kind of processor can do without."""
    if kind is ProcessorKind.MCU:
        return macs.astype(np.float64)
    saved: Floats = columns[..., CONVOLUTIONS].sum(axis=-1) * (1 - 1 / FAST_CONVOLUTION)
    return macs - saved
