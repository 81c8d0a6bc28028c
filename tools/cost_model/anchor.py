"""A latency as a measurement has it, and what the measurement was."""

import math
from collections.abc import Iterable, Sequence
from statistics import median

import numpy as np

from ...hardware_db.coefficients.offsets import load_offsets
from ...hardware_db.measurements.published import Published
from ..core.deployment import Deployment
from ..core.quantity import Basis, Quantity, Result
from ..core.records import dataclass
from .hierarchy import GPU_FAMILIES, ProcessorKind, processor_of

SHOWN_SOURCES = 3


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


def case_of(
    rows: Sequence[Published], latency: Quantity, respect: str, estimate_ms: float, note: str
) -> MeasuredCase:
    return MeasuredCase(
        latency_ms=latency,
        measurements=len(rows),
        differs_in=respect,
        targets=distinct(row.target for row in rows),
        releases=distinct(row.release for row in rows if row.release),
        sources=distinct(row.repository for row in rows),
        estimate_ms=None if math.isnan(estimate_ms) else estimate_ms,
        note=note,
    )


def in_words(rows: Sequence[Published]) -> str:
    """Figures, where, with which release and by whom."""
    low, high = min(row.latency_ms for row in rows), max(row.latency_ms for row in rows)
    figures = f"{low:.4g} ms" if low == high else f"{low:.4g} to {high:.4g} ms"
    targets, releases = distinct(r.target for r in rows), distinct(r.release for r in rows if r.release)
    parts = [f"{figures} on {_few(targets)}"]
    if releases:
        parts.append(f"release {_few(releases)}")
    parts.append(_few(distinct(row.repository for row in rows)))
    return "; ".join(parts)


def _few(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN_SOURCES} more" if len(names) > SHOWN_SOURCES else ""
    return ", ".join(names[:SHOWN_SOURCES]) + more
