"""A latency as a measurement has it, and what the measurement was."""

import math
from collections.abc import Iterable, Sequence
from statistics import median

import numpy as np

from ...hardware_db.coefficients.offsets import load_offsets
from ..core.deployment import Deployment
from ..core.quantity import Basis, Quantity, Result
from ..core.records import dataclass
from .hierarchy import GPU_FAMILIES, ProcessorKind, processor_of


class MeasuredCase(Result):
    """The measurement that a latency starts from."""

    latency_ms: Quantity
    """As measured: the median, and the interval of repeated measurements."""
    measurements: int
    """How many measurements there are."""
    differs_in: str
    """Empty for this very case; else release, clock, threads, batch or board."""
    targets: tuple[str, ...]
    """What it was measured on."""
    releases: tuple[str, ...]
    """Releases of the runtime, as far as the sources name them."""
    sources: tuple[str, ...]
    """Repositories that published it."""
    estimate_ms: float | None
    """What the cost model alone says of the case asked about."""
    note: str
    """All of this in one sentence."""


@dataclass(frozen=True)
class Anchor:
    """The latency of a deployment, as a measurement has it."""

    latency_ms: Quantity
    ratio: float
    """Of the latency over the cost model's; NaN where that knows none."""
    note: str
    case: MeasuredCase | None = None


def sort_of_place(place: Deployment) -> str:
    """Class of the processor: mcu, cpu, gpu or npu."""
    kind, processor = processor_of(place)
    if kind is not ProcessorKind.UNIT:
        return kind.value
    return "gpu" if processor in GPU_FAMILIES else "npu"


def middle_of(latencies_ms: Sequence[float], place: Deployment, basis: Basis) -> Quantity:
    """The median, with the spread of the measurements and at least that of one among as many."""
    logs = np.log(latencies_ms)
    middle = median(logs.tolist())
    repeat = load_offsets().repeat
    single = math.log(repeat.get(sort_of_place(place), repeat["any"]))
    half = max(float(np.abs(logs - middle).max()), single / math.sqrt(len(logs)))
    return Quantity.within_factor(math.exp(middle), math.exp(half), "ms", basis)


def distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(names)))
