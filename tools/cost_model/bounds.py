"""What the time of a model goes to."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .report import Bound
from .times import LayerTimes, TimesTable
from .work import Floats

Ints = npt.NDArray[np.int64]
BOUNDS = (Bound.COMPUTE, Bound.MEMORY, Bound.OVERHEAD, Bound.UNKNOWN)


def bound_seconds(times: LayerTimes | TimesTable) -> Floats:
    """Known seconds that go to compute, memory and overhead: [3], or [deployments, 3] of a table.

    Compute and memory overlap: a layer's go to the slower of the two. Overhead adds to both.
    """
    compute_s, memory_s = times.compute_s, times.memory_s
    waits = memory_s > compute_s
    seconds: Floats = np.stack(
        [
            np.nansum(np.where(compute_s >= memory_s, compute_s, 0.0), axis=-1),
            np.nansum(np.where(waits, memory_s, 0.0), axis=-1),
            np.nansum(times.overhead_s, axis=-1),
        ],
        axis=-1,
    )
    return seconds


def bounds(seconds: Floats) -> Ints:
    """Positions in `BOUNDS` of where most of [..., 3] seconds go; unknown where none are known."""
    found: Ints = np.where(
        seconds.sum(axis=-1) > 0, seconds.argmax(axis=-1), BOUNDS.index(Bound.UNKNOWN)
    ).astype(np.int64)
    return found
