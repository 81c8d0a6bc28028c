"""Where TFLite Micro's GreedyMemoryPlanner puts each buffer.

Follows tensorflow/tflite-micro at 90b983c2, lite/micro/memory_planner/greedy_memory_planner.cc.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .liveness import Buffer, Ints


def greedy_offsets(buffers: Sequence[Buffer], alignment: int) -> Ints:
    """Offset of each buffer, in the order given.

    Largest first; of equals the one added last. Each goes into the lowest gap that is large enough
    between buffers alive at the same time, else behind the last of them.
    """
    sizes = aligned_sizes(buffers, alignment)
    count = len(buffers)
    first = np.array([b.first for b in buffers], dtype=np.int64)
    last = np.array([b.last for b in buffers], dtype=np.int64)
    newest_first = np.arange(count)[::-1]
    order = newest_first[np.argsort(-sizes[newest_first], kind="stable")]
    offsets = np.zeros(count, dtype=np.int64)
    placed = np.zeros((4, count), dtype=np.int64)
    """Rows: offset, end, first, last of what is placed, by offset."""
    for position, buffer in enumerate(order):
        starts, ends, begins, stops = placed[:, :position]
        together = (begins <= last[buffer]) & (stops >= first[buffer])
        offset = _lowest_gap(starts[together], ends[together], int(sizes[buffer]))
        offsets[buffer] = offset
        at = int(np.searchsorted(starts, offset, side="right"))
        placed[:, at + 1 : position + 1] = placed[:, at:position].copy()
        placed[:, at] = offset, offset + sizes[buffer], first[buffer], last[buffer]
    return offsets


def aligned_sizes(buffers: Sequence[Buffer], alignment: int) -> Ints:
    sizes = np.array([b.bytes for b in buffers], dtype=np.int64)
    return -(-sizes // alignment) * alignment


def _lowest_gap(starts: Ints, ends: Ints, size: int) -> int:
    """Start of the first gap of `size` before, between or behind intervals sorted by their start."""
    if not len(starts):
        return 0
    reached = np.maximum.accumulate(ends)
    gap_starts = np.concatenate(([0], reached[:-1]))
    fitting = np.flatnonzero(starts - gap_starts >= size)
    return int(gap_starts[fitting[0]]) if len(fitting) else int(reached[-1])
