"""What the time of a model goes to, and what binds it.

A roof binds what fills at least half of it: `memory` half of the bandwidth, `compute` half of the best rate
that was measured of the kernel library on that processor (not of the data sheet's peak). What fills
neither is bound by overhead: launches, kernels that suit the shape badly, or the link.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .hierarchy import ProcessorKind
from .performance_estimate import Bound, BoundDetail
from .times import LayerTimes, TimesTable
from .work import Floats

Ints = npt.NDArray[np.int64]
BOUNDS = (Bound.COMPUTE, Bound.MEMORY, Bound.OVERHEAD, Bound.UNKNOWN)
_COMPUTE, _MEMORY, _OVERHEAD, _UNKNOWN = range(4)
FILLED = 0.5
"""Share of a roof from which it binds."""
SMALL = 0.1
"""Share of launches in what no roof accounts for, from which the work of each is small for the processor."""


def bound_seconds(times: LayerTimes | TimesTable) -> Floats:
    """Known seconds at the compute roof, at the memory roof and beyond both: [3], or [deployments, 3].

    The roofs overlap: a layer's seconds at a roof are those of the higher of its two.
    """
    compute_s, memory_s, total_s = _roofs(times)
    waits = memory_s > compute_s
    parts = (
        np.where(waits, 0.0, compute_s),
        np.where(waits, memory_s, 0.0),
        total_s - np.maximum(compute_s, memory_s),
    )
    seconds: Floats = np.stack([part.sum(axis=-1) for part in parts], axis=-1)
    return seconds


def bounds(times: LayerTimes | TimesTable) -> Ints:
    """Positions in `BOUNDS` of what binds the whole, with a row for each deployment of a table.

    Of two roofs that are filled both it is the one at which more of the time is spent, layer by layer.
    """
    compute_s, memory_s, total_s = (part.sum(axis=-1) for part in _roofs(times))
    spent = bound_seconds(times)
    return _binding(np.maximum(compute_s, memory_s), total_s, spent[..., _MEMORY] > spent[..., _COMPUTE])


def layer_bounds(times: LayerTimes) -> Ints:
    """Of each layer."""
    compute_s, memory_s, total_s = _roofs(times)
    found = _binding(np.maximum(compute_s, memory_s), total_s, memory_s > compute_s)
    found[np.isnan(times.total_s)] = _UNKNOWN
    return found


def of_best_rate(times: LayerTimes) -> float | None:
    """Share of the whole time that its MACs would take at the best rate of the kernels."""
    compute_s, _, total_s = _roofs(times)
    whole = float(total_s.sum())
    return float(compute_s.sum()) / whole if whole > 0 else None


def bound_detail(times: LayerTimes, kind: ProcessorKind) -> BoundDetail:
    """What it is that no roof accounts for, for the most part."""
    compute_s, memory_s, total_s = _roofs(times)
    beyond = (total_s - np.maximum(compute_s, memory_s)).sum()
    if times.link_s is not None and times.link_s.sum() >= beyond / 2:
        return BoundDetail.LINK
    launched = float(np.nansum(times.overhead_s))
    if launched >= beyond / 2:
        return BoundDetail.LAUNCH
    small = kind is ProcessorKind.UNIT and launched >= SMALL * beyond
    return BoundDetail.OCCUPANCY if small else BoundDetail.KERNEL_EFFICIENCY


def _roofs(times: LayerTimes | TimesTable) -> tuple[Floats, Floats, Floats]:
    """Seconds at the compute roof and at the memory roof, no more than it takes, and what it takes."""
    total_s = np.nan_to_num(times.total_s)
    at_roofs = (np.nan_to_num(roof) for roof in (times.compute_roof_s, times.memory_roof_s))
    compute_s, memory_s = (np.minimum(roof, total_s) for roof in at_roofs)
    return compute_s, memory_s, total_s


def _binding(higher_s: Floats, total_s: Floats, of_memory: npt.NDArray[np.bool_]) -> Ints:
    bound = np.where(higher_s >= FILLED * total_s, np.where(of_memory, _MEMORY, _COMPUTE), _OVERHEAD)
    found: Ints = np.where(total_s > 0, bound, _UNKNOWN).astype(np.int64)
    return found
